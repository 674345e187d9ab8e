"""One shape for every error of the API."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from accounts.api.problems import MEDIA_TYPE, Problem
from courseiva.lost import is_away

logger = logging.getLogger("django.request")


def problem_response(failure: Exception, context: Mapping[str, Any]) -> Response:
    """Return any failure in the API's one shape, with its headers."""
    problem = _problem_of(failure)
    set_rollback()
    body: dict[str, Any] = {
        "type": f"/api/v1/problems/{problem.code}/",
        "title": _TITLES.get(problem.status_code, "Refused"),
        "status": problem.status_code,
        "code": problem.code,
        "detail": problem.sentence,
        **problem.more,
    }
    if problem.fields:
        body["fields"] = [
            {"name": each.name, "detail": each.detail} for each in problem.fields
        ]
    response = Response(body, status=problem.status_code, content_type=MEDIA_TYPE)
    for name, value in _headers(failure).items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


_TITLES: Final = {
    400: "Bad request",
    401: "Not authenticated",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported media type",
    422: "Unprocessable",
    429: "Too many requests",
    500: "Our fault",
    503: "Not available",
}


def _headers(failure: Exception) -> dict[str, str]:
    found: dict[str, str] = {}
    if isinstance(failure, exceptions.APIException):
        challenge = getattr(failure, "auth_header", None)
        if challenge or failure.status_code == 401:  # noqa: PLR2004
            found["WWW-Authenticate"] = challenge or 'Bearer realm="api"'
        wait = getattr(failure, "wait", None)
        if wait:
            found["Retry-After"] = str(int(wait))
    if is_away(failure):
        found["Retry-After"] = "30"
    return found


def _problem_of(failure: Exception) -> Problem:
    if isinstance(failure, Problem):
        return failure
    for kind, status, code, sentence in _KNOWN:
        if isinstance(failure, kind):
            return Problem(status_code=status, code=code, sentence=sentence)
    if isinstance(failure, exceptions.APIException):
        return Problem(
            status_code=failure.status_code,
            code=str(failure.default_code),
            sentence=str(failure.detail),
        )
    if is_away(failure):
        return Problem(
            status_code=503,
            code="not_available",
            sentence="A server is away. Try again in half a minute.",
        )
    logger.error("The API failed.", exc_info=failure)
    return Problem(
        status_code=500,
        code="error",
        sentence="Something failed on our side. It was logged; try again later.",
    )


_KNOWN: Final[tuple[tuple[Any, int, str, str], ...]] = (
    (Http404, 404, "not_found", "There is nothing at this address."),
    (PermissionDenied, 403, "forbidden", "You may not do this."),
    (SuspiciousOperation, 400, "bad_request", "This request can't be read."),
    (
        exceptions.NotAuthenticated,
        401,
        "not_authenticated",
        "Send an API token, as in Authorization: Bearer TOKEN.",
    ),
    (
        exceptions.ParseError,
        400,
        "malformed",
        "The body is no JSON that can be read. Send an object in UTF-8.",
    ),
    (
        exceptions.UnsupportedMediaType,
        415,
        "unsupported_media_type",
        "Send JSON, with Content-Type: application/json.",
    ),
    (
        exceptions.NotAcceptable,
        406,
        "not_acceptable",
        "The API answers in JSON. Accept application/json.",
    ),
    (
        exceptions.Throttled,
        429,
        "too_many_requests",
        "The limit of requests is used up. Retry-After says how long to wait.",
    ),
)
