"""The chance of passing on a date, the score to expect, and what would raise it.

Readiness is the chance that the score in a fresh mock drawn by the blueprint reaches the
mark, given the answers so far. Abilities are drawn from what is believed of them; for
each draw the number right in a domain is binomial with the domain's mean chance, and the
sum is taken as normal with continuity correction. The draws are fixed, so that the same
answers always give the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from analytics.domain import irt
from analytics.domain.ability import NODE_WEIGHTS, NODES
from analytics.domain.arrays import Floats, Ints

REACH: Final = 8.0
CELLS: Final = 320
"""The grid of the curves: from -8 to 8 logits in steps of 0.05."""

PAIRS: Final = 128
RANGE_INFLATION: Final = 1.2
"""Ranges are drawn from a wider belief, as learners' own pace is not known."""

_GRID: Final[Floats] = np.linspace(-REACH, REACH, CELLS + 1)
_LOW, _HIGH = 0.05, 0.95
_NINETY: Final = 1.6448536269514722


class NothingCalibrated(ValueError):
    """No question of the certification has parameters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exam:
    """A blueprint as readiness needs it.

    ``counts`` are questions per domain, ``needed`` the number right that passes.
    ``curves`` are the mean chance of a right answer per domain, over the grid.
    """

    counts: Floats
    needed: int
    curves: Floats

    @property
    def weights(self) -> Floats:
        """Return each domain's share of the exam; they sum to 1."""
        return np.asarray(self.counts / self.counts.sum(), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forecasts:
    """Readiness of many learners, an entry or a row each; scores are shares of 1.

    ``expected`` is the expected score, ``low`` and ``high`` bound the true expected
    score with 90 %, ``score_low`` and ``score_high`` the score of one mock. Columns of
    the domains' arrays are domains.
    """

    probability: Floats
    expected: Floats
    low: Floats
    high: Floats
    score_low: Floats
    score_high: Floats
    domain_expected: Floats
    domain_low: Floats
    domain_high: Floats


def exam(
    *, counts: Sequence[int], needed: int, questions: irt.Questions, domain: Ints
) -> Exam:
    """Return the exam with curves from calibrated questions.

    A domain without calibrated questions gets the mean curve of all.

    Raises:
        NothingCalibrated: there is no question at all.
    """
    if not len(domain):
        raise NothingCalibrated
    table = irt.chance(questions=questions, ability=_GRID)
    overall = table.mean(axis=0)
    curves = [
        table[domain == d].mean(axis=0) if (domain == d).any() else overall
        for d in range(len(counts))
    ]
    return Exam(
        counts=np.array(counts, dtype=np.float64),
        needed=needed,
        curves=np.stack(curves),
    )


def forecast(
    *, exam: Exam, mean: Floats, covariance: Floats, later: Floats | None = None
) -> Forecasts:
    """Return the readiness of learners: rows of ``mean`` and of ``covariance``.

    ``mean`` is the ability on the day of the exam. ``later`` is the covariance on that
    day and ``covariance`` that of today: doubt that grows while waiting widens the range
    and never raises the expected score.
    """
    on_day = covariance if later is None else later
    chances = _chances(exam, drawn(exam=exam, mean=mean, covariance=on_day))
    right, spread = _totals(exam, chances)
    wide = drawn(exam=exam, mean=mean, covariance=RANGE_INFLATION * on_day)
    wide_chances = _chances(exam, wide)
    shares = wide_chances @ exam.weights
    low, high = np.quantile(shares, [_LOW, _HIGH], axis=1)
    domain_low, domain_high = np.quantile(wide_chances, [_LOW, _HIGH], axis=1)
    today = chances
    if later is not None:
        today = _chances(exam, drawn(exam=exam, mean=mean, covariance=covariance))
    asked = exam.counts.sum()
    wobble = _NINETY * np.sqrt(shares.var(axis=1) + spread.mean(axis=1) / asked**2)
    middle = right.mean(axis=1) / asked
    return Forecasts(
        probability=_passing(exam, right, spread).mean(axis=1),
        expected=(today @ exam.weights).mean(axis=1),
        low=low,
        high=high,
        score_low=np.clip(middle - wobble, 0.0, 1.0),
        score_high=np.clip(middle + wobble, 0.0, 1.0),
        domain_expected=today.mean(axis=1),
        domain_low=domain_low,
        domain_high=domain_high,
    )


def passing(*, exam: Exam, mean: Floats, covariance: Floats) -> Floats:
    """Return only the probability of passing, for rows of learners."""
    draws = drawn(exam=exam, mean=mean, covariance=covariance)
    return passing_of(exam=exam, chances=_chances(exam, draws))


def passing_of(*, exam: Exam, chances: Floats) -> Floats:
    """Return the probability from chances: learners by draws by domains."""
    return np.asarray(_passing(exam, *_totals(exam, chances)).mean(axis=1))


def expected_scores(*, exam: Exam, mean: Floats, variance: Floats) -> Floats:
    """Return the expected score of many learners: rows of ``mean`` and of ``variance``.

    A score's expectation needs no draws: domains add up, so that each is averaged over
    its own normal curve. The same as ``forecast`` gives, in a hundredth of the time.
    """
    found = np.zeros(len(mean))
    deviation = np.sqrt(variance)
    for place, share in zip(NODES, NODE_WEIGHTS, strict=True):
        found += share * (_chances(exam, mean + place * deviation) @ exam.weights)
    return found


def exact_passing(*, exam: Exam, mean: Floats, covariance: Floats) -> float:
    """Return one learner's probability by exact convolution: slow, to check against."""
    draws = drawn(exam=exam, mean=mean[None], covariance=covariance[None])
    chances = _chances(exam, draws)[0]
    found = [_convolved(exam, row)[exam.needed :].sum() for row in chances]
    return float(np.mean(found))


def drawn(*, exam: Exam, mean: Floats, covariance: Floats) -> Floats:
    """Return abilities drawn from beliefs: learners by draws by domains.

    The draws are fixed points, in pairs around the mean. Their first axis, which is
    covered most evenly, is turned to where the score changes most.
    """
    root = np.linalg.cholesky(covariance + 1e-12 * np.eye(mean.shape[1]))
    slope = _slopes(exam, mean)
    along = np.einsum("kij,ki->kj", root, slope)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    # A mirror that takes the first axis to that direction; turned round if they agree.
    flip = np.where(along[:, :1] > 0.0, -1.0, 1.0)
    normal = along * flip
    normal[:, 0] -= 1.0
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    points = _points(mean.shape[1])
    across = normal @ points.T
    turned = points[None] - 2.0 * across[:, :, None] * normal[:, None, :]
    return np.asarray(mean[:, None, :] + turned @ root.transpose(0, 2, 1))


def chance_curves(*, exam: Exam, ability: Floats) -> Floats:
    """Return the mean chance per domain at abilities whose last axis is domains."""
    return _chances(exam, ability)


def score_slopes(*, exam: Exam, mean: Floats) -> Floats:
    """Return by how much the expected score rises per logit of each domain."""
    return _slopes(exam, mean)


def _slopes(exam: Exam, mean: Floats) -> Floats:
    step = 0.05
    up, down = _chances(exam, mean + step), _chances(exam, mean - step)
    return np.asarray((up - down) / (2.0 * step) * exam.weights)


def _points(domains: int) -> Floats:
    """Return fixed normal points, in pairs: Roberts' additive recurrence."""
    found = _POINTS.get(domains)
    if found is None:
        ratio = 2.0
        for _ in range(60):
            ratio = (1.0 + ratio) ** (1.0 / (domains + 1))
        steps = ratio ** -np.arange(1.0, domains + 1)
        # The first axis in equal steps, so that it has no gaps at all.
        places = (0.5 + np.outer(np.arange(PAIRS), steps)) % 1.0
        order = np.argsort(np.argsort(places[:, 0]))
        places[:, 0] = (order + 0.5) / PAIRS
        half = special.ndtri(places)
        found = np.concatenate([half, -half])
        _POINTS[domains] = found
    return found


_POINTS: Final[dict[int, Floats]] = {}


def _chances(exam: Exam, ability: Floats) -> Floats:
    """Interpolate each domain's curve; the last axis of ``ability`` is domains."""
    place = np.clip((ability + REACH) * (CELLS / (2.0 * REACH)), 0.0, CELLS - 1e-9)
    cell = place.astype(np.int64)
    domain = np.arange(len(exam.counts))
    left, right = exam.curves[domain, cell], exam.curves[domain, cell + 1]
    return np.asarray(left + (place - cell) * (right - left))


def _totals(exam: Exam, chances: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of the number right for each draw."""
    return chances @ exam.counts, (chances * (1.0 - chances)) @ exam.counts


def _passing(exam: Exam, right: Floats, spread: Floats) -> Floats:
    if exam.needed <= 0:
        return np.ones_like(right)
    away = (right - exam.needed + 0.5) / np.sqrt(np.maximum(spread, 1e-12))
    return np.asarray(special.ndtr(away))


def _convolved(exam: Exam, chances: Floats) -> Floats:
    """Return the distribution of the number right."""
    found = np.ones(1)
    for count, chance in zip(exam.counts.astype(int), chances, strict=True):
        k = np.arange(count + 1)
        found = np.convolve(
            found,
            special.binom(count, k) * chance**k * (1.0 - chance) ** (count - k),
        )
    return np.asarray(found)
