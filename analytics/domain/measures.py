"""How good forecasts were: distances, calibration, ranking, and a map that mends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from analytics.domain.arrays import Bools, Floats, Ints

_NEVER: Final = 1e-6
ENOUGH_OUTCOMES: Final = 50
ENOUGH_SAVED: Final = 2.0
"""Log-loss that a map must save in all, on cases that it had not seen.

Of right forecasts one in five to one in four maps would save some, by chance, and move
what is told by up to ten points. So much do two in a hundred.
"""
FOLDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Mean squared error, log-loss, calibration error over ten equal groups, AUC.

    ``auc`` is None where all ended alike.
    """

    brier: float
    log_loss: float
    calibration_error: float
    auc: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One point of a reliability diagram.

    ``step`` is its place on the scale, 0 for the lowest forecasts. ``low`` and ``high``
    bound the share that came true in nine of ten cases, if the forecasts are right;
    ``chance`` is how likely a share as far out as this, to its side, then is.
    """

    step: int
    forecasts: int
    forecast: float
    came_true: float
    low: float
    high: float
    chance: float

    @property
    def is_off(self) -> bool:
        """Say whether what came true lies outside the band."""
        return not self.low <= self.came_true <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalibration:
    """A logistic map of forecasts; in force only where it helped cases it had not seen.

    ``gain`` is the log-loss it saved per case there.
    """

    intercept: float
    slope: float
    outcomes: int
    gain: float
    is_in_force: bool

    def applied(self, *, probability: Floats) -> Floats:
        """Return the mended forecasts; the same ones where the map is not in force."""
        if not self.is_in_force:
            return probability
        z = special.logit(np.clip(probability, _NEVER, 1.0 - _NEVER))
        return np.asarray(special.expit(self.intercept + self.slope * z))


def quality(*, probability: Floats, outcome: Bools) -> Quality:
    """Return how good ``probability`` was; there must be at least one."""
    return Quality(
        brier=float(np.mean((probability - outcome) ** 2)),
        log_loss=log_loss(probability=probability, outcome=outcome),
        calibration_error=calibration_error(probability=probability, outcome=outcome),
        auc=auc(probability=probability, outcome=outcome),
    )


def log_loss(*, probability: Floats, outcome: Bools) -> float:
    """Return the mean negative log chance given to what happened."""
    sure = np.clip(probability, _NEVER, 1.0 - _NEVER)
    return float(-np.mean(np.log(np.where(outcome, sure, 1.0 - sure))))


def calibration_error(
    *, probability: Floats, outcome: Bools, groups: int = 10
) -> float:
    """Return the mean distance of forecast and outcome over groups of equal size."""
    order = np.argsort(probability, kind="stable")
    parts = [p for p in np.array_split(order, groups) if len(p)]
    away = [len(p) * abs(probability[p].mean() - outcome[p].mean()) for p in parts]
    return float(sum(away) / len(order))


def auc(*, probability: Floats, outcome: Bools) -> float | None:
    """Return the chance that a case that came true had the higher forecast."""
    positive = int(outcome.sum())
    negative = len(outcome) - positive
    if not positive or not negative:
        return None
    _, place, count = np.unique(probability, return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count - 1) / 2.0
    above = rank[place][outcome].sum() - positive * (positive + 1) / 2.0
    return float(above / (positive * negative))


def reliability(
    *, probability: Floats, outcome: Bools, groups: int = 10
) -> tuple[Group, ...]:
    """Return the points of a reliability diagram, over equal steps of the forecast."""
    place: Ints = np.minimum((probability * groups).astype(np.int64), groups - 1)
    return tuple(
        _group(g, probability[place == g], outcome[place == g])
        for g in range(groups)
        if (place == g).any()
    )


def _group(step: int, probability: Floats, outcome: Bools) -> Group:
    n, mean = len(probability), float(probability.mean())
    expected = min(max(mean, _NEVER), 1.0 - _NEVER)
    k = np.arange(n + 1)
    below = special.bdtr(k, n, expected)
    came_true = int(outcome.sum())
    fewer = below[came_true - 1] if came_true else 0.0
    return Group(
        step=step,
        forecasts=n,
        forecast=mean,
        came_true=float(outcome.mean()),
        low=float(np.argmax(below >= 0.05) / n),  # noqa: PLR2004
        high=float(np.argmax(below >= 0.95) / n),  # noqa: PLR2004
        chance=float(min(below[came_true], 1.0 - fewer)),
    )


def recalibrated(*, probability: Floats, outcome: Bools) -> Recalibration:
    """Return the map that results so far suggest, judged on folds it had not seen.

    The prior holds it near no change: intercept 0 and slope 1, deviations 0.5 and 0.25.
    """
    intercept, slope = _fitted(probability, outcome)
    gains = []
    for fold in range(FOLDS):
        out = np.arange(len(outcome)) % FOLDS == fold
        if not out.any() or out.all():
            continue
        part = Recalibration(
            intercept=_fitted(probability[~out], outcome[~out])[0],
            slope=_fitted(probability[~out], outcome[~out])[1],
            outcomes=int((~out).sum()),
            gain=0.0,
            is_in_force=True,
        )
        mended = part.applied(probability=probability[out])
        before = log_loss(probability=probability[out], outcome=outcome[out])
        after = log_loss(probability=mended, outcome=outcome[out])
        gains.append((before - after) * out.sum())
    gain = float(sum(gains) / max(len(outcome), 1))
    return Recalibration(
        intercept=intercept,
        slope=slope,
        outcomes=len(outcome),
        gain=gain,
        # A map that falls would tell those who are likelier to pass that they are less
        # likely: then forecasts and results disagree in a way that no map mends.
        is_in_force=gain * len(outcome) > ENOUGH_SAVED
        and slope > 0.0
        and len(outcome) >= ENOUGH_OUTCOMES,
    )


def _fitted(probability: Floats, outcome: Bools) -> tuple[float, float]:
    """Return intercept and slope at the mode, by Newton's steps."""
    z = special.logit(np.clip(probability, _NEVER, 1.0 - _NEVER))
    design = np.column_stack([np.ones_like(z), z])
    centre, hold = np.array([0.0, 1.0]), np.diag([1 / 0.25, 1 / 0.0625])
    at = centre.copy()
    for _ in range(25):
        p = special.expit(design @ at)
        pull = design.T @ (outcome - p) - hold @ (at - centre)
        curve = (design * (p * (1.0 - p))[:, None]).T @ design + hold
        move = np.linalg.solve(curve, pull)
        at = at + np.clip(move, -1.0, 1.0)
        if np.abs(move).max() < 1e-10:  # noqa: PLR2004
            break
    return float(at[0]), float(at[1])
