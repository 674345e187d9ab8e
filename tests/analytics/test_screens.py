"""What pages show of figures: bubbles, axes, trends, calendars. No database."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.domain.advice import Contribution, Evidence, Readiness
from analytics.domain.figures import Figures, Tally
from analytics.screens import chances, study

TODAY = datetime.date(2026, 12, 1)
DAY = datetime.timedelta(days=1)


def readiness(probability=0.7, *, first=412, unseen=(), **changes):
    usual = {
        "expected": 0.72,
        "low": 0.64,
        "high": 0.79,
        "score_low": 0.6,
        "score_high": 0.84,
        "contributions": (
            Contribution(
                domain=0,
                weight=0.6,
                answers=first,
                expected=0.74,
                low=0.6,
                high=0.8,
                points=2.4,
            ),
            Contribution(
                domain=1,
                weight=0.4,
                answers=0,
                expected=0.69,
                low=0.5,
                high=0.9,
                points=-0.4,
            ),
        ),
    }
    return Readiness(
        probability=probability,
        modelled=probability,
        evidence=Evidence(
            first_attempts=first,
            missing=max(30 - first, 0),
            covered=1,
            domains=2,
            unseen=unseen,
        ),
        **{**usual, **changes},
    )


@pytest.mark.parametrize(
    ("probability", "bound", "number", "people"),
    [
        (0.70, "", "70", 14),
        (0.71, "", "70", 14),
        (0.03, "under", "5", 0),
        (0.05, "", "5", 1),
        (0.97, "over", "95", 20),
        (0.95, "", "95", 19),
    ],
)
def test_a_chance_is_as_many_bubbles_as_it_says(probability, bound, number, people):
    shown = chances.chance(readiness=readiness(probability))

    assert (shown["bound"], shown["number"], shown["people"]) == (bound, number, people)
    assert shown["bubbles"].count(True) == people
    assert len(shown["bubbles"]) == 20


def test_without_enough_evidence_there_is_no_figure():
    shown = chances.chance(readiness=readiness(first=12, unseen=(1,)))

    assert "number" not in shown
    assert not any(shown["bubbles"])
    assert (shown["missing"], shown["heavy"], shown["heavy_touched"]) == (18, 2, 1)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_everything_lies_on_the_axis(one, two, three, mark):
    low, expected, high = sorted((one, two, three))
    plot = chances.score_plot(
        readiness=readiness(low=low, high=high, expected=expected), mark=mark
    )

    assert 0 <= plot["from"] < plot["to"] <= 100
    assert 0 <= plot["low_x"] <= plot["x"] <= plot["high_x"] <= 100
    assert 0 <= plot["mark_x"] <= 100


def point(days_ago, expected):
    return {
        "date": TODAY - days_ago * DAY,
        "expected": expected,
        "low": expected - 0.1,
        "high": expected + 0.1,
    }


def test_one_week_is_no_trend():
    found = chances.trend(points=[point(3, 0.5)], mocks=[], mark=0.7, today=TODAY)

    assert found is None


def test_a_trend_ends_where_the_last_week_stands_and_marks_mocks():
    found = chances.trend(
        points=[point(70, 0.5), point(0, 0.7)],
        mocks=[
            {"date": TODAY - 35 * DAY, "share": 0.6},
            {"date": TODAY - 200 * DAY, "share": 0.1},
        ],
        mark=0.7,
        today=TODAY,
    )

    assert found is not None
    assert (found["from"], found["to"]) == ("50", "70")
    assert found["end"]["x"] == 100
    assert [(m["x"], m["share"]) for m in found["mocks"]] == [(50.0, "60")]
    assert found["end"]["y"] == found["mark_y"]
    assert [row["mock"] for row in found["table"]] == ["", "60", ""]


def figures(**days):
    return Figures(
        days={
            TODAY - int(ago[1:]) * DAY: Tally(answered=count, right=count, first=count)
            for ago, count in days.items()
        }
    )


def test_the_calendar_ends_with_this_week_and_hides_days_to_come():
    found = study.activity(figures=figures(_0=30, _1=10, _2=1), today=TODAY)

    # 1 December 2026 is a Tuesday: five days of its week are still to come.
    assert found["dots"][-7:] == [2, 3, *(["off"] * 5)]
    assert found["dots"][-8] == 1
    assert len(found["dots"]) == 84
    assert found["streak"] == 3
    assert "answers on 3 days" in found["label"]


def test_the_months_of_the_calendar_share_its_columns():
    found = study.activity(figures=figures(_0=1), today=TODAY)

    # From the week that began on 14 September to that of 30 November.
    assert [(f"{each['ends']:%B}", each["columns"]) for each in found["months"]] == [
        ("September", 2),
        ("October", 4),
        ("November", 5),
        ("December", 1),
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.31, "+0.3"), (-0.31, "\N{MINUS SIGN}0.3"), (0.04, "0.0"), (-0.04, "0.0")],
)
def test_what_rounds_to_nothing_has_no_sign(value, said):
    assert chances.signed(value) == said


def test_a_streak_survives_a_day_that_is_not_over():
    assert study.activity(figures=figures(_1=1, _2=1), today=TODAY)["streak"] == 2
    assert study.activity(figures=figures(_2=1, _3=1), today=TODAY)["streak"] == 0


def test_no_figures_show_no_share():
    empty = Figures()

    assert study.totals(figures=empty)["first_share"] == ""
    assert study.week(figures=empty, today=TODAY)["now"]["answered"] == 0
    assert not study.weeks(figures=empty, today=TODAY)["has_any"]
    assert study.kinds(figures=empty) == []


def test_a_week_tells_the_time_a_question_took():
    busy = Figures(days={TODAY: Tally(answered=4, seconds=600)})
    *_, before, now = study.weeks(figures=busy, today=TODAY)["bars"]

    assert now["each"] == "2 min 30"
    assert before["each"] == ""


def test_weeks_are_drawn_to_the_busiest():
    found = study.weeks(figures=figures(_0=5, _7=10), today=TODAY)

    *_, before, now = found["bars"]
    assert (before["height"], now["height"]) == (90.0, 45.0)
    assert now["is_current"]
