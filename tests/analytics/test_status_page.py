"""The desk's page of the work in the background, and its button."""

from __future__ import annotations

import datetime
import io

import pytest
import redis
from django.conf import settings as usual
from django.core.management import call_command
from django.utils import timezone

from analytics.models import CalibrationRun, JobRun
from analytics.services import jobs
from courseiva.celery import app
from tests import factories
from tests.analytics import answers
from tests.analytics.runs import make_run, put_in_use
from tests.analytics.test_desk_pages import words

pytestmark = pytest.mark.django_db
ADDRESS = "/admin/analytics/calibrationrun/status/"
MINUTE = datetime.timedelta(minutes=1)
AWAY = "redis://127.0.0.1:1/0"


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def broker():
    """The queues, empty before and after."""
    client = redis.Redis.from_url(usual.REDIS_URL)
    client.delete("analytics", "celery")
    yield client
    client.delete("analytics", "celery")
    client.close()


@pytest.fixture
def queued(broker):
    """Have tasks wait in the queue, as they do where no test is under way."""
    app.conf.update(task_always_eager=False)
    yield broker
    app.conf.update(task_always_eager=True)


@pytest.fixture
def no_broker(queued):
    there = app.conf.broker_url
    _turn_to(AWAY)
    yield
    _turn_to(there)


def _turn_to(broker_url):
    app.conf.update(broker_url=broker_url)
    # Kept connections are let go of as by a process that forked.
    app._after_fork()  # type: ignore[attr-defined]


def button(certification):
    return f"{ADDRESS}{certification.pk}/calibrate/"


def test_before_anything_ran_the_page_says_so(author_client, certification, broker):
    page = words(author_client.get(ADDRESS))

    assert "No job has run yet." in page
    assert "<td>never</td> <td>authors’ estimates</td>" in page
    assert '<th scope="row">analytics</th> <td>0</td>' in page


def test_without_a_certification_the_page_says_so(author_client):
    assert "There is no certification yet." in words(author_client.get(ADDRESS))


def test_the_page_tells_what_waits_ran_and_is_in_force(
    author_client, certification, broker
):
    broker.rpush("analytics", "one", "two")
    now = timezone.now()
    run = make_run(
        certification,
        at=now - datetime.timedelta(days=3),
        stages={"write": 2.0, "read": 1.25},
    )
    questions = answers.make_bank(certification, [1, 1])
    put_in_use(run, [questions[0].published_revision])
    answers.sit(answers.make_people(3), questions, [["1", "2"]] * 3, at=now - MINUTE)
    good = jobs.begin(name="sweep learners", at=now - MINUTE)
    jobs.end(job=good, at=now, said="7 learners brought up to date.", is_good=True)

    page = words(author_client.get(ADDRESS))

    assert '<th scope="row">analytics</th> <td>2</td>' in page
    assert "2 days ago" in page
    assert "120 first attempts of 60 people; 1 revision in use" in page
    assert "read 1.2 s, write 2.0 s" in page
    assert "<td>6</td>" in page
    assert "<td>60.0 s</td>" in page
    assert "7 learners brought up to date." in page


def test_a_run_with_too_few_answers_a_question_does_not_pass_for_figures_in_use(
    author_client, certification
):
    make_run(certification, answers=12, learners=3)
    printed = io.StringIO()

    page = words(author_client.get(ADDRESS))
    call_command("analytics_status", stdout=printed)

    assert (
        "12 first attempts of 3 people; too few for any one question, so authors’"
        " estimates stay"
    ) in page
    assert "0 revisions in use" in printed.getvalue()


def test_a_failure_is_told_and_the_last_good_run_stays(author_client, certification):
    make_run(certification)
    make_run(
        certification,
        at=timezone.now(),
        in_force=False,
        status=CalibrationRun.Status.FAILED,
        error="OSError: The disk is full.",
    )
    job = jobs.begin(name="calibrate TST", at=timezone.now())
    jobs.end(job=job, at=timezone.now(), said="OSError: The disk.", is_good=False)
    jobs.begin(name="rebuild learners", at=timezone.now())

    page = words(author_client.get(ADDRESS))

    assert "The last run of TST failed.</span> It said: OSError: The disk is full." in (
        page
    )
    assert "120 first attempts of 60 people" in page
    assert 'class="desk-error">failed</span> </td> <td>OSError: The disk.</td>' in page
    assert "<td>–</td> <td> under way </td>" in page


def test_where_the_queue_is_away_the_page_says_so(
    author_client, certification, settings
):
    settings.REDIS_URL = AWAY

    page = words(author_client.get(ADDRESS))

    assert "The queue doesn’t answer" in page
    assert '<th scope="row">analytics</th> <td>unknown</td>' in page


def test_the_button_queues_one_certification(editor_client, certification, queued):
    other = factories.make_certification("OTH")

    reply = editor_client.post(button(other), follow=True)

    assert queued.llen("analytics") == 1
    assert b"analytics.tasks.calibrate" in queued.lindex("analytics", 0)
    assert "OTH is queued for calibration." in words(reply)
    assert not JobRun.objects.exists()


def test_what_the_button_began_stands_on_the_page(editor_client, certification):
    page = words(editor_client.post(button(certification), follow=True))

    assert CalibrationRun.objects.get().certification == certification
    assert "calibrate TST" in page
    assert "No first attempts yet;" in page


def test_where_the_queue_is_away_the_button_says_so(
    editor_client, certification, no_broker
):
    reply = editor_client.post(button(certification), follow=True)

    assert "The queue doesn’t answer, so nothing was begun." in words(reply)


def test_looking_begins_nothing(author_client, certification):
    assert author_client.get(button(certification)).status_code == 405
    assert not CalibrationRun.objects.exists()


def test_an_author_sees_the_page_and_begins_nothing(
    author_client, editor_client, certification
):
    address = button(certification)

    assert address in words(editor_client.get(ADDRESS))
    assert address not in words(author_client.get(ADDRESS))
    assert author_client.post(address).status_code == 403
    assert not CalibrationRun.objects.exists()


def test_strangers_and_learners_see_and_begin_nothing(
    learner_client, client, certification
):
    for each in (learner_client, client):
        assert each.get(ADDRESS).status_code in {302, 403}
        assert each.post(button(certification)).status_code in {302, 403}
    assert not CalibrationRun.objects.exists()


def test_the_page_costs_few_queries(
    author_client, certification, django_assert_max_num_queries
):
    for name in "ABCDEF":
        jobs.begin(name=name, at=timezone.now())

    with django_assert_max_num_queries(16):
        author_client.get(ADDRESS)
