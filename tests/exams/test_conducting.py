"""What staff do with sittings: with a reason, and never behind a report that was seen."""

from __future__ import annotations

import datetime

import pytest
import time_machine

from questions.domain.lifecycle import Status
from questions.exams.models import (
    LateAnswer,
    MockExam,
    Response,
    ScoreReport,
    Sitting,
    SittingEvent,
)
from questions.exams.services import conducting
from questions.models import Blueprint
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db
NOW = datetime.datetime(2026, 12, 1, 9, 0, tzinfo=datetime.UTC)


def words(response):
    return " ".join(response.content.decode().split())


def desk(sitting, action=""):
    return f"/admin/exams/sitting/{sitting.pk}/{action or 'change/'}"


def test_more_time_moves_the_deadline_and_is_told(editor_client, learner_client, begin):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(learner_client)
        reply = editor_client.post(
            desk(sitting, "extend/"), {"minutes": 5, "reason": "A fire alarm."}
        )
        state = learner_client.get(f"/sittings/{sitting.public_id}/state/").json()
    learner_client.post(f"/sittings/{sitting.public_id}/submit/")
    report = words(learner_client.get(f"/sittings/{sitting.public_id}/report/"))

    assert reply.status_code == 302
    assert state["milliseconds_left"] == 17 * 60 * 1000
    assert "5 minutes were added by staff: A fire alarm." in report
    assert SittingEvent.objects.get().reason == "A fire alarm."


@pytest.mark.parametrize(
    "fields",
    [
        {"minutes": 5, "reason": ""},
        {"minutes": 0, "reason": "Why not."},
        {"minutes": 601, "reason": "Why not."},
        {"minutes": "ten", "reason": "Why not."},
    ],
)
def test_more_time_needs_a_number_and_a_reason(
    editor_client, learner_client, begin, fields
):
    sitting = begin(learner_client)

    assert editor_client.post(desk(sitting, "extend/"), fields).status_code == 422

    deadline = sitting.deadline
    sitting.refresh_from_db()
    assert sitting.deadline == deadline
    assert not SittingEvent.objects.exists()


def test_a_sitting_whose_grace_is_over_gets_no_more_time(editor, learner_client, begin):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(learner_client)

    with pytest.raises(conducting.Refused, match="Void it and grant another"):
        conducting.extend(
            sitting=sitting,
            minutes=5,
            reason="A fire alarm.",
            by=editor,
            at=sitting.deadline + sitting.grace,
        )


def test_a_void_sitting_counts_for_nothing_and_another_may_begin(
    editor_client, client, begin
):
    sitting = begin(client)
    editor_client.post(desk(sitting, "void/"), {"reason": "The power failed."})

    page = words(client.get(f"/sittings/{sitting.public_id}/"))
    assert "This sitting is void" in page
    assert "The power failed." in page
    assert "Consider" not in page
    other = begin(client)
    assert other != sitting
    assert not ScoreReport.objects.exists()


def test_nothing_is_reopened_once_its_report_was_seen(editor_client, client, begin):
    sitting = begin(client)
    client.post(f"/sittings/{sitting.public_id}/submit/", follow=True)

    for action, fields in (
        ("void/", {"reason": "Please."}),
        ("extend/", {"minutes": 5, "reason": "Please."}),
    ):
        editor_client.post(desk(sitting, action), fields)

    sitting.refresh_from_db()
    assert sitting.status == "finished"
    assert not SittingEvent.objects.exists()


def test_a_late_answer_is_accepted_with_a_reason_and_both_results_stay(
    editor, editor_client, client, begin, save
):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(client)
    item = sitting.items.select_related("revision__document").get(position=1)
    late_at = sitting.deadline + datetime.timedelta(minutes=1)
    with time_machine.travel(late_at, tick=False):
        save(client, sitting, 1, *item.revision.document.keyed["keys"], base=0)
        client.get(f"/sittings/{sitting.public_id}/")
    late = LateAnswer.objects.get()
    assert editor_client.post(f"/admin/exams/sitting/late/{late.pk}/").status_code == (
        422
    )

    editor_client.post(
        f"/admin/exams/sitting/late/{late.pk}/", {"reason": "Our fault."}
    )

    assert [r.right_count for r in ScoreReport.objects.order_by("number")] == [0, 1]
    report = words(client.get(f"/sittings/{sitting.public_id}/report/"))
    assert "late answers accepted (Our fault.)" in report
    assert "accepted by staff" in report
    with pytest.raises(conducting.Refused):
        conducting.accept_late(
            late=LateAnswer.objects.get(), reason="Twice.", by=editor, at=NOW
        )


