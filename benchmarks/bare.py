"""The measuring stick: Django with no middleware, one row, the same bytes."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path


def row(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the bytes kept for a question after one look-up."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM bench_row WHERE slug = %s", [slug])
        found = cursor.fetchone()
    response = HttpResponse(bytes(found[0]))
    response.headers["Content-Encoding"] = "gzip"
    return response


urlpatterns = [path("questions/<slug:slug>/", row)]
