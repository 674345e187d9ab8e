"""The model and its fit: published numbers, known truth, and awkward answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analytics.domain import calibration, irt, priors

AnswersOf = Callable[..., irt.Answers]
EXACT = calibration.Settings(priors=None, tolerance=1e-8)
FINE = irt.grid(nodes=121, reach=6.0)


def patterns(
    people: Mapping[str, int],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rows = np.array([[int(x) for x in pattern] for pattern in people])
    return rows, np.array(list(people.values()), dtype=np.float64)


@pytest.mark.parametrize("section", ["LSAT6", "LSAT7"])
def test_lsat_has_the_published_parameters_and_errors(
    published: Mapping[str, Any], answers_of: AnswersOf, section: str
) -> None:
    expected = published[section]["two_parameters"]

    found = calibration.fit(
        answers=answers_of(*patterns(published[section]["people"])),
        settings=EXACT,
        grid=FINE,
    )

    assert found.convergence.has_converged
    assert found.convergence.log_likelihood == pytest.approx(
        expected["log_likelihood"], abs=1e-4
    )
    assert found.questions.slope == pytest.approx(expected["slope"], abs=1e-5)
    assert found.questions.difficulty == pytest.approx(expected["difficulty"], abs=1e-5)
    for name in ("slope_error", "easiness_error", "difficulty_error"):
        assert getattr(found, name) == pytest.approx(expected[name], abs=1e-5), name


@pytest.mark.parametrize("section", ["LSAT6", "LSAT7"])
def test_people_weigh_as_much_as_their_number(
    published: Mapping[str, Any], answers_of: AnswersOf, section: str
) -> None:
    rows, weight = patterns(published[section]["people"])
    people = np.repeat(rows, weight.astype(int), axis=0)

    by_pattern = calibration.fit(answers=answers_of(rows, weight), grid=FINE)
    by_person = calibration.fit(answers=answers_of(people), grid=FINE)

    assert by_pattern.questions.slope == pytest.approx(by_person.questions.slope)
    assert by_pattern.slope_error == pytest.approx(by_person.slope_error)


@pytest.mark.parametrize("section", ["LSAT6", "LSAT7"])
def test_rasch_and_one_slope_have_the_published_values(
    published: Mapping[str, Any], answers_of: AnswersOf, section: str
) -> None:
    answers = answers_of(*patterns(published[section]["people"]))

    rasch = calibration.fit(
        answers=answers,
        settings=calibration.Settings(
            model=calibration.Model.RASCH, priors=None, tolerance=1e-8
        ),
        grid=FINE,
    )
    shared = calibration.fit(
        answers=answers,
        settings=calibration.Settings(
            model=calibration.Model.ONE_SLOPE, priors=None, tolerance=1e-8
        ),
        grid=FINE,
    )

    expected = published[section]["rasch"]
    assert rasch.questions.difficulty == pytest.approx(expected["difficulty"], abs=1e-5)
    assert rasch.convergence.log_likelihood == pytest.approx(
        expected["log_likelihood"], abs=1e-4
    )
    assert rasch.slope_error == pytest.approx(np.zeros(5), abs=1e-5)
    # The published common slope of LSAT7 was found with coarser nodes.
    expected = published[section]["one_slope"]
    assert shared.questions.slope == pytest.approx([expected["slope"]] * 5, abs=5e-4)
    assert shared.questions.difficulty == pytest.approx(
        expected["difficulty"], abs=1e-3
    )
    assert shared.convergence.log_likelihood == pytest.approx(
        expected["log_likelihood"], abs=1e-4
    )


@pytest.mark.parametrize("section", ["LSAT6", "LSAT7"])
def test_patterns_have_the_published_abilities(
    published: Mapping[str, Any], answers_of: AnswersOf, section: str
) -> None:
    fitted = calibration.fit(
        answers=answers_of(*patterns(published[section]["people"])),
        settings=EXACT,
        grid=FINE,
    )
    known = published[section]["abilities"]
    answers = answers_of(np.array([[int(x) for x in pattern] for pattern in known]))
    mean, deviation, mode = np.array(list(known.values())).T

    expected = irt.expected_abilities(
        questions=fitted.questions, answers=answers, grid=FINE
    )
    likeliest = irt.likeliest_abilities(questions=fitted.questions, answers=answers)

    assert expected.mean == pytest.approx(mean, abs=1e-5)
    assert expected.deviation == pytest.approx(deviation, abs=1e-5)
    assert likeliest == pytest.approx(mode, abs=1e-5)


def test_larger_exams_reach_the_likelihood_of_the_reference(
    reference: Mapping[str, Any],
    sat12: tuple[NDArray[np.int64], NDArray[np.int64]],
    exam: NDArray[np.float64],
    answers_of: AnswersOf,
) -> None:
    chosen, keys = sat12
    sat = calibration.fit(answers=answers_of(chosen == keys), settings=EXACT, grid=FINE)
    maths = calibration.fit(answers=answers_of(exam), settings=EXACT, grid=FINE)

    expected = reference["mathexam14w"]["twopl"]
    assert maths.convergence.log_likelihood == pytest.approx(
        expected["loglik"], abs=1e-2
    )
    assert maths.questions.slope == pytest.approx(expected["a"], abs=1e-3)
    assert maths.questions.difficulty == pytest.approx(expected["b"], abs=1e-3)
    assert sat.convergence.log_likelihood == pytest.approx(
        reference["sat12"]["twopl_loglik"], abs=1e-2
    )
    assert sat.questions.difficulty[31] == pytest.approx(12.75, abs=0.05)
    assert np.flatnonzero(sat.is_runaway)[-1] == 31
    assert sat.reported_difficulty[31] == irt.MOST_EXTREME


def simulated(
    *, learners: int, questions: int, each: int, seed: int, guess: float = 0.0
) -> tuple[irt.Questions, NDArray[np.float64], irt.Answers]:
    rng = np.random.default_rng(seed)
    slope = rng.lognormal(0.0, 0.35, questions)
    difficulty = rng.normal(0.0, 1.2, questions)
    truth = irt.Questions(
        slope=slope, easiness=-slope * difficulty, guess=np.full(questions, guess)
    )
    ability = rng.normal(size=learners)
    asked = rng.permuted(np.tile(np.arange(questions), (learners, 1)), axis=1)[:, :each]
    learner, question = np.repeat(np.arange(learners), each), asked.ravel()
    z = slope[question] * (ability[learner] - difficulty[question])
    right = guess + (1 - guess) / (1 + np.exp(-z))
    return (
        truth,
        ability,
        irt.Answers(
            learner=learner,
            question=question,
            is_right=rng.random(len(z)) < right,
            learners=learners,
            questions=questions,
        ),
    )


def root_mean_square(difference: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(difference**2)))


@pytest.mark.parametrize("guess", [0.0, 0.25])
def test_sparse_answers_give_back_the_truth_within_the_errors_stated(
    guess: float,
) -> None:
    truth, ability, answers = simulated(
        learners=3_000, questions=150, each=40, seed=1, guess=guess
    )

    found = calibration.fit(answers=answers, guess=truth.guess)
    abilities = irt.expected_abilities(
        questions=found.questions, answers=answers, grid=irt.grid(nodes=41)
    )

    assert found.convergence.has_converged
    away = found.questions.difficulty - truth.difficulty
    assert np.median(np.abs(away)) < 0.09 + 0.1 * guess
    assert 0.85 < np.std(away / found.difficulty_error) < 1.15
    steep = found.questions.slope - truth.slope
    assert 0.85 < np.std(steep / found.slope_error) < 1.15
    distance = (abilities.mean - ability) / abilities.deviation
    assert np.mean(np.abs(distance) < 1.645) == pytest.approx(0.9, abs=0.02)


def test_long_histories_keep_the_scale_even_on_a_coarse_grid() -> None:
    truth, _, answers = simulated(learners=2_000, questions=400, each=400, seed=2)

    found = calibration.fit(answers=answers)
    coarse = calibration.fit(answers=answers, grid=irt.grid(nodes=21))

    assert found.convergence.nodes == 81
    inner = np.abs(truth.difficulty) < 2
    # A scale that is bent correlates almost perfectly with the truth: distance tells.
    for fitted in (found, coarse):
        away = (fitted.questions.difficulty - truth.difficulty)[inner]
        assert root_mean_square(away) < 0.09


def test_the_prior_of_difficulties_does_not_pull_the_scale_in() -> None:
    truth, _, answers = simulated(learners=2_000, questions=200, each=200, seed=9)
    free = calibration.Settings(priors=None, tolerance=1e-5)

    found = calibration.fit(answers=answers)
    without = calibration.fit(answers=answers, settings=free)

    inner = np.abs(truth.difficulty) < 2
    ours, theirs = (
        np.std(fitted.questions.difficulty[inner]) for fitted in (found, without)
    )
    assert ours == pytest.approx(theirs, rel=0.03)


def test_difficulties_far_out_are_found_better_with_what_all_questions_show() -> None:
    truth, _, answers = simulated(learners=1_000, questions=200, each=40, seed=9)

    found = calibration.fit(answers=answers)
    without = calibration.fit(
        answers=answers, settings=calibration.Settings(priors=None)
    )

    ours, theirs = (
        root_mean_square(fitted.questions.difficulty - truth.difficulty)
        for fitted in (found, without)
    )
    assert ours < 0.8 * theirs


def test_the_stated_errors_hardly_change_where_they_are_approximate() -> None:
    _, _, answers = simulated(learners=600, questions=60, each=40, seed=3)
    _, _, wide = simulated(learners=600, questions=201, each=134, seed=3)

    exact = calibration.fit(answers=answers)
    near = calibration.fit(answers=wide)

    # Of both tests each question has 400 answers; the longer knows abilities better.
    ratio = np.median(near.easiness_error) / np.median(exact.easiness_error)
    assert 0.85 < ratio < 1.02


def test_the_same_answers_give_the_same_numbers() -> None:
    _, _, answers = simulated(learners=300, questions=40, each=20, seed=4)

    first = calibration.fit(answers=answers)
    second = calibration.fit(answers=answers)

    assert np.array_equal(first.questions.slope, second.questions.slope)
    assert np.array_equal(first.difficulty_error, second.difficulty_error)


def test_questions_with_few_answers_lean_on_their_objective() -> None:
    truth, _, answers = simulated(learners=2_000, questions=60, each=20, seed=5)
    objective = (truth.easiness > 0).astype(np.int64)
    rare = np.arange(60) % 10 == 0
    seldom = answers.learner < 12
    keep = ~rare[answers.question] | seldom
    few = irt.Answers(
        learner=answers.learner[keep],
        question=answers.question[keep],
        is_right=answers.is_right[keep],
        learners=2_000,
        questions=61,
    )

    alone = calibration.fit(answers=few)
    leaning = calibration.fit(answers=few, objectives=np.append(objective, 1))

    def away(found: calibration.Calibration) -> float:
        return root_mean_square((found.questions.easiness[:60] - truth.easiness)[rare])

    assert few.per_question()[:60][rare].max() < 12
    assert away(leaning) < away(alone)
    # A question without an answer stands where its objective stands.
    with_answers = leaning.questions.easiness[:60][objective == 1]
    assert leaning.questions.easiness[60] == pytest.approx(with_answers.mean(), abs=0.3)
    assert alone.questions.easiness[60] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("prior", [priors.WEAK, None])
@pytest.mark.parametrize("right", [0, 1])
def test_answers_that_are_all_alike_give_finite_parameters(
    answers_of: AnswersOf, right: int, prior: priors.Priors | None
) -> None:
    answers = answers_of(np.full((20, 4), right))

    found = calibration.fit(
        answers=answers, settings=calibration.Settings(priors=prior, most_steps=50)
    )

    assert np.isfinite(found.questions.slope).all()
    assert np.isfinite(found.reported_difficulty).all()
    assert not np.isnan(found.difficulty_error).any()


def test_no_answers_leave_every_question_at_its_prior() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    answers = irt.Answers(
        learner=nothing,
        question=nothing,
        is_right=nothing.astype(bool),
        learners=0,
        questions=2,
    )

    found = calibration.fit(answers=answers)

    assert found.questions.slope == pytest.approx([1.0, 1.0])
    assert found.questions.difficulty == pytest.approx([0.0, 0.0], abs=1e-6)
    assert found.easiness_error == pytest.approx([2.0, 2.0])


def test_a_fit_that_is_cut_short_says_so() -> None:
    _, _, answers = simulated(learners=300, questions=40, each=20, seed=6)

    found = calibration.fit(
        answers=answers, settings=calibration.Settings(tolerance=1e-9, most_steps=2)
    )

    assert not found.convergence.has_converged


def test_answers_of_different_lengths_are_refused() -> None:
    with pytest.raises(irt.ShapesDisagree):
        irt.Answers(
            learner=np.arange(3),
            question=np.arange(2),
            is_right=np.ones(3, dtype=bool),
            learners=3,
            questions=2,
        )


def test_information_is_the_curvature_of_the_likelihood() -> None:
    questions = irt.Questions(
        slope=np.array([1.3]), easiness=np.array([0.4]), guess=np.array([0.25])
    )
    ability = np.array([-0.7, 0.2, 1.5])
    h = 1e-4

    found = irt.information(questions=questions, ability=ability)

    p = irt.chance(questions=questions, ability=ability)
    rise = (
        irt.chance(questions=questions, ability=ability + h)
        - irt.chance(questions=questions, ability=ability - h)
    ) / (2 * h)
    assert found == pytest.approx(rise**2 / (p * (1 - p)), rel=1e-6)


@pytest.mark.parametrize(
    ("options", "keys", "floor"), [(4, 1, 1 / 4), (5, 2, 1 / 10), (6, 3, 1 / 20)]
)
def test_guessing_gets_full_marks_by_one_of_all_choices(
    options: int, keys: int, floor: float
) -> None:
    assert irt.guessing_floor(options=options, keys=keys) == pytest.approx(floor)


def test_answers_in_any_order_give_the_same_calibration() -> None:
    _, _, answers = simulated(learners=300, questions=40, each=20, seed=7)
    order = np.random.default_rng(7).permutation(len(answers.learner))
    mixed = irt.Answers(
        learner=answers.learner[order],
        question=answers.question[order],
        is_right=answers.is_right[order],
        learners=300,
        questions=40,
    )

    first = calibration.fit(answers=answers)
    second = calibration.fit(answers=mixed)

    assert second.questions.slope == pytest.approx(first.questions.slope)
    assert second.questions.easiness == pytest.approx(first.questions.easiness)
