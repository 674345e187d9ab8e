"""A mock exam over HTTP: begin, answer, go on, submit, read the report."""

from __future__ import annotations

import re

import pytest

from questions.exams.models import (
    KeyContact,
    MockExam,
    MockExamItem,
    ScoreReport,
    Sitting,
)
from questions.models import Blueprint, Domain, Question
from tests.exams.pages import hidden_fields

pytestmark = pytest.mark.django_db


def words(response):
    """Return the page with its white space evened out."""
    return " ".join(response.content.decode().split())


def keys_of(item):
    return item.revision.document.keyed["keys"]


def test_a_stranger_takes_a_whole_mock_without_scripts(client, begin):
    sitting = begin(client)
    reply = None
    for item in sitting.items.order_by("position"):
        page = client.get(f"/sittings/{sitting.public_id}/{item.position}/")
        form = hidden_fields(page)
        reply = client.post(
            f"/sittings/{sitting.public_id}/{item.position}/response/",
            {
                "save_id": form["save_id"],
                "base_version": form["base_version"],
                "answer": keys_of(item),
                "go": "next",
            },
        )
        assert reply.status_code == 302

    assert reply is not None
    assert reply.headers["Location"] == f"/sittings/{sitting.public_id}/review/"
    review = words(client.get(reply.headers["Location"]))
    assert "Every question has an answer." in review
    done = client.post(f"/sittings/{sitting.public_id}/submit/", follow=True)

    assert "<h1>Above the mark</h1>" in words(done)
    report = ScoreReport.objects.get()
    assert (report.right_count, report.question_count) == (6, 6)
    assert report.is_passed
    assert KeyContact.objects.count() == 6


def test_the_mark_and_what_it_asks_of_whole_questions_are_both_told(
    client, begin, save
):
    rules = words(client.get("/mocks/tst/rules/?exam=own&length=6"))
    sitting = begin(client)
    save(client, sitting, 1, *keys_of(sitting.items.get(position=1)))
    client.post(f"/sittings/{sitting.public_id}/submit/")

    page = words(client.get(f"/sittings/{sitting.public_id}/report/"))

    assert "70%: 5 of 6 must be right." in rules
    assert "You answered 1 of 6 right. The mark is 70%: 5 of 6 must be right." in page
    assert "> mark 70% </text>" in page


@pytest.fixture
def in_parts(bank):
    """An exam of six that counts parts of questions; one asks for two answers."""
    exam = MockExam.objects.create(
        slug="in-parts",
        certification=bank,
        blueprint=Blueprint.objects.get(certification=bank, version="2"),
        name="In parts",
        length=6,
        minutes=10,
        rule="right_minus_wrong",
    )
    order = Question.objects.order_by("-published_revision__choose", "pk")[1:7]
    MockExamItem.objects.bulk_create(
        MockExamItem(mock_exam=exam, position=place, question=question)
        for place, question in enumerate(order, start=1)
    )
    return exam


@pytest.mark.parametrize(
    ("whole", "headline", "points"),
    [
        (4, "<h1>Above the mark</h1>", "4.5"),
        (3, "<h1>One question short</h1>", "3.5"),
    ],
)
@pytest.mark.usefixtures("verified")
def test_where_parts_of_questions_count_the_points_are_those_that_pass(
    learner_client, begin, save, in_parts, whole, headline, points
):
    client = learner_client
    rules = words(client.get(f"/mocks/tst/rules/?exam={in_parts.slug}"))
    sitting = begin(client, exam=in_parts.slug)
    several, *others = sitting.items.select_related("revision__document").order_by("pk")
    save(client, sitting, several.position, keys_of(several)[0])
    for item in others[:whole]:
        save(client, sitting, item.position, *keys_of(item))
    review = words(client.get(f"/sittings/{sitting.public_id}/review/"))
    client.post(f"/sittings/{sitting.public_id}/submit/")

    page = words(client.get(f"/sittings/{sitting.public_id}/report/"))

    assert "What is left out earns nothing." in review
    assert "70%: 4.2 of 6 points are needed." in rules
    assert headline in page
    assert (
        f"You answered {whole} of 6 right, which comes to {points} points with the "
        "parts of others. The mark is 70%: 4.2 of 6 points are needed."
    ) in page


@pytest.mark.usefixtures("verified")
def test_a_mark_of_an_exams_own_does_not_say_that_the_vendor_has_none(
    learner_client, begin, in_parts
):
    client = learner_client
    Blueprint.objects.filter(pk=in_parts.blueprint_id).update(mark_source="vendor")
    MockExam.objects.filter(pk=in_parts.pk).update(mark="0.5")
    rules = words(client.get(f"/mocks/tst/rules/?exam={in_parts.slug}"))
    sitting = begin(client, exam=in_parts.slug)
    client.post(f"/sittings/{sitting.public_id}/submit/")

    page = words(client.get(f"/sittings/{sitting.public_id}/report/"))

    assert "It is this exam’s own, not Maker’s" in rules
    assert "It is this exam’s own, not Maker’s" in page
    assert "publishes no" not in rules + page


def test_an_exam_too_short_for_a_domain_says_so_before_it_begins(client, bank):
    Domain.objects.filter(code="2").update(weight=6)

    short = words(client.get("/mocks/tst/rules/?exam=own&length=5"))
    longer = words(client.get("/mocks/tst/rules/?exam=own&length=8"))

    assert "Domain 2 of 2: with 5 questions there is no place for it." in short
    assert "there is no place for" not in longer


def test_every_page_of_a_finished_sitting_can_be_read(client, begin, save):
    sitting = begin(client)
    save(client, sitting, 1, *keys_of(sitting.items.get(position=1)))
    save(client, sitting, 2, "wait", is_flagged="on", note="Why?", seconds=3)
    client.post(f"/sittings/{sitting.public_id}/submit/")

    for address in ("report/", "report.csv", "report/1/", "report/2/", "report/3/"):
        response = client.get(f"/sittings/{sitting.public_id}/{address}")
        assert response.status_code == 200, address
    assert client.get("/sittings/").status_code == 200
    assert Sitting.objects.get().report_seen_at is not None


def test_a_note_that_begins_with_an_empty_line_keeps_it(client, begin, save):
    sitting = begin(client)
    save(client, sitting, 1, note="\nbelow an empty line")

    page = client.get(f"/sittings/{sitting.public_id}/1/").content.decode()

    # Browsers leave out a line break that comes first in a text area.
    _, _, shown = page.partition('name="note"')
    assert shown.partition(">")[2].startswith("\n\nbelow an empty line</textarea>")


def test_without_scripts_the_time_left_says_of_when_it_is(client, begin):
    sitting = begin(client)

    for address in ("1/", "review/"):
        page = words(client.get(f"/sittings/{sitting.public_id}/{address}"))

        note = page.partition("<noscript><p")[2].partition("</noscript>")[0]
        assert re.search(r"Time left as of \d\d:\d\d:\d\d\. Without JavaScript", note)


def test_one_unanswered_question_is_told_as_one(client, begin, save):
    sitting = begin(client)
    for item in sitting.items.exclude(position=6):
        save(client, sitting, item.position, *keys_of(item))

    page = words(client.get(f"/sittings/{sitting.public_id}/review/"))

    assert "Submit with 1 unanswered? </h2> <p> It will count as wrong." in page
