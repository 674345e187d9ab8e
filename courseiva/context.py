"""What every template may use, whichever view renders it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """Return the site's name and address."""
    return {"SITE_NAME": settings.SITE_NAME, "SITE_URL": settings.SITE_URL}
