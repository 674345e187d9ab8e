"""The addresses in the API of what answers tell."""

from __future__ import annotations

from django.urls import path

from analytics.api import items, me, practice

urlpatterns = [
    path("me/readiness", me.Readiness.as_view(), name="api_readiness"),
    path("me/statistics", me.Statistics.as_view(), name="api_statistics"),
    path("me/history", me.History.as_view(), name="api_history"),
    path("me/practice", practice.Practice.as_view(), name="api_practice"),
    path(
        "questions/<slug:public_id>/statistics",
        items.QuestionStatistics.as_view(),
        name="api_question_statistics",
    ),
]
