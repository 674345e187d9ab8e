"""Place questions on the scale: marginal maximum likelihood over sparse answers.

Bock and Aitkin's EM: the posterior of each learner over a grid gives expected counts,
from which each question's slope and easiness follow by Fisher scoring, all questions at
once. SQUAREM (Varadhan and Roland, 2008) extrapolates; where the objective would fall
the plain step stands. In the end each question is settled once more, by itself, under
what all of them have shown: see ``priors.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from scipy import special

from analytics.domain import irt, precision, priors
from analytics.domain.arrays import Bools, Floats, Ints

_STEEPEST: Final = 2.5
_FARTHEST: Final = 20.0
"""Bounds of log slope and easiness, far beyond what questions have."""

_BLOCK: Final = 4_096
"""Learners whose posteriors are looked at together."""

_ROUNDING: Final = 1e-9
"""A fall of the objective by this share is no fall."""

_SETTLED: Final = 25
"""Scoring steps in the end, at most."""

_FIXED: Final = 1e12
"""The precision of what is not estimated."""


class Model(StrEnum):
    """What may differ between questions besides easiness."""

    TWO_PARAMETERS = "2PL"
    ONE_SLOPE = "1PL"
    RASCH = "Rasch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to fit: ``tolerance`` bounds the last EM step of any parameter."""

    model: Model = Model.TWO_PARAMETERS
    priors: priors.Priors | None = priors.WEAK
    tolerance: float = 1e-3
    most_steps: int = 500
    newton_steps: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Convergence:
    """How the fit went. ``steps`` are passes over the answers."""

    has_converged: bool
    steps: int
    fallbacks: int
    last_change: float
    log_likelihood: float
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """Parameters with standard errors, an entry per question.

    Errors are infinite where nothing is known. With one common slope they are those of
    slopes on their own, which is too wide rather than too narrow.
    """

    questions: irt.Questions
    slope_error: Floats
    easiness_error: Floats
    difficulty_error: Floats
    answers: Floats
    convergence: Convergence

    @property
    def is_runaway(self) -> Bools:
        """Say of each question whether its difficulty is beyond belief."""
        return np.asarray(np.abs(self.questions.difficulty) > irt.MOST_EXTREME)

    @property
    def reported_difficulty(self) -> Floats:
        """Return difficulties as reports show them: within the bounds of belief."""
        bound = irt.MOST_EXTREME
        return np.clip(self.questions.difficulty, -bound, bound)


def fit(
    *,
    answers: irt.Answers,
    guess: Floats | None = None,
    objectives: Ints | None = None,
    settings: Settings | None = None,
    grid: irt.Grid | None = None,
) -> Calibration:
    """Return the calibration of ``answers``; the same answers give the same numbers.

    ``objectives`` numbers each question's objective from 0 and needs priors. Without a
    ``grid`` the longest history chooses it.
    """
    settings = settings or Settings()
    floor = np.zeros(answers.questions) if guess is None else guess
    counted = answers.per_learner().max(initial=0)
    fitting = _Fitting(
        answers=answers,
        guess=floor,
        settings=settings,
        grid=grid or irt.grid_for(most_answers=int(counted)),
    )
    log_slope, easiness = fitting.start()
    log_slope, easiness, convergence = fitting.run(log_slope, easiness)
    if settings.priors is not None:
        at = fitting.questions(log_slope, easiness)
        fitting.prior = priors.shown(
            priors=settings.priors,
            questions=at,
            moments=fitting.moments(at),
            objectives=objectives,
            has_one_slope=fitting.has_one_slope,
        )
        log_slope, easiness = fitting.maximised(log_slope, easiness, steps=_SETTLED)
    return fitting.report(log_slope, easiness, convergence)


