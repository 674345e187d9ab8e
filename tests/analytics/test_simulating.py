"""Simulated people answer through the same doors, and count in nothing that is public."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.management.commands import demo_people
from accounts.models import Participant, User
from accounts.services import participant_of_user
from analytics import tasks
from analytics.models import (
    CalibrationRun,
    Forecast,
    LearnerFigures,
    LearnerState,
    ResponseLog,
)
from analytics.selectors import items, responses
from analytics.selectors.outcomes import outcomes
from analytics.services import learners, log, simulating
from questions.exams.models import Enrolment, ScoreReport, Sitting
from questions.models import Certification
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(bank):
    return simulating.Plan(certification=bank, days=24, until=NOW)


def add(plan, *, seed=7, number=1):
    simulating.add_person(plan=plan, seed=seed, number=number)
    return User.objects.latest("pk")


def answers_of(user):
    """Return what somebody answered, whoever they are and whatever the ids."""
    return list(
        ResponseLog.objects.filter(participant__user=user)
        .order_by("pk")
        .values_list("question", "chosen", "seconds", "mode", "answered_at")
    )


def test_a_simulated_person_practises_for_weeks_and_sits_two_mocks(plan):
    user = add(plan)

    sat = Sitting.objects.filter(participant__user=user)
    mocks = sat.filter(mode="mock")
    assert set(sat.values_list("status", flat=True)) == {"finished"}
    assert mocks.count() == 2
    assert sat.count() > 10
    assert sat.earliest("started_at").started_at >= NOW - 24 * DAY
    assert NOW - DAY < sat.latest("started_at").started_at < NOW
    assert ScoreReport.objects.filter(sitting__in=mocks).count() == 2


def test_there_is_an_exam_ahead_and_readiness_is_up_to_date(plan):
    user = add(plan)

    state = LearnerState.objects.get()
    assert Enrolment.objects.filter(user=user, exam_date__gt=NOW.date()).exists()
    assert state.rows == LearnerFigures.objects.get().rows == len(answers_of(user))
    assert len(state.trend) > 1
    assert not learners.update(
        user=user.pk, certification=plan.certification.pk, at=NOW
    )


def test_chances_are_given_before_the_mocks_and_scored(plan):
    add(plan)

    first, second = Forecast.objects.order_by("made_at")
    assert first.is_simulated
    assert second.first_attempts > first.first_attempts > 0
    assert None not in {first.has_passed, second.has_passed}


def test_the_same_seed_gives_the_same_answers_and_another_gives_others(plan):
    one, other = (
        User.objects.create_user(f"{name}@example.org") for name in ("one", "other")
    )
    third = User.objects.create_user("third@example.org")

    for user, seed in ((one, 5), (other, 5), (third, 6)):
        assert simulating.give_history(user=user, plan=plan, seed=seed)

    assert answers_of(one) == answers_of(other)
    assert answers_of(one) != answers_of(third)


def test_the_log_made_again_from_their_sittings_is_the_same(plan):
    user = add(plan)
    before = answers_of(user)
    connection.check_constraints()  # a test is one transaction, with checks to come

    log.rebuild()

    assert answers_of(user) == before


def test_they_are_in_no_calibration_and_in_no_outcome(plan):
    add(plan)
    Forecast.objects.update(is_enough=True, questions=60, share_unseen=1.0)

    _, rows = responses.mark(certification_id=plan.certification.pk)
    since = items.answers_since(
        run=CalibrationRun(certification=plan.certification, through=0)
    )

    assert ResponseLog.objects.exists()
    assert (rows, since) == (0, 0)
    assert len(outcomes()[0]) == 0
    assert not Participant.objects.filter(is_simulated=False).exists()


# -- the command --------------------------------------------------------------------


def simulate(count, *, seed=1, **options):
    out = io.StringIO()
    call_command(
        "simulate_learners",
        count,
        seed=seed,
        **{"days": 6, **options},
        stdout=out,
        stderr=io.StringIO(),
    )
    return out.getvalue().strip()


@pytest.fixture
def development(settings):
    settings.IS_DEVELOPMENT = True


def test_the_command_adds_people_who_can_not_sign_in(development, bank):
    said = simulate(2)

    assert said.startswith("2 simulated people added")
    assert User.objects.count() == Participant.objects.count() == 2
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_the_command_tells_of_each_person(development, bank, capsys):
    call_command("simulate_learners", "2", seed=1, days=6)

    told = capsys.readouterr().err.splitlines()
    assert told == ["1 of 2: added", "2 of 2: added"]


def test_the_command_again_adds_only_who_is_missing(development, bank):
    simulate(1)
    before = ResponseLog.objects.count()

    again, more, others = simulate(1), simulate(2), simulate(1, seed=2)

    assert again.startswith("0 simulated people added; 1 of seed 1 were there already")
    assert more.startswith("1 simulated people added")
    assert others.startswith("1 simulated people added")
    assert User.objects.count() == 3
    assert ResponseLog.objects.count() > before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"certification": "XYZ"}, "There is no certification XYZ"),
        ({"certification": "EMPTY"}, "EMPTY has nothing to study yet"),
        ({"days": 0}, "1 at least"),
        ({"seed": -1}, "0 at least"),
    ],
)
def test_the_command_says_what_is_wrong(development, bank, options, sentence):
    factories.make_certification("EMPTY")

    with pytest.raises(CommandError, match=sentence):
        simulate(1, **options)

    assert not User.objects.exists()


@pytest.mark.parametrize(
    "command", [("simulate_learners", "1", "--seed=1"), ("demo_history",)]
)
def test_nobody_is_simulated_in_production(settings, bank, command):
    settings.IS_DEVELOPMENT = False

    with pytest.raises(CommandError, match="development mode only"):
        call_command(*command)

    assert not Sitting.objects.exists()


# -- the demo learner ---------------------------------------------------------------


@pytest.fixture
def demo(development, bank):
    call_command("demo_people", stdout=io.StringIO())
    return User.objects.get(email=demo_people.PEOPLE[0].email)


def give_demo_history(**options):
    out = io.StringIO()
    call_command("demo_history", **options, stdout=out)
    return out.getvalue().strip()


@pytest.mark.parametrize("later", [True, False])
def test_the_demo_learner_has_studied_for_ninety_days(demo, later):
    said = give_demo_history(later=later)

    sat = Sitting.objects.filter(participant__user=demo)
    assert "ninety days" in said
    assert sat.filter(mode="mock", status="finished").count() == 2
    span = sat.latest("started_at").started_at - sat.earliest("started_at").started_at
    assert span > 80 * DAY
    assert Participant.objects.filter(user=demo, is_simulated=True).count() == 1
    assert LearnerState.objects.get(user=demo).first_attempts > 10


def test_a_second_start_adds_nothing(demo):
    give_demo_history()
    before = ResponseLog.objects.count()

    said = give_demo_history(later=True)
    tasks.give_history(demo.pk, Enrolment.objects.get().certification_id)

    assert said == ""
    assert ResponseLog.objects.count() == before


def test_what_somebody_did_as_the_demo_learner_is_left_alone(demo, questions):
    participant = participant_of_user(user=demo, at=NOW)
    people.answer(participant, questions[0], right=True, at=NOW)

    said = give_demo_history()

    assert said == "The learner has a history already; nothing was added."
    assert ResponseLog.objects.count() == 1
    assert not Participant.objects.get(user=demo).is_simulated


def test_an_exam_that_was_planned_stays_as_planned(demo, plan):
    enrolment = Enrolment.objects.create(
        user=demo,
        certification=plan.certification,
        exam_date=NOW.date() + 99 * DAY,
        enrolled_at=NOW,
    )

    simulating.give_history(user=demo, plan=plan, seed=1)

    assert Enrolment.objects.get() == enrolment
    assert Enrolment.objects.get().exam_date == NOW.date() + 99 * DAY


def test_without_a_bank_there_is_no_history(development):
    before = give_demo_history()
    call_command("demo_people", stdout=io.StringIO())
    after = give_demo_history()

    assert before.startswith("There is no learner@example.org")
    assert after == "There is no certification to study for yet."


def test_the_dashboard_says_that_the_work_is_simulated(demo, client):
    tasks.give_history(demo.pk, Certification.objects.get().pk)
    client.force_login(demo)

    page = " ".join(client.get("/dashboard/tst/").content.decode().split())

    assert "The answers are simulated" in page


def test_the_dashboard_of_somebody_real_does_not(learner, client, bank):
    participant = people.participant_of(learner)
    people.mock(participant, bank, length=12, right=9, at=timezone.now() - DAY)
    learners.update(user=learner.pk, certification=bank.pk, at=timezone.now())
    client.force_login(learner)

    page = client.get("/dashboard/tst/").content.decode()

    assert "Expected score" in page
    assert "simulated" not in page
