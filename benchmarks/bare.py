"""The measuring sticks: Django with no middleware, one row, the same bytes."""

from __future__ import annotations

import uuid

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt


def question(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the bytes kept for a question after one look-up."""
    response = HttpResponse(_body(slug))
    response.headers["Content-Encoding"] = "gzip"
    return response


def exam(request: HttpRequest, sitting: uuid.UUID, position: int) -> HttpResponse:
    """Send the bytes kept for a page of an exam after one look-up."""
    return HttpResponse(_body(f"{sitting}/{position}"))


def _body(slug: str) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM bench_row WHERE slug = %s", [slug])
        found = cursor.fetchone()
    return bytes(found[0])


@csrf_exempt
def save(request: HttpRequest, sitting: uuid.UUID, position: int) -> HttpResponse:
    """Write what is posted into one row, and commit: Django does so by itself here."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE bench_response SET chosen = %s, version = version + 1"
            " WHERE sitting = %s AND position = %s RETURNING version",
            [request.POST["answer"], sitting, position],
        )
        (version,) = cursor.fetchone()
    return JsonResponse({"version": version})


def api_question(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the bytes that the API answers after one look-up."""
    return HttpResponse(_body(public_id), content_type="application/json")


_PLACE = "sittings/<uuid:sitting>/<int:position>/"
urlpatterns = [
    path("questions/<slug:slug>/", question),
    path("api/v1/questions/<slug:public_id>", api_question),
    path(_PLACE, exam),
    path(f"{_PLACE}response/", save),
]
