"""What belongs to somebody is not there for anybody else, at any address.

The addresses come from the map of the site, so those of later days fall under it.
"""

from __future__ import annotations

import json
import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts.models import ApiToken, PersonalExport
from accounts.services import tokens
from questions.exams.models import Enrolment, Sitting
from questions.exams.services import enrolling
from tests import factories

pytestmark = pytest.mark.django_db

NOT_THERE = {401, 403, 404, 405}
ELSEWHERE = ("admin/",)
"""The desk has roles, and tests of its own."""
OF_NOBODY = ("questions/", "api/v1/questions/", "accounts/confirm", "accounts/password")
"""What is public, and links that carry their own secret."""


def routes(resolver=None, prefix=""):
    for entry in (resolver or get_resolver()).url_patterns:
        here = prefix + str(entry.pattern)
        if here.startswith(ELSEWHERE):
            continue
        if isinstance(entry, URLResolver):
            yield from routes(entry, here)
        elif isinstance(entry, URLPattern):
            yield here, set(entry.pattern.converters)


@pytest.fixture
def owned(learner, learner_client):
    """Somebody's sitting, copy of personal data, and token."""
    certification = factories.make_certification()
    for number in range(6):
        factories.make_published(
            certification,
            factories.make_item(1500 + number),
            domain="1" if number < 4 else "2",
        )
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 5})
    export = PersonalExport.objects.create(
        user=learner, public_id=uuid.uuid4(), asked_at=timezone.now()
    )
    tokens.make_token(
        user=learner, name="x", scopes=["me:read"], days=1, at=timezone.now()
    )
    enrolment = enrolling.enrol(
        user=learner,
        certification=certification,
        exam_date=None,
        at=timezone.now(),
    )
    return {
        "accounts/profile/exams/": enrolment.pk,
        "sittings/": Sitting.objects.get().public_id,
        "api/v1/sittings/": Sitting.objects.get().public_id,
        "accounts/data/": export.public_id,
        "accounts/tokens/": ApiToken.objects.get().pk,
    }


def addresses(owned):
    """Yield every address that leads to something of the owner's."""
    for route, names in routes():
        if not names & {"public_id", "pk"} or route.startswith(OF_NOBODY):
            continue
        mine = [value for start, value in owned.items() if route.startswith(start)]
        if not mine:
            # Practice of before redirects to sittings, whoever asks.
            assert route.startswith("practice/sets/"), f"Say whose {route} is."
            continue
        address = route.replace("<int:position>", "1")
        for kind in ("uuid:public_id", "int:pk"):
            address = address.replace(f"<{kind}>", str(mine[0]))
        assert "<" not in address, address
        yield f"/{address}"


BODY = {"chosen": ["wait"], "save_id": str(uuid.UUID(int=9)), "base_version": 0}


@pytest.mark.parametrize("who", ["stranger", "another learner"])
def test_what_is_somebodys_is_not_there_for_anybody_else(
    owned, other_learner, who, client
):
    if who == "another learner":
        client.force_login(other_learner)
    walked = 0
    for address in addresses(owned):
        walked += 1
        for method in ("GET", "POST", "PUT", "DELETE"):
            reply = client.generic(
                method,
                address,
                json.dumps(BODY),
                content_type="application/json",
            )
            to_sign_in = reply.headers.get("Location", "").startswith("/accounts/login")
            assert reply.status_code in NOT_THERE or to_sign_in, (
                method,
                address,
                reply.status_code,
            )
    assert walked > 25
    assert Sitting.objects.get().status == "running"
    assert ApiToken.objects.get().revoked_at is None
    assert Enrolment.objects.exists()


def test_the_owner_finds_all_of_it(owned, learner_client):
    found = [
        address
        for address in addresses(owned)
        if learner_client.get(address).status_code in {200, 302, 409}
    ]

    assert len(found) > 12


def test_a_session_of_before_signing_in_is_not_kept(client: Client, learner):
    client.get("/accounts/login/")
    client.post("/practice/nope/", {})
    before = client.cookies.get("sessionid")

    client.post(
        "/accounts/login/", {"login": learner.email, "password": "a-long-password"}
    )

    after = client.cookies.get("sessionid")
    assert before is None or after is None or before.value != after.value
