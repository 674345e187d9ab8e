"""What is known of one learner: a Gaussian filter over the domains of a blueprint.

Each domain's ability is a shared part and a part of its own, in logits. A first attempt
moves the ability of its domain to the mean of what was believed and what was answered,
and the other domains along with it, as far as they are alike. Between answers what was
learned fades and doubt grows. Repeats say more of memory than of ability: they count for
nothing. ``filtering.py`` does the same for many learners at once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from analytics.domain.arrays import Floats

_ROOTS, _ROOT_WEIGHTS = np.polynomial.hermite_e.hermegauss(11)
NODES: Final[Floats] = np.asarray(_ROOTS, dtype=np.float64)
NODE_WEIGHTS: Final[Floats] = np.asarray(
    _ROOT_WEIGHTS / _ROOT_WEIGHTS.sum(), dtype=np.float64
)
"""Points and weights that stand for a normal curve."""

_PLACES: Final = tuple(zip(NODES.tolist(), NODE_WEIGHTS.tolist(), strict=True))

_NEVER: Final = -700.0
"""Logits beyond which exp has no value."""

_LOGISTIC_WIDTH: Final = math.pi / 8.0
"""A logistic curve averaged over a normal one is nearly a flatter logistic curve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """What is assumed of learners before they answer, in logits and days.

    ``gain`` is what a first attempt teaches on average, less as it nears ``ceiling``;
    it fades with the time constant ``fading_days``. Drift is variance: what changes
    that nobody sees.
    """

    mean: float = 0.0
    shared_variance: float = 0.81
    own_variance: float = 0.25
    gain: float = 0.0144
    ceiling: float = 2.5
    fading_days: float = 60.0
    drift_per_answer: float = 0.001
    drift_per_day: float = 0.002


POPULATION: Final = Population()
"""What is assumed of everybody: docs/psychometrics.md says why."""


