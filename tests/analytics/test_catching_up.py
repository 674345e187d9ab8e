"""What was missed is found, whatever was away, and made again it is the same."""

from __future__ import annotations

import datetime
import socket
import time

import pytest
from celery import Celery
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from kombu.transport.redis import Transport

from accounts.services import claim_participant
from analytics import tasks
from analytics.models import JobRun, LearnerFigures, LearnerState
from analytics.receivers import Queue
from analytics.selectors.learners import readiness_of
from analytics.services import catching_up, learners
from courseiva.celery import app as ours
from questions.exams.services import enrolling
from questions.models import Domain
from tests.analytics import people
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db
LONG_AGO = NOW - 365 * DAY


def kept():
    """Return all that is derived of learners, but for when it was made."""
    states = LearnerState.objects.order_by("user", "blueprint")
    figures = LearnerFigures.objects.order_by("user", "certification")
    return [
        {name: value for name, value in row.items() if name not in {"id", "made_at"}}
        for row in [*states.values(), *figures.values()]
    ]


def catch_up(since=LONG_AGO):
    return catching_up.catch_up(since=since, at=NOW)


def test_everybody_behind_is_found_and_nobody_else(
    learner, other_learner, bank, questions
):
    people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)
    people.answer(people.participant_of(), questions[0], right=True, at=NOW)

    assert catch_up() == 1
    assert LearnerState.objects.get().user == learner
    assert catch_up() == 0

    people.answer(
        people.participant_of(other_learner), questions[1], right=True, at=NOW + HOUR
    )

    assert catch_up() == 1
    assert LearnerState.objects.count() == 2


def test_who_enrolled_is_found(learner, bank):
    enrolling.enrol(user=learner, certification=bank, exam_date=None, at=NOW)

    assert catch_up() == 1
    assert catch_up() == 0


def sweep(at):
    """Catch up as each minute does, rows of long ago unseen."""
    return catching_up.catch_up(since=at - HOUR, at=at)


def told(user, certification, at):
    return readiness_of(user=user, certification=certification, at=at)


def test_work_claimed_with_the_queue_away_is_found(learner, bank, questions):
    visitor = people.participant_of()
    people.answer(visitor, questions[0], right=False, at=NOW - DAY)
    people.answer(people.participant_of(learner), questions[1], right=True, at=NOW)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    assert told(learner, bank, NOW).counted.rows_behind == 0

    claim_participant(participant=visitor, user=learner)

    assert told(learner, bank, NOW).counted.rows_behind > 0
    assert sweep(NOW + 2 * HOUR) == 1
    assert LearnerState.objects.get().rows == 2
    assert told(learner, bank, NOW).counted.rows_behind == 0
    assert sweep(NOW + 2 * HOUR) == 0


def test_work_claimed_by_somebody_new_with_the_queue_away_is_found(
    learner, bank, questions
):
    visitor = people.participant_of()
    people.answer(visitor, questions[0], right=False, at=NOW - DAY)

    claim_participant(participant=visitor, user=learner)

    assert told(learner, bank, NOW).counted.rows_behind == 1
    assert sweep(NOW + HOUR) == 1
    assert LearnerState.objects.get().first_attempts == 1


def test_work_claimed_by_who_enrolled_and_never_answered_is_found(
    learner, bank, questions
):
    enrolling.enrol(user=learner, certification=bank, exam_date=None, at=NOW)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    visitor = people.participant_of()
    people.answer(visitor, questions[0], right=False, at=NOW - DAY)

    claim_participant(participant=visitor, user=learner)

    assert sweep(NOW + HOUR) == 1
    assert LearnerState.objects.get().first_attempts == 1


def one_follows_the_other(certification, *, on):
    """Have version 1 in force to the day before, and version 2 from then on."""
    old, new = certification.blueprints.order_by("version")
    old.effective_to, new.effective_from = on - DAY, on
    old.save()
    new.save()
    return old, new


