"""Tokens, scopes, limits, and the one shape of every refusal."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from accounts.models import ApiToken
from accounts.services import tokens
from courseiva.limits import Limit
from tests import factories

pytestmark = pytest.mark.django_db
SNAPSHOT = Path(__file__).parent.parent / "data" / "openapi.yaml"


@pytest.fixture(autouse=True)
def _limits_ask_again(monkeypatch):
    monkeypatch.setattr(Limit, "asks_again_at", 0.0)


def is_problem(reply, status, code):
    body = reply.json()
    return (
        reply.status_code == status == body["status"]
        and body["code"] == code
        and reply.headers["Content-Type"] == "application/problem+json"
        and body["detail"]
    )


def test_a_token_is_made_shown_once_and_revoked(learner_client, learner, stranger):
    page = learner_client.post(
        "/accounts/tokens/",
        {"name": "Notebook", "scopes": ["me:read"], "days": "30"},
    ).content.decode()
    secret = re.findall(r"cv_[\w-]+", page)[0]
    program = type(stranger)(secret)

    assert program.get("/me").json()["email"] == learner.email
    assert secret not in learner_client.get("/accounts/tokens/").content.decode()
    token = ApiToken.objects.get()
    assert secret not in str(ApiToken.objects.values())
    assert token.used_at is not None
    learner_client.post(f"/accounts/tokens/{token.pk}/revoke/")
    assert is_problem(program.get("/me"), 401, "invalid_token")


@pytest.mark.parametrize(
    "fields", [{"name": "", "scopes": ["me:read"]}, {"name": "x"}, {"scopes": ["all"]}]
)
def test_a_token_needs_a_name_and_a_scope(learner_client, fields):
    reply = learner_client.post("/accounts/tokens/", fields)

    assert reply.status_code == 422
    assert not ApiToken.objects.exists()


def test_another_persons_token_is_not_there(learner, other_learner_client, token_of):
    token_of(learner)

    pk = ApiToken.objects.get().pk
    reply = other_learner_client.post(f"/accounts/tokens/{pk}/revoke/")

    assert reply.status_code == 404
    assert ApiToken.objects.get().revoked_at is None


def test_a_token_ends(learner, stranger):
    now = timezone.now()
    secret = tokens.make_token(
        user=learner, name="x", scopes=["me:read"], days=1, at=now
    ).secret
    program = type(stranger)(secret)

    assert program.get("/me").status_code == 200
    with time_machine.travel(now + datetime.timedelta(days=1, seconds=1)):
        assert program.get("/me").status_code == 401
    learner.is_active = False
    learner.save()
    assert program.get("/me").status_code == 401


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer cv_x", "Bearer " + "x" * 5000, "Bearer cv_é"],
)
def test_a_token_that_is_none_is_refused(stranger, header):
    reply = stranger.get("/certifications", authorization=header)

    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_scope_that_is_missing_is_named(learner, token_of, stranger):
    program = type(stranger)(token_of(learner, "questions:read"))

    reply = program.get("/sittings")

    assert is_problem(reply, 403, "missing_scope")
    assert reply.json()["scope"] == "sittings:read"


def test_every_refusal_has_one_shape(stranger, caller):
    assert is_problem(stranger.get("/nonsense"), 404, "not_found")
    assert is_problem(stranger.get("/me"), 401, "not_authenticated")
    assert is_problem(caller.call("DELETE", "/me"), 405, "method_not_allowed")
    assert is_problem(caller.get("/me", accept="text/html"), 406, "not_acceptable")
    broken = caller.client.generic(
        "POST",
        "/api/v1/sittings",
        b"{nonsense",
        content_type="application/json",
        headers=caller.headers,
    )
    assert is_problem(broken, 400, "malformed")
    form = caller.client.post(
        "/api/v1/sittings", {"mode": "mock"}, headers=caller.headers
    )
    assert is_problem(form, 415, "unsupported_media_type")


def test_a_limit_is_told_and_kept(stranger, caller, settings):
    settings.API_ADDRESS_RATE = 2
    replies = [stranger.get("/vendors") for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert '"minute";r=1' in replies[0].headers["RateLimit"]
    assert int(replies[2].headers["Retry-After"]) <= 61
    assert is_problem(replies[2], 429, "too_many_requests")
    assert caller.get("/vendors").status_code == 200


def test_a_session_may_ask_too_and_needs_its_token_for_changes(learner):
    from django.test import Client  # noqa: PLC0415

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(learner)

    assert strict.get("/api/v1/me").json()["scopes"] is None
    changed = strict.patch(
        "/api/v1/me", '{"display_name": "Ana"}', content_type="application/json"
    )
    assert changed.status_code == 403


def test_a_profile_changes_by_its_named_field_only(caller, learner):
    body = {"display_name": "Ana", "time_allowance": "4.00", "is_staff": True}

    reply = caller.call("PATCH", "/me", body)

    learner.refresh_from_db()
    assert reply.json()["display_name"] == "Ana"
    assert not learner.is_staff
    assert learner.time_allowance == 1


def test_what_a_person_prepares_for_is_noted_changed_and_told(caller, stranger):
    factories.make_certification()
    path = "/me/enrolments/tst"

    caller.put(path, {"exam_date": None})
    dated = caller.put(path, {"exam_date": "2027-02-01"})
    told = caller.put(
        f"{path}/result",
        {"result": "passed", "score": 812, "exam_date": "2026-11-02"},
    )

    assert dated.json()["exam_date"] == "2027-02-01"
    assert told.json()["result"] == "passed"
    assert len(caller.get("/me/enrolments").json()) == 1
    assert caller.call("DELETE", path).status_code == 404
    caller.put(path, {"exam_date": None})
    assert caller.call("DELETE", path).status_code == 204
    assert stranger.get("/me/enrolments").status_code == 401
    assert caller.put("/me/enrolments/nope", {"exam_date": None}).status_code == 404
    assert caller.put(path, {"exam_date": "soon"}).status_code == 422


@pytest.mark.parametrize("route", ["", "/result"])
@pytest.mark.parametrize("day", ["0001-01-01", "1999-12-31", "9999-12-31"])
def test_no_exam_is_on_a_day_that_it_can_not_have(caller, route, day):
    factories.make_certification()
    path = "/me/enrolments/tst"
    caller.put(path, {"exam_date": None})

    reply = caller.put(f"{path}{route}", {"result": "failed", "exam_date": day})

    assert reply.status_code == 422
    assert reply.json()["fields"][0]["name"] == "exam_date"
    (kept,) = caller.get("/me/enrolments").json()
    assert (kept["result"], kept["exam_date"]) == (None, None)


def test_no_result_is_told_of_an_exam_to_come(caller):
    factories.make_certification()
    path = "/me/enrolments/tst"
    day = (timezone.now() + datetime.timedelta(days=2)).date().isoformat()
    caller.put(path, {"exam_date": day})

    reply = caller.put(f"{path}/result", {"result": "passed", "exam_date": day})

    assert reply.status_code == 422
    assert "has not come yet" in reply.json()["fields"][0]["detail"]


def test_the_schema_is_the_one_that_was_agreed(tmp_path):
    written = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(written))

    assert written.read_text(encoding="utf-8") == SNAPSHOT.read_text(
        encoding="utf-8"
    ), (
        "The API changed. If it was meant to, and breaks no client, write it anew: "
        "manage.py spectacular --file tests/data/openapi.yaml"
    )


def test_the_documentation_is_served_from_here(client):
    page = client.get("/api/v1/docs/")

    html = page.content.decode()
    assert page.status_code == 200
    assert not re.search(r'(?:src|href)="https?://', html)
    assert (
        "'unsafe-inline'"
        not in page.headers["Content-Security-Policy"]
        .partition("script-src")[2]
        .partition(";")[0]
    )


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000])
def test_a_body_nested_without_end_is_malformed(caller, body):
    reply = caller.client.generic(
        "PATCH",
        "/api/v1/me",
        body,
        content_type="application/json",
        headers=caller.headers,
    )

    assert is_problem(reply, 400, "malformed")
