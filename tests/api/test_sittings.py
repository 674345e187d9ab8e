"""Sittings over the API: the services of the pages, and nothing the pages refuse."""

from __future__ import annotations

import uuid

import pytest

from questions.exams.models import ScoreReport, Sitting
from tests import factories

pytestmark = pytest.mark.django_db
MOCK = {"certification": "tst", "mode": "mock", "length": 6}


@pytest.fixture
def bank():
    certification = factories.make_certification()
    for number in range(7):
        factories.make_published(certification, factories.make_item(300 + number))
    for number in range(5):
        factories.make_published(
            certification, factories.make_item(320 + number), domain="2"
        )
    return certification


def save_body(version=0, *chosen, **more):
    return {
        "save_id": str(uuid.uuid4()),
        "base_version": version,
        "chosen": list(chosen),
        **more,
    }


def test_a_whole_mock_exam_by_a_program(caller, bank):
    begun = caller.post("/sittings", MOCK)
    sitting = begun.json()
    path = f"/sittings/{sitting['id']}"
    for item in caller.get(f"{path}/items").json():
        saved = caller.put(
            f"{path}/items/{item['position']}/response", save_body(0, "measure")
        )
        assert saved.json()["version"] == 1
    submitted = caller.post(f"{path}/submit")
    report = caller.get(f"{path}/report").json()
    review = caller.get(f"{path}/items/1/review").json()

    assert begun.status_code == 201
    assert sitting["milliseconds_left"] == 12 * 60 * 1000
    assert submitted.json()["phase"] == "finished"
    assert (report["right"], report["questions"], report["passed"]) == (6, 6, True)
    assert (review["verdict"], review["keys"]) == ("right", ["measure"])
    listed = caller.get("/sittings").json()["results"]
    assert [row["id"] for row in listed] == [sitting["id"]]


def test_keys_wait_for_the_end(caller, bank):
    sitting = caller.post("/sittings", MOCK).json()
    path = f"/sittings/{sitting['id']}"

    for address in (f"{path}/report", f"{path}/items/1/review"):
        assert caller.get(address).status_code == 409
    items = caller.get(f"{path}/items").content.decode()
    assert "rationale" not in items
    item = Sitting.objects.get().items.select_related("question").first()
    public_id = item.question.public_id
    answer = caller.post(f"/questions/{public_id}/answer", {"chosen": ["measure"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "withheld")


def test_a_second_start_returns_the_running_exam(caller, bank):
    first = caller.post("/sittings", MOCK)
    again = caller.post("/sittings", {**MOCK, "length": 8})

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]


def test_an_idempotency_key_begins_once(caller, bank):
    practice = {"certification": "tst", "mode": "practice", "length": 2}
    first = caller.post("/sittings", practice, idempotency_key="one")
    again = caller.post("/sittings", practice, idempotency_key="one")
    other = caller.post("/sittings", {**practice, "length": 3}, idempotency_key="one")

    assert first.json() == again.json()
    assert Sitting.objects.count() == 1
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_a_failure_under_a_key_can_be_tried_again(caller, bank, settings):
    settings.MOCKS_PER_DAY = 1
    done = caller.post("/sittings", MOCK).json()
    caller.post(f"/sittings/{done['id']}/submit")
    refused = caller.post("/sittings", MOCK, idempotency_key="two")
    settings.MOCKS_PER_DAY = 2

    assert refused.status_code == 409
    assert caller.post("/sittings", MOCK, idempotency_key="two").status_code == 201


def test_a_program_without_an_account_is_told_a_secret_once(stranger, bank):
    first = stranger.post("/sittings", MOCK, idempotency_key="k").json()
    replay = stranger.post("/sittings", MOCK, idempotency_key="k").json()
    path = f"/sittings/{first['id']}"
    holder = type(stranger)(sitting=first["token"])
    guesser = type(stranger)(sitting="cv_nonsense")

    assert "token" not in replay
    assert replay["id"] == first["id"]
    assert holder.get(path).json()["phase"] == "running"
    assert (
        holder.put(f"{path}/items/1/response", save_body(0, "wait")).status_code == 200
    )
    for who in (stranger, guesser):
        assert who.get(path).status_code == 404
        assert who.get(f"{path}/items").status_code == 404
        saved = who.put(f"{path}/items/1/response", save_body(1, "ask"))
        assert saved.status_code == 404
        assert who.post(f"{path}/submit").status_code == 404
    assert first["token"] not in str(Sitting.objects.values())


def test_saves_follow_the_rules_of_the_pages(caller, bank):
    sitting = caller.post("/sittings", MOCK).json()
    path = f"/sittings/{sitting['id']}/items/1/response"
    body = save_body(0, "wait", note="Hm", is_flagged=True, struck=["ask"])

    first, again = caller.put(path, body), caller.put(path, body)
    stale = caller.put(path, save_body(0, "ask"))
    many = caller.put(path, save_body(1, "wait", "ask"))
    foreign = caller.put(path, save_body(1, "nonsense"))

    assert first.json() == again.json() | {
        "milliseconds_left": first.json()["milliseconds_left"]
    }
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert stale.json()["stored"]["chosen"] == ["wait"]
    assert (many.status_code, many.json()["code"]) == (422, "too_many")
    assert (foreign.status_code, foreign.json()["code"]) == (422, "unknown_option")
    item = caller.get(f"/sittings/{sitting['id']}/items/1").json()
    assert (item["chosen"], item["note"], item["is_flagged"]) == (["wait"], "Hm", True)
    missing = caller.put(f"/sittings/{sitting['id']}/items/9/response", save_body())
    assert missing.status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"save_id": "x", "base_version": 0, "chosen": []},
        {"save_id": str(uuid.uuid4()), "base_version": -1, "chosen": []},
        {"save_id": str(uuid.uuid4()), "base_version": 10**30, "chosen": []},
        {"save_id": str(uuid.uuid4()), "base_version": 0, "chosen": "wait"},
        {"save_id": str(uuid.uuid4()), "base_version": 0, "chosen": [None]},
        {
            "save_id": str(uuid.uuid4()),
            "base_version": 0,
            "chosen": [],
            "note": "x" * 3000,
        },
        [],
        None,
    ],
)
def test_a_save_that_is_none_is_told_why(caller, bank, body):
    sitting = caller.post("/sittings", MOCK).json()

    reply = caller.put(f"/sittings/{sitting['id']}/items/1/response", body)

    assert reply.status_code in {400, 422}
    assert reply.json()["detail"]


