"""A report adds up, and no figure on it contradicts the decision."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questions.exams.domain import report

TIMING = report.Timing(allowed=7200, used=3600, pace=Fraction(120))
AWS = report.Scale(lowest=100, highest=1000, passing=720)


def item(position, **changes):
    """Return one item of a report; right and medium if nothing is said."""
    usual = {
        "question": f"q{position}",
        "title": f"Story {position}",
        "domain": "1",
        "domain_name": "One",
        "difficulty": "medium",
        "chosen": ("A",),
        "keys": ("A",),
        "points": Fraction(1),
        "seconds": 60,
        "is_flagged": False,
        "was_shown": False,
        "is_incomplete": False,
    }
    return report.ItemResult(position=position, **{**usual, **changes})


def build(items, mark=None, scale=None):
    return report.build(items=items, mark=mark, scale=scale, timing=TIMING)


results = st.lists(
    st.tuples(
        st.sampled_from(("1", "2", "10")),
        st.sampled_from(report.DIFFICULTIES),
        st.sampled_from((Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))),
        st.booleans(),
    ),
    min_size=1,
    max_size=60,
).map(
    lambda rows: [
        item(
            number,
            domain=domain,
            difficulty=level,
            points=points if is_answered else Fraction(0),
            chosen=("A",) if is_answered else (),
        )
        for number, (domain, level, points, is_answered) in enumerate(rows, 1)
    ]
)


@given(results)
def test_states_domains_and_levels_add_up_to_the_whole(items):
    built = build(items)

    states = built["right"] + built["wrong"] + built["unanswered"] + built["shown"]
    assert states == built["questions"] == len(items)
    for parts in (built["domains"], built["difficulties"]):
        assert sum(part["questions"] for part in parts) == len(items)
        assert sum(part["right"] for part in parts) == built["right"]
        total = sum((Fraction(*part["points"]) for part in parts), Fraction(0))
        assert total == Fraction(*built["points"])


@given(
    results, st.fractions(min_value=Fraction(1, 100), max_value=1, max_denominator=200)
)
def test_the_decision_is_exact_and_the_figures_agree_with_it(items, share):
    mark = report.Mark(share=share, source="ours")

    built = build(items, mark)

    earned = Fraction(*built["points"]) / len(items)
    assert built["passed"] is (earned >= share)
    if built["right"] == Fraction(*built["points"]):
        assert built["passed"] is (built["right"] >= built["mark"]["needed"])
    shown, bar = report.percents(earned, share)
    assert (Fraction(shown) >= Fraction(bar)) is built["passed"]


@given(st.fractions(min_value=0, max_value=1, max_denominator=2000))
def test_a_scaled_estimate_never_contradicts_the_decision(share):
    estimate = report.scaled_estimate(share=share, scale=AWS)

    assert 100 <= estimate <= 1000
    assert (estimate >= 720) is (share >= Fraction(620, 900))


def test_69_6_per_cent_is_not_shown_as_the_70_it_failed():
    assert report.percents(Fraction(696, 1000), Fraction(7, 10)) == ("69.6", "70")
    assert report.percents(Fraction(41, 60), Fraction(7, 10)) == ("68", "70")


def test_case_2_three_thirds_and_forty_nine_equal_parts_are_a_whole():
    thirds = [item(1, points=sum([Fraction(1, 3)] * 3))]
    sevenths = [item(1, points=sum([Fraction(1, 7)] * 7))]
    mark = report.Mark(share=Fraction(1), source="ours")

    for items in (thirds, sevenths, [item(number) for number in range(1, 50)]):
        built = build(items, mark)
        assert built["passed"] is True
        assert report.percents(Fraction(*built["points"]) / len(items), mark.share) == (
            "100",
            "100",
        )


def test_domains_come_in_the_order_that_people_count_in():
    built = build([item(1, domain="10"), item(2, domain="2"), item(3, domain="1")])

    assert [domain["code"] for domain in built["domains"]] == ["1", "2", "10"]


def test_what_took_half_again_as_long_as_the_pace_is_slow():
    built = build([item(1, seconds=180), item(2, seconds=181), item(3, seconds=0)])

    assert built["time"]["slow"] == [2]
    assert built["time"]["median"] == 180


@pytest.mark.parametrize("items", [[], [item(1, chosen=(), points=Fraction(0))]])
def test_a_report_of_nothing_has_no_figure_that_means_unknown(items):
    built = build(items)

    assert built["right"] == 0
    assert built["passed"] is None
    assert built["scaled"] is None
    assert build([item(1, seconds=0)])["time"]["median"] is None
