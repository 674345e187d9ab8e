"""Readiness: what must hold of the figure, and whether it comes true."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analytics.domain import (
    ability,
    advice,
    filtering,
    irt,
    measures,
    nextitem,
    readiness,
    simulation,
)

POPULATION = ability.Population()
COUNTS = (25, 20, 12, 8)


def _exam() -> tuple[readiness.Exam, irt.Questions, np.ndarray]:
    rng = np.random.default_rng(0)
    slope, difficulty = rng.lognormal(0.0, 0.3, 200), rng.normal(0.0, 1.0, 200)
    questions = irt.Questions(
        slope=slope, easiness=-slope * difficulty, guess=np.full(200, 0.2)
    )
    domain = np.arange(200) % 4
    exam = readiness.exam(counts=COUNTS, needed=44, questions=questions, domain=domain)
    return exam, questions, domain


EXAM, QUESTIONS, DOMAIN = _exam()
ANSWERS = st.lists(st.tuples(st.integers(0, 199), st.booleans()), max_size=60)


def after(
    answers: list[tuple[int, bool]], *, day: float = 0.0, mean: float = 0.0
) -> ability.Ability:
    state = ability.prior(domains=4, population=ability.Population(mean=mean), day=day)
    for question, is_right in answers:
        state = ability.after_answer(
            ability=state,
            population=POPULATION,
            question=ability.Question(
                domain=int(DOMAIN[question]),
                slope=float(QUESTIONS.slope[question]),
                difficulty=float(QUESTIONS.difficulty[question]),
                guess=0.2,
            ),
            is_right=is_right,
            day=day,
        )
    return state


def ready(state: ability.Ability, *, day: float = 0.0) -> advice.Readiness:
    return advice.readiness_of(ability=state, population=POPULATION, exam=EXAM, day=day)


@given(ANSWERS, st.integers(0, 199))
def test_a_right_answer_never_makes_less_ready_than_a_wrong_one(
    answers: list[tuple[int, bool]], question: int
) -> None:
    right = ready(after([*answers, (question, True)]))
    wrong = ready(after([*answers, (question, False)]))

    assert right.expected > wrong.expected
    # Both leave other doubts; far below the mark that may outweigh a hair's breadth.
    assert right.probability >= wrong.probability - 2e-3


@given(ANSWERS, st.floats(0.0, 200.0), st.floats(0.0, 200.0))
def test_waiting_never_raises_the_expected_score(
    answers: list[tuple[int, bool]], wait: float, longer: float
) -> None:
    state = after(answers)

    scores = [ready(state, day=day).expected for day in (0.0, wait, wait + longer)]

    assert scores[0] >= scores[1] - 1e-9
    assert scores[1] >= scores[2] - 1e-9


@given(ANSWERS, st.floats(1.0, 200.0), st.sampled_from([-0.5, 0.5, 1.5]))
def test_waiting_lowers_the_chance_above_the_mark_and_widens_the_range_below(
    answers: list[tuple[int, bool]], wait: float, mean: float
) -> None:
    state = after(answers, mean=mean)

    now, later = ready(state), ready(state, day=wait)

    if now.expected > 44 / 65 + 0.02:
        assert later.probability <= now.probability + 1e-3
    elif now.expected > 0.35:
        assert later.high - later.low >= now.high - now.low - 5e-3


def test_without_answers_the_figure_is_the_population_and_is_not_shown() -> None:
    found = ready(after([]))

    prior = ability.prior(domains=4, population=POPULATION, day=0.0)
    alone = readiness.passing(
        exam=EXAM, mean=prior.mean[None], covariance=prior.covariance[None]
    )
    assert found.probability == pytest.approx(alone[0])
    assert found.shown is None
    assert found.evidence.missing == 30
    assert found.evidence.unseen == (0, 1, 2)
    assert found.low < found.expected < found.high


def test_a_heavy_domain_without_answers_widens_the_range_and_hides_the_figure() -> None:
    rng = np.random.default_rng(1)
    drawn = [(int(q), bool(rng.random() < 0.7)) for q in rng.permutation(200)[:80]]
    unseen = [(q - 1 if DOMAIN[q] == 1 else q, is_right) for q, is_right in drawn]

    covered, gap = ready(after(drawn)), ready(after(unseen))

    assert covered.shown is not None
    assert gap.shown is None
    assert gap.evidence.unseen == (1,)
    assert gap.high - gap.low > covered.high - covered.low


def after_a_day(answers: list[tuple[int, bool]]) -> ability.Ability:
    """Return what is believed after answers of one day, weighed as the log's are."""
    none = np.zeros(len(answers), dtype=np.int64)
    asked = np.array([question for question, _ in answers], dtype=np.int64)
    order = filtering.order_to_weigh(learner=none, day=none, question=asked)
    return after([answers[place] for place in order])


