"""What was practised before there were sittings is in them after the migration."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from questions.exams.models import KeyContact, Sitting
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [("exams", "0001_practice")]
MET = datetime.datetime(2026, 11, 30, 13, 0, tzinfo=datetime.UTC)


@pytest.fixture
def back_in_time():
    """Take the exams app back to before sittings, and forward again afterwards.

    Forward goes every app: what rests on exams went back with it.
    """
    executor = MigrationExecutor(connection)
    leaves = executor.loader.graph.leaf_nodes()
    old = executor.migrate(BEFORE).apps

    def _forward():
        again = MigrationExecutor(connection)
        again.migrate(leaves)

    yield old, _forward
    _forward()


def test_practice_sets_and_loose_answers_become_sittings(back_in_time):
    old, forward = back_in_time
    certification = factories.make_certification()
    questions = [
        factories.make_published(certification, factories.make_item(980 + number))
        for number in range(3)
    ]
    participant = old.get_model("accounts", "Participant").objects.create(
        public_id=uuid.uuid4(), created_at=MET
    )
    practice_set = old.get_model("exams", "PracticeSet").objects.create(
        public_id=uuid.uuid4(),
        participant=participant,
        certification_id=certification.pk,
        started_at=MET,
    )
    items = [
        old.get_model("exams", "PracticeItem").objects.create(
            practice_set=practice_set,
            position=position,
            revision_id=question.published_revision_id,
        )
        for position, question in enumerate(questions[:2], start=1)
    ]
    contact = old.get_model("exams", "KeyContact").objects
    met = {"participant": participant, "met_at": MET}
    contact.create(
        **met,
        question_id=questions[0].pk,
        revision_id=questions[0].published_revision_id,
        practice_item=items[0],
        chosen=["measure"],
        verdict="right",
    )
    contact.create(
        **met,
        question_id=questions[2].pk,
        revision_id=questions[2].published_revision_id,
        chosen=[],
        verdict="shown",
    )

    forward()

    practised = Sitting.objects.get(public_id=practice_set.public_id)
    responses = [item.response for item in practised.items.order_by("position")]
    assert [response.chosen for response in responses] == [["measure"], []]
    assert responses[0].is_right
    assert responses[1].answered_at is None
    daily = Sitting.objects.get(daily_date=MET.date())
    assert daily.items.get().response.was_shown
    assert {c.verdict for c in KeyContact.objects.all()} == {"right", "shown"}
    assert {c.met_at for c in KeyContact.objects.all()} == {MET}
