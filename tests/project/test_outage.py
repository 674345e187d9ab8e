"""What still works while a server is away, and what is said of the rest."""

import logging

import pytest
from django.contrib.auth import SESSION_KEY
from django.db import OperationalError
from django.test import Client

from questions import selectors
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


@pytest.mark.parametrize("path", ["login", "signup", "password/reset"])
def test_what_is_limited_says_that_it_is_not_available(
    no_valkey, learner, path, caplog
):
    client = Client(raise_request_exception=False)
    form = {
        "login": learner.email,
        "email": "new@example.org",
        "password": "a-long-password",
        "password1": "a-longer-password",
    }

    response = client.post(f"/accounts/{path}/", form)

    assert response.status_code == 503
    assert "not available just now" in response.content.decode()
    assert response.headers["Retry-After"] == "30"
    assert SESSION_KEY not in client.session
    assert any(record.exc_info for record in caplog.records)


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