@given(
    st.lists(
        st.tuples(st.integers(0, 199), st.booleans()),
        max_size=40,
        unique_by=lambda a: a[0],
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_within_a_day_changes_nothing(
    answers: list[tuple[int, bool]], shuffler: random.Random
) -> None:
    other = list(answers)
    shuffler.shuffle(other)

    assert ready(after_a_day(other)) == ready(after_a_day(answers))


def test_the_same_answers_always_give_the_same_figure() -> None:
    state = after([(q, q % 3 > 0) for q in range(40)])

    assert ready(state) == ready(
        ability.from_record(record=ability.to_record(ability=state))
    )


@given(ANSWERS, st.sampled_from([-1.0, 0.0, 1.0]))
def test_the_normal_sum_is_near_the_exact_one(
    answers: list[tuple[int, bool]], mean: float
) -> None:
    state = after(answers, mean=mean)

    exact = readiness.exact_passing(
        exam=EXAM, mean=state.mean, covariance=state.covariance
    )

    near = readiness.passing(
        exam=EXAM, mean=state.mean[None], covariance=state.covariance[None]
    )
    assert near[0] == pytest.approx(exact, abs=0.006)


@given(ANSWERS)
def test_the_fixed_draws_stand_for_the_whole_belief(
    answers: list[tuple[int, bool]],
) -> None:
    state = after(answers)
    rng = np.random.default_rng(2)
    many = rng.multivariate_normal(state.mean, state.covariance, size=(1, 10_000))

    sampled = readiness.passing_of(
        exam=EXAM, chances=readiness.chance_curves(exam=EXAM, ability=many)
    )

    fixed = readiness.passing(
        exam=EXAM, mean=state.mean[None], covariance=state.covariance[None]
    )
    assert fixed[0] == pytest.approx(sampled[0], abs=0.02)


def test_contributions_sum_to_what_lies_between_score_and_mark() -> None:
    found = ready(after([(q, q % 4 > 0) for q in range(60)]))

    total = sum(part.points for part in found.contributions)
    assert total == pytest.approx(100 * (found.expected - 44 / 65))
    assert [part.answers for part in found.contributions] == [15] * 4
    assert all(p.low < p.expected < p.high for p in found.contributions)


@pytest.mark.parametrize(
    ("probability", "shown"),
    [
        (0.0, "under 5 %"),
        (0.049, "under 5 %"),
        (0.05, "5 %"),
        (0.52, "50 %"),
        (0.674, "65 %"),
        (0.68, "70 %"),
        (0.95, "95 %"),
        (0.951, "over 95 %"),
        (1.0, "over 95 %"),
    ],
)
def test_a_chance_is_shown_in_steps_of_five(probability: float, shown: str) -> None:
    assert advice.rounded(probability) == shown


def test_more_questions_help_most_where_the_exam_weighs_most() -> None:
    state = after([(q, q % 2 == 0) for q in range(80)])
    areas = [advice.Area(domain=d) for d in range(4)]
    half = advice.Area(domain=0, share=0.5)

    found = advice.gains(
        ability=state,
        population=POPULATION,
        exam=EXAM,
        day=0.0,
        areas=[*areas, half],
    )
    by_area = {gain.area: gain for gain in found}

    assert [gain.score for gain in found] == sorted(
        (gain.score for gain in found), reverse=True
    )
    assert by_area[areas[0]].score > by_area[areas[3]].score > 0.0
    assert by_area[half].score == pytest.approx(by_area[areas[0]].score / 2, rel=0.01)
    assert by_area[areas[0]].probability > 0.0


def test_what_questions_teach_is_what_the_filter_counts() -> None:
    population = dataclasses.replace(POPULATION, drift_per_answer=0.0)
    learned = 0.0
    for _ in range(20):
        learned += population.gain * (1 - learned / population.ceiling)

    taught = advice.taught(learned=0.0, population=population, more=20)

    assert taught == pytest.approx(learned)
    assert advice.taught(learned=2.5, population=population, more=20) == 0.0


def test_a_domain_without_calibrated_questions_takes_the_mean_of_all() -> None:
    exam = readiness.exam(
        counts=(*COUNTS, 5), needed=44, questions=QUESTIONS, domain=DOMAIN
    )

    overall = irt.chance(questions=QUESTIONS, ability=np.zeros(1)).mean()
    found = readiness.chance_curves(exam=exam, ability=np.zeros(5))
    assert found[4] == pytest.approx(overall, abs=1e-4)


def test_without_any_calibrated_question_there_is_no_exam() -> None:
    nothing = irt.Questions(slope=np.zeros(0), easiness=np.zeros(0), guess=np.zeros(0))

    with pytest.raises(readiness.NothingCalibrated):
        readiness.exam(
            counts=COUNTS, needed=44, questions=nothing, domain=np.zeros(0, int)
        )


def test_a_mark_of_nothing_is_always_reached() -> None:
    exam = dataclasses.replace(EXAM, needed=0)
    state = after([])

    found = readiness.passing(
        exam=exam, mean=state.mean[None], covariance=state.covariance[None]
    )

    assert found[0] == 1.0


def choose(
    state: ability.Ability,
    is_seen: np.ndarray,
    *,
    most: int = 5,
    among: int = 1,
    seed: int = 1,
) -> tuple[nextitem.Suggestion, ...]:
    return nextitem.choose(
        ability=state,
        exam=EXAM,
        questions=QUESTIONS,
        domain=DOMAIN,
        is_seen=is_seen,
        most=most,
        among=among,
        rng=random.Random(seed),
    )


@given(ANSWERS, st.sets(st.integers(0, 199), max_size=194), st.integers(0, 199))
def test_the_next_question_is_unseen_and_tells_most(
    answers: list[tuple[int, bool]], seen: set[int], other: int
) -> None:
    is_seen = np.isin(np.arange(200), list(seen))
    assume(other not in seen)
    state = after(answers)

    found = choose(state, is_seen)
    (alone,) = choose(state, np.arange(200) != other)

    asked = [suggestion.question for suggestion in found]
    assert len(set(asked)) == 5
    assert not set(asked) & seen
    assert found[0].worth >= alone.worth
    assert all(0.0 < suggestion.worth < 1.0 for suggestion in found)
    assert all(0.2 < suggestion.chance < 1.0 for suggestion in found)


@given(ANSWERS, st.integers(0, 2**32))
def test_questions_are_drawn_among_the_most_telling_and_the_seed_repeats_them(
    answers: list[tuple[int, bool]], seed: int
) -> None:
    state, nothing = after(answers), np.zeros(200, dtype=bool)

    found = choose(state, nothing, most=10, among=5, seed=seed)

    best, *_ = choose(state, nothing)
    assert found == choose(state, nothing, most=10, among=5, seed=seed)
    assert found[0].worth > 0.5 * best.worth


def test_one_domain_does_not_get_every_place() -> None:
    found = choose(after([]), np.zeros(200, dtype=bool), most=20)

    assert {suggestion.domain for suggestion in found} == set(range(len(COUNTS)))


def test_the_next_question_comes_from_the_heavy_domain_that_nobody_looked_at() -> None:
    answers = [(q, q % 3 > 0) for q in range(200) if DOMAIN[q] != 0][:90]
    is_seen = np.isin(np.arange(200), [q for q, _ in answers])

    first, *_ = choose(after(answers), is_seen)

    assert first.domain == 0
    assert first.is_new_domain
    assert first.weight == pytest.approx(25 / 65)


def test_a_whole_bank_that_was_seen_gives_no_suggestion() -> None:
    assert choose(after([]), np.ones(200, dtype=bool)) == ()


def test_readiness_comes_true_and_raw_shares_do_not() -> None:
    # A small world; ``python -m benchmarks readiness`` has the full ones.
    world = simulation.World(learners=700, most_answers=500)
    population = ability.Population(mean=world.mean)
    made = simulation.simulate(world=world, rng=np.random.default_rng(3))
    first = made.is_first
    question = made.question[first]
    beliefs, _ = filtering.replay(
        log=filtering.Log(
            learner=made.learner[first],
            domain=made.domain[question],
            slope=made.assumed.slope[question],
            difficulty=made.assumed.difficulty[question],
            guess=made.assumed.guess[question],
            is_right=made.is_right[first],
            day=made.day[first],
        ),
        learners=world.learners,
        domains=6,
        population=population,
    )
    then = filtering.on_days(beliefs=beliefs, population=population, day=made.exam_day)
    exam = readiness.exam(
        counts=world.mock_counts,
        needed=world.needed,
        questions=made.assumed,
        domain=made.domain,
    )
    passed = made.score >= world.needed
    answers = np.bincount(made.learner)
    raw = np.bincount(made.learner, weights=made.is_right) / answers

    found = readiness.forecast(
        exam=exam,
        mean=then.mean,
        covariance=beliefs.covariance,
        later=then.covariance,
    )

    ours = measures.quality(probability=found.probability, outcome=passed)
    naive = measures.quality(probability=raw, outcome=passed)
    score = made.chances @ exam.weights
    mock = made.score / 65
    assert ours.brier < 0.14
    assert ours.brier < naive.brier - 0.07
    assert ours.calibration_error < 0.06
    assert naive.calibration_error > 0.18
    assert ours.auc is not None
    assert ours.auc > 0.88
    covered = (found.low <= score) & (score <= found.high)
    assert 0.85 < covered.mean() < 0.96
    held = (found.score_low <= mock) & (mock <= found.score_high)
    assert 0.86 < held.mean() < 0.96
    assert passed[found.probability >= 0.8].mean() > 0.88


def test_a_world_is_the_same_for_the_same_generator() -> None:
    world = simulation.World(learners=40, most_answers=60)

    first = simulation.simulate(world=world, rng=np.random.default_rng(9))
    second = simulation.simulate(world=world, rng=np.random.default_rng(9))
    other = simulation.simulate(world=world, rng=np.random.default_rng(10))

    assert np.array_equal(first.question, second.question)
    assert np.array_equal(first.score, second.score)
    assert not np.array_equal(first.score, other.score)


def test_simulated_repeats_are_not_first_attempts() -> None:
    world = simulation.World(learners=40, most_answers=200)

    made = simulation.simulate(world=world, rng=np.random.default_rng(9))

    seen: set[tuple[int, int]] = set()
    for learner, question, is_first in zip(
        made.learner.tolist(),
        made.question.tolist(),
        made.is_first.tolist(),
        strict=True,
    ):
        assert is_first is ((learner, question) not in seen)
        seen.add((learner, question))


@given(ANSWERS)
def test_expected_scores_of_many_are_those_of_each(
    answers: list[tuple[int, bool]],
) -> None:
    states = [after(answers), after([]), after([], mean=-2.0)]

    found = readiness.expected_scores(
        exam=EXAM,
        mean=np.stack([state.mean for state in states]),
        variance=np.stack([state.deviation**2 for state in states]),
    )

    assert found == pytest.approx([ready(s).expected for s in states], abs=2e-3)
