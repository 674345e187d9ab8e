"""What the busiest doors of an exam may ask of the database."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from questions.exams.models import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("listed")]

# The session, which brings its person along, and what the door is about.
SAVE = ["SELECT session", "SELECT sitting", "UPDATE response"]
PAGE = ["SELECT session", "SELECT place"]
_SUBJECTS = {
    "EXECUTE courseiva_session": "SELECT session",
    "EXECUTE courseiva_person": "SELECT user",
    'FROM "accounts_participant"': "SELECT participant",
    "EXECUTE exams_stands": "SELECT sitting",
    "EXECUTE exams_place": "SELECT place",
    "EXECUTE exams_store": "UPDATE response",
}


def asked(context):
    """Return the statements in order, named; transactions are none of them."""
    told = []
    for query in context.captured_queries:
        sql = query["sql"]
        names = [name for part, name in _SUBJECTS.items() if part in sql]
        if names or not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")):
            told.append(names[0] if names else sql[:80])
    return told


def first(sitting):
    """Return an option of the second question."""
    return sitting.items.get(position=2).option_order[0]


def test_a_save_takes_three_statements_and_no_transaction_around_them(
    learner_client, begin, save
):
    sitting = begin(learner_client)
    option = first(sitting)

    with CaptureQueriesContext(connection) as context:
        reply = save(learner_client, sitting, 2, option, base=0, seconds=3)

    assert reply.status_code == 200
    assert asked(context) == SAVE
    assert len(context) == len(SAVE)
    assert Response.objects.get(item__position=2).chosen == [option]


def test_a_repeated_save_takes_two(learner_client, begin, save):
    sitting = begin(learner_client)
    saved = {"base": 0, "save_id": str(uuid.uuid4())}
    option = first(sitting)
    save(learner_client, sitting, 2, option, **saved)

    with CaptureQueriesContext(connection) as context:
        reply = save(learner_client, sitting, 2, option, **saved)

    assert reply.json()["version"] == 1
    assert asked(context) == SAVE[:2]


def test_a_page_of_an_exam_takes_two_statements(learner_client, begin):
    sitting = begin(learner_client)

    with CaptureQueriesContext(connection) as context:
        page = learner_client.get(f"/sittings/{sitting.public_id}/2/")

    assert page.status_code == 200
    assert asked(context) == PAGE


def test_a_session_that_is_not_listed_costs_one_more_for_the_person(
    learner_client, begin, listed
):
    listed.delete()
    sitting = begin(learner_client)

    with CaptureQueriesContext(connection) as context:
        page = learner_client.get(f"/sittings/{sitting.public_id}/2/")

    assert page.status_code == 200
    assert asked(context) == [PAGE[0], "SELECT user", *PAGE[1:]]


def test_a_visitor_costs_one_more_statement_for_the_participant(client, begin, save):
    sitting = begin(client)
    option = first(sitting)

    with CaptureQueriesContext(connection) as saving:
        reply = save(client, sitting, 2, option, base=0)
    with CaptureQueriesContext(connection) as showing:
        page = client.get(f"/sittings/{sitting.public_id}/2/")

    assert (reply.status_code, page.status_code) == (200, 200)
    visitor = ["SELECT session", "SELECT participant"]
    assert asked(saving) == [*visitor, *SAVE[1:]]
    assert asked(showing) == [*visitor, *PAGE[1:]]


def test_behind_a_pooler_nothing_is_prepared(learner_client, begin, save, settings):
    settings.DATABASE_PREPARES = False
    sitting = begin(learner_client)
    option = first(sitting)

    with CaptureQueriesContext(connection) as context:
        reply = save(learner_client, sitting, 2, option, base=0)
        page = learner_client.get(f"/sittings/{sitting.public_id}/2/")

    assert (reply.status_code, page.status_code) == (200, 200)
    assert not [q for q in context.captured_queries if "EXECUTE" in q["sql"]]
    assert len(asked(context)) == len(SAVE) + len(PAGE)