class Question(NamedTuple):
    """What the filter must know of a question; domains are numbered from 0."""

    domain: int
    slope: float
    difficulty: float
    guess: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ability:
    """One learner's abilities as of ``day``, counted from any fixed day.

    ``learned`` is the part of ``mean`` that fades. ``answers`` counts first attempts.
    The arrays are never written to.
    """

    mean: Floats
    covariance: Floats
    learned: Floats
    answers: tuple[int, ...]
    day: float

    @property
    def deviation(self) -> Floats:
        """Return the standard deviation of each domain."""
        return np.sqrt(np.diagonal(self.covariance))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One answer in numbers, an entry per domain where there are several.

    ``chance`` is what was expected of the answer, ``surprise`` how far it was off, from
    -1 to 1. ``moved`` is what the answer showed; ``learned`` what it taught, to its own
    domain; ``faded`` what the days before it took.
    """

    domain: int
    chance: float
    surprise: float
    moved: tuple[float, ...]
    learned: float
    faded: tuple[float, ...]
    doubt_before: tuple[float, ...]
    doubt_after: tuple[float, ...]


def prior(*, domains: int, population: Population, day: float) -> Ability:
    """Return what is believed of a learner who has answered nothing."""
    covariance = np.full((domains, domains), population.shared_variance)
    covariance += population.own_variance * np.eye(domains)
    return Ability(
        mean=np.full(domains, population.mean),
        covariance=covariance,
        learned=np.zeros(domains),
        answers=(0,) * domains,
        day=day,
    )


def on_day(*, ability: Ability, population: Population, day: float) -> Ability:
    """Return what is believed on a later day without answers between.

    A day before ``ability.day`` changes nothing: clocks of machines differ. Doubt grows
    no further than it was before the first answer.
    """
    days = day - ability.day
    if days <= 0.0:
        return ability
    kept = math.exp(-days / population.fading_days)
    faded = ability.learned * (1.0 - kept)
    covariance = ability.covariance.copy()
    most = population.shared_variance + population.own_variance
    for d in range(len(faded)):
        room = max(most - float(covariance[d, d]), 0.0)
        covariance[d, d] += min(population.drift_per_day * days, room)
    return Ability(
        mean=ability.mean - faded,
        covariance=covariance,
        learned=ability.learned - faded,
        answers=ability.answers,
        day=day,
    )


def after_answer(
    *,
    ability: Ability,
    population: Population,
    question: Question,
    is_right: bool,
    day: float,
    is_first: bool = True,
) -> Ability:
    """Return what is believed after one answer; the same as before if not the first."""
    if not is_first:
        return ability
    now = on_day(ability=ability, population=population, day=day)
    d = question.domain
    before, spread = float(now.mean[d]), float(now.covariance[d, d])
    up, narrower = _told(before, spread, question, is_right=is_right)
    share = now.covariance[:, d] / spread
    mean = now.mean + share * up
    covariance = now.covariance - np.multiply.outer(share * narrower, share)
    learned = now.learned.copy()
    taught = population.gain * max(1.0 - float(learned[d]) / population.ceiling, 0.0)
    mean[d] += taught
    learned[d] += taught
    covariance[d, d] += population.drift_per_answer
    answers = now.answers
    return Ability(
        mean=mean,
        covariance=covariance,
        learned=learned,
        answers=(*answers[:d], answers[d] + 1, *answers[d + 1 :]),
        day=now.day,
    )


def expected_right(*, ability: Ability, question: Question) -> float:
    """Return the chance that this learner gets the question right, doubt included."""
    spread = float(ability.covariance[question.domain, question.domain])
    flatter = math.sqrt(1.0 + _LOGISTIC_WIDTH * question.slope**2 * spread)
    away = float(ability.mean[question.domain]) - question.difficulty
    s = _logistic(question.slope * away / flatter)
    return question.guess + (1.0 - question.guess) * s


def explain_answer(
    *,
    ability: Ability,
    population: Population,
    question: Question,
    is_right: bool,
    day: float,
) -> Explanation:
    """Return in numbers what one first attempt changed, and why by so much."""
    now = on_day(ability=ability, population=population, day=day)
    told = after_answer(
        ability=now,
        population=replace(population, gain=0.0),
        question=question,
        is_right=is_right,
        day=day,
    )
    d = question.domain
    chance = expected_right(ability=now, question=question)
    room = max(1.0 - float(now.learned[d]) / population.ceiling, 0.0)
    return Explanation(
        domain=d,
        chance=chance,
        surprise=float(is_right) - chance,
        moved=_tuple(told.mean - now.mean),
        learned=population.gain * room,
        faded=_tuple(ability.mean - now.mean),
        doubt_before=_tuple(now.deviation),
        doubt_after=_tuple(told.deviation),
    )


def to_record(*, ability: Ability) -> dict[str, Any]:
    """Return what JSON can hold; ``from_record`` gives the same state to the last bit."""
    return {
        "mean": ability.mean.tolist(),
        "covariance": ability.covariance.tolist(),
        "learned": ability.learned.tolist(),
        "answers": list(ability.answers),
        "day": ability.day,
    }


def from_record(*, record: Mapping[str, Any]) -> Ability:
    """Return the state that ``to_record`` wrote."""
    return Ability(
        mean=np.array(record["mean"], dtype=np.float64),
        covariance=np.array(record["covariance"], dtype=np.float64),
        learned=np.array(record["learned"], dtype=np.float64),
        answers=tuple(record["answers"]),
        day=float(record["day"]),
    )


def _told(
    before: float, spread: float, question: Question, *, is_right: bool
) -> tuple[float, float]:
    """Return how far an answer moves the mean of its domain, and the variance it takes.

    The moments are those of the exact posterior. Its mode would do with less, but with a
    guessing floor it lies off the mean, and ranges come out too narrow.
    """
    _, slope, difficulty, guess = question
    deviation = math.sqrt(spread)
    steep, start = slope * deviation, slope * (before - difficulty)
    whole = first = second = 0.0
    exp = math.exp
    for place, weight in _PLACES:
        z = start + steep * place
        odds = (1.0 - guess) / (1.0 + exp(-z)) if z > _NEVER else 0.0
        part = weight * (guess + odds if is_right else 1.0 - guess - odds)
        whole += part
        first += part * place
        second += part * place * place
    up = first / whole
    return deviation * up, spread * (1.0 - second / whole + up * up)


def _logistic(z: float) -> float:
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    raised = math.exp(z)
    return raised / (1.0 + raised)


def _tuple(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
