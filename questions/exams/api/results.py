"""End a sitting over the API, and read what it came to."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.api.problems import (
    conflict,
    not_found,
)
from accounts.api.scopes import Scope
from questions.domain.responses import Response as Answer
from questions.exams.api import callers, schemas
from questions.exams.api.examples import SITTING, TOKEN
from questions.exams.api.questions import VERDICT, verdict_of
from questions.exams.api.shapes import report_shape, sitting_shape
from questions.exams.domain import clock, orders, visibility
from questions.exams.models import Sitting
from questions.exams.selectors import sittings
from questions.exams.services import finishing


def reviewed(
    request: Request, own: Sitting, position: int, at: datetime.datetime
) -> dict[str, Any]:
    """Return one answered item with its key, if that may be seen.

    Raises:
        Problem: there is no such item, or its key may not be seen now.
    """
    item = sittings.item_at(sitting=own, position=position)
    if item is None:
        raise not_found("This sitting has no such question.")
    response = item.response
    own.refresh_from_db(fields=["status"])
    is_answered = response.answered_at is not None
    sight = visibility.sight(
        phase=own.phase(at),
        feedback=own.feedback,
        is_answered=is_answered,
        is_withheld=item.question_id in callers.withheld(request, at),
    )
    if not sight.key:
        raise conflict("not_yet", "The key of this question can't be shown now.")
    opened = orders.arranged(item.revision.document.open, item.option_order)
    answer = None if response.was_shown else Answer(frozenset(response.chosen))
    told = verdict_of(opened, finishing.keyed_of(item), answer)
    points = response.points
    return {**told, "points": float(points) if points is not None else 0.0}


class ReviewItem(ApiView):
    """One question of a finished sitting, with its key."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="review_item",
        parameters=[TOKEN],
        responses=schemas.VerdictSchema,
        examples=[VERDICT],
    )
    def get(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Return the answer to one question with its key, once that may be seen."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        told = reviewed(request, own, position, at)
        _note_seen(own, at)
        return Response(told)


class Submit(ApiView):
    """End a sitting."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="submit_sitting",
        parameters=[TOKEN],
        request=None,
        responses=schemas.SittingSchema,
        examples=[SITTING],
    )
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """End the sitting and score it. Again is the same as once."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if own.status == clock.Status.RUNNING:
            try:
                finishing.submit(sitting=own, at=at)
            except finishing.HeldBack as held:
                raise conflict("withheld", held.sentence) from held
            own.refresh_from_db(fields=["status", "ended_at", "ending"])
        return Response(sitting_shape(own, at))


class Report(ApiView):
    """What a sitting came to."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_report",
        parameters=[TOKEN],
        responses=schemas.ReportSchema,
        examples=[OpenApiExample("A report", value={"right": 41, "questions": 60})],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return the report that counts, as it was frozen.

        Letters in it are those of the sitting: A is the first option that was shown.
        """
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if own.phase(at) is not clock.Phase.FINISHED:
            raise conflict("not_finished", "There is a report once the sitting ends.")
        report = sittings.report_of(sitting=own)
        if report is None:
            raise not_found("This sitting has no report.")
        _note_seen(own, at)
        return Response(report_shape(report, callers.withheld(request, at)))


def _note_seen(own: Sitting, at: datetime.datetime) -> None:
    if own.status == clock.Status.FINISHED and own.report_seen_at is None:
        Sitting.objects.filter(pk=own.pk).update(report_seen_at=at)
