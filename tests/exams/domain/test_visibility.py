"""What may be seen when, in one table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questions.exams.domain import orders, visibility
from questions.exams.domain.clock import Phase
from questions.exams.domain.visibility import Feedback

TABLE = [
    # phase, feedback, answered: question, key, report
    (Phase.RUNNING, Feedback.AT_END, True, (True, False, False)),
    (Phase.RUNNING, Feedback.AT_END, False, (True, False, False)),
    (Phase.RUNNING, Feedback.AT_ONCE, True, (True, True, False)),
    (Phase.RUNNING, Feedback.AT_ONCE, False, (True, False, False)),
    (Phase.CLOSING, Feedback.AT_END, True, (False, False, False)),
    (Phase.CLOSING, Feedback.AT_ONCE, True, (False, False, False)),
    (Phase.DUE, Feedback.AT_END, True, (False, False, False)),
    (Phase.FINISHED, Feedback.AT_END, False, (True, True, True)),
    (Phase.FINISHED, Feedback.AT_ONCE, True, (True, True, True)),
    (Phase.FINISHED, Feedback.AT_ONCE, False, (True, False, True)),
    (Phase.VOID, Feedback.AT_END, True, (False, False, False)),
]


@pytest.mark.parametrize(("phase", "feedback", "answered", "expected"), TABLE)
def test_the_table_of_what_may_be_seen(phase, feedback, answered, expected):
    seen = visibility.sight(phase=phase, feedback=feedback, is_answered=answered)

    assert (seen.question, seen.key, seen.report) == expected


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("feedback", list(Feedback))
@pytest.mark.parametrize("answered", [True, False])
def test_a_key_of_a_running_mock_is_shown_nowhere_else(phase, feedback, answered):
    seen = visibility.sight(
        phase=phase, feedback=feedback, is_answered=answered, is_withheld=True
    )

    assert not seen.key


@given(
    st.lists(
        st.tuples(st.text("abcdef", min_size=1), st.booleans()),
        min_size=1,
        max_size=8,
        unique_by=lambda option: option[0],
    ),
    st.integers(0, 2**30),
)
def test_a_drawn_order_keeps_all_options_and_pins_what_is_pinned(options, seed):
    opened = {"options": [{"key": key, "is_pinned": pinned} for key, pinned in options]}

    order = orders.draw_order(opened=opened, rng=random.Random(seed))

    assert sorted(order) == sorted(key for key, _ in options)
    for place, (key, pinned) in enumerate(options):
        assert order[place] == key or not pinned
    shown = orders.arranged(opened, order)["options"]
    assert [option["key"] for option in shown] == order