def test_practice_is_checked_at_once_and_the_first_answer_stands(caller, bank):
    body = {"certification": "tst", "mode": "practice", "length": 2, "domains": ["2"]}
    sitting = caller.post("/sittings", body).json()
    path = f"/sittings/{sitting['id']}"

    first = caller.post(f"{path}/items/1/answer", {"chosen": ["wait"]}).json()
    again = caller.post(f"{path}/items/1/answer", {"chosen": ["measure"]}).json()
    caller.post(f"{path}/items/2/answer", {})

    assert first["verdict"] == again["verdict"] == "wrong"
    assert caller.get(path).json()["phase"] == "finished"
    report = ScoreReport.objects.get().document
    assert (report["right"], report["shown"]) == (0, 1)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"length": 0}, "length"),
        ({"length": 4}, "length"),
        ({"length": 10**9}, "length"),
        ({"length": "ten"}, "length"),
        ({"mode": "exam"}, "mode"),
        ({"certification": "a b"}, "certification"),
        ({"exam": "nonsense"}, "exam"),
        ({"mode": "practice", "domains": ["9"]}, "domains"),
        ({"mode": "practice", "length": 51}, "length"),
    ],
)
def test_a_sitting_that_cannot_be_is_told_which_field(caller, bank, changes, name):
    reply = caller.post("/sittings", {**MOCK, **changes})

    assert reply.status_code == 422
    assert name in {field["name"] for field in reply.json()["fields"]}
    assert not Sitting.objects.exists()


def test_too_few_questions_are_told_with_what_is_possible(caller, bank):
    reply = caller.post("/sittings", {"certification": "tst", "mode": "mock"})

    assert (reply.status_code, reply.json()["code"]) == (409, "too_few_questions")
    assert reply.json()["longest"] == 12


def test_another_persons_sitting_is_not_there(caller, other_learner, token_of, bank):
    sitting = caller.post("/sittings", MOCK).json()
    other = type(caller)(token_of(other_learner))
    path = f"/sittings/{sitting['id']}"

    for address in ("", "/items", "/items/1", "/items/1/review", "/report"):
        assert other.get(path + address).status_code == 404, address
    for address in ("/submit", "/items/1/answer", "/items/1/leave"):
        assert other.post(path + address).status_code == 404, address
    assert other.put(f"{path}/items/1/response", save_body()).status_code == 404
    assert other.get("/sittings").json()["results"] == []


def test_an_answer_saved_in_practice_counts_though_it_was_never_checked(caller, bank):
    sitting = caller.post(
        "/sittings", {"certification": "tst", "mode": "practice", "length": 5}
    ).json()
    path = f"/sittings/{sitting['id']}"
    caller.put(f"{path}/items/1/response", save_body(0, "measure"))
    caller.put(f"{path}/items/2/response", save_body(0, "wait"))
    caller.post(f"{path}/items/3/answer", {"chosen": ["measure"]})

    caller.post(f"{path}/submit")
    report = caller.get(f"{path}/report").json()

    assert (report["right"], report["wrong"], report["unanswered"]) == (2, 1, 2)
    assert [bool(line["keys"]) for line in report["items"]] == [True] * 3 + [False] * 2
    assert caller.get(f"{path}/items/2/review").json()["keys"] == ["measure"]
    assert caller.get(f"{path}/items/4/review").status_code == 409


def test_a_secret_that_was_made_up_is_no_secret(stranger, bank):
    made_up = type(stranger)(sitting="a")

    first = made_up.post("/sittings", MOCK).json()
    second = type(stranger)(sitting="a").post("/sittings", MOCK)

    assert first["token"].startswith("cv_")
    assert made_up.get(f"/sittings/{first['id']}").status_code == 404
    assert second.status_code == 201
    assert second.json()["id"] != first["id"]


def test_a_visitors_browser_gets_no_key_of_its_exam_by_the_api(client, stranger, bank):
    client.post("/mocks/tst/rules/", {"exam": "own", "length": "6"})
    item = Sitting.objects.get().items.select_related("question")[0]
    stranger.client = client

    answer = stranger.post(f"/questions/{item.question.public_id}/answer")

    assert (answer.status_code, answer.json()["code"]) == (409, "withheld")