def answer_all(user, questions):
    participant = people.participant_of(user)
    for question in questions:
        people.answer(participant, question, right=True, at=NOW)


def test_on_the_day_a_version_comes_into_force_its_states_are_made(
    learner, bank, questions
):
    old, new = one_follows_the_other(bank, on=NOW.date() + DAY)
    answer_all(learner, questions)
    assert catch_up() == 1
    assert LearnerState.objects.get().blueprint == old
    assert sweep(NOW + HOUR) == 0

    assert sweep(NOW + DAY) == 1

    state = LearnerState.objects.get()
    assert (state.blueprint, state.first_attempts) == (new, 16)


def test_an_exam_date_moved_to_another_version_with_the_queue_away_is_found(
    learner, bank, questions
):
    _, new = one_follows_the_other(bank, on=NOW.date() + 10 * DAY)
    answer_all(learner, questions)
    catch_up()

    enrolling.enrol(
        user=learner,
        certification=bank,
        exam_date=NOW.date() + 20 * DAY,
        at=NOW + HOUR,
    )

    assert sweep(NOW + 2 * HOUR) == 1
    assert LearnerState.objects.get().blueprint == new
    assert sweep(NOW + 2 * HOUR) == 0


def test_another_time_zone_is_found(learner, bank, questions):
    answer_all(learner, questions)
    catch_up()
    learner.time_zone = "Pacific/Auckland"
    learner.save()

    assert sweep(NOW + 2 * HOUR) == 1
    assert LearnerFigures.objects.get().time_zone == "Pacific/Auckland"
    assert sweep(NOW + 2 * HOUR) == 0


def test_another_domain_in_the_version_in_force_is_found(learner, bank, questions):
    answer_all(learner, questions)
    catch_up()
    version = bank.blueprints.get(version="2")
    Domain.objects.create(blueprint=version, code="3", name="New", weight=60)

    assert sweep(NOW + 2 * HOUR) == 1
    assert len(LearnerState.objects.get().domains) == 3
    assert told(learner, bank, NOW).readiness.evidence.first_attempts == 16
    assert sweep(NOW + 2 * HOUR) == 0


def test_rows_looked_at_before_are_not_looked_at_again(learner, bank, questions):
    people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)

    assert catch_up(since=NOW) == 0
    assert catch_up(since=NOW - datetime.timedelta(microseconds=1)) == 1


def test_progress_is_told_by_learner(learner, other_learner, bank, questions):
    for user in (learner, other_learner):
        people.answer(people.participant_of(user), questions[0], right=True, at=NOW)
    numbers = []

    catching_up.catch_up(
        since=LONG_AGO, at=NOW, progress=lambda *each: numbers.append(each)
    )

    assert numbers == [(0, 2), (2, 2)]


def test_the_sweep_notes_how_it_went_and_looks_back_only_as_far_as_it_must(
    learner, bank, questions
):
    people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)

    tasks.sweep_learners()
    tasks.sweep_learners()

    assert [job.said for job in JobRun.objects.order_by("started_at")] == [
        "1 learners brought up to date.",
        "0 learners brought up to date.",
    ]
    assert all(job.is_good and job.finished_at for job in JobRun.objects.all())


def test_a_sweep_leaves_the_turn_to_one_that_runs(learner, bank, questions):
    cache.add("sweep-learners", 1, timeout=60)
    people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)

    tasks.sweep_learners()

    assert not LearnerState.objects.exists()
    assert not JobRun.objects.exists()


def test_a_batch_that_fails_keeps_nobody_else(
    learner, other_learner, bank, questions, monkeypatch
):
    monkeypatch.setattr(catching_up, "BATCH", 1)
    for user in (learner, other_learner):
        people.answer(people.participant_of(user), questions[0], right=True, at=NOW)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    # A state that can't be read, as a fault of ours might leave one.
    LearnerState.objects.update(recent={"before": {"mean": [0.0, 0.0]}})
    people.answer(
        people.participant_of(learner), questions[1], right=True, at=NOW + HOUR
    )

    with pytest.raises(ExceptionGroup, match="1 batches"):
        catch_up()

    assert LearnerState.objects.filter(user=other_learner).exists()