@pytest.fixture
def wrong_key(certification):
    """A question whose key was wrong in revision 1, and is right in revision 2."""
    wrong = factories.make_item(930)
    question = factories.make_published(certification, wrong, slug="wrong-key")
    for number in range(5):
        factories.make_published(certification, factories.make_item(940 + number))
        factories.make_published(
            certification, factories.make_item(950 + number), domain="2"
        )
    return question


def correct(question, by):
    """Publish a revision whose key is ``wait``."""
    options = tuple(
        factories.option(key, text=f"{key} it is", is_key=key == "wait")
        for key in ("wait", "measure", "replace", "ask")
    )
    authoring.write_revision(
        question=question,
        item=factories.make_item(930, options=options, explanation="Wait."),
        base=1,
        by=by,
        at=factories.NOW,
    )
    question.refresh_from_db()
    review.record_import(
        question=question,
        status=Status.PUBLISHED,
        reviewer=factories.make_profile("rex-reader"),
        reviewed_at=factories.NOW,
        at=factories.NOW,
    )


def sit(client, save, chosen):
    """Sit a practice of all questions at the end; choose ``chosen`` everywhere."""
    client.post("/practice/tst/", {"length": "11", "feedback": "at_end"})
    sitting = Sitting.objects.latest("pk")
    for item in sitting.items.all():
        save(client, sitting, item.position, chosen)
    client.post(f"/sittings/{sitting.public_id}/submit/")
    return sitting


def test_past_results_change_only_by_a_regrade_and_keep_the_one_before(
    editor_client, client, learner_client, wrong_key, author, save
):
    waited = sit(client, save, "wait")
    measured = sit(learner_client, save, "measure")
    correct(wrong_key, author)
    assert [r.right_count for r in ScoreReport.objects.order_by("pk")] == [0, 11]

    fields = {
        "question": "wrong-key",
        "wrong": 1,
        "corrected": 2,
        "only_if_improves": "on",
        "reason": "The key was wrong.",
    }
    dry = words(
        editor_client.post("/admin/exams/sitting/regrade/", {**fields, "dry": "1"})
    )
    assert "1 sitting, points change in 1" in dry
    assert ScoreReport.objects.count() == 2

    editor_client.post("/admin/exams/sitting/regrade/", {**fields, "apply": "1"})
    editor_client.post("/admin/exams/sitting/regrade/", {**fields, "apply": "1"})

    assert [r.right_count for r in waited.reports.order_by("number")] == [0, 1]
    assert [r.right_count for r in measured.reports.order_by("number")] == [11]
    report = words(client.get(f"/sittings/{waited.public_id}/report/"))
    assert "a wrong key was corrected" in report
    assert "0 of 11 right" in report
    position = waited.items.get(question=wrong_key).position
    answer = words(client.get(f"/sittings/{waited.public_id}/report/{position}/"))
    assert "It was corrected, and the result made again." in answer


def test_a_regrade_for_all_takes_back_what_the_wrong_key_gave(
    editor_client, learner_client, wrong_key, author, save
):
    measured = sit(learner_client, save, "measure")
    correct(wrong_key, author)

    editor_client.post(
        "/admin/exams/sitting/regrade/",
        {
            "question": "wrong-key",
            "wrong": 1,
            "corrected": 2,
            "reason": "The key was wrong.",
            "apply": "1",
        },
    )

    assert [r.right_count for r in measured.reports.order_by("number")] == [11, 10]


def test_a_running_sitting_is_scored_by_the_corrected_key(
    editor_client, client, wrong_key, author, save
):
    client.post("/practice/tst/", {"length": "11", "feedback": "at_end"})
    sitting = Sitting.objects.get()
    save(client, sitting, sitting.items.get(question=wrong_key).position, "wait")
    correct(wrong_key, author)

    editor_client.post(
        "/admin/exams/sitting/regrade/",
        {
            "question": "wrong-key",
            "wrong": 1,
            "corrected": 2,
            "reason": "The key was wrong.",
            "only_if_improves": "on",
            "apply": "1",
        },
    )
    client.post(f"/sittings/{sitting.public_id}/submit/")

    assert ScoreReport.objects.get().right_count == 1


