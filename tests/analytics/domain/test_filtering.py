"""Many learners at once, in pieces, are the same as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from analytics.domain import ability, filtering
from analytics.domain.ability import Population, Question

POPULATION = Population()
DOMAINS = 3


@pytest.fixture
def log():
    rng = np.random.default_rng(7)
    counts = rng.integers(1, 40, 25)
    total = int(counts.sum())
    learner = np.repeat(np.arange(25), counts)
    days = rng.uniform(0.0, 90.0, total)
    return filtering.Log(
        learner=learner,
        domain=rng.integers(0, DOMAINS, total),
        slope=rng.lognormal(0.0, 0.3, total),
        difficulty=rng.normal(0.0, 1.0, total),
        guess=np.full(total, 0.25),
        is_right=rng.random(total) < 0.6,
        day=days[np.lexsort((days, learner))],
    )


def part(log, chosen):
    return filtering.Log(
        **{
            name: getattr(log, name)[chosen]
            for name in filtering.Log.__dataclass_fields__
        }
    )


def one_by_one(log, learner, most=None):
    found = ability.prior(domains=DOMAINS, population=POPULATION, day=0.0)
    for row in np.flatnonzero(log.learner == learner)[:most]:
        found = ability.after_answer(
            ability=found,
            population=POPULATION,
            question=Question(
                domain=int(log.domain[row]),
                slope=float(log.slope[row]),
                difficulty=float(log.difficulty[row]),
                guess=float(log.guess[row]),
            ),
            is_right=bool(log.is_right[row]),
            day=float(log.day[row]),
        )
    return found


def agree(one, other):
    assert one.mean == pytest.approx(other.mean, abs=1e-9)
    assert one.covariance == pytest.approx(other.covariance, abs=1e-9)
    assert one.learned == pytest.approx(other.learned, abs=1e-9)
    assert one.answers == other.answers
    assert one.day == other.day


def start_of(learners):
    return filtering.beginning(
        learners=learners,
        domains=DOMAINS,
        population=POPULATION,
        day=np.zeros(learners),
    )


def test_a_log_taken_in_two_parts_ends_where_the_whole_does(log):
    is_early = np.random.default_rng(8).random(len(log.day)) < 0.5
    early = np.zeros(len(log.day), dtype=bool)
    for learner in range(25):
        rows = np.flatnonzero(log.learner == learner)
        early[rows[: is_early[rows].sum()]] = True

    nothing = np.zeros(len(log.day), dtype=bool)
    first, _ = filtering.advance(
        log=part(log, early),
        start=start_of(25),
        population=POPULATION,
        is_kept=nothing[early],
    )
    both, _ = filtering.advance(
        log=part(log, ~early),
        start=first,
        population=POPULATION,
        is_kept=nothing[~early],
    )

    for learner in range(25):
        agree(both.of(learner), one_by_one(log, learner))


def test_moments_are_what_was_believed_just_then(log):
    is_kept = np.random.default_rng(9).random(len(log.day)) < 0.2

    _, moments = filtering.advance(
        log=log, start=start_of(25), population=POPULATION, is_kept=is_kept
    )

    for place, row in enumerate(np.flatnonzero(is_kept)):
        learner = int(log.learner[row])
        taken = int((log.learner[: row + 1] == learner).sum())
        agree(moments.of(place), one_by_one(log, learner, taken))


def test_the_start_is_left_as_it_was(log):
    start = start_of(25)

    filtering.advance(
        log=log,
        start=start,
        population=POPULATION,
        is_kept=np.zeros(len(log.day), dtype=bool),
    )

    assert not start.mean.any()
    assert not start.answers.any()


def test_abilities_put_together_come_apart_the_same(log):
    abilities = [one_by_one(log, learner) for learner in range(3)]

    stacked = filtering.stacked(abilities=abilities)

    for learner, each in enumerate(abilities):
        agree(stacked.of(learner), each)


def test_an_answer_in_no_domain_moves_nothing_and_is_judged_by_the_mean(log):
    placed = np.arange(len(log.domain)) % 4 > 0
    domain = np.where(placed, log.domain, -1)
    whole = filtering.Log(
        **{
            name: domain if name == "domain" else getattr(log, name)
            for name in filtering.Log.__dataclass_fields__
        }
    )
    chosen = np.flatnonzero(placed)
    first = log.day[np.searchsorted(log.learner, np.arange(25))]

    with_all, before = filtering.replay(
        log=whole, learners=25, domains=DOMAINS, population=POPULATION
    )
    without, before_placed = filtering.replay(
        log=part(log, chosen),
        learners=25,
        domains=DOMAINS,
        population=POPULATION,
        first_day=first,
    )

    last = log.day[np.searchsorted(log.learner, np.arange(25), side="right") - 1]
    on = {"population": POPULATION, "day": last}
    assert np.allclose(
        filtering.on_days(beliefs=with_all, **on).mean,
        filtering.on_days(beliefs=without, **on).mean,
        rtol=0,
        atol=1e-9,
    )
    assert np.array_equal(with_all.answers, without.answers)
    assert np.allclose(before[chosen], before_placed, rtol=0, atol=1e-9)
    assert before[0] == POPULATION.mean


def test_more_learners_than_are_taken_together_change_nothing(log):
    times = 200
    learners = 25 * times
    shifts = 25 * np.repeat(np.arange(times), len(log.learner))
    many = filtering.Log(
        **{
            name: np.tile(getattr(log, name), times)
            for name in filtering.Log.__dataclass_fields__
            if name != "learner"
        },
        learner=np.tile(log.learner, times) + shifts,
    )

    few, before = filtering.replay(
        log=log, learners=25, domains=DOMAINS, population=POPULATION
    )
    all_of_them, all_before = filtering.replay(
        log=many, learners=learners, domains=DOMAINS, population=POPULATION
    )

    assert all_before == pytest.approx(np.tile(before, times), abs=1e-12)
    assert all_of_them.mean == pytest.approx(np.tile(few.mean, (times, 1)), abs=1e-12)
    assert np.array_equal(all_of_them.answers, np.tile(few.answers, (times, 1)))
