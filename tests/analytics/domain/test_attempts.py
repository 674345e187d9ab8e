"""Which logged answers are first attempts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.domain import attempts

LOGGED = ("item", "number", "person", "question", "logged_at", "is_attempt")


def found(*rows):
    """Return which rows are first attempts; each row is as ``LOGGED`` names it."""
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), len(LOGGED)).T
    *numbers, is_attempt = columns
    firsts = attempts.first_attempts(
        **dict(zip(LOGGED, numbers, strict=False)), is_attempt=is_attempt.astype(bool)
    )
    return list(zip(firsts.row.tolist(), firsts.scored_at.tolist(), strict=True))


def test_nothing_logged_is_no_attempt():
    assert found() == []


def test_the_earliest_answer_to_a_question_is_the_first_attempt():
    assert found((1, 1, 0, 0, 50, 1), (2, 1, 0, 0, 20, 1), (3, 1, 0, 1, 30, 1)) == [
        (1, 20),
        (2, 30),
    ]


def test_what_was_scored_together_goes_by_its_place():
    assert found((8, 1, 0, 0, 20, 1), (7, 1, 0, 0, 20, 1)) == [(1, 20)]


def test_the_last_row_of_an_answer_counts_at_the_time_of_its_first():
    regraded = found((1, 2, 0, 0, 90, 1), (2, 1, 0, 0, 50, 1), (1, 1, 0, 0, 10, 1))

    assert regraded == [(0, 10)]


@pytest.mark.parametrize("number", [1, 2])
def test_who_met_the_key_first_has_no_first_attempt(number):
    rows = [(1, n, 0, 0, 10 * n, n < number) for n in range(1, number + 1)]

    assert found(*rows, (2, 1, 0, 0, 50, 1), (3, 1, 1, 0, 60, 1)) == [(number + 1, 60)]


def test_first_attempts_come_by_person_and_then_by_time():
    assert found(
        (1, 1, 1, 0, 5, 1), (2, 1, 0, 1, 9, 1), (3, 1, 0, 0, 7, 1), (4, 1, 1, 1, 2, 1)
    ) == [(2, 7), (1, 9), (3, 2), (0, 5)]


@st.composite
def logs(draw):
    rows = []
    for item in range(draw(st.integers(0, 12))):
        person, question = draw(st.integers(0, 2)), draw(st.integers(0, 3))
        at = draw(st.integers(0, 9))
        for number in range(1, draw(st.integers(1, 3)) + 1):
            rows.append((item, number, person, question, at, draw(st.integers(0, 1))))
            at += draw(st.integers(0, 9))
    return draw(st.permutations(rows))


@given(logs())
def test_they_are_what_reading_row_by_row_gives(rows):
    items: dict[int, tuple[int, int]] = {}
    for place, row in sorted(enumerate(rows), key=lambda each: each[1][1]):
        first_at = items.get(row[0], (place, row[4]))[1]
        items[row[0]] = (place, first_at)
    earliest: dict[tuple[int, int], tuple[int, int, int]] = {}
    for item, (place, at) in items.items():
        met = rows[place][2:4]
        earliest[met] = min(earliest.get(met, (at, item, place)), (at, item, place))
    by_hand = sorted(
        (person, at, item, place)
        for (person, _), (at, item, place) in earliest.items()
        if rows[place][5]
    )

    assert found(*rows) == [(place, at) for _, at, _, place in by_hand]
