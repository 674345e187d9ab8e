"""What every template may use, whichever view renders it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from accounts.selectors import PARTICIPANT_SESSION_KEY
from questions.exams.screens import history


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the site's name and address, and what every page says of a person.

    ``running_mocks`` is looked up only by pages that show it, and only for visitors
    with a session. ``has_unclaimed_work`` says that something was done on this device
    before signing in, and that nobody has said whose it is.
    """
    return {
        "SITE_NAME": settings.SITE_NAME,
        "SITE_URL": settings.SITE_URL,
        "running_mocks": SimpleLazyObject(
            lambda: history.running_mocks(request, timezone.now())
        ),
        "has_unclaimed_work": SimpleLazyObject(lambda: _has_unclaimed_work(request)),
    }


def _has_unclaimed_work(request: HttpRequest) -> bool:
    return (
        settings.SESSION_COOKIE_NAME in request.COOKIES
        and isinstance(getattr(request, "user", None), User)
        and bool(request.session.get(PARTICIPANT_SESSION_KEY))
    )
