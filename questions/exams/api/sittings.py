"""How a sitting stands, and its questions, over the API."""

from __future__ import annotations

import uuid

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
from questions.exams.api import callers, schemas
from questions.exams.api.examples import SITTING, TOKEN
from questions.exams.api.shapes import item_shape, sitting_shape
from questions.exams.domain import clock, visibility
from questions.exams.models import SittingItem
from questions.exams.selectors import sittings


class OneSitting(ApiView):
    """How a sitting stands."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_sitting",
        parameters=[TOKEN],
        responses=schemas.SittingSchema,
        examples=[SITTING],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return the sitting with the server's time and the time left."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        return Response(sitting_shape(own, at))


def _open_items(request: Request, public_id: uuid.UUID) -> list[SittingItem]:
    """Return the items of a sitting that may be read now.

    Raises:
        Problem: it has ended, or its time is up.
    """
    at = timezone.now()
    own = callers.own_sitting(request, public_id, at)
    sight = visibility.sight(
        phase=own.phase(at), feedback=own.feedback, is_answered=False
    )
    if not sight.question:
        raise conflict("not_running", "Time is up, or this sitting is void.")
    items = sittings.items_with_documents(sitting=own)
    if own.is_linear and own.status == clock.Status.RUNNING:
        items = [item for item in items if item.position == own.reached]
    return items


class Items(ApiView):
    """The questions of a sitting."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="list_sitting_items",
        parameters=[TOKEN],
        responses=schemas.SittingItemSchema(many=True),
        examples=[OpenApiExample("An item", value={"position": 1, "version": 0})],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return all questions with what was done, without keys.

        A linear sitting shows the one it stands at.
        """
        return Response([item_shape(item) for item in _open_items(request, public_id)])


class OneItem(ApiView):
    """One question of a sitting."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_sitting_item",
        parameters=[TOKEN],
        responses=schemas.SittingItemSchema,
        examples=[OpenApiExample("An item", value={"position": 1, "version": 0})],
    )
    def get(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Return one question with what was done, without its key."""
        for item in _open_items(request, public_id):
            if item.position == position:
                return Response(item_shape(item))
        raise not_found("This sitting has no such question now.")
