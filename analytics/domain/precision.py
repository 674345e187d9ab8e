"""How sure a calibration is: derivatives of the likelihood, and standard errors.

The answers leave each learner's ability open, so they say less of the questions than if
ability were known. Louis' identity takes off what is missing: exactly, across all
questions, on short tests; per question, and to first order, on long ones, where little
is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from analytics.domain import irt
from analytics.domain.arrays import Floats

Block = tuple[irt.Matrix, Floats]

_EXACT_WORK: Final = 2e9
_EXACT_QUESTIONS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Errors:
    """Standard errors, an entry per question; infinite where nothing is known."""

    slope: Floats
    easiness: Floats
    difficulty: Floats


def moments(
    *, questions: irt.Questions, counts: Floats, nodes: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return gradient and expected information in log slope (a) and easiness (d).

    In the order a, d, aa, ad, dd, an entry per question. ``counts`` are expected answers
    in the rows of ``irt.log_tables``.
    """
    z = np.outer(questions.slope, nodes) + questions.easiness[:, None]
    s = special.expit(z)
    wrong, right = counts[0::2], counts[1::2]
    if questions.guess.any():
        lift = (1.0 - questions.guess)[:, None] * s
        chance = questions.guess[:, None] + lift
        pull = right * (lift * (1.0 - s) / chance) - wrong * s
        hold = (wrong + right) * (lift * s * (1.0 - s) / chance)
    else:
        both = wrong + right
        pull = right - both * s
        hold = both * s * (1.0 - s)
    a = questions.slope
    return (
        a * (pull @ nodes),
        pull.sum(axis=1),
        a**2 * (hold @ nodes**2),
        a * (hold @ nodes),
        hold.sum(axis=1),
    )


def standard_errors(
    *,
    questions: irt.Questions,
    blocks: Sequence[Block],
    counts: Floats,
    grid: irt.Grid,
    known: tuple[Floats, Floats, Floats],
) -> Errors:
    """Return standard errors at the maximum.

    ``blocks`` are the rows of the matrix and the learners' weights, ``known`` is the
    information before any answer: aa, ad, dd per question.
    """
    size = len(questions.slope)
    learners = sum(len(weights) for _, weights in blocks)
    work = float(learners) * (2 * size) ** 2 * len(grid.nodes)
    if size <= _EXACT_QUESTIONS and work <= _EXACT_WORK:
        whole = _exact(questions, blocks, counts, grid)
        whole += _crossed(*known)
        spread: Floats = np.linalg.pinv(whole, hermitian=True).astype(np.float64)
        first = np.arange(size)
        aa = spread[first, first]
        dd = spread[first + size, first + size]
        ad = spread[first, first + size]
    else:
        near = _near(questions, blocks, counts, grid)
        aa, ad, dd = _inverse(*near, known=known)
    return _errors(questions, aa, ad, dd)


def _errors(questions: irt.Questions, aa: Floats, ad: Floats, dd: Floats) -> Errors:
    """Return errors from the covariance of log slope and easiness; b by the delta rule."""
    a, b = questions.slope, questions.difficulty
    with np.errstate(invalid="ignore"):
        square = b**2 * aa + 2.0 * (b / a) * ad + dd / a**2
    return Errors(slope=a * _root(aa), easiness=_root(dd), difficulty=_root(square))


def _root(square: Floats) -> Floats:
    is_known = np.isfinite(square) & (square > 0.0)
    return np.sqrt(square, out=np.full_like(square, np.inf), where=is_known)


def _parts(questions: irt.Questions, nodes: Floats) -> tuple[Floats, Floats]:
    """Return first and negative second derivative of log chances by a z, as tables."""
    z = np.outer(questions.slope, nodes) + questions.easiness[:, None]
    s, guess = special.expit(z), questions.guess[:, None]
    rise = (1.0 - guess) * s * (1.0 - s)
    chance = guess + (1.0 - guess) * s
    pull, hold = np.empty((2 * len(z), len(nodes))), np.empty((2 * len(z), len(nodes)))
    pull[0::2], hold[0::2] = -s, s * (1.0 - s)
    slope = rise / chance
    pull[1::2], hold[1::2] = slope, slope**2 - rise * (1.0 - 2.0 * s) / chance
    return pull, hold


