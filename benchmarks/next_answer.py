"""Real answers: the next one of learners nobody has seen, on ASSISTments 2009.

Questions are calibrated on four folds of learners; on the fifth only a learner's own
past may be used. A row that repeats an answer for a second skill is merged in the file:
results on the file with such rows are higher, and are not comparable.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import special

from analytics.domain import ability, calibration, irt, measures
from analytics.domain.arrays import Bools, Floats, Ints

POPULATION = ability.Population(
    shared_variance=1.0,
    own_variance=0.20,
    gain=0.0,
    drift_per_answer=0.012,
    drift_per_day=0.0,
)
CUTS = frozenset({10, 20, 40, 80, 160, 320})
NEXT, ENOUGH = 20, 14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aside:
    """At least 14 of the next 20: the chance given, the count, and its range."""

    chance: float
    raw: float
    right: int
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sequences:
    """Answers in order, each learner's together; ids are numbers from 0."""

    learner: Ints
    fold: Ints
    item: Ints
    skill: Ints
    is_right: Bools

    def part(self, mask: Bools) -> Sequences:
        """Return the answers that ``mask`` picks."""
        return Sequences(
            learner=np.unique(self.learner[mask], return_inverse=True)[1],
            fold=self.fold[mask],
            item=self.item[mask],
            skill=self.skill[mask],
            is_right=self.is_right[mask],
        )


def run(*, asked: argparse.Namespace) -> None:
    """Fit on the other folds, predict every answer of the fold asked for."""
    path = Path(asked.file)
    if not path.exists():
        sys.exit(f"There is no {path}. Name the sequences with --file.")
    whole = _read(path)
    train = whole.part(whole.fold != asked.fold)
    test = whole.part(whole.fold == asked.fold)
    items = int(whole.item.max()) + 1
    skill_of = np.zeros(items, dtype=np.int64)
    skill_of[whole.item] = whole.skill
    print(f"{len(train.item):,} answers to learn from, {len(test.item):,} to predict\n")
    print("| model | AUC | log-loss | Brier | ECE | seconds |")
    print("| --- " * 6 + "|")
    _row("running mean", test, lambda: _running_mean(train, test))
    _row("Elo, learner and item", test, lambda: _elo(train, test, items))
    asides: list[Aside] = []
    _row(
        "two-level filter (aim 0.765, 0.542)",
        test,
        lambda: _filtered(train, test, skill_of, asides),
    )
    _print_next_twenty(asides)


def _row(name: str, test: Sequences, predict: Callable[[], Floats]) -> None:
    begun = time.perf_counter()
    probability = predict()
    taken = time.perf_counter() - begun
    q = measures.quality(probability=probability, outcome=test.is_right)
    print(
        f"| {name} | {q.auc:.4f} | {q.log_loss:.4f} | {q.brier:.4f}"
        f" | {q.calibration_error:.3f} | {taken:.1f} |",
        flush=True,
    )


def _read(path: Path) -> Sequences:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    lengths = [len(row["correct"]) for row in rows]
    items = np.concatenate([np.array(row["items"].split(), dtype=int) for row in rows])
    skills = np.concatenate(
        [np.array(row["skills"].split(), dtype=int) for row in rows]
    )
    return Sequences(
        learner=np.repeat(np.arange(len(rows)), lengths),
        fold=np.repeat([int(row["fold"]) for row in rows], lengths),
        item=np.unique(items, return_inverse=True)[1],
        skill=np.unique(skills, return_inverse=True)[1],
        is_right=np.array([c == "1" for row in rows for c in row["correct"]]),
    )


def _running_mean(train: Sequences, test: Sequences) -> Floats:
    """Return each learner's share right so far, shrunk by ten answers."""
    mean = float(train.is_right.mean())
    begins = np.searchsorted(test.learner, test.learner)
    before = np.concatenate([[0], np.cumsum(test.is_right)])
    right = before[:-1] - before[begins]
    return np.asarray((right + 10 * mean) / (np.arange(len(right)) - begins + 10))


def _elo(train: Sequences, test: Sequences, items: int) -> Floats:
    """Return Elo's forecasts; items move only while learning from ``train``."""
    easiness, met = [0.0] * items, [0] * items
    _elo_pass(train, easiness, met, moves_items=True)
    return _elo_pass(test, easiness, met, moves_items=False)


