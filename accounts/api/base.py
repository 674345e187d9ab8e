"""The view that all doors of the API are made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.http import HttpRequest
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.api.problems import FieldProblem, Problem, invalid
from accounts.api.scopes import Scope
from accounts.models import ApiToken

VARY: Final = ("Authorization", "Cookie")
CACHE_CONTROL: Final = "private, no-cache"
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class ApiView(APIView):
    """A door of the API: scopes, limits, one shape of error, conditional answers.

    ``scopes`` names what a token needs for each method; ``needs_person`` refuses who is
    not signed in by token or session.
    """

    scopes: ClassVar[dict[str, Scope]] = {}
    needs_person: ClassVar[bool] = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse bodies that are no JSON, before anything is looked at."""
        super().initial(request, *args, **kwargs)
        kind = request.content_type.partition(";")[0].strip().lower()
        has_body = request.META.get("CONTENT_LENGTH") not in {None, "", "0"}
        if has_body and request.method in _WITH_BODY and kind != "application/json":
            raise UnsupportedMediaType(kind)

    def check_permissions(self, request: Request) -> None:
        """Refuse a token without the scope, and visitors where a person is needed."""
        method = "GET" if request.method == "HEAD" else str(request.method)
        scope = self.scopes.get(method)
        token = request.auth
        if isinstance(token, ApiToken):
            if scope is not None and scope.value not in token.scopes:
                raise Problem(
                    status_code=403,
                    code="missing_scope",
                    sentence=f"This token lacks the scope {scope.value}. Make one that "
                    "has it under Account, API tokens.",
                    scope=scope.value,
                )
        elif self.needs_person and not request.user.is_authenticated:
            raise Problem(
                status_code=401,
                code="not_authenticated",
                sentence="Send an API token, as in Authorization: Bearer TOKEN.",
            )

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Add the headers of the limit, and what the answer depends on."""
        response = super().finalize_response(request, response, *args, **kwargs)
        plain: HttpRequest = request._request  # noqa: SLF001  (DRF's own name for it)
        for name, value in getattr(plain, "limit_headers", {}).items():
            response.headers[name] = value
        patch_vary_headers(response, VARY)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = CACHE_CONTROL
        return response


def conditional(
    request: Request, etag: str, build: Callable[[], Any], **headers: str
) -> Response:
    """Answer 304 if the client has what ``etag`` names, else what ``build`` returns."""
    if is_held(etag=etag, asked=request.META.get("HTTP_IF_NONE_MATCH", "")):
        response = Response(status=304)
    else:
        response = Response(build())
    response.headers["ETag"] = f'"{etag}"'
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def is_held(*, etag: str, asked: str) -> bool:
    """Tell whether a header If-None-Match says that the client has what ``etag`` names."""
    held = {each.strip().removeprefix("W/") for each in asked.split(",")}
    return f'"{etag}"' in held or "*" in held


def read(serializer: Serializer[Any]) -> dict[str, Any]:
    """Return what was sent, checked.

    Raises:
        Problem: some field can't be used; all that are wrong are told at once.
    """
    if serializer.is_valid():
        checked: dict[str, Any] = serializer.validated_data
        return checked
    raise invalid(_fields(serializer.errors))


def _fields(errors: Any, path: str = "") -> list[FieldProblem]:
    if isinstance(errors, dict):
        return [
            problem
            for name, inner in errors.items()
            for problem in _fields(inner, f"{path}.{name}" if path else str(name))
        ]
    if isinstance(errors, list) and errors and not isinstance(errors[0], str):
        return [
            problem
            for place, inner in enumerate(errors)
            for problem in _fields(inner, f"{path}.{place}")
        ]
    return [FieldProblem(name=path, detail=" ".join(str(each) for each in errors))]
