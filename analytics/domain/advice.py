"""What a learner is told of their readiness: words, evidence, and what to do.

``readiness.py`` has the figures; here they become statements about one learner, each
with the numbers it rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analytics.domain import readiness
from analytics.domain.ability import Ability, Population, on_day
from analytics.domain.arrays import Floats
from analytics.domain.measures import Recalibration

ENOUGH_ANSWERS: Final = 30
HEAVY_DOMAIN: Final = 0.15
MORE_QUESTIONS: Final = 20
_STEP: Final = 5

OBJECTIVE_DEVIATION: Final = 0.3
"""How far abilities in the objectives of one domain lie apart, in logits. Assumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What stands behind a figure. ``unseen`` are heavy domains without an answer."""

    first_attempts: int
    missing: int
    covered: int
    domains: int
    unseen: tuple[int, ...]

    @property
    def is_enough(self) -> bool:
        """Say whether a chance of passing may be shown."""
        return not self.missing and not self.unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One domain of the forecast; scores are shares of 1.

    ``points`` is what the domain adds to the expected score above the mark, or takes
    below it, in points of 100: over all domains they sum to score less mark.
    """

    domain: int
    weight: float
    answers: int
    expected: float
    low: float
    high: float
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """One learner's readiness on the day of the exam; scores are shares of 1.

    ``modelled`` is the probability as the model has it, ``probability`` what is told: the
    same, unless results have shown how to mend it.
    """

    probability: float
    modelled: float
    expected: float
    low: float
    high: float
    score_low: float
    score_high: float
    evidence: Evidence
    contributions: tuple[Contribution, ...]

    @property
    def shown(self) -> str | None:
        """Return the probability as it is shown; None if the evidence is too thin."""
        return rounded(self.probability) if self.evidence.is_enough else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Where a learner could practise: a domain, or an objective that is a part of it.

    ``share`` is the area's share of its domain's questions. ``shift`` is by how much the
    learner's ability there differs from the domain's, in logits. ``questions`` is how
    many new ones are looked at. ``number`` is the caller's own, to know the area again.
    """

    domain: int
    share: float = 1.0
    shift: float = 0.0
    questions: int = MORE_QUESTIONS
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What more questions in one area would change, in expectation.

    ``logits`` is what they teach; ``probability`` and ``score`` are differences.
    """

    area: Area
    logits: float
    probability: float
    score: float


def readiness_of(
    *,
    ability: Ability,
    population: Population,
    exam: readiness.Exam,
    day: float,
    mended: Recalibration | None = None,
) -> Readiness:
    """Return a learner's readiness for an exam on ``day``; ``mended`` by a map, if any."""
    then = on_day(ability=ability, population=population, day=day)
    found = readiness.forecast(
        exam=exam,
        mean=then.mean[None],
        covariance=ability.covariance[None],
        later=then.covariance[None],
    )
    mark = exam.needed / float(exam.counts.sum())
    told = found.probability
    if mended is not None:
        told = mended.applied(probability=told)
    return Readiness(
        probability=float(told[0]),
        modelled=float(found.probability[0]),
        expected=float(found.expected[0]),
        low=float(found.low[0]),
        high=float(found.high[0]),
        score_low=float(found.score_low[0]),
        score_high=float(found.score_high[0]),
        evidence=evidence_of(answers=ability.answers, weights=exam.weights),
        contributions=tuple(
            Contribution(
                domain=d,
                weight=float(weight),
                answers=ability.answers[d],
                expected=float(found.domain_expected[0, d]),
                low=float(found.domain_low[0, d]),
                high=float(found.domain_high[0, d]),
                points=100.0 * float(weight * (found.domain_expected[0, d] - mark)),
            )
            for d, weight in enumerate(exam.weights)
        ),
    )


def evidence_of(*, answers: Sequence[int], weights: Floats) -> Evidence:
    """Return whether first attempts and domains suffice for a chance of passing."""
    total = sum(answers)
    return Evidence(
        first_attempts=total,
        missing=max(ENOUGH_ANSWERS - total, 0),
        covered=sum(1 for n in answers if n),
        domains=len(answers),
        unseen=tuple(
            d
            for d, n in enumerate(answers)
            if not n and float(weights[d]) > HEAVY_DOMAIN
        ),
    )


def rounded(probability: float) -> str:
    """Return a probability as learners read it, in steps of 5 %."""
    per_cent = 100.0 * probability
    if per_cent < _STEP:
        return f"under {_STEP} %"
    if per_cent > 100 - _STEP:
        return f"over {100 - _STEP} %"
    # Half a step rounds down: better a little less said than a little too much.
    return f"{_STEP * int(np.ceil(per_cent / _STEP - 0.5))} %"


def shift_of(*, attempts: int, right: int, chance: float, steepness: float) -> float:
    """Return by how much an objective's ability seems to differ from its domain's.

    In logits: one step from the domain's ability, where ``chance`` is what each of the
    first attempts should have had there and ``steepness`` its rise per logit, held back
    by what objectives differ on average.
    """
    doubt = chance * (1.0 - chance)
    if not attempts or doubt <= 0.0:
        return 0.0
    pull = (right - attempts * chance) * steepness / doubt
    hold = attempts * steepness**2 / doubt + 1.0 / OBJECTIVE_DEVIATION**2
    return pull / hold


def gains(
    *,
    ability: Ability,
    population: Population,
    exam: readiness.Exam,
    day: float,
    areas: Sequence[Area],
) -> tuple[Gain, ...]:
    """Return what first attempts in each area would add, the greatest first.

    What they teach is the population's mean gain, less as the learner nears the ceiling.
    What they show about the learner may raise or lower the figure and is nothing on
    average, so it isn't counted.
    """
    then = on_day(ability=ability, population=population, day=day)
    draws = readiness.drawn(
        exam=exam, mean=then.mean[None], covariance=then.covariance[None]
    )
    before = readiness.chance_curves(exam=exam, ability=draws)
    base = readiness.passing_of(exam=exam, chances=before)
    found = []
    for area in areas:
        logits = taught(
            learned=float(then.learned[area.domain]),
            population=population,
            more=area.questions,
        )
        up, there = draws.copy(), draws.copy()
        there[..., area.domain] += area.shift
        up[..., area.domain] += area.shift + logits
        lift = readiness.chance_curves(exam=exam, ability=up)
        lift -= readiness.chance_curves(exam=exam, ability=there)
        after = np.clip(before + area.share * lift, 0.0, 1.0)
        found.append(
            Gain(
                area=area,
                logits=logits,
                probability=float(
                    (readiness.passing_of(exam=exam, chances=after) - base)[0]
                ),
                score=float(((after - before) @ exam.weights).mean()),
            )
        )
    return tuple(sorted(found, key=lambda gain: -gain.score))


def taught(*, learned: float, population: Population, more: int) -> float:
    """Return what ``more`` first attempts teach to one who has learned so much."""
    room = max(population.ceiling - learned, 0.0)
    return room * (1.0 - (1.0 - population.gain / population.ceiling) ** more)
