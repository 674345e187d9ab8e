"""The filter of ``ability.py`` for many learners at once, from the log.

All learners' first answers are taken together, then all second ones, and so on: the
same numbers as one by one, a hundred times as fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from analytics.domain.ability import NODE_WEIGHTS, NODES, Ability, Population
from analytics.domain.arrays import Bools, Floats, Ints

_SHUFFLE: Final = np.uint64(0x9E3779B97F4A7C15)
"""The golden ratio in 64 bits: multiples of it spread evenly."""

_BLOCK: Final = 4_096
"""Learners who are taken together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Log:
    """First attempts, an entry per answer, each learner's in the order they were given.

    ``learner`` counts from 0 and never falls. ``domain`` is -1 where a question stands
    in no domain: its answer moves nothing, and the ability before it is the mean of all.
    """

    learner: Ints
    domain: Ints
    slope: Floats
    difficulty: Floats
    guess: Floats
    is_right: Bools
    day: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Beliefs:
    """The abilities of many learners: rows of ``Ability``'s arrays."""

    mean: Floats
    covariance: Floats
    learned: Floats
    answers: Ints
    day: Floats

    def of(self, learner: int) -> Ability:
        """Return one learner's abilities."""
        return Ability(
            mean=self.mean[learner].copy(),
            covariance=self.covariance[learner].copy(),
            learned=self.learned[learner].copy(),
            answers=tuple(int(n) for n in self.answers[learner]),
            day=float(self.day[learner]),
        )


def order_to_weigh(*, learner: Ints, day: Ints, question: Ints) -> Ints:
    """Return the order in which answers are weighed: learners apart, day after day.

    What an answer tells depends a little on what was weighed before it. Within a day
    the order in which questions came says nothing of ability, so it is left out:
    ``question``, a number that stays the same, decides by a fixed shuffle.
    """
    shuffled = question.astype(np.uint64) * _SHUFFLE
    return np.lexsort((question, shuffled, day, learner)).astype(np.int64)


def replay(
    *,
    log: Log,
    learners: int,
    domains: int,
    population: Population,
    first_day: Floats | None = None,
) -> tuple[Beliefs, Floats]:
    """Return what is believed after the whole log, and the ability before each answer.

    ``first_day`` is when each learner began; else the day of the first answer.
    """
    start = beginning(
        learners=learners,
        domains=domains,
        population=population,
        day=_first_days(log, learners) if first_day is None else first_day,
    )
    ends = np.cumsum(np.bincount(log.learner, minlength=learners))
    before = np.zeros(len(log.learner))
    # What is believed of a few thousand stays in the processor's cache.
    for first in range(0, learners, _BLOCK):
        some = np.arange(first, min(first + _BLOCK, learners))
        rows = slice(int(ends[first - 1]) if first else 0, int(ends[some[-1]]))
        beliefs, _, before[rows] = _replayed(
            _part(log, rows, first),
            _picked(start, some),
            population,
            np.zeros(rows.stop - rows.start, dtype=bool),
        )
        _copy(start, some, beliefs, some - first)
    return start, before


def _part(log: Log, rows: slice, first: int) -> Log:
    """Return some rows of the log, whose learners are counted from ``first`` on."""
    return Log(
        learner=log.learner[rows] - first,
        domain=log.domain[rows],
        slope=log.slope[rows],
        difficulty=log.difficulty[rows],
        guess=log.guess[rows],
        is_right=log.is_right[rows],
        day=log.day[rows],
    )


def advance(
    *, log: Log, start: Beliefs, population: Population, is_kept: Bools
) -> tuple[Beliefs, Beliefs]:
    """Return what is believed after the log, from what was believed at its ``start``.

    And what was believed after each answer that ``is_kept``, in the log's order.
    """
    beliefs, moments, _ = _replayed(log, start, population, is_kept)
    return beliefs, moments


def beginning(
    *, learners: int, domains: int, population: Population, day: Floats
) -> Beliefs:
    """Return what is believed of learners who have answered nothing."""
    covariance = np.full((domains, domains), population.shared_variance)
    covariance += population.own_variance * np.eye(domains)
    return Beliefs(
        mean=np.full((learners, domains), population.mean),
        covariance=np.tile(covariance, (learners, 1, 1)),
        learned=np.zeros((learners, domains)),
        answers=np.zeros((learners, domains), dtype=np.int64),
        day=day.astype(np.float64),
    )


def stacked(*, abilities: Sequence[Ability]) -> Beliefs:
    """Return many learners' abilities as one; there must be at least one."""
    return Beliefs(
        mean=np.stack([each.mean for each in abilities]),
        covariance=np.stack([each.covariance for each in abilities]),
        learned=np.stack([each.learned for each in abilities]),
        answers=np.array([each.answers for each in abilities], dtype=np.int64),
        day=np.array([each.day for each in abilities]),
    )


def _first_days(log: Log, learners: int) -> Floats:
    counts = np.bincount(log.learner, minlength=learners)
    days = np.zeros(learners)
    days[counts > 0] = log.day[(np.cumsum(counts) - counts)[counts > 0]]
    return days


