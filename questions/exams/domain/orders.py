"""The order in which a sitting shows options, drawn once and kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any


def draw_order(*, opened: dict[str, Any], rng: random.Random) -> list[str]:
    """Return the option keys of an open document in a drawn order.

    Pinned options ("none of these") keep the author's place.
    """
    options: Sequence[dict[str, Any]] = opened["options"]
    free = [option["key"] for option in options if not option.get("is_pinned")]
    rng.shuffle(free)
    drawn = iter(free)
    return [
        option["key"] if option.get("is_pinned") else next(drawn) for option in options
    ]


def author_order(opened: dict[str, Any]) -> list[str]:
    """Return the option keys of an open document as its author placed them."""
    return [option["key"] for option in opened["options"]]


def arranged(opened: dict[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """Return the open document with its options in ``order``."""
    by_key = {option["key"]: option for option in opened["options"]}
    return {**opened, "options": [by_key[key] for key in order]}
