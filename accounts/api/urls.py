"""The addresses of people in the API."""

from __future__ import annotations

from django.urls import path

from accounts.api import views

urlpatterns = [path("me", views.Me.as_view(), name="api_me")]
