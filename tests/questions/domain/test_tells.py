"""Figures that show whether the key can be told without knowing the subject."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.domain import items, tells
from tests import strategies


def item(*texts, key=0, stem="S", pinned=(), **more):
    return items.SingleChoice(
        title="T",
        stem=stem,
        options=tuple(
            items.Option(
                key=f"o{place}",
                text=text,
                is_key=place == key,
                is_pinned=place in pinned,
            )
            for place, text in enumerate(texts)
        ),
        **more,
    )


def row(one, domain="1", objective="1.1", exposure="public"):
    return tells.Row(item=one, domain=domain, objective=objective, exposure=exposure)


def test_case_13_a_bank_with_nothing_in_it_has_no_figures():
    found = tells.report([])

    assert found.counts.n == 0
    assert found.longest == tells.Cue(n=0, hits=0, expected=0, p_value=None)
    assert found.longest.share is None
    assert found.longest.chance is None
    assert found.positions.p_value is None
    assert found.lengths.stem is None


def test_questions_are_counted_by_sort():
    scenario = items.Scenario(slug="s", title="S", text="T")
    rows = [
        row(item("a", "b"), domain="2"),
        row(item("a", "b", difficulty=items.Difficulty.HARD, scenario=scenario)),
        row(
            item("a", "b", exhibits=(items.CodeExhibit(text="x"),)), exposure="members"
        ),
    ]

    found = tells.count(rows)

    assert found.n == 3
    assert found.by_domain == {"1": 2, "2": 1}
    assert found.by_difficulty == {"hard": 1, "medium": 2}
    assert found.by_exposure == {"members": 1, "public": 2}
    assert found.by_kind == {"single": 3}
    assert (found.with_exhibit, found.with_scenario) == (1, 1)


def test_a_key_that_is_always_longest_shows():
    found = tells.report([row(item("longest by far", "b", "c", "d"))] * 40).longest

    assert (found.n, found.hits, found.share) == (40, 40, 1)
    assert found.chance == pytest.approx(0.25)
    assert found.p_value is not None
    assert found.p_value < 0.001


def test_keys_of_any_length_do_not_show():
    bank = [row(item("longest by far", "b", "c", "d", key=n % 4)) for n in range(40)]

    found = tells.report(bank).longest

    assert found.hits == 10
    assert found.p_value is not None
    assert found.p_value > 0.3


def test_options_of_one_length_say_nothing():
    assert tells.report([row(item("aa", "bb", "cc"))]).longest.n == 0


def test_markup_does_not_count_as_length():
    found = tells.report([row(item("**bold** `x`", "bold x and", key=1))]).longest

    assert found.hits == 1


def test_words_shared_with_the_stem_show():
    one = item("Cache the gateway", "Buy a machine", "Do nothing", stem="The gateways")

    assert tells.report([row(one)]).overlap.hits == 1


def test_keys_in_one_place_show():
    found = tells.positions([item("a", "b", "c", "d", key=2)] * 20)

    assert found.counts == (0, 0, 20, 0)
    assert found.expected == (5, 5, 5, 5)
    assert found.chi_square == pytest.approx(60)
    assert found.p_value is not None
    assert found.p_value < 1e-10


def test_keys_spread_evenly_do_not_show():
    bank = [item("a", "b", "c", "d", key=n % 4) for n in range(20)]

    assert tells.positions(bank).p_value == pytest.approx(1)


def test_shorter_items_lower_what_is_expected_of_late_places():
    found = tells.positions([item("a", "b"), item("a", "b", "c", "d")])

    assert found.expected == (0.75, 0.75, 0.25, 0.25)


def test_pinned_options_are_left_out_of_places():
    found = tells.positions([item("a", "b", "None", key=0, pinned={2})])

    assert found.expected == (0.5, 0.5, 0)
    assert found.degrees == 1


def test_absolute_words_are_counted_on_both_sides():
    found = tells.absolute_words([item("Always x", "Never y", "z", "w", key=0)])

    assert found == tells.Wording(
        keys=1, absolute_keys=1, distractors=3, absolute_distractors=1
    )


def test_mean_lengths_leave_missing_texts_out():
    found = tells.mean_lengths([item("abcd", "ab", "abcd"), item("ab", "a", "b")])

    assert found.key == 3
    assert found.distractor == 2
    assert found.rationale is None


@pytest.mark.parametrize(
    ("value", "degrees", "tail"),
    [
        # Critical values of any table of the chi-square distribution.
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (9.488, 4, 0.05),
        (13.277, 4, 0.01),
        (15.086, 5, 0.01),
        (0, 3, 1),
    ],
)
def test_the_tail_of_chi_square_agrees_with_the_tables(value, degrees, tail):
    assert tells.chi_square_tail(value, degrees) == pytest.approx(tail, abs=2e-5)


@given(st.floats(0, 500), st.integers(1, 12))
def test_a_tail_is_a_probability(value, degrees):
    assert 0 <= tells.chi_square_tail(value, degrees) <= 1


@settings(max_examples=30)
@given(st.lists(strategies.any_item(), max_size=4))
def test_any_bank_has_a_report(bank):
    found = tells.report([row(one) for one in bank])

    assert sum(found.positions.counts) <= sum(len(items.keys_of(one)) for one in bank)
    assert math.isclose(sum(found.positions.expected), sum(found.positions.counts))
    assert 0 <= found.longest.hits <= found.longest.n
