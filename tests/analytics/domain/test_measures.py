"""Measures of forecasts, by hand and on forecasts that are known to be right or off."""

from __future__ import annotations

import numpy as np
import pytest

from analytics.domain import measures


def test_measures_are_what_they_are_by_hand() -> None:
    probability = np.array([0.1, 0.4, 0.4, 0.9])
    outcome = np.array([False, True, False, True])

    found = measures.quality(probability=probability, outcome=outcome)

    assert found.brier == pytest.approx((0.01 + 0.36 + 0.16 + 0.01) / 4)
    assert found.auc == pytest.approx(3.5 / 4)
    assert found.log_loss == pytest.approx(-np.log([0.9, 0.4, 0.6, 0.9]).mean())
    assert found.calibration_error == pytest.approx((0.1 + 0.6 + 0.4 + 0.1) / 4)


def test_where_all_ended_alike_there_is_no_ranking() -> None:
    found = measures.auc(
        probability=np.array([0.2, 0.3]), outcome=np.array([True, True])
    )

    assert found is None


def _cases(n: int, *, off: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    truth = rng.random(n)
    odds = np.log(truth / (1 - truth))
    return 1 / (1 + np.exp(-off * odds)), rng.random(n) < truth


def test_true_forecasts_lie_in_their_bands_and_need_no_map() -> None:
    probability, outcome = _cases(2_000, off=1.0)

    groups = measures.reliability(probability=probability, outcome=outcome)
    found = measures.recalibrated(probability=probability, outcome=outcome)

    assert sum(group.forecasts for group in groups) == 2_000
    assert sum(group.is_off for group in groups) <= 2
    assert found.slope == pytest.approx(1.0, abs=0.1)


def test_forecasts_that_are_too_sure_are_seen_and_mended() -> None:
    probability, outcome = _cases(2_000, off=2.0)

    groups = measures.reliability(probability=probability, outcome=outcome)
    found = measures.recalibrated(probability=probability, outcome=outcome)
    mended = found.applied(probability=probability)

    assert sum(group.is_off for group in groups) >= 4
    assert found.is_in_force
    assert found.slope == pytest.approx(0.5, abs=0.1)
    assert measures.calibration_error(probability=mended, outcome=outcome) < 0.03


def test_few_results_change_nothing() -> None:
    probability, outcome = _cases(40, off=3.0)

    found = measures.recalibrated(probability=probability, outcome=outcome)

    assert not found.is_in_force
    assert found.applied(probability=probability) is probability


@pytest.mark.parametrize("said", [0.9, 0.6, 1.0])
def test_no_map_tells_the_likelier_that_they_are_less_likely(said: float) -> None:
    probability, outcome = np.full(200, said), np.zeros(200, dtype=bool)

    found = measures.recalibrated(probability=probability, outcome=outcome)
    low, high = found.applied(probability=np.array([0.2, 0.8]))

    assert low < high


@pytest.mark.parametrize(("passed", "ways"), [(0, 1), (1, 11), (9, 11), (10, 1)])
def test_a_group_says_how_rare_it_is_to_be_so_far_out(passed: int, ways: int) -> None:
    (group,) = measures.reliability(
        probability=np.full(10, 0.5), outcome=np.arange(10) < passed
    )

    assert group.chance == pytest.approx(ways / 2**10)


def test_right_forecasts_are_hardly_ever_mended() -> None:
    mended = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth = rng.beta(2, 2, 100)
        found = measures.recalibrated(
            probability=truth, outcome=rng.random(100) < truth
        )
        mended += found.is_in_force

    assert mended <= 5
