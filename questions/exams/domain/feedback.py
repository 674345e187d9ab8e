"""What a learner may see of an answer, and in which words.

Works on the published document, so that nothing is rendered twice, and fills in the
letters of the order in which this learner saw the options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from questions.domain import items, rendering
from questions.domain.responses import Response
from questions.domain.scoring import Score, score

_COUNT = ("none", "one", "two", "three", "four", "five", "six")


class OptionState(StrEnum):
    """How an option stands after the reveal."""

    CORRECT = "correct"
    MISSED = "missed"
    WRONG = "wrong"
    REST = "rest"
    KEY = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An option as it is shown, before or after the reveal."""

    key: str
    letter: str
    html: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedChoice:
    """An option after the reveal: its state, in a word, and why."""

    key: str
    letter: str
    html: str
    is_chosen: bool
    is_key: bool
    state: OptionState
    stamp: str
    rationale_html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Everything shown after an answer, in the order in which it is read.

    ``state`` is ``right``, ``wrong`` or ``shown``; ``why`` names every key.
    """

    state: str
    headline: str
    detail: str
    trap_html: str
    why: str
    explanation_html: str
    choices: tuple[RevealedChoice, ...]
    references: tuple[dict[str, str], ...]


def letters_of(order: Sequence[str]) -> dict[str, str]:
    """Return the letter that each option key has in ``order``."""
    return {key: chr(ord("A") + place) for place, key in enumerate(order)}


def order_of(opened: dict[str, Any]) -> list[str]:
    """Return the option keys of an open document in the author's order."""
    return [option["key"] for option in opened["options"]]


def choices(opened: dict[str, Any], chosen: frozenset[str]) -> tuple[Choice, ...]:
    """Return the options before the reveal, with what is chosen so far."""
    letters = letters_of(order_of(opened))
    return tuple(
        Choice(
            key=option["key"],
            letter=letters[option["key"]],
            html=option["html"],
            is_chosen=option["key"] in chosen,
        )
        for option in opened["options"]
    )


def answerable(opened: dict[str, Any], keyed: dict[str, Any]) -> items.Item:
    """Return as much of the item as scoring a response needs."""
    keys = set(keyed["keys"])
    options = tuple(
        items.Option(key=option["key"], text="", is_key=option["key"] in keys)
        for option in opened["options"]
    )
    if opened["kind"] == "multiple":
        return items.MultipleChoice(
            title="", stem="", options=options, choose=opened["choose"]
        )
    return items.SingleChoice(title="", stem="", options=options)


def unkeyed(*, kind: str, choose: int, keys: Sequence[str]) -> items.Item:
    """Return as much of an item as parsing a response needs; no key is in it."""
    options = tuple(items.Option(key=key, text="", is_key=False) for key in keys)
    if kind == "multiple":
        return items.MultipleChoice(title="", stem="", options=options, choose=choose)
    return items.SingleChoice(title="", stem="", options=options)


def reveal(
    opened: dict[str, Any], keyed: dict[str, Any], response: Response | None
) -> Reveal:
    """Return what is shown after ``response``, or after asking for the answer."""
    order = order_of(opened)
    letters = letters_of(order)
    keys = [key for key in order if key in set(keyed["keys"])]
    named = _listing([letters[key] for key in keys])
    state, headline, detail = _verdict(opened, keyed, response, named)
    return Reveal(
        state=state,
        headline=headline,
        detail=detail,
        trap_html=rendering.fill_letters(keyed["trap_html"], order),
        why=f"Why {named}",
        explanation_html=rendering.fill_letters(keyed["explanation_html"], order),
        choices=tuple(
            _revealed(option, keyed, letters, order, response)
            for option in opened["options"]
        ),
        references=tuple(
            {**reference, "host": urlsplit(reference["url"]).hostname or ""}
            for reference in keyed["references"]
        ),
    )


def _verdict(
    opened: dict[str, Any],
    keyed: dict[str, Any],
    response: Response | None,
    named: str,
) -> tuple[str, str, str]:
    noun = "answer is" if len(keyed["keys"]) == 1 else "answers are"
    if response is None:
        return "shown", f"The {noun} {named}", "You asked to see it before answering."
    result = score(answerable(opened, keyed), response)
    if result.is_full:
        return "right", "Correct", _praise_free(result, named)
    return "wrong", *_how_wrong(result, noun, named)


def _praise_free(result: Score, named: str) -> str:
    if result.keys == 1:
        return f"{named} is the answer. The reason is below."
    return f"{named} are the answers. The reasons are below."


def _how_wrong(result: Score, noun: str, named: str) -> tuple[str, str]:
    if result.keys == 1:
        return "Not this one", f"The {noun} {named}. The reason is below."
    asked = _COUNT[result.keys]
    headline = f"{_COUNT[result.hits].capitalize()} of {asked} right"
    return headline, (
        f"The {noun} {named}. Choose-{asked} questions are all or nothing, so this "
        "counts as wrong."
    )


def _revealed(
    option: dict[str, Any],
    keyed: dict[str, Any],
    letters: dict[str, str],
    order: Sequence[str],
    response: Response | None,
) -> RevealedChoice:
    key = option["key"]
    is_key = key in keyed["keys"]
    is_chosen = response is not None and key in response.chosen
    state, stamp = _option_state(
        is_key=is_key, is_chosen=is_chosen, answered=response is not None
    )
    return RevealedChoice(
        key=key,
        letter=letters[key],
        html=option["html"],
        is_chosen=is_chosen,
        is_key=is_key,
        state=state,
        stamp=stamp,
        rationale_html=rendering.fill_letters(keyed["rationales"].get(key, ""), order),
    )


def _option_state(
    *, is_key: bool, is_chosen: bool, answered: bool
) -> tuple[OptionState, str]:
    if not answered:
        return (OptionState.KEY, "Correct.") if is_key else (OptionState.REST, "Wrong.")
    if is_key and is_chosen:
        return OptionState.CORRECT, "Correct. You chose it."
    if is_key:
        return OptionState.MISSED, "Correct. You missed it."
    if is_chosen:
        return OptionState.WRONG, "Wrong. You chose it."
    return OptionState.REST, "Wrong. You left it out."


def _listing(letters: Sequence[str]) -> str:
    if len(letters) == 1:
        return letters[0]
    return f"{', '.join(letters[:-1])} and {letters[-1]}"
