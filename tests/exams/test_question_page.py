"""The page of one question: what it shows, to whom, and when."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.domain import items
from questions.exams.models import KeyContact
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db

MARKERS = ("TRAPMARK", "EXPLAINMARK", "WHYMARK", "KEYWHYMARK")


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def marked():
    """An item whose every secret carries a marker."""
    return factories.make_item(
        900,
        options=(
            factories.option("wait", rationale="WHYMARK one, for this case."),
            factories.option(
                "measure", is_key=True, rationale="KEYWHYMARK, for this case."
            ),
            factories.option("replace", rationale="WHYMARK two, for this case."),
        ),
        trap="TRAPMARK is a trap.",
        explanation="EXPLAINMARK says why {{option:measure}}.",
    )


@pytest.fixture
def question(certification, marked):
    return factories.make_published(certification, marked, slug="marked")


def _answer(client, question, *keys, **more):
    return client.post(
        f"/questions/{question.slug}/",
        {"answer": keys, "revision": question.published_revision_id, **more},
    )


def _linked_data(client, address):
    text = re.search(
        r'<script type="application/ld\+json">(.*?)</script>',
        client.get(address).content.decode(),
        re.DOTALL,
    ).group(1)
    return json.loads(text)["@graph"]


def test_a_stranger_gets_the_answer_only_inside_closed_details(client, question):
    html = client.get("/questions/marked/").content.decode()

    before, _, folded = html.partition('<details class="details" data-folded>')
    assert not any(marker in before for marker in MARKERS)
    assert all(marker in folded for marker in MARKERS)
    head = html.partition("</head>")[0]
    assert not any(marker in head for marker in MARKERS)


def test_with_the_setting_off_nothing_of_the_key_is_sent(client, question, settings):
    settings.EXPLANATION_FOR_CRAWLERS = False

    response = client.get("/questions/marked/")

    sent = response.content.decode() + str(response.headers)
    assert not any(marker in sent for marker in MARKERS)


def test_a_member_gets_nothing_of_the_key_before_answering(learner_client, question):
    response = learner_client.get("/questions/marked/")

    sent = response.content.decode() + str(response.headers)
    assert not any(marker in sent for marker in MARKERS)


def test_a_right_answer_is_told_with_the_trap_and_every_reason(client, question):
    html = " ".join(_answer(client, question, "measure").content.decode().split())

    assert "Correct, and you chose it" in html
    assert all(marker in html for marker in MARKERS)
    assert 'EXPLAINMARK says why <b class="letter">B</b>' in html


def test_a_wrong_answer_is_told_with_the_right_one(client, question):
    html = _answer(client, question, "wait").content.decode()

    assert "Not this one" in html
    assert "The answer is B" in html
    assert "Wrong, and you chose it" in html


def test_the_answer_can_be_shown_without_answering(client, question):
    html = _answer(client, question, show="1").content.decode()

    assert "The answer is B" in html
    assert "you chose" not in html


def test_choose_two_names_both_keys(client, certification):
    question = factories.make_published(certification, factories.make_choose_two(901))

    html = _answer(client, question, "alpha", "beta").content.decode()

    assert "One of two right" in html
    assert "The answers are A and C" in html
    assert "Why A and C" in html


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ((), "Choose two answers first"),
        (("alpha",), "You chose one of two. Choose one more"),
        (("alpha", "beta", "gamma"), "Take one back"),
        (("alpha", "nonsense"), "does not belong to this question"),
    ],
)
def test_what_cannot_be_checked_is_told_and_kept(
    client, certification, chosen, sentence
):
    question = factories.make_published(certification, factories.make_choose_two(902))

    response = _answer(client, question, *chosen)

    html = response.content.decode()
    assert response.status_code == 422
    assert sentence in html
    assert "data-revealed" not in html
    for key in set(chosen) - {"nonsense"}:
        assert re.search(rf'value="{key}"\s+checked', html)


def test_an_answer_to_an_older_revision_is_asked_again(client, question, author):
    old = question.published_revision_id
    authoring.write_revision(
        question=question,
        item=factories.make_item(903),
        base=1,
        by=author,
        at=factories.NOW,
    )
    question.refresh_from_db()
    review.make_public(question=question, at=factories.NOW)

    response = client.post("/questions/marked/", {"answer": "measure", "revision": old})

    assert response.status_code == 409
    assert "changed while you were reading" in response.content.decode()


def test_a_stranger_needs_no_token_and_leaves_no_trace(question):
    strict = Client(enforce_csrf_checks=True)

    response = _answer(strict, question, "measure")

    assert response.status_code == 200
    assert not strict.cookies
    assert not KeyContact.objects.exists()


def test_a_member_needs_a_token(learner, question):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(learner)

    response = _answer(strict, question, "measure")

    assert response.status_code == 403
    assert "check it once more" in response.content.decode()
    assert not KeyContact.objects.exists()


def test_what_a_member_answered_is_kept(learner, learner_client, question):
    _answer(learner_client, question, "wait")
    _answer(learner_client, question, show="1")

    contacts = KeyContact.objects.order_by("pk")
    assert [(c.verdict, c.item.response.chosen) for c in contacts] == [
        ("wrong", ["wait"]),
        ("shown", []),
    ]
    assert {c.participant.user for c in contacts} == {learner}
    assert (
        "no first attempt" in learner_client.get("/questions/marked/").content.decode()
    )


def test_members_only_questions_have_a_door(
    client, learner_client, certification, marked
):
    factories.make_published(
        certification, marked, slug="closed", exposure=items.Exposure.MEMBERS
    )

    response = client.get("/questions/closed/")

    sent = response.content.decode() + str(response.headers)
    assert response.status_code == 403
    assert "for members" in sent
    assert "Consider" not in sent
    assert not any(marker in sent for marker in MARKERS)
    assert learner_client.get("/questions/closed/").status_code == 200


def test_a_stranger_cannot_answer_a_members_only_question(
    client, certification, marked
):
    question = factories.make_published(
        certification, marked, slug="closed", exposure=items.Exposure.MEMBERS
    )

    response = _answer(client, question, "measure")

    assert response.status_code == 403
    assert not any(marker in response.content.decode() for marker in MARKERS)


def test_mock_only_questions_have_no_page_for_anybody(
    client, learner_client, superuser_client, certification, marked
):
    question = factories.make_published(
        certification, marked, slug="kept", exposure=items.Exposure.MOCK_ONLY
    )

    for visitor in (client, learner_client, superuser_client):
        assert visitor.get("/questions/kept/").status_code == 404
        assert _answer(visitor, question, "measure").status_code == 404


def test_a_retired_question_says_so_and_points_on(
    client, question, certification, editor
):
    other = factories.make_published(certification, factories.make_item(907))
    review.retire_question(question=question, by=editor, at=factories.NOW, reason="")

    response = client.get("/questions/marked/")

    html = response.content.decode()
    assert response.status_code == 410
    assert "has been retired" in html
    assert other.slug in html
    assert not any(marker in html for marker in MARKERS)


def test_a_former_address_redirects(client, question, certification, author):
    authoring.change_settings(
        question=question,
        settings=factories.make_settings(certification, slug="moved-here"),
        by=author,
        at=factories.NOW,
    )

    response = client.get("/questions/marked/")

    assert response.status_code == 308
    assert response.headers["Location"] == "/questions/moved-here/"


def test_the_page_changes_at_once_when_the_bank_does(client, question, certification):
    before = client.get("/questions/marked/").content.decode()
    again = client.get("/questions/marked/").content.decode()
    neighbour = factories.make_published(certification, factories.make_item(955))
    after = client.get("/questions/marked/").content.decode()

    assert before == again
    assert neighbour.slug not in before
    assert neighbour.slug in after


def test_an_edit_does_not_show_before_it_is_published(client, question, author):
    client.get("/questions/marked/")
    authoring.write_revision(
        question=question,
        item=factories.make_item(904, title="Unpublished words"),
        base=1,
        by=author,
        at=factories.NOW,
    )

    assert "Unpublished words" not in client.get("/questions/marked/").content.decode()


def test_the_kept_page_is_the_same_packed_and_unpacked(client, question):
    plain = client.get("/questions/marked/")
    packed = client.get("/questions/marked/", headers={"accept-encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "Cookie" in packed.headers["Vary"]


def test_a_kept_page_is_not_sent_to_a_host_that_is_not_ours(client, question):
    client.get("/questions/marked/")

    assert client.get("/questions/marked/").status_code == 200
    stranger = client.get("/questions/marked/", headers={"host": "evil.example"})
    assert stranger.status_code == 400


def test_a_kept_page_has_the_headers_of_every_page(client, question):
    made = client.get("/questions/marked/")
    kept = client.get("/questions/marked/")

    for name in ("Content-Security-Policy", "X-Frame-Options", "Referrer-Policy"):
        assert kept.headers[name] == made.headers[name]
    assert kept.headers["Vary"] == made.headers["Vary"]


def test_the_linked_data_is_whole_and_cannot_end_its_element(client, certification):
    factories.make_published(
        certification,
        factories.make_item(905, title="</script><b>Bold</b> & more"),
        slug="sharp",
    )

    graph = _linked_data(client, "/questions/sharp/")

    assert [node["@type"] for node in graph] == ["LearningResource", "BreadcrumbList"]
    assert graph[0]["name"] == "</script><b>Bold</b> & more"


def test_the_linked_data_of_a_name_without_an_account_says_nothing_of_a_person(
    client, question
):
    assert "author" not in _linked_data(client, "/questions/marked/")[0]
    assert "ld+json" not in client.get("/authors/ada-writer/").content.decode()


def test_the_linked_data_names_an_author_with_an_account(client, question, author):
    profile = question.author
    profile.user = author
    profile.save()

    named = _linked_data(client, "/questions/marked/")[0]["author"]
    assert (named["@type"], named["name"]) == ("Person", "Ada Writer")
    assert named["url"].endswith("/authors/ada-writer/")
    [own] = _linked_data(client, "/authors/ada-writer/")
    assert (own["@type"], own["name"]) == ("Person", "Ada Writer")


def test_an_anonymous_page_takes_one_query_once_it_is_kept(client, question):
    with CaptureQueriesContext(connection) as first:
        client.get("/questions/marked/")
    with CaptureQueriesContext(connection) as second:
        client.get("/questions/marked/")

    assert len(first) <= 8  # rendered once, and kept
    assert len(second) == 1


def test_a_signed_in_page_takes_at_most_six_queries(learner_client, question):
    learner_client.get("/questions/marked/")

    with CaptureQueriesContext(connection) as queries:
        learner_client.get("/questions/marked/")

    assert len(queries) <= 6, [query["sql"][:80] for query in queries]


def test_a_part_of_a_page_asked_for_is_never_kept_as_the_page(question):
    address = question.get_absolute_url()

    Client().get(address, headers={"HX-Request": "true"})

    assert "</html>" in Client().get(address).content.decode()
