"""Pages about one's own account, besides those of django-allauth."""

from __future__ import annotations

from django.urls import path

from accounts import views
from accounts.api import pages

urlpatterns = [
    path("tokens/", pages.api_tokens, name="api_tokens"),
    path("tokens/<int:pk>/revoke/", pages.revoke_api_token, name="revoke_api_token"),
    path("second-factor/", views.second_factor, name="second_factor"),
    path("theme/", views.theme, name="theme"),
    path("data/", views.own_records, name="own_records"),
    path("data/export/", views.ask_for_export, name="ask_for_export"),
    path("data/<uuid:public_id>/", views.export, name="export"),
    path("data/<uuid:public_id>.zip", views.download_export, name="download_export"),
    path("erase/", views.erase_account, name="erase_account"),
    path("erase/undo/", views.undo_erasure, name="undo_erasure"),
]
