"""One question by the API, sent before anything else is set up for the request.

A question lies ready in the database, so the framework, sessions, sign-in, forms and
messages took most of the time that one took (docs/decisions/0039). The view stays the
truth: whatever is unusual goes on to it, and a test holds the two answers together.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.api.authentication import secret_of
from accounts.api.base import CACHE_CONTROL, VARY, is_held
from accounts.api.scopes import Scope
from accounts.services import tokens
from courseiva import limits
from courseiva.lost import is_away
from questions.selectors import serving

_ASKED: Final = re.compile(r"/api/v1/questions/([a-z0-9]{12})")
_JSON: Final = "application/json"
_ACCEPTED: Final = frozenset({"", "*/*", _JSON})
_SAME: Final = (
    ("Allow", "GET, HEAD, OPTIONS"),
    ("Vary", ", ".join(VARY)),
    ("Cache-Control", CACHE_CONTROL),
)


class QuestionDoor:
    """Answer who asks with a token for a question that they may read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the next step."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Send the question, or pass the request on."""
        asked = _ASKED.fullmatch(request.path_info)
        answer = None
        if asked is not None and _is_usual(request):
            try:
                answer = _answer(request, asked[1])
            except (DatabaseError, InterfaceError) as failure:
                # The view will meet a database that is away too, and say so in our shape.
                if not is_away(failure):
                    raise
        return self.get_response(request) if answer is None else answer


def _is_usual(request: HttpRequest) -> bool:
    asked = request.META
    return (
        request.method in {"GET", "HEAD"}
        and not asked.get("QUERY_STRING")
        and not asked.get("HTTP_COOKIE")
        and asked.get("HTTP_ACCEPT", "") in _ACCEPTED
    )


def _answer(request: HttpRequest, public_id: str) -> HttpResponse | None:
    secret = secret_of(request.META.get("HTTP_AUTHORIZATION", ""))
    if secret is None or not tokens.may_be_secret(secret):
        return None
    at = timezone.now()
    found = serving.question_by_token(
        public_id=public_id, digest=tokens.digest(secret), at=at
    )
    if found is None or Scope.QUESTIONS_READ.value not in found.scopes:
        return None
    request.get_host()  # refuses a host that is not ours, as always
    tokens.note_use(pk=found.token_pk, used_at=found.used_at, at=at)
    use = limits.count(who=limits.of_token(found.token_pk), now=time.time())
    if not use.is_within:
        request.limit_use = use  # type: ignore[attr-defined]  # not counted again
        return None
    question = found.question
    is_there = is_held(
        etag=question.etag, asked=request.META.get("HTTP_IF_NONE_MATCH", "")
    )
    return _response(b"" if is_there else question.text.encode(), question.etag, use)


def _response(body: bytes, etag: str, use: limits.Use) -> HttpResponse:
    response = HttpResponse(body, content_type=_JSON, status=200 if body else 304)
    if not body:
        del response.headers["Content-Type"]
    for name, value in (*_SAME, *use.headers.items()):
        response.headers[name] = value
    response.headers["ETag"] = f'"{etag}"'
    response.headers["Content-Length"] = str(len(body))
    return response