def _elo_pass(
    answers: Sequences, easiness: list[float], met: list[int], *, moves_items: bool
) -> Floats:
    said = np.zeros(len(answers.item))
    last, skill, seen = -1, 0.0, 0
    for i, (who, item, right) in enumerate(
        zip(
            answers.learner.tolist(),
            answers.item.tolist(),
            answers.is_right.tolist(),
            strict=True,
        )
    ):
        if who != last:
            last, skill, seen = who, 0.0, 0
        said[i] = 1.0 / (1.0 + np.exp(-skill - easiness[item]))
        off = right - said[i]
        skill += 0.8 / (1.0 + 0.1 * seen) * off
        seen += 1
        if moves_items:
            easiness[item] += 0.8 / (1.0 + 0.1 * met[item]) * off
            met[item] += 1
    return said


def _filtered(
    train: Sequences, test: Sequences, skill_of: Ints, asides: list[Aside]
) -> Floats:
    fitted = calibration.fit(
        answers=irt.Answers(
            learner=train.learner,
            question=train.item,
            is_right=train.is_right,
            learners=int(train.learner.max()) + 1,
            questions=len(skill_of),
        ),
        objectives=skill_of,
    )
    slope, difficulty = fitted.questions.slope, fitted.questions.difficulty
    rng = np.random.default_rng(1)
    said = np.zeros(len(test.item))
    ends = np.flatnonzero(np.diff(test.learner, append=-1)) + 1
    start = 0
    for end in ends:
        # A learner's own skills are numbered afresh: those never met change nothing.
        mine, place = np.unique(test.skill[start:end], return_inverse=True)
        state = ability.prior(domains=len(mine), population=POPULATION, day=0.0)
        for i in range(start, end):
            if i - start in CUTS and i + NEXT <= end:
                items, domains = test.item[i : i + NEXT], place[i - start :][:NEXT]
                draws = rng.multivariate_normal(
                    state.mean[domains],
                    state.covariance[np.ix_(domains, domains)],
                    size=400,
                    check_valid="ignore",
                )
                chances = special.expit(slope[items] * (draws - difficulty[items]))
                asides.append(
                    _aside(chances, test.is_right[start:i], test.is_right[i : i + NEXT])
                )
            item = test.item[i]
            question = ability.Question(
                domain=int(place[i - start]),
                slope=float(slope[item]),
                difficulty=float(difficulty[item]),
                guess=0.0,
            )
            said[i] = ability.expected_right(ability=state, question=question)
            state = ability.after_answer(
                ability=state,
                population=POPULATION,
                question=question,
                is_right=bool(test.is_right[i]),
                day=0.0,
            )
        start = int(end)
    return said


def _aside(chances: Floats, past: Bools, following: Bools) -> Aside:
    mean = chances.sum(axis=1)
    spread = np.maximum((chances * (1.0 - chances)).sum(axis=1), 1e-9)
    below = np.arange(NEXT + 1)
    chance_up_to = special.ndtr((below[:, None] + 0.5 - mean) / np.sqrt(spread))
    up_to = chance_up_to.mean(axis=1)
    return Aside(
        chance=float(1.0 - up_to[ENOUGH - 1]),
        raw=float(past.mean()),
        right=int(following.sum()),
        low=float(np.argmax(up_to >= 0.05)),
        high=float(np.argmax(up_to >= 0.95)) if up_to[-1] >= 0.95 else float(NEXT),
    )


def _print_next_twenty(asides: list[Aside]) -> None:
    came = np.array([a.right >= ENOUGH for a in asides])
    print(f"\nAt least {ENOUGH} of the next {NEXT} right: {len(asides):,} cases\n")
    print("| said | Brier | log-loss | ECE | AUC |")
    print("| --- " * 5 + "|")
    for name, said in {
        "raw % as the chance": np.array([a.raw for a in asides]),
        "filter (aim 0.178, ECE 0.06)": np.array([a.chance for a in asides]),
    }.items():
        q = measures.quality(probability=said, outcome=came)
        print(
            f"| {name} | {q.brier:.4f} | {q.log_loss:.3f}"
            f" | {q.calibration_error:.3f} | {q.auc:.3f} |"
        )
    covered = np.mean([a.low <= a.right <= a.high for a in asides])
    print(f"\nThe 90 % range of the number right covers {covered:.3f}.")