def test_made_again_from_the_log_made_again_everything_is_the_same(
    learner, other_learner, bank, questions, regrade, editor
):
    for user in (learner, other_learner):
        participant = people.participant_of(user)
        for number, question in enumerate(questions[:8]):
            people.answer(
                participant,
                question,
                right=number % 2 == 0,
                at=NOW + number * HOUR - DAY,
            )
            learners.update(user=user.pk, certification=bank.pk, at=NOW)
        people.mock(participant, bank, length=6, right=4, at=NOW)
    regrade(questions[1], to="wait")
    catch_up()
    live = kept()
    connection.check_constraints()  # a test is one transaction, with checks to come

    call_command("rebuild_log")
    call_command("rebuild_analytics")

    assert approximately(kept()) == approximately(live)
    assert len(live) == 4


def approximately(found):
    """Round what sums up differently in the last digit."""
    if isinstance(found, float):
        return round(found, 9)
    if isinstance(found, dict):
        return {key: approximately(value) for key, value in found.items()}
    if isinstance(found, list):
        return [approximately(value) for value in found]
    return found


def test_rows_of_people_of_whom_nothing_is_known_any_more_go(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    catch_up()
    participant.user = None
    participant.save()

    call_command("rebuild_analytics")

    assert not LearnerState.objects.exists()
    assert not LearnerFigures.objects.exists()


def test_an_answer_is_counted_right_after_it_was_committed(
    learner, bank, questions, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)

    assert LearnerState.objects.get().first_attempts == 1


def test_claimed_work_is_counted_right_after_it_was_claimed(
    learner, bank, questions, django_capture_on_commit_callbacks
):
    visitor = people.participant_of()
    people.answer(visitor, questions[0], right=True, at=NOW)

    with django_capture_on_commit_callbacks(execute=True):
        assert claim_participant(participant=visitor, user=learner)

    assert LearnerState.objects.get().first_attempts == 1
    assert not claim_participant(participant=visitor, user=learner)


def test_leaving_an_exam_nobody_answered_for_leaves_nothing(
    learner, bank, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        enrolment = enrolling.enrol(
            user=learner, certification=bank, exam_date=None, at=NOW
        )
    assert LearnerState.objects.exists()

    with django_capture_on_commit_callbacks(execute=True):
        enrolling.leave(enrolment=enrolment)

    assert not LearnerState.objects.exists()


def queue_at(port):
    """Return a task of a queue at a port of this machine, reached as ours is."""
    app = Celery("away", broker=f"redis://127.0.0.1:{port}/0", set_as_current=False)
    app.conf.broker_transport_options = ours.conf.broker_transport_options

    @app.task(name="tests.nothing")
    def task(number: int) -> int:
        return number

    return task


@pytest.fixture(params=["refuses", "never answers"])
def away(request):
    """A queue that is not there, or hangs; and for how long a request may wait."""
    if request.param == "refuses":
        # Nobody listens on port 1.
        yield queue_at(1), 1.0
        return
    # Connections are accepted for it by the kernel; it never reads.
    with socket.create_server(("127.0.0.1", 0)) as hung:
        yield queue_at(hung.getsockname()[1]), 8.0


def test_a_queue_that_is_away_fails_nobody_and_is_left_alone_for_a_while(
    away, django_capture_on_commit_callbacks
):
    task, patience = away
    queue = Queue()

    begun = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True):
        queue.ask(task, 1)
    first = time.monotonic() - begun
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(100):
            queue.ask(task, number)
    rest = time.monotonic() - begun - first

    assert first < patience
    assert rest < 0.1


def test_a_worker_that_waits_for_work_is_not_cut_off():
    options = ours.conf.broker_transport_options

    assert Transport.brpop_timeout < options["socket_timeout"]
    assert "polling_interval" not in options
