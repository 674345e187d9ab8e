"""What may be seen of a sitting, and when: the one rule for pages and API alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from questions.exams.domain.clock import Phase


class Feedback(StrEnum):
    """When the key of an item is shown."""

    AT_ONCE = "at_once"
    AT_END = "at_end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What the owner of a sitting may see of one of its items now.

    ``question`` is stem, options and the own answer; ``key`` is keys, rationales, trap,
    explanation and whether the answer is right; ``report`` is the result.
    """

    question: bool
    key: bool
    report: bool


def sight(
    *,
    phase: Phase,
    feedback: str,
    is_answered: bool,
    is_withheld: bool = False,
) -> Sight:
    """Return what may be seen in this phase.

    ``is_answered`` says that the item was checked, or its answer asked for.
    ``is_withheld`` says that the question is in a mock exam that its owner has under
    way: its key is shown nowhere until that ends.
    """
    is_finished = phase is Phase.FINISHED
    if is_finished or phase is Phase.RUNNING:
        # Practice closed early keeps the keys of what was never answered for later.
        is_shown = is_answered if feedback == Feedback.AT_ONCE else is_finished
        return Sight(
            question=True, key=is_shown and not is_withheld, report=is_finished
        )
    # Closing, due or void: nothing is shown, answers on their way may still count.
    return Sight(question=False, key=False, report=False)
