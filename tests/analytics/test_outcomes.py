"""What real exams came to beside what was said, and which outcomes count."""

from __future__ import annotations

import datetime

import pytest

from accounts.models import User
from analytics.models import Forecast, LearnerState
from analytics.selectors.outcomes import outcomes
from questions.exams.models import Enrolment
from questions.exams.services import enrolling
from questions.models import Blueprint, ItemParameters
from tests import factories
from tests.analytics import answers, people, runs
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db

EXAM_DAY = NOW.date() - datetime.timedelta(days=2)


@pytest.fixture
def participant(learner):
    return people.participant_of(learner)


# -- of a real exam -----------------------------------------------------------------


@pytest.fixture
def enrolment(learner, bank):
    return enrolling.enrol(
        user=learner, certification=bank, exam_date=EXAM_DAY, at=NOW - 30 * DAY
    )


def tell(enrolment, result=Enrolment.Result.PASSED, *, day=EXAM_DAY, at=NOW):
    enrolling.tell_result(
        enrolment=enrolment, result=result, score=None, exam_date=day, at=at
    )
    return Forecast.objects.get(exam_date=day)


def test_the_last_chance_before_a_real_exam_is_kept_with_its_result(
    participant, bank, questions, enrolment
):
    people.practised(participant, questions[:12])
    assert not Forecast.objects.exists()

    said = tell(enrolment)

    assert said.enrolment == enrolment
    assert said.sitting is None
    assert said.has_passed
    # Seven tenths of the sixty questions of a full exam.
    assert (said.questions, said.needed, said.first_attempts) == (60, 42, 12)
    assert said.share_unseen is None
    assert said.made_at.date() == EXAM_DAY


def test_the_chance_is_the_one_that_the_evening_before_would_have_shown(
    participant, bank, questions, enrolment
):
    people.practised(participant, questions[:12])
    stored = LearnerState.objects.get().trend[-1]

    said = tell(enrolment, day=(NOW - 4 * DAY).date())

    # Half a day of forgetting is between the last answer and the day of the exam.
    assert said.probability == pytest.approx(stored["probability"], abs=0.01)


@pytest.mark.parametrize("result", list(Enrolment.Result))
def test_answers_from_the_day_of_the_exam_on_say_nothing(
    participant, bank, questions, enrolment, result
):
    people.practised(participant, questions[:6])
    people.practised(participant, questions[6:12], right=False, at=NOW - 2 * DAY)

    said = tell(enrolment, result)

    assert said.first_attempts == 6
    assert said.has_passed == (result == Enrolment.Result.PASSED)


def test_a_day_begins_where_the_learner_is(participant, bank, questions, enrolment):
    User.objects.update(time_zone="Pacific/Auckland")
    enrolment.refresh_from_db()
    # Eleven in the morning in Greenwich is past midnight there, on the day of the exam.
    evening = datetime.datetime.combine(EXAM_DAY - DAY, datetime.time(11), datetime.UTC)
    people.answer(participant, questions[0], right=True, at=evening - HOUR)
    people.answer(participant, questions[1], right=True, at=evening)

    assert tell(enrolment).first_attempts == 1


def test_a_corrected_result_leaves_what_was_said(
    participant, bank, questions, enrolment
):
    people.practised(participant, questions[:12])
    first = tell(enrolment)
    said = Forecast.objects.values("probability", "made_at").get()

    again = tell(enrolment, Enrolment.Result.FAILED, at=NOW + DAY)

    assert (first.has_passed, again.has_passed) == (True, False)
    assert again.pk == first.pk
    assert Forecast.objects.values("probability", "made_at").get() == said


def test_a_corrected_date_makes_it_the_chance_of_that_day(
    participant, bank, questions, enrolment
):
    people.practised(participant, questions[:12])
    tell(enrolment)

    again = tell(enrolment, day=(NOW - 9 * DAY).date())

    assert again.first_attempts == 0
    assert Forecast.objects.get(has_passed__isnull=False) == again


def calibrate(certification, questions):
    """Find all questions to be far harder than their authors think."""
    run = runs.make_run(certification)
    ItemParameters.objects.bulk_create(
        ItemParameters(
            revision=question.published_revision,
            slope=1.0,
            difficulty=2.5,
            guess=0.25,
            attempts=100,
            run=run.pk,
            recorded_at=NOW,
        )
        for question in questions
    )


