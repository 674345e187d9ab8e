"""Pages on which questions are answered."""

from __future__ import annotations

from django.urls import path, re_path
from django.views.generic import RedirectView

from questions.exams.views import (
    ending,
    image,
    mine,
    mock,
    practice,
    preview,
    profile,
    question,
    sitting,
)

_SITTING = "sittings/<uuid:public_id>/"

urlpatterns = [
    path("desk/preview/", preview.preview_question, name="preview_question"),
    re_path(r"^media/(?P<sha256>[0-9a-f]{64})$", image.image, name="image"),
    path("questions/<slug:slug>/", question.question, name="question"),
    path("questions/<slug:slug>/flag/", mine.flag_question, name="flag_question"),
    # Where practice was before there were sittings: the ids are the same.
    path(
        "practice/sets/<uuid:public_id>/",
        RedirectView.as_view(pattern_name="sitting", permanent=True),
    ),
    path(
        "practice/sets/<uuid:public_id>/<int:position>/",
        RedirectView.as_view(pattern_name="sitting_item", permanent=True),
    ),
    path("practice/<slug:slug>/", practice.practice, name="practice"),
    path("mocks/<slug:slug>/", mock.mocks, name="mocks"),
    path("mocks/<slug:slug>/rules/", mock.mock_rules, name="mock_rules"),
    path("sittings/", mine.my_sittings, name="my_sittings"),
    path("sittings/time-allowance/", profile.time_allowance, name="time_allowance"),
    path("accounts/profile/", profile.profile, name="profile"),
    path("accounts/profile/exams/", profile.enrol, name="enrol"),
    path("accounts/profile/exams/<int:pk>/", profile.exam_result, name="exam_result"),
    path(
        "accounts/profile/exams/<int:pk>/leave/",
        profile.leave_exam,
        name="leave_exam",
    ),
    path("sittings/claim/", mine.claim, name="claim_work"),
    path(_SITTING, sitting.sitting, name="sitting"),
    path(f"{_SITTING}<int:position>/", sitting.sitting_item, name="sitting_item"),
    path(f"{_SITTING}<int:position>/answer/", practice.answer_item, name="answer_item"),
    path(
        f"{_SITTING}<int:position>/response/",
        sitting.save_response,
        name="save_response",
    ),
    path(f"{_SITTING}items/", sitting.sitting_items, name="sitting_items"),
    path(f"{_SITTING}state/", sitting.sitting_state, name="sitting_state"),
    path(f"{_SITTING}review/", ending.sitting_review, name="sitting_review"),
    path(f"{_SITTING}submit/", ending.submit, name="submit_sitting"),
    path(f"{_SITTING}close/", ending.close, name="close_sitting"),
    path(f"{_SITTING}report/", ending.report, name="sitting_report"),
    path(f"{_SITTING}report.csv", ending.report_csv, name="sitting_csv"),
    path(f"{_SITTING}report/<int:position>/", ending.answer, name="sitting_answer"),
    path(f"{_SITTING}flags/", ending.keep_flags, name="keep_flags"),
    path(f"{_SITTING}practise/", ending.practise, name="practise_again"),
]
