"""Pages on which learners read what their answers tell."""

from __future__ import annotations

from django.urls import path

from analytics import views

urlpatterns = [
    path("readiness/", views.readiness_method, name="readiness_method"),
    path("dashboard/", views.dashboards, name="dashboards"),
    path("dashboard/<slug:slug>/", views.dashboard, name="dashboard"),
    path("dashboard/<slug:slug>/how/", views.readiness_how, name="readiness_how"),
    path("dashboard/<slug:slug>/figures/", views.statistics, name="statistics"),
    path("dashboard/<slug:slug>/streak/", views.show_streak, name="show_streak"),
    path("dashboard/<slug:slug>/choose/", views.choose_for_me, name="choose_for_me"),
]
