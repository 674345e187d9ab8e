"""Catalogue and questions over the API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from django.core import signing
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import paging
from accounts.api.base import ApiView, conditional, read
from accounts.api.problems import FieldProblem, invalid, not_found
from accounts.api.rendering import Ready
from accounts.api.scopes import Scope
from questions.api import schemas
from questions.models import Blueprint, Certification, Vendor
from questions.selectors import serving

ORDERINGS: Final = {
    "created": paging.Ordering(field="pk"),
    "-created": paging.Ordering(field="pk", is_descending=True),
    "changed": paging.Ordering(field="changed_at"),
    "-changed": paging.Ordering(field="changed_at", is_descending=True),
    "title": paging.Ordering(field="published_revision__title"),
    "-title": paging.Ordering(field="published_revision__title", is_descending=True),
}
BY_RANK: Final = paging.Ordering(field="rank", is_descending=True)
_SALT: Final = "courseiva.api.export"

PAGING: Final = [
    OpenApiParameter("cursor", str, description="From the address in next."),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": paging.MOST, "default": 50},
        description="How many results a page has.",
    ),
]
SEEN: Final = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="An ETag you have: 304 if nothing changed since.",
)
QUESTION: Final = OpenApiExample(
    "A question",
    value={
        "id": "k3v9w2m7x4pq",
        "slug": "a-backfill-through-the-front-door",
        "certification": "pmle",
        "revision": 1,
        "title": "A backfill through the front door",
        "kind": "single",
        "choose": 1,
        "difficulty": "easy",
        "exposure": "public",
        "scenario": None,
        "stem_html": "<p>A property portal estimates prices …</p>",
        "exhibits_html": "",
        "lead_in_html": "How should the monthly estimates be made?",
        "options": [{"key": "slower-script", "html": "By the same script …"}],
        "changed_at": "2026-11-30T12:00:00Z",
    },
    response_only=True,
)


class Vendors(ApiView):
    """Companies that certify people."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="list_vendors",
        responses=schemas.VendorSchema(many=True),
        examples=[
            OpenApiExample(
                "A vendor", value={"slug": "google-cloud", "name": "Google Cloud"}
            )
        ],
    )
    def get(self, request: Request) -> Response:
        """List the vendors, all of them."""
        found = Vendor.objects.order_by("slug")
        return Response([{"slug": each.slug, "name": each.name} for each in found])


class Certifications(ApiView):
    """Credentials that there are questions for."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="list_certifications",
        responses=schemas.CertificationSchema(many=True),
        examples=[
            OpenApiExample("A certification", value={"slug": "pmle", "code": "PMLE"})
        ],
    )
    def get(self, request: Request) -> Response:
        """List the certifications, all of them."""
        return Response([_certification(each) for each in _certifications()])


class OneCertification(ApiView):
    """One credential."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="retrieve_certification",
        parameters=[SEEN],
        responses=schemas.CertificationSchema,
        examples=[
            OpenApiExample("A certification", value={"slug": "pmle", "code": "PMLE"})
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return one certification, with the names of its blueprint versions."""
        found = _certifications().filter(slug=slug).first()
        if found is None:
            raise not_found("There is no certification with this slug.")
        return conditional(
            request, f"c{found.pk}-{found.bank_version}", lambda: _certification(found)
        )


class OneBlueprint(ApiView):
    """One version of an exam guide."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="retrieve_blueprint",
        parameters=[SEEN],
        responses=schemas.BlueprintSchema,
        examples=[
            OpenApiExample("A blueprint", value={"version": "2026-06", "minutes": 120})
        ],
    )
    def get(self, request: Request, slug: str, version: str) -> Response:
        """Return a blueprint version with its domains and objectives."""
        found = (
            Blueprint.objects.filter(certification__slug=slug, version=version)
            .select_related("certification")
            .first()
        )
        if found is None:
            raise not_found("There is no such blueprint version.")
        etag = f"b{found.pk}-{found.certification.bank_version}"
        return conditional(request, etag, lambda: _blueprint(found))


def _certifications() -> Any:
    return (
        Certification.objects.select_related("vendor")
        .prefetch_related("blueprints")
        .order_by("slug")
    )


def _certification(row: Certification) -> dict[str, Any]:
    versions = sorted(row.blueprints.all(), key=lambda each: each.effective_from)
    return {
        "slug": row.slug,
        "code": row.code,
        "name": row.name,
        "level": row.level,
        "vendor": {"slug": row.vendor.slug, "name": row.vendor.name},
        "guide_url": row.guide_url,
        "summary": row.summary,
        "blueprints": [each.version for each in versions],
    }


