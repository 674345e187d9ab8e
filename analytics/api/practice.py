"""Practice of questions chosen for a person, over the API."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView, read
from accounts.api.problems import conflict, not_found
from accounts.api.scopes import Scope
from accounts.services import idempotency
from analytics.services import choosing
from questions.exams.api import beginning, callers
from questions.exams.api.examples import IDEMPOTENT
from questions.exams.api.schemas import SittingSchema
from questions.exams.api.shapes import sitting_shape
from questions.exams.services import starting
from questions.models import Certification


class PracticeInput(serializers.Serializer[object]):
    """What to practise, and how many questions."""

    certification = serializers.SlugField(max_length=60)
    length = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=starting.MOST_IN_A_SET,
        help_text=f"{choosing.USUAL_LENGTH}, if nothing is said.",
    )


class Practice(ApiView):
    """Practice of questions chosen for you."""

    scopes = {"POST": Scope.SITTINGS_WRITE}
    needs_person = True

    @extend_schema(
        operation_id="create_practice_for_me",
        parameters=[IDEMPOTENT],
        request=PracticeInput,
        responses={201: SittingSchema},
        examples=[
            OpenApiExample(
                "Five questions",
                value={"certification": "pmle", "length": 5},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Begin practice of unseen questions whose answers tell most about your score.

        Each item of the sitting says in ``reason`` why it was chosen.
        """
        sent = read(PracticeInput(data=request.data))
        at = timezone.now()
        reply = beginning.once(
            request,
            "create_practice_for_me",
            sent,
            at,
            lambda: _begin(request, sent, at),
        )
        return Response(reply.body, status=reply.status)


def _begin(
    request: Request, sent: dict[str, Any], at: datetime.datetime
) -> idempotency.Reply:
    certification = Certification.objects.filter(slug=sent["certification"]).first()
    if certification is None:
        raise not_found("There is no certification with this slug.")
    try:
        sitting = choosing.start(
            learner=callers.learner_for(request, at),
            certification=certification,
            withheld=callers.withheld(request, at),
            length=sent.get("length", choosing.USUAL_LENGTH),
            seed=uuid.uuid4().int >> 66,
            at=at,
        )
    except starting.NothingMatches as nothing:
        raise conflict(
            "nothing_unseen",
            "No question is left that you have not seen. Begin a sitting of your own "
            "choice instead.",
        ) from nothing
    return idempotency.Reply(status=201, body=sitting_shape(sitting, at))
