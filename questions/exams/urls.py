"""Pages on which questions are answered."""

from __future__ import annotations

from django.urls import path

from questions.exams.views import practice, preview, question

urlpatterns = [
    path("desk/preview/", preview.preview_question, name="preview_question"),
    path("questions/<slug:slug>/", question.question, name="question"),
    path("practice/sets/<uuid:public_id>/", practice.practice_set, name="practice_set"),
    path(
        "practice/sets/<uuid:public_id>/<int:position>/",
        practice.practice_item,
        name="practice_item",
    ),
    path("practice/<slug:slug>/", practice.practice, name="practice"),
]
