"""The two-parameter model with a fixed guessing floor, and abilities under it.

P = c + (1 - c) / (1 + exp(-a (theta - b))) with theta ~ N(0, 1) and no 1.702. Inside, a
question is its slope a and its easiness d = -a b, since d has no pole at a = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from scipy import sparse, special

from analytics.domain.arrays import Bools, Floats, Ints

MOST_EXTREME: Final = 6.0
"""A difficulty beyond this is a runaway: the answers say too little to place it."""

Matrix: TypeAlias = sparse.csr_array | Floats

_DENSE_SHARE: Final = 0.5
_DENSE_CELLS: Final = 20_000_000
_MANY_ANSWERS: Final = 1_000_000


class ShapesDisagree(ValueError):
    """Arrays that describe the same answers or questions have different lengths."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Questions:
    """Parameters, an entry per question."""

    slope: Floats
    easiness: Floats
    guess: Floats

    def __post_init__(self) -> None:
        """Refuse arrays of different lengths."""
        if not self.slope.shape == self.easiness.shape == self.guess.shape:
            raise ShapesDisagree

    @property
    def difficulty(self) -> Floats:
        """Return b, where half of what guessing leaves is got right."""
        return np.divide(
            -self.easiness,
            self.slope,
            out=np.full_like(self.easiness, np.inf),
            where=self.slope > 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """Who answered what: one entry per answer, by numbers from 0; sparse.

    ``weight`` counts the people behind each learner, for tables of patterns.
    """

    learner: Ints
    question: Ints
    is_right: Bools
    learners: int
    questions: int
    weight: Floats | None = None

    def __post_init__(self) -> None:
        """Refuse arrays of different lengths."""
        if not self.learner.shape == self.question.shape == self.is_right.shape:
            raise ShapesDisagree

    @property
    def weights(self) -> Floats:
        """Return how many people each learner stands for."""
        return np.ones(self.learners) if self.weight is None else self.weight

    def per_learner(self) -> Ints:
        """Return how many answers each learner gave."""
        return np.bincount(self.learner, minlength=self.learners).astype(np.int64)

    def per_question(self) -> Floats:
        """Return how many people answered each question."""
        return np.bincount(
            self.question,
            weights=self.weights[self.learner],
            minlength=self.questions,
        ).astype(np.float64)

    def matrix(self) -> Matrix:
        """Return learners by twice the questions: wrong and right, side by side.

        Full where most cells are filled, so that BLAS does the products.
        """
        shape = (self.learners, 2 * self.questions)
        # Each learner's answers together, so that nothing is left to sort.
        column = (2 * self.question + self.is_right).astype(np.int32)
        if (np.diff(self.learner) < 0).any():
            column = column[np.argsort(self.learner, kind="stable")]
        ends = np.concatenate([[0], np.cumsum(self.per_learner())]).astype(np.int32)
        is_large = len(column) > _MANY_ANSWERS
        ones = np.ones(len(column), dtype=np.float32 if is_large else np.float64)
        found = sparse.csr_array((ones, column, ends), shape=shape)
        cells = self.learners * self.questions
        if _DENSE_SHARE * cells < len(ones) and cells <= _DENSE_CELLS:
            return np.asarray(found.toarray(), dtype=np.float64)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grid:
    """Equal steps of ability with the weights of the normal curve, which sum to 1."""

    nodes: Floats
    log_weights: Floats

    @property
    def step(self) -> float:
        """Return the distance of two nodes."""
        return float(self.nodes[1] - self.nodes[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Abilities:
    """Mean and standard deviation of each learner's ability, given the answers."""

    mean: Floats
    deviation: Floats


def guessing_floor(*, options: int, keys: int = 1) -> float:
    """Return the chance of full marks by guessing: 1 of all choices of so many keys."""
    return 1.0 / math.comb(options, keys)


def grid(*, nodes: int, reach: float = 5.0) -> Grid:
    """Return ``nodes`` equal steps from -``reach`` to ``reach``."""
    places = np.linspace(-reach, reach, nodes)
    logs = -0.5 * places**2
    return Grid(nodes=places, log_weights=logs - special.logsumexp(logs))


def grid_for(*, most_answers: int) -> Grid:
    """Return a grid whose step suits the learner who answered most.

    Long histories have narrow posteriors. A step of more than 1.5 of their standard
    deviations bends the scale, which correlations don't show.
    """
    if most_answers <= 300:  # noqa: PLR2004
        return grid(nodes=41)
    return grid(nodes=81 if most_answers <= 1_000 else 161)  # noqa: PLR2004


def chance(*, questions: Questions, ability: Floats) -> Floats:
    """Return the chance of a right answer: questions by abilities."""
    z = np.outer(questions.slope, ability) + questions.easiness[:, None]
    guess = questions.guess[:, None]
    return np.asarray(guess + (1.0 - guess) * special.expit(z), dtype=np.float64)


def information(*, questions: Questions, ability: Floats) -> Floats:
    """Return Fisher's information about ability: questions by abilities."""
    return chance_and_information(questions=questions, ability=ability[None, :])[1]


def chance_and_information(
    *, questions: Questions, ability: Floats
) -> tuple[Floats, Floats]:
    """Return both where each question has abilities of its own: a row per question."""
    slope, guess = questions.slope[:, None], questions.guess[:, None]
    s = special.expit(slope * ability + questions.easiness[:, None])
    lift = (1.0 - guess) * s
    right = guess + lift
    told = slope**2 * lift * s * (1.0 - s) / np.maximum(right, 1e-300)
    return right, told


def log_tables(*, questions: Questions, nodes: Floats) -> Floats:
    """Return log chances as rows wrong, right, wrong, right by nodes."""
    z = np.outer(questions.slope, nodes) + questions.easiness[:, None]
    guess = questions.guess[:, None]
    table = np.empty((2 * len(z), len(nodes)))
    soft = np.logaddexp(0.0, z)
    table[0::2] = np.log1p(-guess) - soft
    # log(c + (1 - c) s) = log(c + e^z) - log(1 + e^z); with c = 0 it is z - soft.
    with np.errstate(divide="ignore"):
        table[1::2] = np.logaddexp(np.log(guess), z) - soft
    return table


def posterior(*, matrix: Matrix, table: Floats, grid: Grid) -> tuple[Floats, Floats]:
    """Return each learner's posterior over the grid, and the log chance of the answers.

    The second is the marginal log-likelihood of each learner.
    """
    # A large matrix is in single precision: the products wait for memory.
    logs: Floats = matrix @ table.astype(matrix.dtype)
    logs += grid.log_weights.astype(matrix.dtype)
    most = logs.max(axis=1)
    logs -= most[:, None]
    # What is less likely than 1e-26 is nothing; numbers nearer to 0 are slow.
    np.maximum(logs, -60.0, out=logs)
    np.exp(logs, out=logs)
    whole = logs.sum(axis=1)
    logs /= whole[:, None]
    return logs, most + np.log(whole)


def log_likelihood(*, questions: Questions, answers: Answers, grid: Grid) -> float:
    """Return the marginal log-likelihood of all answers."""
    table = log_tables(questions=questions, nodes=grid.nodes)
    _, logs = posterior(matrix=answers.matrix(), table=table, grid=grid)
    return float(logs @ answers.weights)


def expected_abilities(
    *, questions: Questions, answers: Answers, grid: Grid
) -> Abilities:
    """Return the posterior mean and deviation of each learner (EAP)."""
    table = log_tables(questions=questions, nodes=grid.nodes)
    shares, _ = posterior(matrix=answers.matrix(), table=table, grid=grid)
    mean = shares @ grid.nodes
    spread = np.maximum(shares @ grid.nodes**2 - mean**2, 0.0)
    return Abilities(mean=mean, deviation=np.sqrt(spread))


def likeliest_abilities(
    *, questions: Questions, answers: Answers, steps: int = 50
) -> Floats:
    """Return the mode of each learner's posterior (MAP), by Fisher scoring."""
    ability = np.zeros(answers.learners)
    slope = questions.slope[answers.question]
    easiness = questions.easiness[answers.question]
    guess = questions.guess[answers.question]
    for _ in range(steps):
        s = special.expit(slope * ability[answers.learner] + easiness)
        right = guess + (1.0 - guess) * s
        pull = np.where(answers.is_right, (1.0 - guess) * s * (1.0 - s) / right, -s)
        hold = (1.0 - guess) * s**2 * (1.0 - s) / right
        gradient = _sums(answers, slope * pull) - ability
        move = gradient / (1.0 + _sums(answers, slope**2 * hold))
        ability = ability + np.clip(move, -1.0, 1.0)
        if np.abs(move).max(initial=0.0) < 1e-10:  # noqa: PLR2004
            break
    return ability


def _sums(answers: Answers, values: Floats) -> Floats:
    return np.bincount(
        answers.learner, weights=values, minlength=answers.learners
    ).astype(np.float64)
