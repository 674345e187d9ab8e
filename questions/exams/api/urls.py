"""The addresses of answering in the API."""

from __future__ import annotations

from django.urls import path

from questions.exams.api import (
    answering,
    beginning,
    enrolments,
    questions,
    results,
    sittings,
)

_SITTING = "sittings/<uuid:public_id>"
_ITEM = f"{_SITTING}/items/<int:position>"

urlpatterns = [
    path("me/enrolments", enrolments.Enrolments.as_view(), name="api_enrolments"),
    path(
        "me/enrolments/<slug:slug>",
        enrolments.OneEnrolment.as_view(),
        name="api_enrolment",
    ),
    path(
        "me/enrolments/<slug:slug>/result",
        enrolments.EnrolmentResult.as_view(),
        name="api_enrolment_result",
    ),
    path(
        "questions/<slug:public_id>/answer",
        questions.AnswerQuestion.as_view(),
        name="api_answer",
    ),
    path(
        "questions/<slug:public_id>/key",
        questions.QuestionKey.as_view(),
        name="api_key",
    ),
    path("sittings", beginning.Sittings.as_view(), name="api_sittings"),
    path(_SITTING, sittings.OneSitting.as_view(), name="api_sitting"),
    path(f"{_SITTING}/items", sittings.Items.as_view(), name="api_items"),
    path(_ITEM, sittings.OneItem.as_view(), name="api_item"),
    path(
        f"{_ITEM}/response", answering.SaveResponse.as_view(), name="api_save_response"
    ),
    path(f"{_ITEM}/leave", answering.LeaveItem.as_view(), name="api_leave_item"),
    path(f"{_ITEM}/answer", answering.CheckItem.as_view(), name="api_check_item"),
    path(f"{_ITEM}/review", results.ReviewItem.as_view(), name="api_review_item"),
    path(f"{_SITTING}/submit", results.Submit.as_view(), name="api_submit"),
    path(f"{_SITTING}/report", results.Report.as_view(), name="api_report"),
]
