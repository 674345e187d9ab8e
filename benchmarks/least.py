"""How near to the truth readiness could come at all, from the same answers.

A forecaster is imagined who knows the simulated world as nobody can: the questions' true
parameters, how people differ, how gain and fading differ between them; all but the
learner. What such a one would say is the mean chance over the exact posterior, found by
importance sampling. Forecasts are held against the chance of each learner's true ability,
so that the luck of one mock exam is in no figure.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from analytics.domain import ability, filtering, readiness, simulation
from analytics.domain.arrays import Floats, Ints
from benchmarks.readiness import STRATA, beliefs_of

_PARTICLES: Final = 3_000
_WIDER: Final = 1.3
"""By so much variances of the proposal exceed those that the filter believes in."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """A simulated population, what the filter believes, and the exam as it truly is."""

    world: simulation.World
    made: simulation.Simulated
    beliefs: filtering.Beliefs
    exam: readiness.Exam


def run(*, asked: argparse.Namespace) -> None:
    """Print, by seed and by answers, how far off we are and anybody would be."""
    world = simulation.World()
    print("| seed | learners | ours | the least | spread of a mock |")
    print("| --- " * 5 + "|")
    found = [_seed(world, seed, asked.learners) for seed in range(1, asked.seeds + 1)]
    print("\n| answers | learners | ours | the least |")
    print("| --- " * 4 + "|")
    answers, ours, least = (np.concatenate(each) for each in zip(*found, strict=True))
    for low, high in STRATA:
        part = (answers >= low) & (answers <= high)
        print(
            f"| {low} to {high} | {part.sum():,} | {ours[part].mean():.4f}"
            f" | {least[part].mean():.4f} |"
        )


def _seed(
    world: simulation.World, seed: int, learners: int
) -> tuple[Ints, Floats, Floats]:
    """Return answers and squared distances, ours and the least, of some learners."""
    made = simulation.simulate(world=world, rng=np.random.default_rng(seed))
    population = ability.Population(mean=world.mean)
    beliefs = beliefs_of(world=world, made=made, population=population)
    then = filtering.on_days(beliefs=beliefs, population=population, day=made.exam_day)
    exam = readiness.exam(
        counts=world.mock_counts,
        needed=world.needed,
        questions=made.assumed,
        domain=made.domain,
    )
    said = readiness.passing(exam=exam, mean=then.mean, covariance=then.covariance)
    truly = readiness.exam(
        counts=world.mock_counts,
        needed=world.needed,
        questions=made.truth,
        domain=made.domain,
    )
    true = readiness.passing_of(exam=truly, chances=made.chances[:, None, :])
    known = _Known(world=world, made=made, beliefs=beliefs, exam=truly)
    rng = np.random.default_rng(10_000 + seed)
    some = np.arange(0, world.learners, max(world.learners // learners, 1))
    best = np.array([_best(known, int(learner), rng) for learner in some])
    ours, least = (said[some] - true[some]) ** 2, (best - true[some]) ** 2
    print(
        f"| {seed} | {len(some):,} | {ours.mean():.4f} | {least.mean():.4f}"
        f" | {(true * (1.0 - true)).mean():.4f} |",
        flush=True,
    )
    return np.bincount(made.learner)[some], ours, least


def _best(known: _Known, learner: int, rng: np.random.Generator) -> float:
    """Return the chance of passing that follows from a learner's first attempts."""
    world, made = known.world, known.made
    base, log_weight = _proposed(known, learner, rng)
    gain = rng.lognormal(np.log(world.gain), world.gain_spread, _PARTICLES)
    fading = rng.lognormal(np.log(world.fading_days), world.fading_spread, _PARTICLES)
    learned = np.zeros_like(base)
    rows = slice(*np.searchsorted(made.learner, [learner, learner + 1]))
    day = 0.0
    for question, is_right, is_first, at in zip(
        made.question[rows],
        made.is_right[rows],
        made.is_first[rows],
        made.day[rows],
        strict=True,
    ):
        if at > day:
            learned *= np.exp((day - at) / fading)[:, None]
            day = at
        d = made.domain[question]
        if is_first:
            z = made.truth.slope[question] * (base[:, d] + learned[:, d])
            s = special.expit(z + made.truth.easiness[question])
            chance = world.guess + (1.0 - world.guess) * s
            log_weight += np.log(chance if is_right else 1.0 - chance)
        learned[:, d] += gain * np.maximum(1.0 - learned[:, d] / world.ceiling, 0.0)
    learned *= np.exp((day - made.exam_day[learner]) / fading)[:, None]
    weight = np.exp(log_weight - log_weight.max())
    chances = readiness.chance_curves(exam=known.exam, ability=base + learned)
    passing = readiness.passing_of(exam=known.exam, chances=chances[:, None, :])
    return float(weight @ passing / weight.sum())


def _proposed(
    known: _Known, learner: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return abilities before any learning, drawn around what the filter believes.

    And the logarithms of how much more likely each is in the world than it was drawn.
    """
    world, beliefs = known.world, known.beliefs
    domains = len(world.weights)
    prior = np.full((domains, domains), world.shared_deviation**2)
    prior += world.own_deviation**2 * np.eye(domains)
    wider = _WIDER * beliefs.covariance[learner] + 0.01 * np.eye(domains)
    root = np.linalg.cholesky(wider)
    drawn = rng.normal(size=(_PARTICLES, domains))
    base = beliefs.mean[learner] - beliefs.learned[learner] + drawn @ root.T
    away = np.linalg.solve(np.linalg.cholesky(prior), (base - world.mean).T)
    return base, 0.5 * ((drawn**2).sum(axis=1) - (away**2).sum(axis=0))
