"""The bank's addresses in the API."""

from __future__ import annotations

from django.urls import path

from questions.api import views

urlpatterns = [
    path("vendors", views.Vendors.as_view(), name="api_vendors"),
    path("certifications", views.Certifications.as_view(), name="api_certifications"),
    path(
        "certifications/<slug:slug>",
        views.OneCertification.as_view(),
        name="api_certification",
    ),
    path(
        "certifications/<slug:slug>/blueprints/<str:version>",
        views.OneBlueprint.as_view(),
        name="api_blueprint",
    ),
    path("questions", views.Questions.as_view(), name="api_questions"),
    path("questions/export", views.Export.as_view(), name="api_export"),
    path(
        "questions/<slug:public_id>", views.OneQuestion.as_view(), name="api_question"
    ),
]
