"""A form meets the blueprint, whatever the pool, and can be drawn again."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questions.domain import blueprint
from questions.exams.domain import assembly
from questions.exams.domain.assembly import KNOWN, MISSED, UNSEEN, Candidate

DOMAINS = (1, 2, 3)
LEVELS = ("easy", "medium", "hard")


def candidate(question, **changes):
    """Return a candidate that differs from the usual one in what the story is about."""
    usual = {
        "domain": 1,
        "objective": 1,
        "difficulty": "medium",
        "scenario": 0,
        "reserve": 2,
        "standing": UNSEEN,
    }
    return Candidate(question=question, **{**usual, **changes})


def _numbered(rows):
    """Return the rows as candidates, numbered from 1."""
    return [candidate(number, **row) for number, row in enumerate(rows, 1)]


candidates = st.lists(
    st.builds(
        dict,
        domain=st.sampled_from(DOMAINS),
        objective=st.integers(1, 4),
        difficulty=st.sampled_from(LEVELS),
        scenario=st.sampled_from((0, 0, 0, 1, 2)),
        reserve=st.integers(0, 2),
        standing=st.integers(0, 2),
    ),
    min_size=3,
    max_size=60,
).map(_numbered)
weights = st.fixed_dictionaries({domain: st.integers(1, 40) for domain in DOMAINS})


def drawn(pool, shares, length, seed, enemies=None):
    """Return a form, or nothing if the pool can't fill it."""
    try:
        return assembly.assemble(
            candidates=pool, weights=shares, length=length, seed=seed, enemies=enemies
        )
    except assembly.Shortage:
        return None


@given(candidates, weights, st.integers(1, 30), st.integers(0, 2**40))
def test_a_form_has_its_length_and_meets_every_quota(pool, shares, length, seed):
    form = drawn(pool, shares, length, seed)

    if form is None:
        return
    domains = {each.question: each.domain for each in pool}
    counts = Counter(domains[question] for question in form)
    assert len(form) == len(set(form)) == length
    assert counts == +Counter(blueprint.quotas(shares, length))


@given(candidates, weights, st.integers(1, 20), st.integers(0, 2**40), st.randoms())
def test_the_same_seed_draws_the_same_form(pool, shares, length, seed, rng):
    mixed = list(pool)
    rng.shuffle(mixed)

    assert drawn(pool, shares, length, seed) == drawn(mixed, shares, length, seed)


@given(candidates, weights, st.integers(1, 20), st.integers(0, 2**40))
def test_a_case_study_comes_whole_and_together_or_not_at_all(
    pool, shares, length, seed
):
    form = drawn(pool, shares, length, seed)

    for scenario in (1, 2):
        unit = {each.question for each in pool if each.scenario == scenario}
        places = [place for place, each in enumerate(form or ()) if each in unit]
        assert len(places) in {0, len(unit)}
        assert (
            places == list(range(places[0], places[0] + len(places))) if places else 1
        )


@given(
    candidates,
    weights,
    st.integers(1, 20),
    st.integers(0, 2**40),
    st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), max_size=20),
)
def test_enemies_never_meet_in_a_form(pool, shares, length, seed, pairs):
    enemies: dict[int, set[int]] = {}
    for one, other in pairs:
        if one != other:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)

    form = drawn(pool, shares, length, seed, enemies) or []

    for one, other in itertools.combinations(form, 2):
        assert other not in enemies.get(one, ())


def test_unseen_goes_before_missed_and_missed_before_known():
    pool = [
        *(candidate(number, standing=KNOWN) for number in range(1, 5)),
        *(candidate(number, standing=MISSED) for number in range(5, 9)),
        *(candidate(number, standing=UNSEEN) for number in range(9, 13)),
    ]

    form = assembly.assemble(candidates=pool, weights={1: 1}, length=6, seed=3)

    assert {9, 10, 11, 12} < set(form)
    assert set(form) <= set(range(5, 13))


def test_questions_kept_for_mocks_go_first():
    pool = [candidate(number, reserve=number % 3) for number in range(1, 10)]

    form = assembly.assemble(candidates=pool, weights={1: 1}, length=5, seed=3)

    assert {3, 6, 9} < set(form)
    assert set(form) <= {3, 6, 9, 1, 4, 7}


def test_objectives_share_a_domain_evenly_and_levels_keep_their_mix():
    pool = [
        candidate(number, objective=number % 4, difficulty=LEVELS[number % 3])
        for number in range(1, 241)
    ]

    form = assembly.assemble(candidates=pool, weights={1: 1}, length=40, seed=3)

    rows = {each.question: each for each in pool}
    objectives = Counter(rows[question].objective for question in form)
    levels = Counter(rows[question].difficulty for question in form)
    assert set(objectives.values()) == {10}
    assert levels["medium"] > levels["easy"] > levels["hard"] > 4


def test_a_domain_that_falls_short_is_named():
    pool = [candidate(1), candidate(2), candidate(3, domain=2)]

    with pytest.raises(assembly.Shortage) as short:
        assembly.assemble(candidates=pool, weights={1: 1, 2: 1}, length=4, seed=3)

    assert short.value.wanted == {1: 2, 2: 2}
    assert short.value.found.get(2) == 1


@given(
    st.fixed_dictionaries({domain: st.integers(0, 30) for domain in DOMAINS}), weights
)
def test_the_longest_exam_fits_and_no_longer_one_does(available, shares):
    length = assembly.longest(available=available, weights=shares, most=40)

    quotas = blueprint.quotas(shares, length)
    assert all(available[domain] >= quota for domain, quota in quotas.items())
    for longer in range(length + 1, 41):
        quotas = blueprint.quotas(shares, longer)
        assert any(available[domain] < quota for domain, quota in quotas.items())
