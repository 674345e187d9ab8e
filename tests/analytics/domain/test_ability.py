"""The filter: one learner, many learners, and what must hold of every answer."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.domain import ability, filtering, irt

POPULATION = ability.Population()
QUESTIONS = st.builds(
    ability.Question,
    domain=st.integers(0, 3),
    slope=st.floats(0.3, 2.5),
    difficulty=st.floats(-3.0, 3.0),
    guess=st.sampled_from([0.0, 0.1, 0.25]),
)
ANSWERS = st.lists(
    st.tuples(QUESTIONS, st.booleans(), st.floats(0.0, 3.0)), max_size=40
)


def after(
    answers: list[tuple[ability.Question, bool, float]],
    population: ability.Population = POPULATION,
) -> ability.Ability:
    state = ability.prior(domains=4, population=population, day=0.0)
    day = 0.0
    for question, is_right, wait in answers:
        day += wait
        state = ability.after_answer(
            ability=state,
            population=population,
            question=question,
            is_right=is_right,
            day=day,
        )
    return state


def test_without_answers_all_domains_have_the_mean_and_doubt_of_the_population() -> (
    None
):
    state = ability.prior(domains=3, population=POPULATION, day=5.0)

    assert state.mean.tolist() == [0.0, 0.0, 0.0]
    assert state.deviation == pytest.approx([1.06**0.5] * 3)
    assert state.covariance[0, 1] == pytest.approx(0.81)
    assert state.answers == (0, 0, 0)


@given(ANSWERS, QUESTIONS)
def test_right_raises_every_domain_above_what_wrong_would(
    answers: list[tuple[ability.Question, bool, float]], question: ability.Question
) -> None:
    right = after([*answers, (question, True, 0.0)])
    wrong = after([*answers, (question, False, 0.0)])

    assert (right.mean >= wrong.mean - 1e-12).all()
    assert right.mean[question.domain] > wrong.mean[question.domain]


@given(ANSWERS, QUESTIONS)
def test_an_answer_narrows_its_own_domain_most(
    answers: list[tuple[ability.Question, bool, float]], question: ability.Question
) -> None:
    still = ability.Population(drift_per_answer=0.0)
    before = after(answers, still)
    # On average over both ends: a surprise may leave more doubt than there was.
    chance = ability.expected_right(ability=before, question=question)
    right = after([*answers, (question, True, 0.0)], still)
    wrong = after([*answers, (question, False, 0.0)], still)

    mean = chance * right.deviation**2 + (1 - chance) * wrong.deviation**2

    assert (mean <= before.deviation**2 + 2e-3).all()
    assert (np.linalg.eigvalsh(right.covariance) > 0).all()


@given(ANSWERS, QUESTIONS, st.booleans())
def test_a_repeat_changes_nothing(
    answers: list[tuple[ability.Question, bool, float]],
    question: ability.Question,
    is_right: bool,
) -> None:
    state = after(answers)

    again = ability.after_answer(
        ability=state,
        population=POPULATION,
        question=question,
        is_right=is_right,
        day=state.day + 9.0,
        is_first=False,
    )

    assert again is state


@given(ANSWERS, st.floats(0.0, 400.0))
def test_waiting_never_raises_a_domain_and_never_removes_doubt(
    answers: list[tuple[ability.Question, bool, float]], wait: float
) -> None:
    state = after(answers)

    later = ability.on_day(ability=state, population=POPULATION, day=state.day + wait)

    assert (later.mean <= state.mean).all()
    assert (later.deviation >= state.deviation).all()
    assert (np.linalg.eigvalsh(later.covariance) > 0).all()


def test_doubt_grows_no_further_than_it_was_before_the_first_answer() -> None:
    state = after([(ability.Question(0, 1.5, 0.0, 0.0), True, 0.0)] * 20)

    later = ability.on_day(ability=state, population=POPULATION, day=5_000.0)

    assert later.deviation == pytest.approx([1.06**0.5] * 4)
    assert later.learned == pytest.approx([0.0] * 4)


def test_a_day_in_the_past_is_taken_for_today() -> None:
    state = after([(ability.Question(0, 1.0, 0.0, 0.0), True, 3.0)])

    assert ability.on_day(ability=state, population=POPULATION, day=1.0) is state


@given(ANSWERS)
def test_a_state_survives_json_to_the_last_bit(
    answers: list[tuple[ability.Question, bool, float]],
) -> None:
    state = after(answers)

    record = json.loads(json.dumps(ability.to_record(ability=state)))
    back = ability.from_record(record=record)

    assert np.array_equal(back.mean, state.mean)
    assert np.array_equal(back.covariance, state.covariance)
    assert np.array_equal(back.learned, state.learned)
    assert (back.answers, back.day) == (state.answers, state.day)


@given(st.lists(ANSWERS, min_size=1, max_size=5))
def test_many_at_once_are_what_they_are_one_by_one(
    histories: list[list[tuple[ability.Question, bool, float]]],
) -> None:
    rows = [
        (learner, *question, is_right, wait)
        for learner, answers in enumerate(histories)
        for question, is_right, wait in answers
    ]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 7)
    days = table[:, 6].copy()
    for learner in range(len(histories)):
        mine = table[:, 0] == learner
        days[mine] = np.cumsum(days[mine])

    found, before = filtering.replay(
        log=filtering.Log(
            learner=table[:, 0].astype(np.int64),
            domain=table[:, 1].astype(np.int64),
            slope=table[:, 2],
            difficulty=table[:, 3],
            guess=table[:, 4],
            is_right=table[:, 5] == 1,
            day=days,
        ),
        learners=len(histories),
        domains=4,
        population=POPULATION,
        first_day=np.zeros(len(histories)),
    )

    place = 0
    for learner, answers in enumerate(histories):
        alone, together = after(answers), found.of(learner)
        assert together.mean == pytest.approx(alone.mean, abs=1e-9)
        assert together.covariance == pytest.approx(alone.covariance, abs=1e-9)
        assert together.answers == alone.answers
        assert together.day == pytest.approx(alone.day)
        if answers:
            last = place + len(answers) - 1
            question = answers[-1][0]
            known = ability.on_day(
                ability=after(answers[:-1]), population=POPULATION, day=days[last]
            )
            expected = known.mean[question.domain]
            assert before[last] == pytest.approx(expected, abs=1e-9)
        place += len(answers)


def test_waiting_of_many_is_that_of_each() -> None:
    states = [
        after([(ability.Question(1, 1.2, 0.3, 0.2), True, 1.0)] * n) for n in (2, 9)
    ]
    beliefs = filtering.Beliefs(
        mean=np.stack([s.mean for s in states]),
        covariance=np.stack([s.covariance for s in states]),
        learned=np.stack([s.learned for s in states]),
        answers=np.array([s.answers for s in states]),
        day=np.array([s.day for s in states]),
    )

    later = filtering.on_days(
        beliefs=beliefs, population=POPULATION, day=np.array([30.0, 1.0])
    )

    for row, state in enumerate(states):
        one = ability.on_day(ability=state, population=POPULATION, day=[30.0, 1.0][row])
        assert later.of(row).mean == pytest.approx(one.mean)
        assert later.of(row).covariance == pytest.approx(one.covariance)


def test_one_domain_without_time_agrees_with_the_whole_posterior() -> None:
    rng = np.random.default_rng(1)
    learners, each = 300, 60
    slope = rng.lognormal(0.0, 0.3, each)
    difficulty = rng.normal(0.0, 1.0, each)
    theta = rng.normal(size=learners)
    right = rng.random((learners, each)) < 0.25 + 0.75 / (
        1 + np.exp(-slope * (theta[:, None] - difficulty))
    )
    learner = np.repeat(np.arange(learners), each)
    question = np.tile(np.arange(each), learners)
    still = ability.Population(
        shared_variance=1.0, own_variance=0.0, gain=0.0, drift_per_answer=0.0
    )

    found, _ = filtering.replay(
        log=filtering.Log(
            learner=learner,
            domain=np.zeros_like(learner),
            slope=slope[question],
            difficulty=difficulty[question],
            guess=np.full(len(learner), 0.25),
            is_right=right.ravel(),
            day=np.zeros(len(learner)),
        ),
        learners=learners,
        domains=1,
        population=still,
    )
    whole = irt.expected_abilities(
        questions=irt.Questions(
            slope=slope, easiness=-slope * difficulty, guess=np.full(each, 0.25)
        ),
        answers=irt.Answers(
            learner=learner,
            question=question,
            is_right=right.ravel(),
            learners=learners,
            questions=each,
        ),
        grid=irt.grid(nodes=81),
    )

    assert np.corrcoef(found.mean[:, 0], whole.mean)[0, 1] > 0.995
    assert abs(np.mean(found.mean[:, 0] - whole.mean)) < 0.02
    ratio = np.sqrt(found.covariance[:, 0, 0]) / whole.deviation
    assert np.median(ratio) == pytest.approx(1.0, abs=0.03)
    assert np.mean(np.abs(ratio - 1.0) > 0.2) < 0.05


def test_the_explanation_of_an_answer_adds_up() -> None:
    state = after([(ability.Question(1, 1.2, 0.3, 0.2), True, 1.0)] * 5)
    question = ability.Question(0, 1.5, 1.0, 0.25)

    told = ability.explain_answer(
        ability=state,
        population=POPULATION,
        question=question,
        is_right=True,
        day=state.day + 10.0,
    )
    then = ability.after_answer(
        ability=state,
        population=POPULATION,
        question=question,
        is_right=True,
        day=state.day + 10.0,
    )

    change = np.array(told.moved) - np.array(told.faded)
    change[0] += told.learned
    assert then.mean - state.mean == pytest.approx(change)
    assert told.surprise == pytest.approx(1.0 - told.chance)
    assert told.moved[0] > told.moved[1] > 0.0
    assert told.faded[1] > 0.0 == told.faded[0]
    assert told.doubt_after[0] < told.doubt_before[0]


def test_an_answer_that_was_expected_moves_less_than_a_surprise() -> None:
    state = ability.prior(domains=1, population=POPULATION, day=0.0)

    moved = [
        ability.explain_answer(
            ability=state,
            population=POPULATION,
            question=ability.Question(0, 1.5, difficulty, 0.0),
            is_right=True,
            day=0.0,
        ).moved[0]
        for difficulty in (-2.0, 0.0, 2.0)
    ]

    assert moved == sorted(moved)
