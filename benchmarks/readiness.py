"""Does readiness come true? Three worlds, some seeds, beside the naive figures."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special

from analytics.domain import ability, filtering, measures, readiness, simulation
from analytics.domain.arrays import Bools, Floats

WORLDS = {
    "base": simulation.World(),
    "without forgetting": simulation.World(fading_days=1e6),
    "domains twice as apart": simulation.World(own_deviation=0.5 * 2**0.5),
}
STRATA = ((5, 19), (20, 59), (60, 149), (150, 399), (400, 1_500))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """One simulated population with what was said of it."""

    said: Mapping[str, Floats]
    passed: Bools
    answers: Floats
    wait: Floats
    covers_score: Bools
    covers_mock: Bools
    width: Floats
    updates_a_second: float
    microseconds: float


def run(*, asked: argparse.Namespace) -> None:
    """Print a table per world, with the base world also by answers and by waits."""
    for name, world in WORLDS.items():
        outcomes = [_outcome(world, seed) for seed in range(1, asked.seeds + 1)]
        print(f"\n{name}: {asked.seeds} seeds of {world.learners:,} learners\n")
        _print_rows(outcomes)
        _print_cover(outcomes)
        if name == "base":
            _print_strata(outcomes)
            speed = np.median([o.updates_a_second for o in outcomes])
            cost = np.median([o.microseconds for o in outcomes])
            print(f"\n{speed:,.0f} filter updates a second, {cost:.0f} us a forecast")


def _outcome(world: simulation.World, seed: int) -> Outcome:
    made = simulation.simulate(world=world, rng=np.random.default_rng(seed))
    # What is assumed is the base world's, whatever is true here.
    population = ability.Population(mean=WORLDS["base"].mean)
    exam = readiness.exam(
        counts=world.mock_counts,
        needed=world.needed,
        questions=made.assumed,
        domain=made.domain,
    )
    begun = time.process_time()
    beliefs = beliefs_of(world=world, made=made, population=population)
    filtered = time.process_time() - begun
    then = filtering.on_days(beliefs=beliefs, population=population, day=made.exam_day)
    begun = time.process_time()
    found = readiness.forecast(
        exam=exam, mean=then.mean, covariance=beliefs.covariance, later=then.covariance
    )
    cost = time.process_time() - begun
    score, mock = made.chances @ exam.weights, made.score / exam.counts.sum()
    answers = np.bincount(made.learner).astype(np.float64)
    return Outcome(
        said=_said(world, made, exam, found.probability),
        passed=made.score >= world.needed,
        answers=answers,
        wait=made.exam_day - made.day[np.cumsum(answers).astype(np.int64) - 1],
        covers_score=(found.low <= score) & (score <= found.high),
        covers_mock=(found.score_low <= mock) & (mock <= found.score_high),
        width=found.high - found.low,
        updates_a_second=float(made.is_first.sum() / filtered),
        microseconds=1e6 * cost / world.learners,
    )


def beliefs_of(
    *,
    world: simulation.World,
    made: simulation.Simulated,
    population: ability.Population,
) -> filtering.Beliefs:
    """Return what the filter believes of each learner after the last answer."""
    first = made.is_first
    question = made.question[first]
    beliefs, _ = filtering.replay(
        log=filtering.Log(
            learner=made.learner[first],
            domain=made.domain[question],
            slope=made.assumed.slope[question],
            difficulty=made.assumed.difficulty[question],
            guess=made.assumed.guess[question],
            is_right=made.is_right[first],
            day=made.day[first],
        ),
        learners=world.learners,
        domains=len(world.weights),
        population=population,
    )
    return beliefs


def _said(
    world: simulation.World,
    made: simulation.Simulated,
    exam: readiness.Exam,
    ours: Floats,
) -> dict[str, Floats]:
    passed = made.score >= world.needed
    answers = np.bincount(made.learner)
    raw = np.bincount(made.learner, weights=made.is_right) / answers
    total = int(exam.counts.sum())
    return {
        "base rate": np.full(len(passed), passed.mean()),
        "raw % shown as the chance": raw,
        "ready if raw % reaches the mark": (raw >= world.needed / total).astype(float),
        "binomial of raw %": special.bdtrc(world.needed - 1, total, raw),
        "first attempts, weighted, shrunk, binomial": special.bdtrc(
            world.needed - 1, total, _weighted(made, exam)
        ),
        "readiness": ours,
        "oracle (true ability on the day)": readiness.passing_of(
            exam=exam, chances=made.chances[:, None, :]
        ),
    }


def _weighted(made: simulation.Simulated, exam: readiness.Exam) -> Floats:
    """Return shares right of first attempts, by the blueprint, shrunk by ten answers."""
    learners, domains = made.chances.shape
    first = made.is_first
    cell = made.learner[first] * domains + made.domain[made.question[first]]
    size = learners * domains
    asked = np.bincount(cell, minlength=size).reshape(learners, domains)
    right = np.bincount(cell, weights=made.is_right[first], minlength=size)
    mean = made.is_right[first].mean()
    shares = (right.reshape(learners, domains) + 10 * mean) / (asked + 10)
    return np.asarray(shares @ exam.weights)


def _print_rows(outcomes: list[Outcome]) -> None:
    print("| said | Brier | log-loss | ECE | AUC | Brier by seed |")
    print("| --- " * 6 + "|")
    for name in outcomes[0].said:
        found = [
            measures.quality(probability=o.said[name], outcome=o.passed)
            for o in outcomes
        ]
        ranks = [q.auc for q in found if q.auc is not None]
        print(
            f"| {name} | {np.mean([q.brier for q in found]):.4f}"
            f" | {np.mean([q.log_loss for q in found]):.3f}"
            f" | {np.mean([q.calibration_error for q in found]):.3f}"
            f" | {np.mean(ranks):.3f}"
            f" | {', '.join(f'{q.brier:.4f}' for q in found)} |"
        )


def _print_cover(outcomes: list[Outcome]) -> None:
    score = np.mean([o.covers_score.mean() for o in outcomes])
    mock = np.mean([o.covers_mock.mean() for o in outcomes])
    width = 100 * np.mean([o.width.mean() for o in outcomes])
    ready = np.concatenate([o.passed[o.said["readiness"] >= 0.8] for o in outcomes])
    oracle = "oracle (true ability on the day)"
    chances = [(o.said["readiness"], o.said[oracle], o.passed) for o in outcomes]
    above = [((p - y) ** 2 - (q - y) ** 2).mean() for p, q, y in chances]
    apart = [((p - q) ** 2).mean() for p, q, _ in chances]
    worst = max(
        measures.calibration_error(probability=o.said["readiness"], outcome=o.passed)
        for o in outcomes
    )
    print(
        f"\nThe 90 % range covers the expected score in {score:.3f} (width {width:.1f}"
        f" points) and a mock's score in {mock:.3f}. Told ready at 80 %:"
        f" {len(ready):,}, of whom {ready.mean():.3f} passed. Worst ECE {worst:.3f}."
        f"\n\nBrier above the oracle's, by seed: {_listed(above)}. Without the luck of the"
        f" mocks, the mean squared distance from the oracle's chance: {_listed(apart)}."
    )


def _listed(values: list[float]) -> str:
    return ", ".join(f"{value:.4f}" for value in values)


def _print_strata(outcomes: list[Outcome]) -> None:
    print("\n| stratum | learners | Brier | oracle | raw % | ECE | cover |")
    print("| --- " * 7 + "|")
    for low, high in STRATA:
        parts = [(o.answers >= low) & (o.answers <= high) for o in outcomes]
        _print_stratum(f"{low} to {high} answers", outcomes, parts)
    for days in (0, 7, 30):
        parts = [np.abs(o.wait - days) < 1.0 for o in outcomes]
        _print_stratum(f"about {days} days to go", outcomes, parts)


def _print_stratum(name: str, outcomes: list[Outcome], parts: list[Bools]) -> None:
    passed = np.concatenate([o.passed[p] for o, p in zip(outcomes, parts, strict=True)])
    cover = np.concatenate(
        [o.covers_score[p] for o, p in zip(outcomes, parts, strict=True)]
    )
    row = []
    for said in (
        "readiness",
        "oracle (true ability on the day)",
        "raw % shown as the chance",
    ):
        chance = np.concatenate(
            [o.said[said][p] for o, p in zip(outcomes, parts, strict=True)]
        )
        row.append(measures.quality(probability=chance, outcome=passed))
    print(
        f"| {name} | {len(passed):,} | {row[0].brier:.3f} | {row[1].brier:.3f}"
        f" | {row[2].brier:.3f} | {row[0].calibration_error:.3f}"
        f" | {cover.mean():.3f} |"
    )
