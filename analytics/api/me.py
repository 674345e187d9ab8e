"""What a person's answers tell: readiness, figures, and the answers themselves."""

from __future__ import annotations

from typing import Any, Final, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import paging
from accounts.api.base import ApiView, read
from accounts.api.scopes import Scope
from accounts.models import User
from analytics.api import schemas, shapes
from analytics.api.examples import ENTRY, READINESS, STATISTICS, TOO_LITTLE
from analytics.screens.dashboard import local_day
from analytics.selectors import history, learners
from questions.api.views import PAGING
from questions.exams.api import callers

ORDERING: Final = paging.Ordering(field="logged_at", is_descending=True)


class Readiness(ApiView):
    """How likely you are to pass."""

    scopes = {"GET": Scope.ANALYTICS_READ}
    needs_person = True

    @extend_schema(
        operation_id="list_readiness",
        parameters=[schemas.NarrowingInput],
        responses=schemas.ReadinessSchema(many=True),
        examples=[READINESS, TOO_LITTLE],
    )
    def get(self, request: Request) -> Response:
        """Return your readiness for each exam that you prepare for or study.

        Where too little is known there is no chance of passing, and what is missing.
        """
        at = timezone.now()
        user, slug = cast("User", request.user), _certification(request)
        return Response(
            [
                shapes.readiness_shape(
                    certification, found, learners.gains(user=user, found=found)
                )
                for certification in history.certifications_of(user=user, slug=slug)
                if (
                    found := learners.readiness_of(
                        user=user, certification=certification, at=at
                    )
                )
            ]
        )


class Statistics(ApiView):
    """What was counted of your answers."""

    scopes = {"GET": Scope.ANALYTICS_READ}
    needs_person = True

    @extend_schema(
        operation_id="list_statistics",
        parameters=[schemas.NarrowingInput],
        responses=schemas.StatisticsSchema(many=True),
        examples=[STATISTICS],
    )
    def get(self, request: Request) -> Response:
        """Return all that was counted, for each exam that you prepare for or study.

        Questions of a mock exam under way are not among the traps.
        """
        at = timezone.now()
        user, slug = cast("User", request.user), _certification(request)
        own = [
            (certification, found)
            for certification in history.certifications_of(user=user, slug=slug)
            if (
                found := learners.readiness_of(
                    user=user, certification=certification, at=at
                )
            )
        ]
        revisions = history.readable_revisions(
            revisions={
                trap.revision
                for _, found in own
                for trap in found.counted.figures.traps
            },
            user=user,
            withheld=callers.withheld(request, at),
        )
        return Response(
            [
                shapes.statistics_shape(
                    certification,
                    found,
                    traps=shapes.traps_shape(found.counted.figures.traps, revisions),
                    today=local_day(user, at),
                )
                for certification, found in own
            ]
        )


class History(ApiView):
    """Everything you answered."""

    scopes = {"GET": Scope.ANALYTICS_READ}
    needs_person = True

    @extend_schema(
        operation_id="list_history",
        parameters=[schemas.NarrowingInput, *PAGING],
        responses=schemas.HistoryPageSchema,
        examples=[
            OpenApiExample("A page", value={"next": None, "results": [ENTRY.value]})
        ],
    )
    def get(self, request: Request) -> Response:
        """List your scored answers, the newest first, as they count now.

        Those to questions of a mock exam under way are left out until it ends.
        """
        at = timezone.now()
        page: dict[str, Any] = paging.page(
            request=request,
            rows=history.answers_of(
                participants=callers.learner_of(request).ids,
                certification=_certification(request),
                withheld=callers.withheld(request, at),
            ),
            ordering=ORDERING,
            show=lambda row: row,
        )
        entries = history.entries(rows=page["results"])
        return Response(
            {**page, "results": [shapes.entry_shape(entry) for entry in entries]}
        )


def _certification(request: Request) -> str:
    sent = read(schemas.NarrowingInput(data=request.query_params))
    return str(sent.get("certification", ""))
