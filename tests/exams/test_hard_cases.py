"""Cases of the list of known hard cases, by number; case 2 is in test_report."""

from __future__ import annotations

import csv
import datetime
import html
import io
import uuid

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError

from questions.domain import items
from questions.domain.responses import Response as Answer
from questions.domain.scoring import Rule, score
from questions.exams.models import Response, ScoreReport, Sitting
from questions.exams.screens import table
from questions.models import Option, Question
from questions.services import review
from tests import factories
from tests.exams.pages import hidden_fields, state_of

pytestmark = pytest.mark.django_db
NOW = datetime.datetime(2026, 12, 1, 9, 0, tzinfo=datetime.UTC)


def words(response):
    """Return the page as it reads, with its white space evened out."""
    return html.unescape(" ".join(response.content.decode().split()))


@pytest.mark.parametrize(
    ("chosen", "percent", "is_full"),
    [
        ("AB", 100, True),
        ("A", 50, False),
        ("AC", 0, False),
        ("ABC", 50, False),
        ("ABCD", 0, False),
        ("", 0, False),
    ],
)
def test_case_1_choosing_everything(chosen, percent, is_full):
    item = items.MultipleChoice(
        title="",
        stem="",
        choose=2,
        options=tuple(
            items.Option(key=key, text=key, is_key=key in "AB") for key in "ABCD"
        ),
    )
    answer = Answer(frozenset(chosen))

    assert score(item, answer, Rule.RIGHT_MINUS_WRONG).points * 100 == percent
    assert score(item, answer, Rule.EXACT_MATCH).is_full is is_full


def test_case_9_a_shuffled_paper_is_reviewed_in_its_own_order(client, begin, save):
    sitting = begin(client, length=8)
    given = {}
    for item in sitting.items.all():
        choice = item.option_order[item.position % len(item.option_order)]
        given[item.position] = (item.question_id, choice)
        assert save(client, sitting, item.position, choice).status_code == 200
    client.post(f"/sittings/{sitting.public_id}/submit/")
    # The bank is sorted anew: options of the public page, other revisions, all of it.
    for question in Question.objects.all():
        question.slug = f"renamed-{question.pk}"
        question.save()

    for _ in range(2):
        for item in sitting.items.select_related("question", "revision"):
            shown = words(
                client.get(f"/sittings/{sitting.public_id}/report/{item.position}/")
            )
            question_id, choice = given[item.position]
            letter = "ABCDEFG"[item.option_order.index(choice)]
            assert item.question_id == question_id
            assert item.revision.title in shown
            assert f'value="{choice}" checked' in shown
            places = [shown.index(f'value="{key}"') for key in item.option_order]
            assert places == sorted(places)
            line = ScoreReport.objects.get().document["items"][item.position - 1]
            assert line["chosen"] == [letter]
            assert line["question"] == item.question.public_id
    rows = list(csv.reader(io.StringIO(_csv(client, sitting))))[1:]
    assert [int(row[0]) for row in rows] == list(range(1, 9))
    for row in rows:
        item = sitting.items.get(position=int(row[0]))
        assert row[6] == "ABCDEFG"[item.option_order.index(given[item.position][1])]


def _csv(client, sitting):
    reply = client.get(f"/sittings/{sitting.public_id}/report.csv")
    return reply.content.decode("utf-8-sig")


def test_case_10_a_reload_gives_no_time(client, bank, begin, save):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(client, length=10)
    first = sitting.items.get(position=1).option_order[0]
    second = type(client)()
    second.cookies = client.cookies
    with time_machine.travel(NOW + datetime.timedelta(seconds=20), tick=False):
        for window in (client, client, second):
            page = window.get(f"/sittings/{sitting.public_id}/1/")
            left = state_of(page)["milliseconds_left"]
            assert left == (20 * 60 - 20) * 1000
    grace = datetime.timedelta(seconds=sitting.grace_seconds)
    with time_machine.travel(sitting.deadline + datetime.timedelta(seconds=1)):
        assert save(client, sitting, 1, first).status_code == 200
    with time_machine.travel(sitting.deadline + grace):
        assert save(client, sitting, 2, "nonsense").status_code == 409
        report = client.get(f"/sittings/{sitting.public_id}/report/")
    assert report.status_code == 200
    assert Response.objects.get(item__position=1).chosen == [first]
    assert ScoreReport.objects.get().document["unanswered"] == 9


