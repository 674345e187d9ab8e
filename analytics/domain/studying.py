"""When a simulated learner studies: most days, with gaps, and a mock exam now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

_WEEK: Final = 7
_ON_WORKDAYS, _AT_WEEKENDS = 0.8, 0.5
_BREAK_EVERY: Final = 40
"""Days between two breaks of some days, on average."""

_LONGEST_BREAK: Final = 5
_MOCKS_AT: Final = (0.5, 0.9)
"""How far through the time the two mock exams are."""

_FEWEST, _MOST = 3, 20
_HASTE: Final = 1.4
"""So many times as many as would last to the end are practised on a busy day."""

_SECONDS: Final = 62.0
"""The median time on a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day with study on it: how many days before the last, and what is done.

    ``hours`` is how long before the same time of day it begins. Of a mock exam,
    ``questions`` is nothing.
    """

    ago: int
    hours: float
    questions: int | None


def days_of_study(*, days: int, questions: int, rng: np.random.Generator) -> list[Day]:
    """Return the days in order: practice on the last one, and two mocks on the way.

    ``questions`` is how many there are: with fewer of them, days are shorter.
    """
    most = min(max(round(_HASTE * questions / days), _FEWEST), _MOST)
    mocks = {days - 1 - int(days * share) for share in _MOCKS_AT}
    found = []
    away = 0
    for ago in range(days - 1, -1, -1):
        share = _AT_WEEKENDS if ago % _WEEK in {2, 3} else _ON_WORKDAYS
        studies = rng.random() < share
        begins_break = rng.random() < 1.0 / _BREAK_EVERY
        gap = int(rng.integers(2, _LONGEST_BREAK + 1))
        hours = float(rng.uniform(2.0, 4.0))
        length = int(rng.integers(_FEWEST, most + 1))
        if ago in mocks:
            found.append(Day(ago=ago, hours=hours, questions=None))
        elif not ago or (studies and not away):
            found.append(Day(ago=ago, hours=hours, questions=length))
        away = max(away - 1, 0) or (gap if begins_break else 0)
    return found


def seconds_on_a_question(*, rng: np.random.Generator) -> int:
    """Return how long somebody thinks about one question."""
    return int(np.clip(rng.lognormal(np.log(_SECONDS), 0.45), 8, 400))
