"""Practice of questions chosen for a person, over the API."""

from __future__ import annotations

import pytest

from questions.exams.models import Sitting
from tests import factories

pytestmark = pytest.mark.django_db
BODY = {"certification": "tst", "length": 3}


@pytest.fixture
def bank():
    certification = factories.make_certification()
    for number in range(4):
        factories.make_published(
            certification,
            factories.make_item(3_200 + number),
            domain="1" if number < 2 else "2",
        )


def test_it_begins_and_each_question_says_why(caller, learner, bank):
    begun = caller.post("/me/practice", BODY)

    sitting = Sitting.objects.get()
    items = caller.get(f"/sittings/{begun.json()['id']}/items").json()
    assert begun.status_code == 201
    assert begun.json()["mode"] == "practice"
    assert sitting.participant.user == learner
    assert len(items) == 3
    assert all(item["reason"].startswith("Little is known of you") for item in items)


def test_a_sitting_of_ones_own_choice_gives_no_reasons(caller, bank):
    begun = caller.post("/sittings", {**BODY, "mode": "practice"})

    items = caller.get(f"/sittings/{begun.json()['id']}/items").json()
    assert {item["reason"] for item in items} == {""}


def test_when_all_was_seen_it_says_so(caller, bank):
    caller.post("/me/practice", {"certification": "tst"})

    reply = caller.post("/me/practice", BODY)

    assert reply.status_code == 409
    assert reply.json()["code"] == "nothing_unseen"
    assert Sitting.objects.get().items.count() == 4


def test_the_same_key_begins_once(caller, bank):
    first = caller.post("/me/practice", BODY, idempotency_key="one")
    again = caller.post("/me/practice", BODY, idempotency_key="one")
    other = caller.post("/me/practice", {**BODY, "length": 1}, idempotency_key="one")

    assert first.json() == again.json()
    assert other.json()["code"] == "key_reused"
    assert Sitting.objects.count() == 1


def test_it_needs_a_person_and_the_scope(stranger, learner, token_of, bank):
    reader = type(stranger)(token_of(learner, "analytics:read"))

    assert stranger.post("/me/practice", BODY).status_code == 401
    assert reader.post("/me/practice", BODY).json()["scope"] == "sittings:write"
    assert not Sitting.objects.exists()


@pytest.mark.parametrize("length", [0, 51, "many"])
def test_a_length_that_is_none_is_told(caller, bank, length):
    reply = caller.post("/me/practice", {**BODY, "length": length})

    assert reply.status_code == 422
    assert reply.json()["fields"][0]["name"] == "length"


def test_an_unknown_exam_is_not_found(caller):
    reply = caller.post("/me/practice", {"certification": "none"})

    assert reply.status_code == 404