def _replayed(
    log: Log, start: Beliefs, population: Population, is_kept: Bools
) -> tuple[Beliefs, Beliefs, Floats]:
    learners, domains = start.mean.shape
    counts = np.bincount(log.learner, minlength=learners)
    begins = np.cumsum(counts) - counts
    # The longest histories first, so that those still going on are a slice.
    order = np.argsort(-counts, kind="stable")
    state = _picked(start, order)
    moments = beginning(
        learners=int(is_kept.sum()),
        domains=domains,
        population=population,
        day=log.day[is_kept],
    )
    place = np.cumsum(is_kept) - 1
    before = np.zeros(len(log.learner))
    for step, going in enumerate(_going(counts[order])):
        rows = begins[order[:going]] + step
        before[rows] = _take(state, log, rows, going, population)
        kept = np.flatnonzero(is_kept[rows])
        if len(kept):
            _copy(moments, place[rows[kept]], state, kept)
    back = np.empty(learners, dtype=np.int64)
    back[order] = np.arange(learners)
    return _picked(state, back), moments, before


def _picked(beliefs: Beliefs, order: Ints) -> Beliefs:
    return Beliefs(
        mean=beliefs.mean[order],
        covariance=beliefs.covariance[order],
        learned=beliefs.learned[order],
        answers=beliefs.answers[order],
        day=beliefs.day[order],
    )


def _copy(to: Beliefs, places: Ints, found: Beliefs, learners: Ints) -> None:
    to.mean[places] = found.mean[learners]
    to.covariance[places] = found.covariance[learners]
    to.learned[places] = found.learned[learners]
    to.answers[places] = found.answers[learners]
    to.day[places] = found.day[learners]


def on_days(*, beliefs: Beliefs, population: Population, day: Floats) -> Beliefs:
    """Return what is believed on a later day of each learner, without answers."""
    mean, covariance = beliefs.mean.copy(), beliefs.covariance.copy()
    learned = beliefs.learned.copy()
    _wait(mean, covariance, learned, day - beliefs.day, population)
    return Beliefs(
        mean=mean,
        covariance=covariance,
        learned=learned,
        answers=beliefs.answers,
        day=np.maximum(day, beliefs.day),
    )


def _going(falling: Ints) -> Iterator[int]:
    """Return how many learners have a first answer, a second, and so on."""
    going = len(falling)
    for step in range(int(falling.max(initial=0))):
        while falling[going - 1] <= step:
            going -= 1
        yield going


def _wait(
    mean: Floats,
    covariance: Floats,
    learned: Floats,
    days: Floats,
    population: Population,
) -> None:
    days = np.maximum(days, 0.0)[:, None]
    faded = -np.expm1(-days / population.fading_days) * learned
    mean -= faded
    learned -= faded
    every = np.arange(mean.shape[1])
    diagonal = covariance[:, every, every]
    most = population.shared_variance + population.own_variance
    room = np.maximum(most - diagonal, 0.0)
    covariance[:, every, every] = diagonal + np.minimum(
        population.drift_per_day * days, room
    )


def _take(
    state: Beliefs, log: Log, rows: Ints, going: int, population: Population
) -> Floats:
    """Take one answer of each of the first ``going`` learners; return abilities before."""
    mean, covariance = state.mean[:going], state.covariance[:going]
    learned = state.learned[:going]
    _wait(mean, covariance, learned, log.day[rows] - state.day[:going], population)
    state.day[:going] = np.maximum(state.day[:going], log.day[rows])
    here, d = np.arange(going), log.domain[rows]
    is_placed = d >= 0
    before, spread = mean[here, d], covariance[here, d, d]
    if not is_placed.all():
        before = np.where(is_placed, before, mean.mean(axis=1))
    up, narrower = _told(before, spread, log, rows)
    share = covariance[here, :, d] / spread[:, None] * is_placed[:, None]
    mean += share * up[:, None]
    covariance -= (share * narrower[:, None])[:, :, None] * share[:, None, :]
    room = np.maximum(1.0 - learned[here, d] / population.ceiling, 0.0) * is_placed
    mean[here, d] += population.gain * room
    learned[here, d] += population.gain * room
    covariance[here, d, d] += population.drift_per_answer * is_placed
    state.answers[here, d] += is_placed
    return before


def _told(
    before: Floats, spread: Floats, log: Log, rows: Ints
) -> tuple[Floats, Floats]:
    """Return what ``ability._told`` does, for one answer of many learners."""
    slope, guess = log.slope[rows], log.guess[rows]
    deviation = np.sqrt(spread)
    z = np.multiply.outer(NODES, slope * deviation)
    z += slope * (before - log.difficulty[rows])
    odds = (1.0 - guess) * special.expit(z)
    part = np.where(log.is_right[rows], guess + odds, 1.0 - guess - odds)
    whole = NODE_WEIGHTS @ part
    up = (NODE_WEIGHTS * NODES) @ part / whole
    second = (NODE_WEIGHTS * NODES**2) @ part / whole
    return deviation * up, spread * (1.0 - second + up**2)
