"""What every request and every answer passes: guards and headers, built once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.template import loader

from accounts.api.problems import MEDIA_TYPE

GetResponse = Callable[[HttpRequest], HttpResponseBase]

STRICT: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
}
# The admin theme runs the standard build of Alpine, which evaluates its attributes,
# and writes widths into style attributes. docs/decisions/0014 has the reasons.
LOOSER_FOR_ADMIN: Final = {
    "script-src": "'self' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "frame-src": "'self'",
}


def policy(directives: dict[str, str]) -> str:
    """Return the value of a Content-Security-Policy header."""
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


ADMIN_POLICY: Final = policy({**STRICT, **LOOSER_FOR_ADMIN})
PERMISSIONS_POLICY: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)
ADMIN_PATH: Final = "/admin/"
API_PATH: Final = "/api/"
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


class SecurityHeaders:
    """Add the content security policy and the permissions policy to every answer.

    A view that needs another policy, such as a preview shown in a frame, sets the
    header itself; what is there already is kept.
    """

    def __init__(self, get_response: GetResponse) -> None:
        """Keep the next step, and put the policy together once."""
        self.get_response = get_response
        # Browsers hold a form's redirects to the policy too: signing in elsewhere.
        targets = " ".join(("'self'", *settings.FORM_TARGETS))
        self.site_policy = policy({**STRICT, "form-action": targets})

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with both headers."""
        response = self.get_response(request)
        is_admin = request.path_info.startswith(ADMIN_PATH)
        headers = response.headers
        headers.setdefault(
            "Content-Security-Policy", ADMIN_POLICY if is_admin else self.site_policy
        )
        headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response


class RefuseUnreadableInput:
    """Answer 400 to null bytes and broken UTF-8, 413 to bodies that are too long.

    PostgreSQL can't store a null byte and raises where one is bound, so each view
    would have to look for it; here one place does, for the path, the query, the
    cookies (whose quoting can hide one) and the form fields.
    """

    def __init__(self, get_response: GetResponse) -> None:
        """Keep the next step."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass a readable request on."""
        if _is_too_long(request):
            return _refusal(request, 413)
        if _is_unreadable(request):
            # Not raised: a stranger's probe is not worth a traceback in the log. Nor by
            # Django's own view, which reads the form once more, for its token.
            return _refusal(request, 400)
        return self.get_response(request)


def _refusal(request: HttpRequest, status: int) -> HttpResponse:
    if request.path_info.startswith(API_PATH):
        title, sentence = _REFUSALS[status]
        body = {
            "type": f"{API_PATH}v1/problems/{title}/",
            "title": title.replace("_", " ").capitalize(),
            "status": status,
            "code": title,
            "detail": sentence,
        }
        return JsonResponse(body, status=status, content_type=MEDIA_TYPE)
    return HttpResponse(
        loader.render_to_string(f"{status}.html"), status=status, charset="utf-8"
    )


_REFUSALS: Final = {
    400: (
        "unreadable",
        "The request holds null bytes, is not in UTF-8, or is cut short.",
    ),
    413: ("too_large", "The body is longer than is read here."),
}


def _is_too_long(request: HttpRequest) -> bool:
    if request.method in {"GET", "HEAD"}:
        return False
    length = request.META.get("CONTENT_LENGTH") or "0"
    limit: int = settings.MAX_BODY_BYTES
    return length.isdecimal() and int(length) > limit


def _is_unreadable(request: HttpRequest) -> bool:
    query = request.META.get("QUERY_STRING", "")
    cookies = request.META.get("HTTP_COOKIE", "")
    return (
        "\x00" in request.path_info
        or ("%" in query and _is_broken(query.encode("latin-1", "replace")))
        or not query.isascii()
        or "\\000" in cookies
        or "\x00" in cookies
        or (request.method == "POST" and _has_unreadable_form(request))
    )


def _is_utf_8(request: HttpRequest) -> bool:
    return request.encoding is None or request.encoding.lower() == "utf-8"


def _is_broken(quoted: bytes) -> bool:
    text = unquote_to_bytes(quoted)
    if b"\x00" in text:
        return True
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _has_unreadable_form(request: HttpRequest) -> bool:
    if request.content_type in FORM_TYPES and not _is_utf_8(request):
        return True
    if request.content_type == FORM_TYPES[0]:
        return _is_broken(request.body)
    if request.content_type != FORM_TYPES[1]:
        return False
    try:
        fields = request.POST.lists()
    except (MultiPartParserError, SuspiciousOperation):
        return True  # no boundary, or more fields than are read
    return any(
        "\x00" in name or any("\x00" in str(value) for value in values)
        for name, values in fields
    )