def test_case_11_after_handing_in_nothing_changes(client, begin, save):
    sitting = begin(client)
    key = sitting.items.get(position=1).option_order[0]
    page = hidden_fields(client.get(f"/sittings/{sitting.public_id}/1/"))
    save(client, sitting, 1, key)
    client.post(f"/sittings/{sitting.public_id}/submit/")
    sitting.refresh_from_db()
    before = (
        sitting.ended_at,
        list(Response.objects.order_by("pk").values()),
        ScoreReport.objects.get().document,
    )

    back = client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {
            "save_id": page["save_id"],
            "base_version": 1,
            "answer": sitting.items.get(position=1).option_order[1],
        },
    )
    other_tab = save(client, sitting, 2, "wait")
    again = client.post(f"/sittings/{sitting.public_id}/submit/")

    assert (back.status_code, other_tab.status_code) == (409, 409)
    assert "has ended" in words(back)
    assert other_tab.json()["code"] == "closed"
    assert again.status_code == 302
    sitting.refresh_from_db()
    assert before == (
        sitting.ended_at,
        list(Response.objects.order_by("pk").values()),
        ScoreReport.objects.get().document,
    )


def _answers(client, sitting):
    """Return the score and the list of answers as the report shows them."""
    shown = words(client.get(f"/sittings/{sitting.public_id}/report/?show=all"))
    score = shown.partition('class="figure-big">')[2].partition("</p>")[0]
    return score, shown.partition('<ol class="answers">')[2].partition("</ol>")[0]


def test_case_12_a_used_question_goes_away(client, begin, save, editor):
    sitting = begin(client, length=5)
    item = sitting.items.select_related("question", "revision").first()
    save(client, sitting, item.position, item.option_order[0])
    client.post(f"/sittings/{sitting.public_id}/submit/")
    before = _answers(client, sitting)

    for part in (
        item.question,
        Option.objects.get(revision=item.revision, key=item.option_order[0]),
        item.domain,
        sitting.certification,
    ):
        with pytest.raises((ProtectedError, DatabaseError)), transaction.atomic():
            part.delete()
    review.retire_question(
        question=item.question, by=editor, at=factories.NOW, reason="Old."
    )

    assert _answers(client, sitting) == before
    answered = client.get(f"/sittings/{sitting.public_id}/report/{item.position}/")
    assert item.revision.title in words(answered)
    assert client.get("/sittings/").status_code == 200
    assert item.revision.title in _csv(client, sitting)
    for seed in range(4):
        client.post("/practice/tst/", {"length": "11"})
        newest = Sitting.objects.latest("pk")
        assert not newest.items.filter(question=item.question).exists(), seed


@pytest.mark.parametrize(
    "text", ["=1+1", "@SUM(A1)", "-2.0", "\tbegins", "+x", "\r=1", "\n=1"]
)
def test_case_14_a_result_file_calculates_nothing(text):
    assert table.safe_text(text) == f"'{text}"


def test_case_14_marks_stay_numbers(client, certification):
    factories.make_published(
        certification, factories.make_item(910, title="=1+1 is the title")
    )
    factories.make_published(certification, factories.make_item(911), domain="2")
    client.post("/practice/tst/", {"length": "2", "feedback": "at_end"})
    sitting = Sitting.objects.get()
    client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {"save_id": str(uuid.uuid4()), "base_version": 0, "answer": "measure"},
    )
    client.post(f"/sittings/{sitting.public_id}/submit/")

    rows = list(csv.DictReader(io.StringIO(_csv(client, sitting))))

    titles = {row["Title"] for row in rows}
    assert "'=1+1 is the title" in titles
    assert {row["Points"] for row in rows} == {"0", "1"}
    assert not any(
        value.startswith(("=", "@", "+", "\t"))
        for row in rows
        for value in row.values()
    )