@pytest.mark.parametrize("moved", ["date", "time zone"])
def test_what_was_said_of_a_day_is_never_worked_out_again(
    participant, bank, questions, enrolment, moved
):
    people.practised(participant, questions[:12])
    tell(enrolment)
    before = Forecast.objects.values("pk", "probability", "made_at").get()

    calibrate(bank, questions)
    if moved == "date":
        tell(enrolment, day=EXAM_DAY - DAY)
    else:
        User.objects.update(time_zone="Pacific/Auckland")
        enrolment = Enrolment.objects.get()
    again = tell(enrolment, Enrolment.Result.FAILED, at=NOW + DAY)

    assert again.has_passed is False
    said = Forecast.objects.filter(has_passed__isnull=False)
    assert said.values("pk", "probability", "made_at").get() == before


def test_a_result_taken_back_takes_the_forecast_with_it(
    participant, bank, questions, enrolment
):
    people.practised(participant, questions[:12])
    tell(enrolment)

    enrolment.result, enrolment.resulted_at = "", None
    enrolment.save()

    assert not Forecast.objects.exists()


def test_it_goes_with_the_enrolment(participant, bank, questions, enrolment):
    tell(enrolment)

    enrolling.leave(enrolment=enrolment)

    assert not Forecast.objects.exists()


def test_the_result_of_somebody_simulated_is_known_as_such(learner, bank, enrolment):
    people.participant_of(learner, is_simulated=True)

    assert tell(enrolment).is_simulated


# -- what counts --------------------------------------------------------------------


def forecast(enrolment=None, **changes):
    fields = {
        "exam_date": enrolment and enrolment.exam_date,
        "blueprint": Blueprint.objects.filter(version="2").earliest("pk"),
        "probability": 0.7,
        "expected": 0.7,
        "questions": 30,
        "needed": 21,
        "first_attempts": 100,
        "is_enough": True,
        "share_unseen": 0.8,
        "made_at": NOW,
        "has_passed": True,
        **changes,
    }
    return Forecast(enrolment=enrolment, **fields)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"questions": 29}, False),
        ({"share_unseen": 0.79}, False),
        ({"is_enough": False}, False),
        ({"is_simulated": True}, False),
        ({"has_passed": None}, False),
        ({"has_passed": False}, True),
    ],
)
def test_long_new_mocks_of_real_people_with_enough_evidence_count(
    bank, questions, changes, counts
):
    (sitting,) = answers.sit(answers.make_people(1), questions[:1], [[None]])
    said = forecast(**changes)
    said.sitting = sitting
    said.save()

    probability, outcome = outcomes()

    assert probability.tolist() == ([0.7] if counts else [])
    assert outcome.tolist() == ([changes.get("has_passed", True)] if counts else [])


def test_results_of_real_exams_count_whatever_their_length(enrolment):
    forecast(enrolment, questions=20, share_unseen=None).save()

    assert len(outcomes()[0]) == 1


def test_of_one_person_the_first_real_exam_counts(learner, other_learner, bank):
    other = factories.make_certification("OTH")
    days = [EXAM_DAY, EXAM_DAY - DAY, EXAM_DAY - 2 * DAY]
    told = [
        *((learner, bank, day, 0.9 - 0.1 * n) for n, day in enumerate(days)),
        (learner, other, EXAM_DAY, 0.3),
        (other_learner, bank, EXAM_DAY, 0.2),
    ]
    enrolments = Enrolment.objects.bulk_create(
        Enrolment(
            user=user,
            certification=certification,
            exam_date=day,
            result="passed",
            resulted_at=NOW,
            enrolled_at=NOW,
        )
        for user, certification, day, _ in told
    )
    Forecast.objects.bulk_create(
        forecast(taken, probability=chance)
        for taken, (*_, chance) in zip(enrolments, told, strict=True)
    )

    assert sorted(outcomes()[0].tolist()) == pytest.approx([0.2, 0.3, 0.7])


def told_outcomes(count, certification, **changes):
    users = User.objects.bulk_create(
        User(email=f"{number}@example.org", joined_at=NOW) for number in range(count)
    )
    enrolments = Enrolment.objects.bulk_create(
        Enrolment(
            user=user,
            certification=certification,
            exam_date=EXAM_DAY,
            result="passed",
            resulted_at=NOW,
            enrolled_at=NOW,
        )
        for user in users
    )
    Forecast.objects.bulk_create(forecast(each, **changes) for each in enrolments)


@pytest.mark.parametrize("count", [1, 199])
def test_few_outcomes_are_for_staff_only(client, superuser, bank, count):
    told_outcomes(count, bank)

    for_all = client.get("/readiness/").context
    client.force_login(superuser)
    for_staff = client.get("/readiness/").context

    assert for_all["diagram"] is None
    assert for_all["count"] == for_staff["count"] == count
    assert sum(group["count"] for group in for_staff["diagram"]["groups"]) == count


def test_two_hundred_outcomes_are_for_everybody(client, bank):
    told_outcomes(200, bank)

    shown = client.get("/readiness/").context

    assert shown["diagram"]["groups"][0]["passed"] == "100"
    assert not shown["is_early"]
