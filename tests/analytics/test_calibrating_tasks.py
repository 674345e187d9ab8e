"""The task around a calibration: twice, at once, killed, and what is told of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from analytics import tasks
from analytics.models import (
    CalibrationRun,
    FormStatistic,
    ItemEstimate,
    ItemStatistic,
    JobRun,
)
from questions.models import ItemParameters
from tests import factories
from tests.analytics import answers
from tests.analytics.people import DAY, NOW
from tests.analytics.test_desk_pages import words

pytestmark = pytest.mark.django_db
WRITTEN = (ItemEstimate, ItemStatistic, FormStatistic, ItemParameters)
FIRST = (
    "560 first attempts of 40 people. Revisions: 14 estimated, 14 in use"
    " (30 answers needed)."
)


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def questions(certification):
    """Fourteen questions, each answered by forty people."""
    questions = answers.make_bank(certification, [1] * 14, options=4)
    answers.sit(answers.make_people(40), questions, answers.draws(40, 14))
    return questions


def answer_more(questions, *, people=40):
    chosen = answers.draws(people, 14, seed=2)
    answers.sit(answers.make_people(people), questions, chosen, at=NOW + DAY)


def written():
    """Return every row that a run writes."""
    return [list(model.objects.order_by("pk").values()) for model in WRITTEN]


def in_force():
    return CalibrationRun.objects.get(is_in_force=True)


def test_the_task_twice_is_as_the_task_once(certification, questions):
    tasks.calibrate(certification.pk)
    once, run = written(), in_force()

    tasks.calibrate(certification.pk)

    assert written() == once
    assert in_force() == run
    assert CalibrationRun.objects.count() == 1
    first, second = JobRun.objects.order_by("pk")
    assert (first.name, first.is_good) == ("calibrate TST", True)
    assert first.said == FIRST
    assert second.is_good
    assert second.said == (
        "Nothing that counts was answered since the run of"
        f" {run.started_at:%Y-%m-%d %H:%M} (simulated people do not count)."
    )


def test_what_is_in_use_is_told_apart_from_what_is_estimated(certification):
    questions = answers.make_bank(certification, [1] * 2, options=4)
    answers.sit(answers.make_people(30), questions[:1], answers.draws(30, 1))
    answers.sit(answers.make_people(29), questions[1:], answers.draws(29, 1))

    said = tasks.calibrate_bank(certification=certification)

    assert said.endswith("Revisions: 2 estimated, 1 in use (30 answers needed).")


def test_before_the_first_answer_the_authors_difficulties_stay(certification):
    once = tasks.calibrate_bank(certification=certification)
    twice = tasks.calibrate_bank(certification=certification)

    assert once == twice == "No first attempts yet; the authors' difficulties stay."
    assert not CalibrationRun.objects.get().is_in_force


def test_each_bank_is_calibrated_nightly_whatever_becomes_of_another(
    certification, questions
):
    other = factories.make_certification("OTH")

    tasks.calibrate_all()

    assert set(CalibrationRun.objects.values_list("certification", flat=True)) == {
        certification.pk,
        other.pk,
    }


def test_drift_between_runs_is_kept_and_shown(author_client, certification, questions):
    tasks.calibrate(certification.pk)
    former = in_force()
    answer_more(questions)
    tasks.calibrate(certification.pk)
    desk = "/admin/analytics/calibrationrun"

    bank = words(author_client.get(f"{desk}/bank/{certification.pk}/"))
    question = words(author_client.get(f"{desk}/question/{questions[0].pk}/"))

    assert "the 14 difficulties that both runs know moved by" in bank
    assert "Difficulty from run to run" in question
    assert "<td>40</td>" in question
    assert "<td>80</td>" in question
    assert ItemEstimate.objects.filter(run=former).count() == 14


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_leaves_the_last_run_in_force(
    certification, questions
):
    tasks.calibrate(certification.pk)
    good, before = in_force(), written()
    answer_more(questions)

    with start_calibrating("TST") as worker, transaction.atomic():
        # It can't write while we hold this, so it is sure to be in the middle.
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE analytics_itemestimate IN SHARE MODE")
        await_stage(worker, "write")
        meanwhile = tasks.calibrate_bank(certification=certification)
        worker.send_signal(signal.SIGKILL)
    await_unlocked()

    killed = CalibrationRun.objects.latest("pk")
    assert meanwhile == "Another worker is at it."
    assert killed.status == "running"
    assert in_force() == good
    assert written() == before

    said = tasks.calibrate_bank(certification=certification)

    killed.refresh_from_db()
    assert said.startswith("1,120 first attempts of 80 people.")
    assert (killed.status, killed.error) == ("failed", "Its worker was lost.")
    assert in_force().pk > killed.pk
    assert [(job.is_good, job.said) for job in JobRun.objects.order_by("pk")] == [
        (True, FIRST),
        (False, "Its worker was lost."),
        (True, "Another worker is at it."),
        (True, said),
    ]


def start_calibrating(code):
    """Begin the command in a process of its own, on the database of the tests."""
    name = connection.settings_dict["NAME"]
    url = os.environ["DATABASE_URL"].replace("/courseiva?", f"/{name}?")
    return subprocess.Popen(
        [sys.executable, "manage.py", "calibrate", code],
        env={
            **os.environ,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        },
        stderr=subprocess.PIPE,
        text=True,
    )


def await_stage(worker, stage):
    lines = []
    for line in worker.stderr:
        lines.append(line)
        if line.startswith(stage):
            return
    pytest.fail("".join(lines))


def await_unlocked():
    """Wait until the database has noticed that the worker is gone."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            (held,) = cursor.fetchone()
        if not held:
            return
        time.sleep(0.1)
    pytest.fail("The killed worker's lock is still held.")


def test_what_the_command_tells_is_what_the_status_tells(
    capsys, certification, questions
):
    call_command("calibrate", "tst")
    call_command("analytics_status")

    told = capsys.readouterr().out
    assert told.count("560 first attempts of 40 people") == 3
    assert "calibrate TST" in told