def test_a_regrade_without_a_reason_changes_nothing(
    editor_client, client, wrong_key, author, save
):
    sit(client, save, "wait")
    correct(wrong_key, author)
    fields = {"question": "wrong-key", "wrong": 1, "corrected": 2, "apply": "1"}

    reply = editor_client.post("/admin/exams/sitting/regrade/", fields)

    assert reply.status_code == 422
    assert ScoreReport.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [{"question": "nope"}, {"wrong": 9}, {"corrected": 1}, {"corrected": "x"}],
)
def test_a_regrade_of_what_is_not_there_is_refused(editor_client, wrong_key, changes):
    fields = {"question": "wrong-key", "wrong": 1, "corrected": 2, "reason": "So."}

    reply = editor_client.post(
        "/admin/exams/sitting/regrade/", {**fields, **changes, "apply": "1"}
    )

    assert reply.status_code == 422


def test_only_who_may_conducts(author_client, learner_client, client, begin):
    sitting = begin(client)
    for visitor in (author_client, learner_client, client):
        for address in (
            desk(sitting),
            desk(sitting, "void/"),
            desk(sitting, "extend/"),
            "/admin/exams/sitting/regrade/",
        ):
            reply = visitor.post(address, {"reason": "So.", "minutes": 5})
            assert reply.status_code in {302, 403}, address
    sitting.refresh_from_db()
    assert sitting.status == "running"
    assert not SittingEvent.objects.exists()


def test_the_desk_shows_sittings_and_offers_fixed_forms(
    editor_client, client, bank, begin, save, verified, learner_client
):
    blueprint = Blueprint.objects.get(certification=bank, version="2")
    exam = MockExam.objects.create(
        slug="fixed",
        certification=bank,
        blueprint=blueprint,
        name="Fixed form 1",
        length=4,
        minutes=10,
    )
    questions = list(bank.questions.order_by("pk")[:4])
    for position, question in enumerate(questions, start=1):
        exam.items.create(position=position, question=question)
    learner_client.post("/mocks/tst/rules/", {"exam": "fixed"})
    sitting = Sitting.objects.get()
    save(learner_client, sitting, 1, sitting.items.get(position=1).option_order[0])

    assert list(sitting.items.values_list("question", flat=True)) == [
        question.pk for question in questions
    ]
    for address in (
        "/admin/exams/sitting/",
        desk(sitting),
        "/admin/exams/mockexam/",
        f"/admin/exams/mockexam/{exam.pk}/change/",
        "/admin/exams/sitting/regrade/?question=x",
    ):
        assert editor_client.get(address).status_code == 200, address


def test_the_database_keeps_reports_as_they_are(client, begin):
    from django.db import DatabaseError, transaction  # noqa: PLC0415

    sitting = begin(client)
    client.post(f"/sittings/{sitting.public_id}/submit/")
    report = ScoreReport.objects.get()

    with pytest.raises(DatabaseError), transaction.atomic():
        ScoreReport.objects.update(right_count=6)
    with pytest.raises(DatabaseError), transaction.atomic():
        report.delete()
    assert Response.objects.count() == 6


def test_a_late_answer_accepted_from_two_pages_counts_once(
    editor, learner_client, begin, save
):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(learner_client)
    with time_machine.travel(sitting.deadline + datetime.timedelta(minutes=1)):
        chosen = sitting.items.get(position=1).option_order[0]
        save(learner_client, sitting, 1, chosen)
        learner_client.get("/sittings/")
    one, other = LateAnswer.objects.get(), LateAnswer.objects.get()

    conducting.accept_late(late=one, reason="Our fault.", by=editor, at=NOW)
    with pytest.raises(conducting.Refused, match="already"):
        conducting.accept_late(late=other, reason="Our fault.", by=editor, at=NOW)

    assert ScoreReport.objects.count() == 2


def test_a_later_report_keeps_what_the_exam_was_when_it_ended(
    editor, client, begin, save
):
    with time_machine.travel(NOW, tick=False):
        sitting = begin(client)
    with time_machine.travel(sitting.deadline + datetime.timedelta(minutes=1)):
        chosen = sitting.items.get(position=1).option_order[0]
        save(client, sitting, 1, chosen, base=0)
        client.get(f"/sittings/{sitting.public_id}/report/")
    blueprint = sitting.blueprint
    blueprint.minutes += 40
    blueprint.unscored_questions += 7
    blueprint.save()
    for domain in blueprint.domains.all():
        domain.name = f"{domain.name}, renamed"
        domain.save()

    conducting.accept_late(
        late=LateAnswer.objects.get(), reason="Our fault.", by=editor, at=NOW
    )

    before, after = ScoreReport.objects.order_by("number")
    assert after.document["time"]["pace"] == before.document["time"]["pace"]
    assert after.document["time"]["slow"] == before.document["time"]["slow"]
    assert after.document["unscored"] == before.document["unscored"]
    assert [d["name"] for d in after.document["domains"]] == [
        d["name"] for d in before.document["domains"]
    ]
