"""What still works while a server is away, and what is said of the rest."""

import logging

import psycopg2
import pytest
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from accounts.services import tokens
from questions import selectors
from questions.api.views import Vendors
from questions.selectors import serving
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def no_valkey(settings):
    usual = settings.CACHES["default"]
    settings.CACHES = {"default": {**usual, "LOCATION": "redis://127.0.0.1:1/0"}}


def test_reading_answering_and_searching_go_on_without_valkey(no_valkey, client):
    question = factories.make_published(factories.make_certification())
    address = question.get_absolute_url()
    answer = {"revision": question.published_revision_id, "answer": "measure"}

    for path in ("/", address, "/search/?q=story", "/practice/tst/"):
        assert client.get(path).status_code == 200
    assert client.post(address, answer).status_code == 200


def test_signing_in_goes_on_without_valkey_and_so_do_its_limits(no_valkey, learner):
    form = {"login": learner.email, "password": "a wrong password"}
    stranger, owner = Client(REMOTE_ADDR="192.0.2.1"), Client()

    for _ in range(5):
        stranger.post("/accounts/login/", form)
    form["password"] = "a-long-password"
    stranger.post("/accounts/login/", form)
    owner.post("/accounts/login/", form)

    assert SESSION_KEY not in stranger.session
    assert SESSION_KEY in owner.session


@pytest.mark.parametrize("path", ["signup", "password/reset"])
def test_accounts_are_made_and_reset_without_valkey(no_valkey, client, path):
    form = {"email": "new@example.org", "password1": "a-longer-password"}

    response = client.post(f"/accounts/{path}/", form)

    assert response.status_code == 302
    assert mail.outbox


def test_a_server_that_is_away_is_told_apart_from_a_fault_to_visitors(
    no_valkey, monkeypatch, caplog
):
    caplog.set_level(logging.CRITICAL)

    def ask(**_):
        return cache.get("fragment")

    monkeypatch.setattr(selectors, "question_of_the_day", ask)
    response = Client(raise_request_exception=False).get("/")

    assert response.status_code == 503
    assert "not available just now" in response.content.decode()
    assert response.headers["Retry-After"] == "30"


def test_a_database_that_is_away_is_told_apart_from_a_fault(monkeypatch, caplog):
    client = Client(raise_request_exception=False)
    caplog.set_level(logging.CRITICAL)

    def fail(error):
        def raising(**_):
            raise error

        monkeypatch.setattr(selectors, "question_of_the_day", raising)
        return client.get("/").status_code

    assert fail(OperationalError("the connection is gone")) == 503
    assert fail(ValueError("a fault of ours")) == 500


@pytest.mark.parametrize("path", ["/", "/api/v1/vendors"])
@pytest.mark.parametrize(
    ("kind", "status"), [(psycopg2.DatabaseError, 503), (psycopg2.DataError, 500)]
)
def test_a_database_that_dies_in_the_middle_of_a_statement_is_away(
    monkeypatch, caplog, path, kind, status
):
    caplog.set_level(logging.CRITICAL)

    def ask(*_, **__):
        with connection.wrap_database_errors:
            message = "server closed the connection unexpectedly"
            raise kind(message)

    monkeypatch.setattr(selectors, "question_of_the_day", ask)
    monkeypatch.setattr(Vendors, "get", ask)
    response = Client(raise_request_exception=False).get(path)

    assert response.status_code == status
    assert response.headers.get("Retry-After", "") == ("30" if status == 503 else "")


@pytest.mark.parametrize(
    ("kind", "status"), [(psycopg2.DatabaseError, 503), (psycopg2.DataError, 500)]
)
def test_programs_are_told_so_in_their_shape_where_one_question_is_asked_for(
    monkeypatch, caplog, learner, kind, status
):
    caplog.set_level(logging.CRITICAL)
    secret = tokens.make_token(
        user=learner, name="x", scopes=["questions:read"], days=1, at=timezone.now()
    ).secret

    def ask(*_, **__):
        with connection.wrap_database_errors:
            message = "server closed the connection unexpectedly"
            raise kind(message)

    monkeypatch.setattr(serving, "question_by_token", ask)
    monkeypatch.setattr(serving, "question_for", ask)
    response = Client(raise_request_exception=False).get(
        "/api/v1/questions/abcdefgh2345", headers={"authorization": f"Bearer {secret}"}
    )

    assert response.status_code == status
    if status == 503:
        assert response.json()["code"] == "not_available"
