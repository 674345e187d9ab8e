"""What a person met before is kept back too, while the same question is being asked."""

from __future__ import annotations

import datetime
import json

import pytest

from questions.exams.models import MockExam, Sitting
from questions.exams.selectors import personal
from questions.models import Blueprint, Question

pytestmark = pytest.mark.django_db


def table(user, name):
    found = next(each for each in personal.records_of(user=user) if each.name == name)
    return list(found.rows)


def practise_all(client, bank):
    """Answer all questions rightly on their pages."""
    for question in bank.questions.select_related("published_revision__document"):
        revision = question.published_revision
        client.post(
            question.get_absolute_url(),
            {"answer": revision.document.keyed["keys"], "revision": revision.pk},
        )


def test_a_copy_of_ones_data_has_no_points_of_what_an_exam_is_asking(
    learner_client, learner, bank, begin
):
    practise_all(learner_client, bank)
    before = table(learner, "answers")
    sitting = begin(learner_client)
    asked = set(sitting.items.values_list("question__slug", flat=True))

    answers = table(learner, "answers")
    contacts = table(learner, "key_contacts")
    learner_client.post(f"/sittings/{sitting.public_id}/submit/")
    after = table(learner, "answers")

    assert all(row["points_numerator"] == 1 for row in before)
    assert len(answers) == 12 + 6
    for row in answers:
        is_asked = row["item__question__slug"] in asked
        assert (row["points_numerator"] is None) == is_asked
        assert (row["points_denominator"] is None) == is_asked
    for row in contacts:
        is_asked = row["question__slug"] in asked
        assert row["verdict"] == ("" if is_asked else "right")
    assert not [row for row in after if row["points_numerator"] is None]
    assert json.dumps(after, default=str)


def test_a_question_page_tells_no_former_verdict_of_what_an_exam_is_asking(
    learner_client, bank, begin
):
    practise_all(learner_client, bank)
    sitting = begin(learner_client)
    asked = sitting.items.first().question
    other = bank.questions.exclude(
        pk__in=sitting.items.values_list("question", flat=True)
    )[0]

    assert learner_client.get(asked.get_absolute_url()).context["contact"] is None
    assert learner_client.get(other.get_absolute_url()).context["contact"] is not None


def test_signing_in_during_a_visitors_exam_opens_no_key_of_it(
    client, learner, bank, begin
):
    sitting = begin(client)
    client.force_login(learner)
    session = client.session
    question = sitting.items.select_related("question__published_revision")[0].question
    address = question.get_absolute_url()

    assert session["participant"]
    reply = client.post(
        address, {"show": "yes", "revision": question.published_revision_id}
    )

    assert reply.status_code == 409
    assert reply.context["reveal"] is None


def test_a_fixed_form_of_retired_questions_only_is_not_begun(
    learner_client, bank, verified
):
    exam = MockExam.objects.create(
        slug="fixed",
        certification=bank,
        blueprint=Blueprint.objects.get(certification=bank, version="2"),
        name="Fixed form 1",
        length=2,
        minutes=10,
    )
    for position, question in enumerate(bank.questions.order_by("pk")[:2], start=1):
        exam.items.create(position=position, question=question)
    Question.objects.update(
        retired_at=datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
    )

    rules = learner_client.get("/mocks/tst/rules/?exam=fixed")
    reply = learner_client.post("/mocks/tst/rules/", {"exam": "fixed"})

    assert rules.status_code in {200, 409, 422}
    assert reply.status_code in {409, 422}
    assert not Sitting.objects.exists()
