"""A bank is calibrated from its log: once, wholly or not at all, by real people only."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest

from accounts.models import Participant
from analytics.models import (
    CalibrationRun,
    ItemEstimate,
    ItemStatistic,
)
from analytics.services import calibration
from questions.models import ItemParameters
from questions.services import authoring
from tests import factories
from tests.analytics import answers
from tests.analytics.people import DAY, NOW

pytestmark = pytest.mark.django_db

NIGHT = datetime.datetime(2026, 12, 1, 2, 30, tzinfo=datetime.UTC)
FIGURES = ("facility", "discrimination", "efficiency", "median_seconds")


def run(certification, *, at=NIGHT, progress=lambda _stage: None):
    return calibration.run(certification=certification, at=at, progress=progress)


def whole(question, found):
    return ItemStatistic.objects.get(
        run=found, revision=question.published_revision, mode=""
    )


def is_json(value):
    """Say whether a value is what JSON can say: no NaN, no infinity."""
    return bool(json.dumps(value, allow_nan=False))


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def questions(certification):
    return answers.make_bank(certification, [1] * 14, options=4)


def test_a_run_without_answers_is_kept_once_and_is_not_in_force(
    certification, questions
):
    found = run(certification)
    again = run(certification, at=NIGHT + DAY)

    assert again == found == CalibrationRun.objects.get()
    assert found.status == "finished"
    assert not found.is_in_force
    assert (found.rows, found.answers, found.learners, found.revisions) == (0, 0, 0, 0)
    assert not ItemStatistic.objects.exists()
    assert not ItemParameters.objects.exists()
    assert found.cohort == []


def test_the_first_answers_are_in_force_after_a_run_without_any(
    certification, questions
):
    empty = run(certification)
    answers.sit(answers.make_people(1), questions[:1], [["2"]])

    found = run(certification, at=NIGHT + DAY)

    empty.refresh_from_db()
    assert (empty.is_in_force, found.is_in_force) == (False, True)


def test_one_answer_is_counted_and_says_nothing(certification, questions):
    answers.sit(answers.make_people(1), questions[:1], [["2"]], mode="practice")

    found = run(certification)

    row = whole(questions[0], found)
    assert row.attempts == 1
    assert [getattr(row, name) for name in FIGURES] == [None] * 4
    assert [option["chosen"] for option in row.options] == [0, 1, 0, 0]
    assert {option["share"] for option in row.options} == {None}
    assert row.curves == []
    assert row.concerns == []
    assert ItemEstimate.objects.get(run=found).attempts == 1
    assert not ItemParameters.objects.exists()


@pytest.mark.parametrize(("option", "facility"), [("1", 1.0), ("3", 0.0), (None, 0.0)])
def test_where_all_answer_alike_there_are_dashes_and_never_nan(
    certification, questions, option, facility
):
    chosen = [[option] * len(questions)] * 40
    answers.sit(answers.make_people(40), questions, chosen)

    found = run(certification)

    for question in questions:
        row = whole(question, found)
        assert (row.attempts, row.facility) == (40, facility)
        assert row.omitted == (0 if option else 40)
        assert row.discrimination is None
        assert row.efficiency is None
        assert is_json(row.options)
        assert is_json(row.curves)
        assert "no_discrimination" not in row.concerns
        assert ("too_easy" in row.concerns) is (facility == 1.0)
    estimates = ItemEstimate.objects.filter(run=found).values_list(
        "slope", "difficulty", "slope_error", "difficulty_error"
    )
    assert np.isfinite([[x for x in row if x is not None] for row in estimates]).all()
    assert is_json(found.cohort)
    assert np.isfinite(found.log_likelihood)


def test_figures_of_questions_follow_from_the_answers(certification, questions):
    chosen = answers.draws(300, 14)
    chosen[0][13] = None
    answers.sit(answers.make_people(300), questions, chosen)

    found = run(certification)

    row = whole(questions[13], found)
    is_right = [person[13] == "1" for person in chosen]
    assert (row.attempts, row.omitted) == (300, 1)
    assert row.facility == pytest.approx(np.mean(is_right))
    assert row.median_seconds == 60
    assert row.discrimination > 0.3
    for option in row.options:
        count = sum(person[13] == option["key"] for person in chosen)
        assert option["chosen"] == count
        assert option["share"] == pytest.approx(count / 300, abs=1e-4)
    assert row.options[0]["correlation"] > 0.3
    assert row.options[1]["correlation"] < 0
    assert row.options[0]["mean_ability"] > row.options[1]["mean_ability"]
    assert [group["attempts"] for group in row.curves] == [60] * 5
    rising = [group["shares"][0] for group in row.curves]
    assert rising[0] < rising[2] < rising[4]
    mock = ItemStatistic.objects.get(run=found, revision=row.revision, mode="mock")
    assert (mock.attempts, mock.facility) == (row.attempts, row.facility)


def test_the_first_questions_of_newcomers_are_not_judged_by_an_ability_unknown(
    certification, questions
):
    answers.sit(answers.make_people(60), questions, answers.draws(60, 14))

    found = run(certification)

    first, last = whole(questions[0], found), whole(questions[13], found)
    assert first.facility is not None
    assert first.discrimination is None
    assert first.curves == []
    assert last.discrimination is not None


def test_difficulties_come_out_in_order_and_reach_the_bank(certification, questions):
    answers.sit(answers.make_people(400), questions, answers.draws(400, 14))

    found = run(certification)

    rows = ItemParameters.objects.order_by("revision__question")
    assert len(rows) == 14
    assert {row.run for row in rows} == {found.pk}
    assert {row.guess for row in rows} == {0.25}
    assert np.corrcoef([row.difficulty for row in rows], np.arange(14))[0, 1] > 0.97
    assert found.has_converged
    assert (found.learners, found.answers, found.revisions) == (400, 5_600, 14)


def test_a_question_with_29_answers_gets_an_estimate_and_no_parameters(
    certification, questions
):
    answers.sit(answers.make_people(29), questions[:12], answers.draws(29, 12))
    answers.sit(answers.make_people(1), questions[:11], answers.draws(1, 11))

    found = run(certification)

    assert ItemEstimate.objects.filter(run=found).count() == 12
    assert ItemParameters.objects.count() == 11
    assert whole(questions[11], found).facility is None
    assert whole(questions[10], found).facility is not None


def test_nothing_new_is_not_calibrated_again(certification, questions):
    answers.sit(answers.make_people(40), questions, answers.draws(40, 14))
    first = run(certification)
    written = ItemStatistic.objects.count()

    again = run(certification, at=NIGHT + DAY)

    assert again == first
    assert CalibrationRun.objects.count() == 1
    assert ItemStatistic.objects.count() == written


def test_new_answers_make_a_new_run_and_the_old_one_is_kept(certification, questions):
    people = answers.make_people(80)
    answers.sit(people[:40], questions, answers.draws(40, 14))
    first = run(certification)
    answers.sit(people[40:], questions, answers.draws(40, 14, seed=2), at=NOW + DAY)

    second = run(certification, at=NIGHT + DAY)

    first.refresh_from_db()
    assert (first.is_in_force, second.is_in_force) == (False, True)
    assert first.status == "finished"
    drift = ItemEstimate.objects.filter(revision=questions[0].published_revision)
    assert [row.attempts for row in drift.order_by("run")] == [40, 80]
    assert {row.run for row in ItemParameters.objects.all()} == {second.pk}


@pytest.mark.parametrize("at", ["read", "fit", "filter", "measure", "write", "compare"])
def test_a_run_that_fails_leaves_the_last_one_in_force(certification, questions, at):
    people = answers.make_people(80)
    answers.sit(people[:40], questions, answers.draws(40, 14))
    good = run(certification)
    before = list(ItemParameters.objects.order_by("pk").values())
    answers.sit(people[40:], questions, answers.draws(40, 14, seed=2), at=NOW + DAY)

    def stop(stage):
        if stage == at:
            message = "The disk is full."
            raise OSError(message)

    with pytest.raises(OSError, match="disk"):
        run(certification, at=NIGHT + DAY, progress=stop)

    good.refresh_from_db()
    failed = CalibrationRun.objects.latest("pk")
    assert good.is_in_force
    assert (failed.status, failed.is_in_force) == ("failed", False)
    assert failed.error == "OSError: The disk is full."
    assert list(ItemParameters.objects.order_by("pk").values()) == before
    assert not ItemStatistic.objects.filter(run=failed).exists()
    assert run(certification, at=NIGHT + 2 * DAY).is_in_force


def test_simulated_people_are_left_out(certification, questions):
    answers.sit(answers.make_people(40), questions, answers.draws(40, 14))
    real = run(certification)
    answers.sit(
        answers.make_people(200, is_simulated=True),
        questions,
        answers.draws(200, 14, seed=3),
    )

    again = run(certification, at=NIGHT + DAY)

    assert again == real
    assert (real.rows, real.learners) == (560, 40)


def test_an_account_with_two_participants_is_one_person(
    certification, questions, learner
):
    earlier, later = answers.make_people(2, user=learner)
    answers.sit([later], questions[:1], [["2"]], at=NOW + DAY, mode="practice")
    answers.sit([earlier], questions[:1], [["1"]], at=NOW, mode="practice")

    found = run(certification)

    row = whole(questions[0], found)
    assert (found.learners, found.rows) == (1, 2)
    assert [option["chosen"] for option in row.options] == [1, 0, 0, 0]


def test_practice_and_mock_exams_are_told_apart_and_together(certification, questions):
    people = answers.make_people(70)
    answers.sit(people[:40], questions, answers.draws(40, 14), mode="practice")
    answers.sit(people[40:], questions, answers.draws(30, 14, seed=2), mode="mock")

    found = run(certification)

    rows = ItemStatistic.objects.filter(
        run=found, revision=questions[3].published_revision
    )
    assert {row.mode: row.attempts for row in rows} == {
        "": 70,
        "practice": 40,
        "mock": 30,
    }


def test_what_practice_left_unanswered_is_no_attempt(certification, questions):
    (person,) = answers.make_people(1)
    answers.sit([person], questions[:2], [["1", None]], mode="practice")
    answers.sit([person], questions[1:2], [["1"]], mode="practice", at=NOW + DAY)

    found = run(certification)

    assert (found.rows, found.answers) == (3, 1)


def test_a_revision_that_made_it_much_harder_is_told(certification, questions, author):
    people = answers.make_people(120)
    all_right = [["1"] * 14] * 60
    answers.sit(people[:60], questions, all_right)
    old = questions[2].published_revision
    authoring.write_revision(
        question=questions[2],
        item=factories.make_item(
            2_500,
            options=tuple(
                factories.option(str(k), text=f"Go on {k}", is_key=k == 1)
                for k in range(1, 5)
            ),
            explanation="Otherwise.",
        ),
        base=old.number,
        by=author,
        at=NOW,
    )
    questions[2].refresh_from_db()
    factories.publish(questions[2])
    half_right = [["1" if n % 2 else "2"] * 14 for n in range(60)]
    answers.sit(people[60:], questions, half_right, at=NOW + DAY)

    found = run(certification)

    assert "changed" in whole(questions[2], found).concerns
    before = ItemStatistic.objects.get(run=found, revision=old, mode="")
    assert "changed" not in before.concerns
    modes = ItemStatistic.objects.filter(run=found).exclude(mode="")
    assert not modes.filter(concerns__contains=["changed"]).exists()
    assert not ItemStatistic.objects.filter(
        run=found, revision=questions[3].published_revision, concerns=["changed"]
    ).exists()


def test_a_question_that_stands_in_no_domain_is_measured_all_the_same(
    certification, questions
):
    questions[13].alignments.all().delete()
    answers.sit(answers.make_people(200), questions, answers.draws(200, 14))

    found = run(certification)

    assert whole(questions[13], found).discrimination > 0.2
    assert ItemParameters.objects.filter(
        revision=questions[13].published_revision
    ).exists()


def test_learners_with_enough_evidence_are_compared_from_30_on(certification):
    first = answers.make_bank(certification, [1] * 32, options=4)
    second = [
        factories.make_published(certification, factories.make_item(3_000), domain="2")
    ]
    people = answers.make_people(30)
    rows = [[*row, "measure"] for row in answers.draws(30, 32)]
    answers.sit(people[:29], first + second, rows[:29])
    few = run(certification)

    answers.sit(people[29:], first + second, rows[29:], at=NOW + DAY)
    enough = run(certification, at=NIGHT + DAY)

    assert (few.cohort, few.cohort_learners) == ([], 0)
    assert enough.cohort_learners == 30
    assert len(enough.cohort) == 101
    assert enough.cohort == sorted(enough.cohort)
    assert 0 < enough.cohort[0] < enough.cohort[-1] < 1


def test_participants_who_are_erased_stay_counted(certification, questions, learner):
    people = answers.make_people(1, user=learner)
    answers.sit(people, questions, answers.draws(1, 14))
    Participant.objects.update(user=None)

    assert run(certification).answers == 14
