"""The log has every scored answer, refuses changes, and can be made again."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from analytics.models import ResponseLog
from questions.domain.lifecycle import Status
from questions.exams.models import LateAnswer, ScoreReport, Sitting
from questions.exams.services import conducting
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db
NOW = datetime.datetime(2026, 12, 1, 9, 0, tzinfo=datetime.UTC)


@pytest.fixture
def bank():
    certification = factories.make_certification()
    for number in range(7):
        factories.make_published(
            certification, factories.make_item(300 + number), slug=f"log-{number}"
        )
    for number in range(5):
        factories.make_published(
            certification, factories.make_item(320 + number), domain="2"
        )
    return certification


def save(client, sitting, position, *chosen):
    response = sitting.items.get(position=position).response
    return client.post(
        f"/sittings/{sitting.public_id}/{position}/response/",
        {
            "save_id": str(uuid.uuid4()),
            "base_version": response.version,
            "answer": chosen,
            "seconds": 5,
        },
        headers={"accept": "application/json"},
    )


def rows():
    """Return the log without its ids."""
    fields = [f.attname for f in ResponseLog._meta.fields if f.attname != "id"]
    return list(ResponseLog.objects.order_by("pk").values_list(*fields))


def mock(client, *, submit=True):
    client.post("/mocks/tst/rules/", {"exam": "own", "length": 6})
    sitting = Sitting.objects.latest("pk")
    save(client, sitting, 1, "measure")
    save(client, sitting, 2, "wait")
    if submit:
        client.post(f"/sittings/{sitting.public_id}/submit/")
    return sitting


def test_every_item_of_a_mock_is_logged_when_it_is_scored(client, bank):
    sitting = mock(client, submit=False)
    assert not ResponseLog.objects.exists()

    client.post(f"/sittings/{sitting.public_id}/submit/")

    logged = ResponseLog.objects.order_by("position")
    assert [row.points_numerator for row in logged] == [1, 0, 0, 0, 0, 0]
    assert [row.chosen for row in logged][:3] == [["measure"], ["wait"], []]
    assert {row.mode for row in logged} == {"mock"}
    assert {row.number for row in logged} == {1}


def test_an_answer_on_a_page_and_in_practice_is_logged_at_once(learner_client, bank):
    question = bank.questions.first()
    learner_client.post(
        question.get_absolute_url(),
        {
            "answer": "measure",
            "revision": question.published_revision_id,
            "seconds": 40,
        },
    )
    learner_client.post(
        question.get_absolute_url(),
        {"show": "1", "revision": question.published_revision_id},
    )

    logged = list(ResponseLog.objects.order_by("pk"))
    assert [(row.points_numerator, row.was_shown) for row in logged] == [
        (1, False),
        (0, True),
    ]
    assert logged[0].seconds == 40


def test_the_database_refuses_to_change_the_log(client, bank):
    mock(client)

    for change in (
        lambda: ResponseLog.objects.update(points_numerator=1),
        lambda: ResponseLog.objects.first().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_a_log_that_fails_undoes_the_scoring(client, bank, monkeypatch):
    sitting = mock(client, submit=False)

    def fail(**_unused):
        message = "The disk is full."
        raise OSError(message)

    monkeypatch.setattr("analytics.services.log.append", fail)
    with pytest.raises(OSError, match="disk"), transaction.atomic():
        client.post(f"/sittings/{sitting.public_id}/submit/")

    sitting.refresh_from_db()
    assert sitting.status == "running"
    assert not ScoreReport.objects.exists()


def test_the_log_made_again_is_the_log(client, learner_client, bank, author, editor):
    with time_machine.travel(NOW) as clock:
        # A mock, a late answer accepted, a regrade, a void one, practice, a page.
        sitting = mock(client, submit=False)
        clock.move_to(sitting.deadline + datetime.timedelta(minutes=2))
        save(client, sitting, 3, sitting.items.get(position=3).option_order[0])
        client.get(f"/sittings/{sitting.public_id}/")
        clock.shift(60)
        conducting.accept_late(
            late=LateAnswer.objects.get(),
            reason="Ours.",
            by=editor,
            at=NOW + datetime.timedelta(hours=1),
        )
        other = mock(learner_client)
        clock.shift(60)
        learner_client.post("/practice/tst/", {"length": "3"})
        practised = Sitting.objects.latest("pk")
        learner_client.post(
            f"/sittings/{practised.public_id}/1/answer/", {"answer": "wait"}
        )
        clock.shift(60)
        item = other.items.select_related("question", "revision").get(position=2)
        authoring.write_revision(
            question=item.question,
            item=factories.make_item(
                999,
                options=tuple(
                    factories.option(key, is_key=key == "wait")
                    for key in ("wait", "measure", "replace", "ask")
                ),
                explanation="Wait.",
            ),
            base=1,
            by=author,
            at=NOW,
        )
        item.question.refresh_from_db()
        review.record_import(
            question=item.question,
            status=Status.PUBLISHED,
            reviewer=factories.make_profile("rex-reader"),
            reviewed_at=NOW,
            at=NOW,
        )
        item.question.refresh_from_db()
        conducting.apply_regrade(
            regrade=conducting.Regrade(
                wrong=item.revision,
                corrected=item.question.published_revision,
                reason="Wrong key.",
                only_if_improves=False,
            ),
            by=editor,
            at=NOW + datetime.timedelta(hours=2),
        )
        conducting.void(
            sitting=other,
            reason="A fire.",
            by=editor,
            at=NOW + datetime.timedelta(hours=3),
        )

    live = rows()
    connection.check_constraints()  # a test is one transaction, with checks to come
    call_command("rebuild_log")

    assert {row.cause for row in ResponseLog.objects.all()} == {
        "scored",
        "late_accepted",
        "regraded",
        "voided",
    }
    assert sorted(live, key=repr) == sorted(rows(), key=repr)
