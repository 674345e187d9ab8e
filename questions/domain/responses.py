"""What a learner sent, parsed against the item it answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from questions.domain.items import Item, choose_of


class InvalidResponse(ValueError):
    """The response is not one to this item. ``sentence`` says how to mend it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Response:
    """The options chosen, by key, in no order."""

    chosen: frozenset[str]

    def is_complete(self, item: Item) -> bool:
        """Tell whether as many options are chosen as the item asks for."""
        return len(self.chosen) == choose_of(item)


def parse(item: Item, raw: Iterable[str]) -> Response:
    """Return the response that ``raw`` option keys stand for.

    Fewer than the item asks for is a response, an incomplete one; a key sent twice
    counts once.

    Raises:
        InvalidResponse: an option is not of this item, or too many are chosen.
    """
    chosen = frozenset(raw)
    strangers = chosen - {option.key for option in item.options}
    if strangers:
        raise InvalidResponse(
            "unknown_option",
            "One of the chosen options does not belong to this question. "
            "Load the page again and choose once more.",
        )
    asked = choose_of(item)
    if len(chosen) > asked:
        raise InvalidResponse(
            "too_many",
            f"You chose {_number(len(chosen))}; this question asks for "
            f"{_number(asked)}. Take {_number(len(chosen) - asked)} back.",
        )
    return Response(chosen)


def complete(item: Item, raw: Iterable[str]) -> Response:
    """Return the response, as ``parse``, if it can be checked.

    Raises:
        InvalidResponse: as ``parse``, or fewer options than asked for are chosen.
    """
    response = parse(item, raw)
    asked, got = choose_of(item), len(response.chosen)
    if got == 0:
        raise InvalidResponse(
            "nothing_chosen",
            "Choose an answer first."
            if asked == 1
            else f"Choose {_number(asked)} answers first.",
        )
    if got < asked:
        raise InvalidResponse(
            "too_few",
            f"You chose {_number(got)} of {_number(asked)}. "
            f"Choose {_number(asked - got)} more.",
        )
    return response


_WORDS = ("none", "one", "two", "three", "four", "five", "six")


def _number(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)
