"""/api/v1/: the apps' routes, the schema and its pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.api.problems import not_found
from courseiva.middleware import STRICT, policy

# The page of the schema draws itself with styles in attributes and pictures in data
# addresses. It is ours, shows nothing that visitors wrote, and loads from here only.
_POLICY = policy(
    {
        **STRICT,
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
    }
)


class Documentation(SpectacularSwaggerSplitView):
    """The schema as a page, from our own origin."""

    schema = None

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page, with a policy that lets it draw itself."""
        response: HttpResponse = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        response.headers["Content-Security-Policy"] = _POLICY
        return response


class Nothing(ApiView):
    """Any other address under the API."""

    @extend_schema(exclude=True)
    def get(self, request: Request, rest: str = "") -> Response:
        """Say that there is nothing, in the API's shape."""
        raise not_found("There is nothing at this address. See /api/v1/docs/.")

    post = put = patch = delete = get


urlpatterns = [
    path("schema", SpectacularAPIView.as_view(), name="api_schema"),
    path(
        "docs/", Documentation.as_view(url_name="api_schema"), name="api_documentation"
    ),
    path("", include("accounts.api.urls")),
    path("", include("analytics.api.urls")),
    path("", include("questions.exams.api.urls")),
    path("", include("questions.api.urls")),
    re_path(r"^(?P<rest>(?s:.*))$", Nothing.as_view()),
]
