"""What is counted can be explained, added to, and is never nothing over nothing."""

from __future__ import annotations

import datetime
import json
import statistics

from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.domain import figures
from analytics.domain.figures import Answer, Figures

MONDAY = datetime.date(2026, 11, 30)
DAY = datetime.timedelta(days=1)


def answer(**changes):
    fields = {
        "question": 1,
        "revision": 10,
        "day": MONDAY,
        "mode": "practice",
        "kind": "single",
        "difficulty": "medium",
        "domains": (1, 7),
        "objectives": (3, 9),
        "chosen": ("wait",),
        "seconds": 40,
        "is_right": False,
        "is_first": True,
        "was_shown": False,
    }
    return Answer(**{**fields, **changes})


def counted(*, answers, before=None):
    return Figures.from_record(kept(answers=answers, before=before))


def kept(*, answers, before=None):
    """Return the record as the database gives it back."""
    found = figures.counted(answers=answers, before=before)
    return json.loads(json.dumps(found))


ANSWERS = st.lists(
    st.builds(
        answer,
        question=st.integers(1, 4),
        day=st.integers(0, 30).map(lambda days: MONDAY + days * DAY),
        mode=st.sampled_from(("practice", "mock")),
        chosen=st.sampled_from(((), ("wait",), ("ask", "wait"))),
        seconds=st.integers(0, 9_000),
        is_right=st.booleans(),
        is_first=st.booleans(),
        was_shown=st.booleans(),
    ),
    max_size=60,
)


def test_nothing_counted_is_dashes_never_zero_over_zero():
    found = Figures()

    assert found.total.share_right is None
    assert found.total.first_share_right is None
    assert found.total.repeats_share_right is None
    assert found.total.mean_seconds is None
    assert found.pace("mock") is None
    assert found.streak(today=MONDAY) == found.longest_streak() == 0
    assert found.week(of=MONDAY).answered == 0
    assert found.most_frequent_traps() == ()


def test_first_attempts_and_repeats_are_told_apart():
    found = counted(
        answers=[
            answer(is_right=True),
            answer(is_right=False),
            answer(is_first=False, is_right=True, seconds=20),
        ]
    ).total

    assert (found.answered, found.right, found.first, found.first_right) == (3, 2, 2, 1)
    assert (found.repeats, found.repeats_right) == (1, 1)
    assert found.first_share_right == 0.5
    assert found.seconds == 100


def test_an_answer_counts_in_every_version_it_is_aligned_to():
    found = counted(answers=[answer(is_right=True)])

    assert found.domains[1] == found.domains[7] == found.total
    assert found.objectives[3] == found.objectives[9] == found.total


def test_an_unanswered_question_counts_as_wrong_but_not_in_the_pace_nor_as_a_trap():
    found = counted(answers=[answer(mode="mock", chosen=(), seconds=1)])

    assert (found.total.answered, found.total.right, found.omitted) == (1, 0, 1)
    assert found.pace("mock") is None
    assert found.traps == ()


def test_an_answer_that_was_asked_for_is_no_answer():
    found = counted(answers=[answer(was_shown=True)])

    assert found.shown == 1
    assert found.total.answered == 0
    assert found.days == {}


def test_the_traps_fallen_for_begin_with_the_last_and_count_how_often():
    found = counted(
        answers=[
            answer(question=1),
            answer(question=2),
            answer(question=1, is_first=False, day=MONDAY + DAY),
        ]
    )

    assert [(trap.question, trap.times) for trap in found.traps] == [(1, 2), (2, 1)]
    assert found.traps[0].last == MONDAY + DAY
    assert [trap.question for trap in found.most_frequent_traps()] == [1]


def test_no_more_traps_are_kept_than_can_be_read():
    found = counted(answers=[answer(question=n) for n in range(figures.MOST_TRAPS + 5)])

    assert len(found.traps) == figures.MOST_TRAPS
    assert found.traps[0].question == figures.MOST_TRAPS + 4
    assert found.traps[-1].question == 5


def test_a_streak_goes_on_until_a_whole_day_was_missed():
    found = counted(
        answers=[answer(day=MONDAY + n * DAY) for n in (-9, -8, -7, -6, -2, -1)]
    )

    assert found.streak(today=MONDAY) == 2
    assert found.streak(today=MONDAY + DAY) == 0
    assert found.streak(today=MONDAY - DAY) == 2
    assert found.longest_streak() == 4


def test_weeks_begin_on_monday():
    found = counted(answers=[answer(day=MONDAY + n * DAY) for n in (-8, -7, -1, 0, 6)])

    assert found.week(of=MONDAY + 3 * DAY).answered == 2
    assert found.week_before(of=MONDAY + 3 * DAY).answered == 2


@settings(max_examples=50, deadline=None)
@given(answers=ANSWERS, cut=st.integers(0, 60))
def test_counting_on_is_the_same_as_counting_all(answers, cut):
    before = kept(answers=answers[:cut])

    after = counted(answers=answers[cut:], before=before)

    assert after == counted(answers=answers)
    assert before == kept(answers=answers[:cut])


@settings(max_examples=50, deadline=None)
@given(answers=ANSWERS)
def test_what_is_kept_comes_back_the_same(answers):
    found = figures.counted(answers=answers)

    back = Figures.from_record(kept(answers=answers))

    assert Figures.from_record(found) == back


@settings(max_examples=50, deadline=None)
@given(answers=ANSWERS)
def test_the_pace_is_the_median_of_first_attempts(answers):
    found = counted(answers=answers)

    for mode in ("practice", "mock"):
        seconds = [
            min(each.seconds, figures.LONGEST_SECONDS)
            for each in answers
            if each.mode == mode
            and each.is_first
            and each.chosen
            and not each.was_shown
        ]
        median = statistics.median(seconds) if seconds else None
        assert found.pace(mode) == median


@settings(max_examples=50, deadline=None)
@given(answers=ANSWERS)
def test_days_difficulties_kinds_and_modes_each_sum_to_the_total(answers):
    found = counted(answers=answers)

    for parts in (found.days, found.difficulties, found.kinds, found.modes):
        total = figures.Tally()
        for tally in parts.values():
            total = total.plus(tally)
        assert total == found.total
