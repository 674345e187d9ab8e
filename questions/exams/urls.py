"""Pages on which questions are answered."""

from __future__ import annotations

from django.urls import path

from questions.exams import views

urlpatterns = [
    path("questions/<slug:slug>/", views.question, name="question"),
    path("practice/sets/<uuid:public_id>/", views.practice_set, name="practice_set"),
    path(
        "practice/sets/<uuid:public_id>/<int:position>/",
        views.practice_item,
        name="practice_item",
    ),
    path("practice/<slug:slug>/", views.practice, name="practice"),
]
