"""Learners whose truth is known, to see whether what we tell learners comes true.

A world has domains, questions with true and calibrated parameters, and learners who
practise as people do: in domains they like, with repeats they half remember, over some
weeks, learning and forgetting at their own pace. They sit a fresh mock at the end.
``Person`` is one of them alone, who is asked from outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy import special

from analytics.domain import irt
from analytics.domain.ability import Question
from analytics.domain.arrays import Bools, Floats, Ints

_TASTES: Final = np.array([-0.5, -0.25, 0.0, 0.25, 0.5])
"""How much harder questions are preferred, per logit of difficulty."""

_REDRAWS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What is true of a population; abilities in logits, times in days."""

    weights: tuple[int, ...] = (26, 20, 18, 16, 12, 8)
    mock_counts: tuple[int, ...] = (17, 13, 12, 10, 8, 5)
    needed: int = 46
    questions: int = 900
    learners: int = 3_000
    mean: float = 0.35
    shared_deviation: float = 0.9
    own_deviation: float = 0.5
    guess: float = 0.22
    assumed_guess: float = 0.20
    median_answers: float = 120.0
    most_answers: int = 1_500
    gain: float = 0.012
    gain_spread: float = 0.6
    ceiling: float = 2.5
    fading_days: float = 60.0
    fading_spread: float = 0.5
    repeats: float = 0.3
    memory: float = 0.55
    waits: tuple[int, ...] = (0, 7, 30)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulated:
    """All answers in order, each learner's together, and how the mocks ended.

    ``chances`` are each learner's true chances per domain on the day of the exam.
    ``assumed`` is what calibration says of the questions, with its errors.
    """

    truth: irt.Questions
    assumed: irt.Questions
    domain: Ints
    learner: Ints
    question: Ints
    is_right: Bools
    is_first: Bools
    day: Floats
    exam_day: Floats
    ability: Floats
    chances: Floats
    score: Ints


@dataclass(slots=True, kw_only=True, eq=False)
class _Learners:
    """What learners are, and where they stand while they practise."""

    base: Floats
    learned: Floats
    gain: Floats
    fading: Floats
    likes: Floats
    taste: Ints
    count: Ints
    span: Floats
    seen: Bools
    past: Ints
    day: Floats


class Person:
    """One learner of a world, whose questions come from elsewhere.

    ``met`` are the numbers of those answered so far.
    """

    def __init__(self, *, world: World, domains: int, rng: np.random.Generator) -> None:
        """Draw what the person is like, in so many domains."""
        self._world = replace(
            world, learners=1, questions=1, weights=(1,) * domains, most_answers=5
        )
        self._rng = rng
        self._one = _people(self._world, rng)
        self.met: set[int] = set()

    def answers_right(self, *, number: int, question: Question, day: float) -> bool:
        """Say whether they get a question right, and have them learn from it.

        ``number`` tells questions apart: one they have met they half remember. Days
        never fall.
        """
        me, domain = np.zeros(1, dtype=np.int64), np.array([question.domain])
        _fade(self._one, me, np.array([day]))
        theta = self._one.base[0, question.domain]
        theta += self._one.learned[0, question.domain]
        z = question.slope * (theta - question.difficulty)
        z += self._world.memory * (number in self.met)
        self.met.add(number)
        _learn(self._world, self._one, me, domain)
        guess = np.array([question.guess])
        return bool(_answered(guess, np.array([z]), self._rng)[0])


def simulate(*, world: World, rng: np.random.Generator) -> Simulated:
    """Return the answers and mocks of a population, the same for the same generator."""
    domain = _domains(world)
    truth, assumed = _questions(world, rng)
    people = _people(world, rng)
    tables = _tables(truth, domain, len(world.weights))
    steps = int(people.count.max())
    picks = np.zeros((world.learners, steps), dtype=np.int64)
    rights = np.zeros((world.learners, steps), dtype=bool)
    firsts = np.zeros((world.learners, steps), dtype=bool)
    days = np.zeros((world.learners, steps))
    for step in range(steps):
        who = np.flatnonzero(people.count > step)
        day = np.floor(people.span[who] * step / people.count[who])
        _fade(people, who, day)
        question = _choose(world, people, who, step, tables, rng)
        is_first = ~people.seen[who, question]
        d = domain[question]
        z = truth.slope[question] * (people.base[who, d] + people.learned[who, d])
        z = z + truth.easiness[question] + world.memory * ~is_first
        right = _answered(truth.guess[question], z, rng)
        _learn(world, people, who, d)
        people.seen[who, question] = True
        people.past[who, step] = question
        picks[who, step], rights[who, step] = question, right
        firsts[who, step], days[who, step] = is_first, day
    learner = np.repeat(np.arange(world.learners), people.count)
    step_of = np.arange(len(learner)) - np.repeat(
        np.cumsum(people.count) - people.count, people.count
    )
    exam_day = people.day + rng.choice(world.waits, world.learners)
    _fade(people, np.arange(world.learners), exam_day)
    ability = people.base + people.learned
    return Simulated(
        truth=truth,
        assumed=assumed,
        domain=domain,
        learner=learner,
        question=picks[learner, step_of],
        is_right=rights[learner, step_of],
        is_first=firsts[learner, step_of],
        day=days[learner, step_of],
        exam_day=exam_day,
        ability=ability,
        chances=_mean_chances(truth, domain, ability),
        score=_sit(world, truth, domain, ability, rng),
    )


def _domains(world: World) -> Ints:
    shares = np.cumsum(world.weights) / sum(world.weights)
    return np.searchsorted(
        shares, (np.arange(world.questions) + 0.5) / world.questions
    ).astype(np.int64)


