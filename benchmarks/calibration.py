"""Calibration of known truth: time, peak memory, and distance from the truth."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from analytics.domain import calibration, irt
from analytics.domain.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test to simulate, with its targets in seconds and in logits."""

    name: str
    learners: int
    questions: int
    fewest: int
    most: int
    seconds: float
    gigabytes: float
    away: float


CASES = {
    "full": Case(
        name="5,000 x 500, every cell",
        learners=5_000,
        questions=500,
        fewest=500,
        most=500,
        seconds=1.0,
        gigabytes=0.5,
        away=0.07,
    ),
    "3m": Case(
        name="50,000 x 2,000, 3 M answers",
        learners=50_000,
        questions=2_000,
        fewest=10,
        most=110,
        seconds=2.0,
        gigabytes=0.5,
        away=0.115,
    ),
    "10m": Case(
        name="166,000 x 5,000, 10 M answers",
        learners=166_000,
        questions=5_000,
        fewest=10,
        most=110,
        seconds=10.0,
        gigabytes=1.2,
        away=0.115,
    ),
}


def run(*, asked: argparse.Namespace) -> None:
    """Measure each case in a process of its own, so that its memory is its own."""
    print(
        "| case | answers | seconds | of them CPU | peak | b RMSE | within 2 | b r | a RMSE | steps |"
    )
    print("| --- " * 10 + "|")
    for name in asked.cases:
        with ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn")
        ) as pool:
            print(pool.submit(_measured, name, asked.seed).result(), flush=True)


def _measured(name: str, seed: int) -> str:
    case = CASES[name]
    rng = np.random.default_rng(seed)
    truth, answers = _simulated(case, rng)
    begun, worked = time.perf_counter(), time.process_time()
    found = calibration.fit(answers=answers)
    wall, cpu = time.perf_counter() - begun, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    b, a = found.questions.difficulty, found.questions.slope
    steps = found.convergence.steps
    near = np.abs(truth.difficulty) < 2
    return (
        f"| {case.name} | {len(answers.learner):,} | {wall:.2f} (aim {case.seconds:g})"
        f" | {cpu:.2f} | {peak:.2f} GB (aim {case.gigabytes:g})"
        f" | {_away(b, truth.difficulty):.3f} (aim {case.away:g})"
        f" | {_away(b[near], truth.difficulty[near]):.3f}"
        f" | {np.corrcoef(b, truth.difficulty)[0, 1]:.4f}"
        f" | {_away(a, truth.slope):.3f}"
        f" | {steps}{'' if found.convergence.has_converged else ', not converged'} |"
    )


def _away(found: Floats, truth: Floats) -> float:
    return float(np.sqrt(np.mean((found - truth) ** 2)))


def _simulated(
    case: Case, rng: np.random.Generator
) -> tuple[irt.Questions, irt.Answers]:
    slope = rng.lognormal(0.0, 0.35, case.questions)
    difficulty = rng.normal(0.0, 1.2, case.questions)
    ability = rng.normal(size=case.learners)
    each = rng.integers(case.fewest, case.most + 1, case.learners)
    learner = np.repeat(np.arange(case.learners), each)
    question = asked(questions=case.questions, each=each, rng=rng)
    z = slope[question] * (ability[learner] - difficulty[question])
    truth = irt.Questions(
        slope=slope, easiness=-slope * difficulty, guess=np.zeros(case.questions)
    )
    return truth, irt.Answers(
        learner=learner,
        question=question,
        is_right=rng.random(len(z)) < 1.0 / (1.0 + np.exp(-z)),
        learners=case.learners,
        questions=case.questions,
    )


def asked(*, questions: int, each: Ints, rng: np.random.Generator) -> Ints:
    """Return different questions for each learner: a walk that meets all before any."""
    strides = [k for k in range(1, questions) if np.gcd(k, questions) == 1]
    start = np.repeat(rng.integers(0, questions, len(each)), each)
    stride = np.repeat(rng.choice(np.array(strides), len(each)), each)
    place = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    return np.asarray((start + place * stride) % questions)
