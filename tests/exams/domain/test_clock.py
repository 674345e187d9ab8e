"""The clock is the server's, in every time zone and season."""

from __future__ import annotations

import datetime
import zoneinfo
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questions.exams.domain import clock
from questions.exams.domain.clock import Phase, Status

START = datetime.datetime(2026, 10, 25, 0, 30, tzinfo=datetime.UTC)
GRACE = datetime.timedelta(seconds=30)


def phase(at, *, status=Status.RUNNING, minutes=60):
    deadline = START + datetime.timedelta(minutes=minutes)
    return clock.phase_of(status=status, deadline=deadline, grace=GRACE, at=at)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, Phase.RUNNING),
        (3599, Phase.RUNNING),
        (3600, Phase.CLOSING),
        (3629, Phase.CLOSING),
        (3630, Phase.DUE),
        (10**7, Phase.DUE),
    ],
)
def test_a_sitting_runs_closes_and_is_due(seconds, expected):
    assert phase(START + datetime.timedelta(seconds=seconds)) is expected


@pytest.mark.parametrize("status", [Status.FINISHED, Status.VOID])
def test_what_has_ended_stays_ended(status):
    assert phase(START, status=status) == Phase(status)


def test_without_a_clock_a_sitting_runs_until_it_is_ended():
    far = START + datetime.timedelta(days=4000)

    assert (
        clock.phase_of(status=Status.RUNNING, deadline=None, grace=GRACE, at=far)
        is Phase.RUNNING
    )
    assert clock.time_left(deadline=None, at=far) is None


def test_an_hour_is_an_hour_when_the_clocks_go_back():
    lisbon = zoneinfo.ZoneInfo("Europe/Lisbon")
    start = START.astimezone(lisbon)

    deadline = clock.deadline_of(start=START, minutes=60, allowance=Decimal(1))

    assert deadline - START == datetime.timedelta(hours=1)
    # On the wall, the hour between one and two passes twice that night.
    assert deadline.astimezone(lisbon).strftime("%H:%M") == start.strftime("%H:%M")


@pytest.mark.parametrize(
    ("allowance", "minutes"),
    [(Decimal(1), 120), (Decimal("1.25"), 150), (Decimal("1.5"), 180)],
)
def test_an_allowance_multiplies_the_minutes(allowance, minutes):
    deadline = clock.deadline_of(start=START, minutes=120, allowance=allowance)

    assert deadline == START + datetime.timedelta(minutes=minutes)


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 400))
def test_minutes_scale_with_length_and_never_round_down(length, full, minutes):
    found = clock.minutes_for(length=length, full_length=full, full_minutes=minutes)

    assert found * full >= length * minutes
    assert (found - 1) * full < length * minutes
    if length == full:
        assert found == minutes


@given(
    st.integers(0, 5000),
    st.integers(-100, 10**9),
    st.integers(0, 4000),
    st.integers(0, 4000),
)
def test_seconds_spent_never_beat_the_servers_clock(stored, claimed, since, now):
    at = START + datetime.timedelta(seconds=max(since, now))

    spent = clock.seconds_spent(
        stored=stored,
        claimed=claimed,
        since=START + datetime.timedelta(seconds=since),
        start=START,
        at=at,
    )

    run = int((at - START).total_seconds())
    assert stored <= spent <= max(stored, run)
    assert spent - stored <= max(int((at - START).total_seconds()) - since, 0)