def _questions(
    world: World, rng: np.random.Generator
) -> tuple[irt.Questions, irt.Questions]:
    n = world.questions
    slope, difficulty = rng.lognormal(0.0, 0.3, n), rng.normal(0.0, 1.0, n)
    seen_slope = slope * np.exp(0.12 * rng.normal(size=n))
    seen_difficulty = difficulty + 0.18 * rng.normal(size=n)
    return (
        irt.Questions(
            slope=slope, easiness=-slope * difficulty, guess=np.full(n, world.guess)
        ),
        irt.Questions(
            slope=seen_slope,
            easiness=-seen_slope * seen_difficulty,
            guess=np.full(n, world.assumed_guess),
        ),
    )


def _people(world: World, rng: np.random.Generator) -> _Learners:
    n, domains = world.learners, len(world.weights)
    shared = rng.normal(world.mean, world.shared_deviation, (n, 1))
    own = rng.normal(0.0, world.own_deviation, (n, domains))
    counts = rng.lognormal(np.log(world.median_answers), 1.06, n)
    count = np.clip(counts, 5, world.most_answers).astype(np.int64)
    return _Learners(
        base=shared + own,
        learned=np.zeros((n, domains)),
        gain=rng.lognormal(np.log(world.gain), world.gain_spread, n),
        fading=rng.lognormal(np.log(world.fading_days), world.fading_spread, n),
        likes=np.cumsum(rng.dirichlet(np.full(domains, 2.0), n), axis=1),
        taste=rng.integers(0, len(_TASTES), n),
        count=count,
        span=rng.uniform(1.0, 90.0, n),
        seen=np.zeros((n, world.questions), dtype=bool),
        past=np.zeros((n, int(count.max())), dtype=np.int64),
        day=np.zeros(n),
    )


def _tables(
    truth: irt.Questions, domain: Ints, domains: int
) -> list[list[tuple[Ints, Floats]]]:
    """Return, per domain and taste, its questions and the rising sum of their odds."""
    found = []
    for d in range(domains):
        members = np.flatnonzero(domain == d)
        odds = np.exp(np.outer(_TASTES, truth.difficulty[members]))
        rising = np.cumsum(odds, axis=1) / odds.sum(axis=1, keepdims=True)
        found.append([(members, row) for row in rising])
    return found


def _choose(
    world: World,
    people: _Learners,
    who: Ints,
    step: int,
    tables: list[list[tuple[Ints, Floats]]],
    rng: np.random.Generator,
) -> Ints:
    chosen = _fresh(people, who, tables, rng)
    for _ in range(_REDRAWS):
        again = np.flatnonzero(people.seen[who, chosen])
        if len(again):
            chosen[again] = _fresh(people, who[again], tables, rng)
    if step:
        repeats = np.flatnonzero(rng.random(len(who)) < world.repeats)
        earlier = rng.integers(0, step, len(repeats))
        chosen[repeats] = people.past[who[repeats], earlier]
    return chosen


def _fresh(
    people: _Learners,
    who: Ints,
    tables: list[list[tuple[Ints, Floats]]],
    rng: np.random.Generator,
) -> Ints:
    d = (rng.random((len(who), 1)) > people.likes[who]).sum(axis=1)
    d = np.minimum(d, people.likes.shape[1] - 1)
    luck, taste = rng.random(len(who)), people.taste[who]
    chosen = np.zeros(len(who), dtype=np.int64)
    for domain, by_taste in enumerate(tables):
        for number, (members, rising) in enumerate(by_taste):
            here = np.flatnonzero((d == domain) & (taste == number))
            place = np.searchsorted(rising, luck[here])
            chosen[here] = members[np.minimum(place, len(members) - 1)]
    return chosen


def _learn(world: World, people: _Learners, who: Ints, domain: Ints) -> None:
    room = np.maximum(1.0 - people.learned[who, domain] / world.ceiling, 0.0)
    people.learned[who, domain] += people.gain[who] * room


def _fade(people: _Learners, who: Ints, day: Floats) -> None:
    days = np.maximum(day - people.day[who], 0.0)
    people.learned[who] *= np.exp(-days / people.fading[who])[:, None]
    people.day[who] = np.maximum(day, people.day[who])


def _answered(guess: Floats, z: Floats, rng: np.random.Generator) -> Bools:
    chance = guess + (1.0 - guess) * special.expit(z)
    return np.asarray(rng.random(len(z)) < chance)


def _mean_chances(truth: irt.Questions, domain: Ints, ability: Floats) -> Floats:
    nodes = np.linspace(-8.0, 8.0, 801)
    table = irt.chance(questions=truth, ability=nodes)
    columns = [
        np.interp(column, nodes, table[domain == d].mean(axis=0))
        for d, column in enumerate(ability.T)
    ]
    return np.column_stack(columns)


def _sit(
    world: World,
    truth: irt.Questions,
    domain: Ints,
    ability: Floats,
    rng: np.random.Generator,
) -> Ints:
    """Return each learner's number right in a mock of questions drawn afresh."""
    score = np.zeros(len(ability), dtype=np.int64)
    for d, count in enumerate(world.mock_counts):
        members = np.flatnonzero(domain == d)
        drawn = np.argsort(rng.random((len(ability), len(members))), axis=1)[:, :count]
        question = members[drawn]
        z = truth.slope[question] * ability[:, d, None] + truth.easiness[question]
        chance = world.guess + (1.0 - world.guess) * special.expit(z)
        score += (rng.random(chance.shape) < chance).sum(axis=1)
    return score
