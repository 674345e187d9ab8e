"""Which of all logged answers are first attempts.

The last row of an answer counts. Of a person's answers to a question the earliest tells
whether there is a first attempt: whoever met the key in another way has none. The order
is that in which answers were first scored, then that of their places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analytics.domain.arrays import Bools, Ints

_MOST_ROWS: Final = 1 << 15
"""An answer's rows are numbered in a small integer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Firsts:
    """First attempts: the counting row of each, and when it was first scored.

    In the order of persons, and of each in that of time.
    """

    row: Ints
    scored_at: Ints


def first_attempts(
    *,
    item: Ints,
    number: Ints,
    person: Ints,
    question: Ints,
    logged_at: Ints,
    is_attempt: Bools,
) -> Firsts:
    """Return the first attempts among logged rows, an entry of each array per row.

    ``person`` and ``question`` count from 0. ``is_attempt`` says of a row, should it be
    the one that counts, whether it was an attempt and not only a look at the key. The
    order of the rows does not matter.
    """
    if not len(item):
        return Firsts(row=np.zeros(0, np.int64), scored_at=np.zeros(0, np.int64))
    order = np.argsort(item.astype(np.int64) * _MOST_ROWS + number)
    begins = _begins(item[order])
    last = order[np.append(begins[1:], len(order)) - 1]
    scored_at = logged_at[order[begins]]
    del order, begins
    # Answers are in the order of items now, and sorting leaves ties as they were.
    met = person[last].astype(np.int64) * (int(question.max()) + 1) + question[last]
    by_meeting = np.lexsort((scored_at, met))
    first = by_meeting[_begins(met[by_meeting])]
    first = first[is_attempt[last[first]]]
    first.sort()
    first = first[np.lexsort((scored_at[first], person[last[first]]))]
    return Firsts(row=last[first], scored_at=scored_at[first])


def _begins(values: Ints) -> Ints:
    """Return where each run of equal values begins."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])).astype(np.int64)
