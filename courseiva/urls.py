"""The map of the whole site."""

from __future__ import annotations

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView

from courseiva import desk_door, health

desk_door.guard(admin.site)

_ICON = lazy(static, str)("courseiva/mark.svg")

handler500 = "courseiva.outage.failed"

urlpatterns = [
    # Asked for by browsers on pages that name no icon, such as the theme's.
    path("favicon.ico", RedirectView.as_view(url=_ICON)),
    path("healthz", health.healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("courseiva.api_urls")),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("analytics.urls")),
    path("", include("questions.exams.urls")),
    path("", include("questions.urls")),
]
