"""Classical statistics: exact where others agree, empty where nothing is defined."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from analytics.domain import changes, ctt

EXACT = 1e-6
SHARED_NAMES = {
    "facility": "facility",
    "standard_deviation": "sd",
    "intended_weight": "intended",
    "effective_weight": "EW",
    "discrimination_index": "DI",
    "discriminative_efficiency": "DE",
}
SHARED_FORM_NAMES = {
    "mean": "mean",
    "median": "median",
    "standard_deviation": "sd",
    "skewness": "skew",
    "kurtosis": "kurt",
    "internal_consistency": "cic",
    "error_ratio": "er",
    "standard_error": "se",
}


def marks_of(people: Mapping[str, int]) -> NDArray[np.float64]:
    return np.array(
        [[float(x) for x in pattern] for pattern, n in people.items() for _ in range(n)]
    )


def columns(rows: tuple[Any, ...], name: str) -> list[float]:
    return [getattr(row, name) for row in rows]


@pytest.mark.parametrize("section", ["LSAT6", "LSAT7"])
def test_questions_and_forms_have_the_published_statistics(
    published: Mapping[str, Any], section: str
) -> None:
    marks = marks_of(published[section]["people"])

    questions = ctt.question_statistics(marks=marks)
    form = ctt.form_statistics(marks=marks)

    for name, values in published[section]["questions"].items():
        assert columns(questions, name) == pytest.approx(values, abs=EXACT), name
    for name, value in published[section]["form"].items():
        assert getattr(form, name) == pytest.approx(value, abs=EXACT), name
    assert form.internal_consistency == pytest.approx(100 * published[section]["alpha"])


def test_two_larger_exams_have_the_statistics_of_the_reference(
    reference: Mapping[str, Any],
    sat12: tuple[NDArray[np.int64], NDArray[np.int64]],
    exam: NDArray[np.float64],
) -> None:
    chosen, keys = sat12
    for name, marks in {
        "sat12": (chosen == keys).astype(np.float64),
        "mathexam14w": exam,
    }.items():
        expected = reference[name]["quiz_statistics"]

        questions = ctt.question_statistics(marks=marks)
        form = ctt.form_statistics(marks=marks)

        for ours, theirs in SHARED_NAMES.items():
            found = columns(questions, ours)
            assert found == pytest.approx(expected["items"][theirs], abs=EXACT)
        for ours, theirs in SHARED_FORM_NAMES.items():
            value = expected["quiz"][theirs]
            assert getattr(form, ours) == pytest.approx(value, abs=EXACT)


def test_only_question_32_of_sat12_seems_to_have_a_wrong_key(
    reference: Mapping[str, Any],
    sat12: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> None:
    chosen, keys = sat12
    marks = (chosen == keys).astype(np.float64)
    questions = ctt.question_statistics(marks=marks)
    found: dict[ctt.Concern, list[tuple[int, int | None]]] = {}

    for j, question in enumerate(questions):
        rest = marks.sum(axis=1) - marks[:, j]
        options = ctt.option_statistics(
            chosen=chosen[:, j, None] == np.arange(1, 6), criterion=rest
        )
        for flag in ctt.flags(
            facility=question.facility,
            discrimination=ctt.correlation(marks[:, j], rest),
            options=options,
            keys=np.arange(1, 6) == keys[j],
            attempts=len(marks),
        ):
            found.setdefault(flag.concern, []).append((j + 1, flag.option))
        for number, option in enumerate(options, start=1):
            expected = reference["sat12"]["options"][str(j + 1)][str(number)]
            assert option.share == pytest.approx(100 * expected["share"], abs=1e-4)
            assert option.correlation == pytest.approx(expected["r_rest"], abs=EXACT)

    assert found[ctt.Concern.WRONG_KEY] == [(32, 2)]
    assert found[ctt.Concern.NO_DISCRIMINATION] == [(12, None), (32, None)]


def _two_options(*, able_prefer: int) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    ability = np.linspace(-2, 2, 100)
    first = (ability > 0) == (able_prefer == 0)
    return np.column_stack([first, ~first]), ability


def test_a_distractor_that_the_able_choose_is_a_suspected_wrong_key() -> None:
    chosen, ability = _two_options(able_prefer=1)
    keys = np.array([True, False])

    found = ctt.flags(
        facility=50.0,
        discrimination=ctt.correlation(chosen[:, 0].astype(float), ability),
        options=ctt.option_statistics(chosen=chosen, criterion=ability),
        keys=keys,
        attempts=100,
    )

    assert [flag.concern for flag in found] == ["wrong_key", "no_discrimination"]
    assert found[0].option == 1


def test_a_good_question_has_no_flag_and_few_attempts_have_none_either() -> None:
    for able_prefer, attempts in [(0, 100), (1, 29)]:
        chosen, ability = _two_options(able_prefer=able_prefer)

        found = ctt.flags(
            facility=50.0,
            discrimination=ctt.correlation(chosen[:, 0].astype(float), ability),
            options=ctt.option_statistics(chosen=chosen, criterion=ability),
            keys=np.array([True, False]),
            attempts=attempts,
        )

        assert found == ()


def test_an_option_that_nobody_chooses_is_idle_and_all_right_is_too_easy() -> None:
    chosen = np.column_stack([np.ones(50, dtype=bool), np.zeros(50, dtype=bool)])

    options = ctt.option_statistics(chosen=chosen, criterion=np.arange(50.0))
    found = ctt.flags(
        facility=100.0,
        discrimination=None,
        options=options,
        keys=np.array([True, False]),
        attempts=50,
    )

    assert options[1].correlation is None
    assert options[1].mean_criterion is None
    assert [flag.concern for flag in found] == ["too_easy", "idle_distractor"]


def test_curves_show_the_key_rising_with_ability() -> None:
    chosen, ability = _two_options(able_prefer=0)

    curve = ctt.option_curves(chosen=chosen, criterion=ability, groups=4)

    assert [group.attempts for group in curve] == [25] * 4
    assert [group.shares[0] for group in curve] == [0.0, 0.0, 100.0, 100.0]
    assert curve[0].mean_criterion < curve[3].mean_criterion


def test_an_open_bank_is_judged_by_ability_before_the_answer() -> None:
    ability = np.array([-1.0, 0.0, 1.0, 2.0])

    found = ctt.criterion_statistics(
        marks=np.array([0.0, 0.0, 1.0, 1.0]), criterion=ability
    )

    assert found.facility == 50.0
    assert found.correlation == pytest.approx(2 / math.sqrt(5))
    assert found.discriminative_efficiency == pytest.approx(100.0)


def test_without_attempts_there_are_no_figures() -> None:
    form = ctt.form_statistics(marks=np.zeros((0, 3)))
    question = ctt.question_statistics(marks=np.zeros((0, 3)))[0]
    options = ctt.option_statistics(
        chosen=np.zeros((0, 2), dtype=bool), criterion=np.zeros(0)
    )

    assert (form.mean, form.median, form.standard_deviation) == (None, None, None)
    assert (question.facility, question.effective_weight) == (None, None)
    assert (options[0].share, options[0].correlation) == (None, None)
    assert ctt.option_curves(chosen=np.zeros((0, 2), bool), criterion=np.zeros(0)) == ()


@pytest.mark.parametrize("mark", [0.0, 1.0])
def test_all_right_or_all_wrong_has_a_facility_and_no_discrimination(
    mark: float,
) -> None:
    marks = np.full((10, 4), mark)

    question = ctt.question_statistics(marks=marks)[0]
    form = ctt.form_statistics(marks=marks)

    assert question.facility == 100 * mark
    assert question.standard_deviation == 0.0
    assert question.effective_weight is None
    assert question.discrimination_index is None
    assert question.discriminative_efficiency is None
    assert (form.skewness, form.kurtosis) == (None, None)
    assert (form.internal_consistency, form.standard_error) == (None, None)


@given(
    st.integers(0, 6).flatmap(
        lambda people: st.lists(
            st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 1.0]), min_size=3, max_size=3),
            min_size=people,
            max_size=people,
        )
    )
)
def test_no_figure_is_ever_nan(rows: list[list[float]]) -> None:
    marks = np.array(rows, dtype=np.float64).reshape(len(rows), 3)

    form = ctt.form_statistics(marks=marks)
    questions = ctt.question_statistics(marks=marks)

    found = [dataclasses.asdict(form), *map(dataclasses.asdict, questions)]
    for figures in found:
        for value in figures.values():
            assert value is None or math.isfinite(value)


@pytest.mark.parametrize(
    ("before", "after", "attempts", "is_told"),
    [
        (60.0, 75.1, (30, 30), True),
        (75.1, 60.0, (30, 30), True),
        (60.0, 75.0, (30, 30), False),
        (60.0, 90.0, (29, 300), False),
        (60.0, 90.0, (300, 29), False),
        (None, 90.0, (30, 30), False),
        (60.0, None, (30, 30), False),
    ],
)
def test_a_revision_that_moved_the_facility_by_over_15_points_is_told(
    before: float | None, after: float | None, attempts: tuple[int, int], is_told: bool
) -> None:
    flag = changes.flag(
        before=before,
        after=after,
        attempts_before=attempts[0],
        attempts_after=attempts[1],
    )

    assert (flag is not None) is is_told
    if flag is not None:
        assert flag.concern is ctt.Concern.CHANGED
        assert f"{before:.0f} %" in flag.text
