"""Times on pages are those of the person who reads them."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.domain.zones import zone_named
from accounts.models import User


class OwnTimeZone:
    """Show times in the time zone of the person's profile, UTC to everybody else.

    Visitors without a session pass by: kept pages never depend on it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the person's time zone."""
        with timezone.override(zone_named(_name_of(request))):
            return self.get_response(request)


def _name_of(request: HttpRequest) -> str:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    return request.user.time_zone if isinstance(request.user, User) else ""
