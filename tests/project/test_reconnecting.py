"""A database that was restarted between two requests is nobody's trouble."""

from __future__ import annotations

import pytest
from django.core.signals import request_started
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import tokens
from courseiva import reconnecting
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lose():
    """Let the database end the connection of this test, as a restart does."""

    def _lose():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            assert cursor.fetchone() == (True,)
        other.close()

    yield _lose
    # A server closes what is dead after the request; here it would stay for the next.
    connection.close()


def test_the_next_request_is_answered(client, lose):
    question = factories.make_published(factories.make_certification())
    lose()

    first = client.get(question.get_absolute_url())
    lose()
    second = client.get(question.get_absolute_url())

    assert (first.status_code, second.status_code) == (200, 200)


def test_a_form_sent_next_is_taken_once(learner_client, lose):
    question = factories.make_published(factories.make_certification())
    lose()

    flagged = learner_client.post(f"{question.get_absolute_url()}flag/")

    assert flagged.status_code in {200, 302}


def test_a_request_with_a_token_is_answered_though_its_look_up_was_prepared(
    client, learner, lose
):
    secret = tokens.make_token(
        user=learner, name="x", scopes=["me:read"], days=1, at=timezone.now()
    ).secret
    headers = {"authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/me", headers=headers).status_code == 200
    lose()

    known = client.get("/api/v1/me", headers=headers)
    connection.close()
    User.objects.exists()
    lose()
    first_on_its_connection = client.get("/api/v1/me", headers=headers)

    assert (known.status_code, first_on_its_connection.status_code) == (200, 200)


def test_what_is_lost_in_mid_request_is_told(lose):
    client = Client(raise_request_exception=False)
    factories.make_certification()

    def lose_then_go_on(**_):
        # The second statement of the request finds the connection dead.
        User.objects.exists()
        lose()

    request_started.connect(lose_then_go_on)
    try:
        response = client.get("/")
    finally:
        request_started.disconnect(lose_then_go_on)

    assert response.status_code == 503
    connection.close_if_unusable_or_obsolete()
    assert client.get("/").status_code == 200


def test_a_statement_in_a_transaction_is_not_sent_again(lose):
    lose()
    reconnecting._begin()

    with pytest.raises(OperationalError), transaction.atomic():
        User.objects.exists()


def test_a_statement_that_writes_is_not_sent_again(learner, lose):
    lose()
    reconnecting._begin()

    with pytest.raises(OperationalError):
        User.objects.filter(pk=learner.pk).update(display_name="Twice")

    connection.close()
    learner.refresh_from_db()
    assert learner.display_name == ""


def test_a_statement_that_took_too_long_is_not_sent_again():
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 50")
        reconnecting._begin()
        before = connection.connection
        with pytest.raises(OperationalError):
            cursor.execute("SELECT pg_sleep(5)")
        cursor.execute("RESET statement_timeout")

    assert connection.connection is before
