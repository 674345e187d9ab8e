"""Questions over the API: served without keys, listed without gaps, answered."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from questions.domain import items
from questions.exams.models import KeyContact, Sitting
from questions.models import Question
from questions.selectors import serving
from tests import factories

pytestmark = pytest.mark.django_db
SECRETS = ("TRAPMARK", "WHYMARK", "EXPLAINMARK")


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def question(certification):
    return factories.make_published(
        certification,
        factories.make_item(
            970,
            options=(
                factories.option("wait", rationale="WHYMARK, in this case."),
                factories.option(
                    "measure", is_key=True, rationale="WHYMARK, in this case."
                ),
                factories.option("ask", rationale="WHYMARK, in this case."),
            ),
            trap="TRAPMARK lies here.",
            explanation="EXPLAINMARK by {{option:measure}}.",
        ),
        slug="marked",
    )


def test_a_question_is_served_without_its_key(stranger, caller, question):
    for who in (stranger, caller):
        reply = who.get(f"/questions/{question.public_id}")

        body = reply.content.decode()
        assert reply.status_code == 200
        assert reply.json()["title"] == question.published_revision.title
        assert [o["key"] for o in reply.json()["options"]] == ["wait", "measure", "ask"]
        assert not any(secret in body for secret in SECRETS)
        assert "keys" not in body


def test_what_a_client_has_is_not_sent_again(stranger, question):
    first = stranger.get(f"/questions/{question.public_id}")

    again = stranger.get(
        f"/questions/{question.public_id}", if_none_match=first.headers["ETag"]
    )
    Question.objects.update(exposure=items.Exposure.MEMBERS)
    gone = stranger.get(
        f"/questions/{question.public_id}", if_none_match=first.headers["ETag"]
    )

    assert again.status_code == 304
    assert again.content == b""
    assert gone.status_code == 404


def test_an_answer_gets_its_verdict_and_every_reason(stranger, question):
    right = stranger.post(
        f"/questions/{question.public_id}/answer", {"chosen": ["measure"]}
    )
    wrong = stranger.post(
        f"/questions/{question.public_id}/answer", {"chosen": ["wait"]}
    )
    shown = stranger.post(f"/questions/{question.public_id}/answer", {})

    assert [r.json()["verdict"] for r in (right, wrong, shown)] == [
        "right",
        "wrong",
        "shown",
    ]
    assert right.json()["keys"] == ["measure"]
    assert all(secret in right.content.decode() for secret in SECRETS)
    assert not Sitting.objects.exists()


def test_an_answer_with_a_token_is_practice_of_its_person(caller, learner, question):
    caller.post(f"/questions/{question.public_id}/answer", {"chosen": ["wait"]})

    contact = KeyContact.objects.get()
    assert contact.participant.user == learner
    assert contact.verdict == "wrong"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"chosen": []}, "nothing_chosen"),
        ({"chosen": ["wait", "ask"]}, "too_many"),
        ({"chosen": ["nonsense"]}, "unknown_option"),
        ({"chosen": "wait"}, "invalid"),
        ({"chosen": [["wait"]]}, "invalid"),
        ({"chosen": ["wait"], "seconds": -1}, "invalid"),
        ([1, 2], "invalid"),
    ],
)
def test_an_answer_that_is_none_is_told_why(stranger, question, body, code):
    reply = stranger.post(f"/questions/{question.public_id}/answer", body)

    assert reply.status_code == 422
    assert reply.json()["code"] == code
    assert reply.headers["Content-Type"] == "application/problem+json"


def test_members_and_mock_only_questions_are_not_there_for_strangers(
    stranger, caller, certification
):
    members = factories.make_published(
        certification, factories.make_item(971), exposure=items.Exposure.MEMBERS
    )
    kept = factories.make_published(
        certification, factories.make_item(972), exposure=items.Exposure.MOCK_ONLY
    )

    assert stranger.get(f"/questions/{members.public_id}").status_code == 404
    assert caller.get(f"/questions/{members.public_id}").status_code == 200
    for who in (stranger, caller):
        assert who.get(f"/questions/{kept.public_id}").status_code == 404
        answer = who.post(f"/questions/{kept.public_id}/answer", {"chosen": ["wait"]})
        assert answer.status_code == 404
        listed = who.get("/questions").content.decode()
        assert kept.public_id not in listed
        exported = b"".join(who.get("/questions/export").streaming_content).decode()
        assert kept.public_id not in exported


def test_keys_are_read_by_who_may_edit_them(
    author, other_author, editor, learner, token_of, stranger, certification
):
    own = factories.make_published(
        certification, factories.make_item(973), author=factories.make_profile("own")
    )
    own.author.user = author
    own.author.save()
    caller_of = type(stranger)
    path = f"/questions/{own.public_id}/key"

    assert caller_of(token_of(author)).get(path).json()["keys"] == ["measure"]
    assert caller_of(token_of(editor)).get(path).status_code == 200
    assert caller_of(token_of(other_author)).get(path).status_code == 404
    assert caller_of(token_of(learner)).get(path).status_code == 404
    assert stranger.get(path).status_code == 401
    without = caller_of(token_of(editor, "questions:read")).get(path)
    assert (without.status_code, without.json()["code"]) == (403, "missing_scope")
    Question.objects.update(exposure=items.Exposure.MOCK_ONLY)
    assert caller_of(token_of(editor)).get(path).status_code == 404


def test_lists_are_narrowed_and_ordered(caller, certification):
    for number in range(3):
        factories.make_published(certification, factories.make_item(980 + number))
    factories.make_published(
        certification,
        factories.make_choose_two(985, difficulty=items.Difficulty.HARD),
        domain="2",
    )

    def count(query):
        return len(caller.get(f"/questions?{query}").json()["results"])

    assert count("") == 4
    assert count("domain=2&blueprint=2") == 1
    assert count("objective=1.1") == 3
    assert count("kind=multiple") == 1
    assert count("difficulty=hard") == 1
    assert count("certification=nope") == 0
    assert count("changed_since=2030-01-01T00:00:00Z") == 0
    assert count("search=model981") == 1
    titles = [
        row["title"]
        for row in caller.get("/questions?ordering=title").json()["results"]
    ]
    assert titles == sorted(titles)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("ordering=nonsense", "ordering"),
        ("page_size=0", "page_size"),
        ("page_size=1000000", "page_size"),
        ("page_size=%C2%B2", "page_size"),
        ("cursor=nonsense", "cursor"),
        ("kind=essay", "kind"),
        ("changed_since=yesterday", "changed_since"),
        ("search=" + "x" * 300, "search"),
    ],
)
def test_a_list_that_cannot_be_is_told_which_field(caller, certification, query, name):
    reply = caller.get(f"/questions?{query}")

    assert reply.status_code == 422
    assert [field["name"] for field in reply.json()["fields"]] == [name]


@pytest.mark.parametrize("ordering", ["created", "-created", "title", "changed", ""])
def test_case_15_walking_through_the_pages(caller, certification, ordering):
    questions = [
        factories.make_published(certification, factories.make_item(1000 + number))
        for number in range(23)
    ]
    # As imported in one go: one moment, and half of them with one title.
    Question.objects.update(created_at=factories.NOW, changed_at=factories.NOW)
    query = f"ordering={ordering}" if ordering else "search=consider"

    found, address = [], f"/questions?{query}&page_size=5"
    while address:
        page = caller.get(address).json()
        found += [row["id"] for row in page["results"]]
        address = page["next"]
        if len(found) == 10:
            questions.append(
                factories.make_published(certification, factories.make_item(1100))
            )

    assert len(found) == len(set(found))
    assert {q.public_id for q in questions[:-1]} <= set(found)


def test_the_export_is_read_in_portions_that_neither_skip_nor_repeat(
    caller, certification, monkeypatch
):
    monkeypatch.setattr(serving, "EXPORTED_AT_ONCE", 2)
    there = [
        factories.make_published(certification, factories.make_item(500 + n))
        for n in range(5)
    ]

    with CaptureQueriesContext(connection) as context:
        portions = iter(caller.get("/questions/export").streaming_content)
        text = next(portions).decode()
        added = factories.make_published(certification, factories.make_item(600))
        text += b"".join(portions).decode()

    told = [json.loads(line)["question"]["id"] for line in text.splitlines()]
    assert told == [each.public_id for each in (*there, added)]
    # A cursor would be another connection's behind a pooler.
    assert not [q for q in context.captured_queries if "DECLARE" in q["sql"]]


def test_the_export_goes_on_where_it_stopped(caller, certification):
    for number in range(7):
        factories.make_published(certification, factories.make_item(1200 + number))

    whole = b"".join(caller.get("/questions/export").streaming_content).decode()
    lines = [json.loads(line) for line in whole.splitlines()]
    rest = b"".join(
        caller.get(f"/questions/export?cursor={lines[3]['cursor']}").streaming_content
    ).decode()

    assert len(lines) == 7
    assert rest.splitlines() == whole.splitlines()[4:]
    assert caller.get("/questions/export?cursor=x").status_code == 422


def test_the_catalogue_tells_vendors_and_guides(stranger, certification):
    assert stranger.get("/vendors").json() == [{"slug": "maker", "name": "Maker"}]
    found = stranger.get("/certifications").json()
    assert [each["blueprints"] for each in found] == [["1", "2"]]
    blueprint = stranger.get("/certifications/tst/blueprints/2").json()
    assert [domain["weight"] for domain in blueprint["domains"]] == [60, 41]
    assert stranger.get("/certifications/nope").status_code == 404
    assert stranger.get("/certifications/tst/blueprints/9").status_code == 404


@pytest.mark.parametrize("search", ["%F0%9F%98%80", ":*%7C!()%3C-%3E", "%20.%20"])
def test_a_search_without_a_word_finds_nothing(stranger, question, search):
    reply = stranger.get(f"/questions?search={search}")

    assert (reply.status_code, reply.json()) == (200, {"next": None, "results": []})
