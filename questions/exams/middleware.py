"""Send a kept page before anything else is set up for the request."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from questions.exams.selectors import pages

_QUESTION = re.compile(r"/questions/([-\w]+)/", re.ASCII)


class KeptPages:
    """Answer a visitor without a session with the page kept for such visitors.

    Such a page has nothing of the visitor in it, so session, sign-in, forms and messages
    need not be looked at. Where no true page is kept, the view makes one: it finds in
    ``request.kept_page`` what was looked up here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Send the kept page, or pass the request on."""
        kept = _look_up(request)
        if kept is not None and kept.may_be_sent and kept.gzipped is not None:
            request.get_host()  # refuses a host that is not ours, as always
            return _send(request, kept.gzipped)
        request.kept_page = kept  # type: ignore[attr-defined]
        return self.get_response(request)


def _look_up(request: HttpRequest) -> pages.KeptPage | None:
    asked = _QUESTION.fullmatch(request.path_info)
    if (
        asked is None
        or request.method not in {"GET", "HEAD"}
        or settings.SESSION_COOKIE_NAME in request.COOKIES
    ):
        return None
    return pages.kept_page(
        slug=asked[1], edition=pages.edition(), on=timezone.now().date()
    )


def _send(request: HttpRequest, gzipped: bytes) -> HttpResponse:
    """Send a kept page as it lies there, or unpacked to the few who can't read it."""
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(gzipped)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(gzip.decompress(gzipped))
    response.headers["Content-Length"] = str(len(response.content))
    response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response