class _Fitting:
    """One fit: the matrix, the grid, and what the priors say."""

    def __init__(
        self,
        *,
        answers: irt.Answers,
        guess: Floats,
        settings: Settings,
        grid: irt.Grid,
    ) -> None:
        self.answers = answers
        self.guess = guess
        self.settings = settings
        self.grid = grid
        self.weights = answers.weights
        self.blocks = _blocks(answers.matrix(), self.weights)
        self.prior: priors.Prior | None = None
        if settings.priors is not None:
            self.prior = priors.Prior(
                slope=settings.priors.slope, spread=settings.priors.easiness
            )
        self.counts: Floats = np.zeros((0, 0))
        self.people: Floats = np.zeros(len(grid.nodes))
        self.log_likelihood = 0.0

    def start(self) -> tuple[Floats, Floats]:
        """Return slopes of 1 and the easiness that the shares right suggest."""
        asked = self.answers.per_question()
        right = np.bincount(
            self.answers.question,
            weights=self.weights[self.answers.learner] * self.answers.is_right,
            minlength=self.answers.questions,
        )
        share = (right + 0.5) / (asked + 1.0)
        above = np.clip((share - self.guess) / (1.0 - self.guess), 0.02, 0.98)
        return np.zeros(len(share)), 1.2 * special.logit(above)

    def questions(self, log_slope: Floats, easiness: Floats) -> irt.Questions:
        return irt.Questions(
            slope=np.exp(log_slope), easiness=easiness, guess=self.guess
        )

    def objective(self, log_slope: Floats, easiness: Floats) -> float:
        """Do the E-step: keep the expected counts, return the penalised likelihood."""
        table = irt.log_tables(
            questions=self.questions(log_slope, easiness), nodes=self.grid.nodes
        )
        self.counts = np.zeros(table.shape)
        self.people = np.zeros(len(self.grid.nodes))
        self.log_likelihood = 0.0
        for matrix, weights in self.blocks:
            shares, logs = irt.posterior(matrix=matrix, table=table, grid=self.grid)
            self.log_likelihood += float(logs @ weights)
            self.people += weights @ shares
            if self.answers.weight is not None:
                shares *= weights[:, None]
            self.counts += matrix.T @ shares
        if self.prior is None:
            return self.log_likelihood
        own = log_slope[:1] if self.has_one_slope else log_slope
        return self.log_likelihood - 0.5 * float(
            (own @ own) / self.prior.slope**2
            + (easiness @ easiness) / self.prior.spread**2
        )

    @property
    def has_one_slope(self) -> bool:
        return self.settings.model is not Model.TWO_PARAMETERS

    def moments(
        self, questions: irt.Questions
    ) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        return precision.moments(
            questions=questions, counts=self.counts, nodes=self.grid.nodes
        )

    def maximised(
        self, log_slope: Floats, easiness: Floats, *, steps: int
    ) -> tuple[Floats, Floats]:
        """Do the M-step: a few scoring steps for all questions at once."""
        for _ in range(steps):
            questions = self.questions(log_slope, easiness)
            g_a, g_d, h_aa, h_ad, h_dd = self.moments(questions)
            if self.prior is not None:
                share = 1.0 / len(log_slope) if self.has_one_slope else 1.0
                up, along = self.prior.gradient(questions, share=share)
                aa, ad, dd = self.prior.information(questions, share=share)
                g_a, g_d = g_a + up, g_d + along
                h_aa, h_ad, h_dd = h_aa + aa, h_ad + ad, h_dd + dd
            h_dd = h_dd + 1e-9
            up, along = self._moves(g_a, g_d, h_aa, h_ad, h_dd)
            log_slope = np.clip(
                log_slope + np.clip(up, -1.0, 1.0), -_STEEPEST * 2, _STEEPEST
            )
            easiness = np.clip(
                easiness + np.clip(along, -2.0, 2.0), -_FARTHEST, _FARTHEST
            )
            if max(np.abs(up).max(), np.abs(along).max()) < self.settings.tolerance / 4:
                break
        return log_slope, easiness

    def _moves(
        self, g_a: Floats, g_d: Floats, h_aa: Floats, h_ad: Floats, h_dd: Floats
    ) -> tuple[Floats, Floats]:
        """Solve for the steps of log slope and easiness."""
        left = h_aa - h_ad**2 / h_dd
        pull = g_a - h_ad * g_d / h_dd
        up = pull / (left + 1e-9)
        if self.settings.model is Model.ONE_SLOPE:
            up = np.full_like(up, pull.sum() / (left.sum() + 1e-9))
        elif self.settings.model is Model.RASCH:
            up = np.zeros_like(up)
        return up, (g_d - h_ad * up) / h_dd

    def run(
        self, log_slope: Floats, easiness: Floats
    ) -> tuple[Floats, Floats, Convergence]:
        """Repeat three EM steps, the last from an extrapolated point, until all rest."""
        steps, fallbacks, change = 0, 0, np.inf
        at = np.concatenate([log_slope, easiness])
        self.objective(*_halves(at))
        while True:
            first = self._after(at)
            change = float(np.abs(first - at).max(initial=0.0))
            steps += 1
            before = self.objective(*_halves(first))
            if change < self.settings.tolerance or steps >= self.settings.most_steps:
                at = first
                break
            second = self._after(first)
            leap = _leap(at, first, second)
            steps += 1
            reached = self.objective(*_halves(leap))
            if not reached >= before - _ROUNDING * abs(before):
                fallbacks += 1
                leap = second
                steps += 1
                self.objective(*_halves(leap))
            at = leap
        log_slope, easiness = _halves(at)
        return (
            log_slope,
            easiness,
            Convergence(
                has_converged=change < self.settings.tolerance,
                steps=steps,
                fallbacks=fallbacks,
                last_change=change,
                log_likelihood=self.log_likelihood,
                nodes=len(self.grid.nodes),
            ),
        )

    def _after(self, at: Floats) -> Floats:
        steps = self.settings.newton_steps
        found = self.maximised(*_halves(at), steps=steps)
        return np.concatenate(self.rescaled(*found))

    def rescaled(self, log_slope: Floats, easiness: Floats) -> tuple[Floats, Floats]:
        """Move all questions to where learners were found (PX-EM; Liu, Rubin, Wu, 1998).

        Abilities as found have another mean and spread than they are taken to have. By
        its own answers each question follows by very little a step, above all on a
        coarse grid. Both halves of the step raise the objective.
        """
        nodes, people = self.grid.nodes, float(self.people.sum())
        if self.settings.model is Model.RASCH or not people:
            return log_slope, easiness
        slope = np.exp(log_slope)
        shift, held = float(self.people @ nodes), people
        if self.prior is not None:
            sure = self.prior.spread**-2
            shift -= sure * float(slope @ easiness)
            held += sure * float(slope @ slope)
        shift /= held
        spread = float(self.people @ (nodes - shift) ** 2) / people
        taken = float(np.exp(self.grid.log_weights) @ nodes**2)
        stretch, held = people * float(np.log(spread / taken)), 2.0 * people
        if self.prior is not None:
            own = log_slope[:1] if self.has_one_slope else log_slope
            stretch -= float(own.sum()) * self.prior.slope**-2
            held += len(own) * self.prior.slope**-2
        return log_slope + stretch / held, easiness + slope * shift

    def known_before(self, questions: irt.Questions) -> tuple[Floats, Floats, Floats]:
        """Return the information in log slope and easiness before any answer."""
        flat = np.ones(len(questions.slope))
        aa, ad, dd = 0.0 * flat, 0.0 * flat, 0.0 * flat
        if self.prior is not None:
            aa, ad, dd = self.prior.information(questions)
        if self.settings.model is Model.RASCH:
            aa = _FIXED * flat
        return aa, ad, dd

    def report(
        self, log_slope: Floats, easiness: Floats, convergence: Convergence
    ) -> Calibration:
        questions = self.questions(log_slope, easiness)
        errors = precision.standard_errors(
            questions=questions,
            blocks=self.blocks,
            counts=self.counts,
            grid=self.grid,
            known=self.known_before(questions),
        )
        return Calibration(
            questions=questions,
            slope_error=errors.slope,
            easiness_error=errors.easiness,
            difficulty_error=errors.difficulty,
            answers=self.answers.per_question(),
            convergence=convergence,
        )


def _blocks(matrix: irt.Matrix, weights: Floats) -> list[tuple[irt.Matrix, Floats]]:
    """Return the learners in portions whose posteriors stay in the processor's cache."""
    return [
        (matrix[first : first + _BLOCK], weights[first : first + _BLOCK])
        for first in range(0, len(weights), _BLOCK)
    ]


def _halves(both: Floats) -> tuple[Floats, Floats]:
    middle = len(both) // 2
    return both[:middle], both[middle:]


def _leap(at: Floats, first: Floats, second: Floats) -> Floats:
    """Return SQUAREM's extrapolation of two steps; the second where they don't bend."""
    r = first - at
    v = (second - first) - r
    bend = float(np.sqrt(v @ v))
    if bend < 1e-14:  # noqa: PLR2004
        return second
    length = min(max(float(np.sqrt(r @ r)) / bend, 1.0), 16.0)
    leap = at + 2.0 * length * r + length**2 * v
    slopes, easiness = _halves(leap)
    return np.concatenate(
        [
            np.clip(slopes, -_STEEPEST * 2, _STEEPEST),
            np.clip(easiness, -_FARTHEST, _FARTHEST),
        ]
    )