def _blueprint(row: Blueprint) -> dict[str, Any]:
    domains = row.domains.prefetch_related("objectives").order_by("pk")
    scale = None
    if row.scale_pass is not None:
        scale = {
            "lowest": row.scale_min,
            "highest": row.scale_max,
            "passing": row.scale_pass,
        }
    return {
        "version": row.version,
        "effective_from": row.effective_from,
        "effective_to": row.effective_to,
        "questions_min": row.questions_min,
        "questions_max": row.questions_max,
        "unscored_questions": row.unscored_questions,
        "minutes": row.minutes,
        "mark": float(row.mark),
        "mark_source": row.mark_source,
        "scale": scale,
        "domains": [
            {
                "code": domain.code,
                "name": domain.name,
                "weight": domain.weight,
                "objectives": [
                    {
                        "code": objective.code,
                        "slug": objective.slug,
                        "name": objective.name,
                    }
                    for objective in sorted(
                        domain.objectives.all(), key=lambda each: each.pk
                    )
                ],
            }
            for domain in domains
        ],
    }


class Questions(ApiView):
    """Questions, without keys."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="list_questions",
        parameters=[
            schemas.NarrowingInput,
            OpenApiParameter(
                "ordering",
                {"type": "string", "enum": list(ORDERINGS), "default": "created"},
                description="A search is ordered by how well questions fit.",
            ),
            *PAGING,
        ],
        responses=schemas.QuestionPageSchema,
        examples=[
            OpenApiExample("A page", value={"next": None, "results": [QUESTION.value]})
        ],
    )
    def get(self, request: Request) -> Response:
        """List questions that you may read: public ones, and members' with a token."""
        sent = schemas.NarrowingInput(data=request.query_params)
        narrowing = serving.Narrowing(**read(sent))
        ordering = paging.ordering_of(request, ORDERINGS, "created")
        if narrowing.search:
            ordering = BY_RANK
        found = serving.questions_for(user=request.user, narrowing=narrowing)
        page = paging.page_of(
            request=request,
            rows=serving.stored(found, ordering.field),
            ordering=ordering,
            place=lambda row: (row[-1], row[0]),
        )
        texts = (serving.Stored._make(row[:-1]).text for row in page.rows)
        listed = (
            f'{{"next":{json.dumps(page.following)},"results":[{",".join(texts)}]}}'
        )
        return Response(Ready(listed.encode()))


class OneQuestion(ApiView):
    """One question, without its key."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="retrieve_question",
        parameters=[SEEN],
        responses=schemas.QuestionSchema,
        examples=[QUESTION],
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a question that you may read. Post an answer to see its key."""
        found = serving.question_for(
            public_id=public_id, is_member=request.user.is_authenticated
        )
        if found is None:
            raise not_found("There is no question with this id that you may read.")
        return conditional(request, found.etag, lambda: Ready(found.text.encode()))


class Export(ApiView):
    """All questions that a token may read."""

    scopes = {"GET": Scope.QUESTIONS_READ}

    @extend_schema(
        operation_id="export_questions",
        parameters=[
            OpenApiParameter(
                "cursor", str, description="The cursor of the last line you have."
            )
        ],
        responses={(200, "application/jsonl"): {"type": "string"}},
        examples=[
            OpenApiExample("A line", value='{"cursor": "…", "question": {"id": "…"}}')
        ],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream all questions that you may read, one JSON object a line.

        Each line carries a cursor: ask again with the last one to go on after it.
        """
        cursor = request.query_params.get("cursor", "")
        after = 0
        if cursor:
            try:
                after = int(signing.loads(cursor, salt=_SALT))
            except (signing.BadSignature, ValueError, TypeError) as broken:
                detail = "Take the cursor of the last line that you have."
                raise invalid([FieldProblem(name="cursor", detail=detail)]) from broken
        response = StreamingHttpResponse(
            _lines(serving.exported(user=request.user, after=after)),
            content_type="application/jsonl",
        )
        response.headers["Content-Disposition"] = (
            'attachment; filename="questions.jsonl"'
        )
        return response


def _lines(questions: Iterator[serving.Stored]) -> Iterator[bytes]:
    signer = signing.TimestampSigner(salt=_SALT)
    while some := list(islice(questions, serving.EXPORTED_AT_ONCE)):
        lines = (
            f'{{"cursor":"{signer.sign_object(each.pk)}","question":{each.text}}}\n'
            for each in some
        )
        yield "".join(lines).encode()