def _complete(
    questions: irt.Questions, counts: Floats, pull: Floats, hold: Floats, nodes: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return aa, ad, dd of the information if abilities were known."""
    a = questions.slope
    held, pulled = counts * hold, counts * pull
    both = held[0::2] + held[1::2]
    slant = (pulled[0::2] + pulled[1::2]) @ nodes
    return (
        a**2 * (both @ nodes**2) - a * slant,
        a * (both @ nodes),
        both.sum(axis=1),
    )


def _crossed(aa: Floats, ad: Floats, dd: Floats) -> Floats:
    """Return the matrix of all log slopes, then all easinesses."""
    cross = [[np.diag(aa), np.diag(ad)], [np.diag(ad), np.diag(dd)]]
    return np.asarray(np.block(cross), dtype=np.float64)


def _exact(
    questions: irt.Questions, blocks: Sequence[Block], counts: Floats, grid: irt.Grid
) -> Floats:
    """Return the observed information of all log slopes, then all easinesses."""
    pull, hold = _parts(questions, grid.nodes)
    aa, ad, dd = _complete(questions, counts, pull, hold, grid.nodes)
    whole = _crossed(aa, ad, dd)
    table = irt.log_tables(questions=questions, nodes=grid.nodes)
    for matrix, weights in blocks:
        shares, _ = irt.posterior(matrix=matrix, table=table, grid=grid)
        full = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        mean = np.zeros((len(shares), len(whole)))
        for k, node in enumerate(grid.nodes):
            told = full[:, 0::2] * pull[0::2, k] + full[:, 1::2] * pull[1::2, k]
            scores = np.hstack([told * (questions.slope * node), told])
            part = shares[:, k]
            whole -= scores.T @ (scores * (part * weights)[:, None])
            mean += scores * part[:, None]
        whole += mean.T @ (mean * weights[:, None])
    return np.asarray(whole, dtype=np.float64)


def _near(
    questions: irt.Questions, blocks: Sequence[Block], counts: Floats, grid: irt.Grid
) -> tuple[Floats, Floats, Floats]:
    """Return aa, ad, dd per question, less what open abilities hide to first order."""
    pull, hold = _parts(questions, grid.nodes)
    aa, ad, dd = _complete(questions, counts, pull, hold, grid.nodes)
    doubt = _doubt(questions, blocks, grid)
    a = np.repeat(questions.slope, 2)[:, None]
    by_a = a * (pull - hold * a * grid.nodes)
    by_d = -hold * a
    hidden = counts * doubt
    return (
        aa - _pairs(hidden * by_a**2),
        ad - _pairs(hidden * by_a * by_d),
        dd - _pairs(hidden * by_d**2),
    )


def _doubt(questions: irt.Questions, blocks: Sequence[Block], grid: irt.Grid) -> Floats:
    """Return, for each node, the mean posterior variance of the learners around it."""
    table = irt.log_tables(questions=questions, nodes=grid.nodes)
    spread, people = np.zeros(len(grid.nodes)), np.zeros(len(grid.nodes))
    for matrix, weights in blocks:
        shares, _ = irt.posterior(matrix=matrix, table=table, grid=grid)
        centre = shares @ grid.nodes
        around = np.maximum(shares @ grid.nodes**2 - centre**2, 0.0)
        spread += (around * weights) @ shares
        people += weights @ shares
    return spread / np.maximum(people, 1e-12)


def _pairs(table: Floats) -> Floats:
    rows = table.sum(axis=1)
    return np.asarray(rows[0::2] + rows[1::2], dtype=np.float64)


def _inverse(
    aa: Floats, ad: Floats, dd: Floats, *, known: tuple[Floats, Floats, Floats]
) -> tuple[Floats, Floats, Floats]:
    aa, ad, dd = aa + known[0], ad + known[1], dd + known[2]
    det = aa * dd - ad**2
    is_sure = (det > 0.0) & (dd > 0.0)
    scale = np.divide(1.0, det, out=np.full_like(det, np.inf), where=is_sure)
    with np.errstate(invalid="ignore"):
        return dd * scale, -ad * scale, aa * scale
