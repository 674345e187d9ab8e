"""Are database, broker and migrations fine?"""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_all_is_fine_when_everything_answers(client: Client):
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "broker": "ok",
        "migrations": "ok",
    }


def test_a_broker_that_is_gone_is_named_and_no_address_is_told(
    client: Client, settings, caplog
):
    settings.REDIS_URL = "redis://user:secret-word@127.0.0.1:1/0"

    response = client.get("/healthz")

    assert response.status_code == 503
    assert response.json()["broker"] == "failing"
    assert response.json()["database"] == "ok"
    assert b"secret-word" not in response.content
    assert "secret-word" not in caplog.text


def test_health_is_not_kept_by_caches(client: Client):
    assert "no-store" in client.get("/healthz")["Cache-Control"]
