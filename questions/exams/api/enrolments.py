"""What a person prepares for, over the API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView, read
from accounts.api.problems import FieldProblem, invalid, not_found
from accounts.api.scopes import Scope
from accounts.models import User
from questions.exams.models import Enrolment
from questions.exams.services import enrolling
from questions.models import Certification

_HIGHEST = 100_000


class EnrolmentSchema(serializers.Serializer[object]):
    """One exam that a person prepares for, or has taken."""

    certification = serializers.SlugField()
    exam_date = serializers.DateField(allow_null=True)
    result = serializers.ChoiceField(choices=("passed", "failed"), allow_null=True)
    score = serializers.IntegerField(allow_null=True)


class EnrolmentInput(serializers.Serializer[object]):
    """When the exam is to be taken, if that is known: within ten years."""

    exam_date = serializers.DateField(allow_null=True)


class ResultInput(serializers.Serializer[object]):
    """How the real exam went, once its day has come where you are."""

    result = serializers.ChoiceField(choices=("passed", "failed"))
    score = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=_HIGHEST
    )
    exam_date = serializers.DateField()


_EXAMPLE = OpenApiExample(
    "Preparing",
    value={
        "certification": "pmle",
        "exam_date": "2027-02-01",
        "result": None,
        "score": None,
    },
    response_only=True,
)


def _shape(row: Enrolment) -> dict[str, Any]:
    return {
        "certification": row.certification.slug,
        "exam_date": row.exam_date,
        "result": row.result or None,
        "score": row.score,
    }


def _open(request: Request, slug: str) -> Enrolment:
    row = (
        Enrolment.objects.filter(
            user=cast("User", request.user), certification__slug=slug, result=""
        )
        .select_related("certification", "user")
        .first()
    )
    if row is None:
        raise not_found("You prepare for no exam of this certification.")
    return row


@contextmanager
def _refusing_dates() -> Iterator[None]:
    try:
        yield
    except enrolling.ImpossibleDate as impossible:
        problem = FieldProblem(name="exam_date", detail=str(impossible))
        raise invalid([problem]) from impossible


class Enrolments(ApiView):
    """All exams of a person."""

    scopes = {"GET": Scope.ME_READ}
    needs_person = True

    @extend_schema(
        operation_id="list_enrolments",
        responses=EnrolmentSchema(many=True),
        examples=[_EXAMPLE],
    )
    def get(self, request: Request) -> Response:
        """List the exams you prepare for, and those whose results you told."""
        rows = Enrolment.objects.filter(user=cast("User", request.user))
        found = rows.select_related("certification").order_by("pk")
        return Response([_shape(row) for row in found])


class OneEnrolment(ApiView):
    """One exam of a person."""

    scopes = {"PUT": Scope.ME_WRITE, "DELETE": Scope.ME_WRITE}
    needs_person = True

    @extend_schema(
        operation_id="set_enrolment",
        request=EnrolmentInput,
        responses=EnrolmentSchema,
        examples=[
            _EXAMPLE,
            OpenApiExample(
                "A date", value={"exam_date": "2027-02-01"}, request_only=True
            ),
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Note that you prepare for an exam, or change its date."""
        sent = read(EnrolmentInput(data=request.data))
        certification = Certification.objects.filter(slug=slug).first()
        if certification is None:
            raise not_found("There is no certification with this slug.")
        with _refusing_dates():
            row = enrolling.enrol(
                user=cast("User", request.user),
                certification=certification,
                exam_date=sent["exam_date"],
                at=timezone.now(),
            )
        return Response(_shape(row))

    @extend_schema(operation_id="leave_enrolment", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Forget that you prepare for it."""
        enrolling.leave(enrolment=_open(request, slug))
        return Response(status=204)


class EnrolmentResult(ApiView):
    """How a real exam went."""

    scopes = {"PUT": Scope.ME_WRITE}
    needs_person = True

    @extend_schema(
        operation_id="tell_result",
        request=ResultInput,
        responses=EnrolmentSchema,
        examples=[
            OpenApiExample(
                "Passed",
                value={"result": "passed", "score": 812, "exam_date": "2027-02-01"},
                request_only=True,
            ),
            _EXAMPLE,
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Tell how the exam you prepared for went. It helps to check our figures."""
        sent = read(ResultInput(data=request.data))
        with _refusing_dates():
            row = enrolling.tell_result(
                enrolment=_open(request, slug),
                result=Enrolment.Result(sent["result"]),
                score=sent.get("score"),
                exam_date=sent["exam_date"],
                at=timezone.now(),
            )
        return Response(_shape(row))
