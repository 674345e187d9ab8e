"""What changes while a worker waits for its turn is in what it keeps."""

from __future__ import annotations

import threading
import time

import pytest
import redis
from django.conf import settings
from django.db import connection, transaction

from accounts.services import claim_participant
from analytics.models import CalibrationRun, LearnerFigures, LearnerState
from analytics.services import learners
from courseiva.celery import app
from questions.exams.services import enrolling
from questions.models import ItemParameters
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, NOW

pytestmark = pytest.mark.django_db(transaction=True)

_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


@pytest.fixture(autouse=True)
def _queued_for_nobody():
    """Leave the worker's turn to the test."""
    app.conf.update(task_always_eager=False)
    yield
    app.conf.update(task_always_eager=True)
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.delete("analytics")


@pytest.fixture
def update_that_waits(learner, bank):
    """Run a change while an update of the learner waits for its figures."""

    def _run(change):
        failures = []

        def update():
            try:
                learners.update(user=learner.pk, certification=bank.pk, at=NOW)
            except Exception as failure:  # noqa: BLE001  (raised below)
                failures.append(failure)
            finally:
                connection.close()

        thread = threading.Thread(target=update)
        with transaction.atomic():
            LearnerFigures.objects.select_for_update().get(user=learner)
            thread.start()
            _wait_for_somebody_to_wait()
            change()
        thread.join(60)
        assert not failures

    return _run


def _wait_for_somebody_to_wait():
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(_WAITING)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    pytest.fail("Nobody waits for the figures.")


def test_a_calibration_that_comes_into_force_meanwhile_is_the_one_that_counts(
    learner, bank, questions, update_that_waits
):
    participant = people.participant_of(learner)
    for number, question in enumerate(questions[:9]):
        people.answer(participant, question, right=True, at=NOW - (40 - number) * DAY)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    people.answer(participant, questions[10], right=True, at=NOW)

    update_that_waits(lambda: calibrate(bank, questions))

    state = LearnerState.objects.get()
    assert state.run == CalibrationRun.objects.get()
    learners.update_many(
        users=[learner.pk], certification=bank.pk, at=NOW, is_afresh=True
    )
    assert LearnerState.objects.get().ability == state.ability


def test_a_question_published_and_answered_meanwhile_counts(
    learner, bank, questions, update_that_waits
):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW - DAY)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)

    def publish_and_answer():
        question = factories.make_published(bank, factories.make_item(777))
        people.answer(participant, question, right=True, at=NOW)

    update_that_waits(publish_and_answer)

    assert LearnerState.objects.get().first_attempts == 2


def test_work_claimed_meanwhile_counts(learner, bank, questions, update_that_waits):
    visitor = people.participant_of()
    people.answer(visitor, questions[0], right=True, at=NOW - 2 * DAY)
    people.answer(people.participant_of(learner), questions[1], right=True, at=NOW)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)

    update_that_waits(lambda: claim_participant(participant=visitor, user=learner))

    assert LearnerState.objects.get().first_attempts == 2


def test_who_leaves_meanwhile_leaves_nothing(learner, bank, update_that_waits):
    enrolment = enrolling.enrol(
        user=learner, certification=bank, exam_date=None, at=NOW
    )
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)

    update_that_waits(lambda: enrolling.leave(enrolment=enrolment))

    assert not LearnerState.objects.exists()
    assert not LearnerFigures.objects.exists()


def calibrate(certification, questions):
    """Have the bank found harder than its authors say."""
    run = CalibrationRun.objects.create(
        certification=certification,
        status="finished",
        is_in_force=True,
        through=0,
        rows=0,
        started_at=NOW,
        finished_at=NOW,
        code_version="1",
    )
    for question in questions:
        ItemParameters.objects.create(
            revision=question.published_revision,
            slope=1.0,
            difficulty=2.0,
            guess=0.25,
            attempts=100,
            run=run.pk,
            recorded_at=NOW,
        )
