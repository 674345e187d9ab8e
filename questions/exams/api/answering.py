"""Save and check answers over the API."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView, read
from accounts.api.problems import (
    Problem,
    conflict,
    not_found,
    unprocessable,
)
from accounts.api.scopes import Scope
from questions.domain.responses import InvalidResponse
from questions.exams.api import callers, schemas
from questions.exams.api.examples import SITTING, TOKEN
from questions.exams.api.questions import VERDICT
from questions.exams.api.results import reviewed
from questions.exams.api.shapes import sitting_shape
from questions.exams.services import practice, saving


class SaveResponse(ApiView):
    """Save the work on one item."""

    scopes = {"PUT": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="save_response",
        parameters=[TOKEN],
        request=schemas.ResponseInput,
        responses=schemas.SavedSchema,
        examples=[
            OpenApiExample(
                "A first answer",
                value={
                    "save_id": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
                    "base_version": 0,
                    "chosen": ["batch-from-registry"],
                    "seconds": 41,
                },
                request_only=True,
            ),
            OpenApiExample(
                "Saved",
                value={
                    "version": 1,
                    "saved_at": "2026-12-01T09:02:11Z",
                    "is_complete": True,
                    "milliseconds_left": 7069000,
                },
                response_only=True,
            ),
        ],
    )
    def put(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Save choice, flag, struck options, note and seconds of one item.

        It is committed before the reply. Retry with the same save_id. A stale
        base_version gets 409 with what is stored: choose, and save on that version. In
        a linear sitting only the question it stands at can be saved; leave goes on.
        """
        sent = read(schemas.ResponseInput(data=request.data))
        at = timezone.now()
        work = saving.Work(
            save_id=sent["save_id"],
            base_version=sent["base_version"],
            chosen=sent["chosen"],
            struck=sent.get("struck", ()),
            is_flagged=sent.get("is_flagged", False),
            note=sent.get("note", ""),
            seconds=sent.get("seconds", 0),
        )
        owner = callers.owner_of(request, "item__sitting")
        try:
            saved = saving.save_response(
                owner=callers.saver(request),
                public_id=public_id,
                position=position,
                work=work,
                at=at,
            )
        except saving.NoSuchItem as missing:
            raise not_found("There is no such question in a sitting of yours.") from (
                missing
            )
        except saving.StaleResponse as stale:
            raise _stale(stale) from stale
        except InvalidResponse as refused:
            raise unprocessable(refused.code, refused.sentence) from refused
        except saving.SittingClosed as closed:
            raise _closed(owner, public_id, position, work, closed) from closed
        left = saved.time_left
        return Response(
            {
                "version": saved.version,
                "saved_at": saved.saved_at,
                "is_complete": saved.is_complete,
                "milliseconds_left": None
                if left is None
                else left // datetime.timedelta(milliseconds=1),
            }
        )


def _stale(stale: saving.StaleResponse) -> Problem:
    stored = stale.stored
    return conflict(
        "stale",
        "Something else was saved meanwhile. Choose which stands, and save on its "
        "version.",
        stored={
            "version": stored.version,
            "chosen": stored.chosen,
            "struck": stored.struck,
            "is_flagged": stored.is_flagged,
            "note": stored.note,
        },
    )


def _closed(
    owner: Any,
    public_id: uuid.UUID,
    position: int,
    work: saving.Work,
    closed: saving.SittingClosed,
) -> Problem:
    is_kept = closed.code in {"time_is_up", "closed"} and saving.keep_late_answer(
        owner=owner,
        public_id=public_id,
        position=position,
        work=work,
        at=timezone.now(),
    )
    if is_kept:
        return conflict(
            "late", "Time was up when this arrived. It is kept, and does not count."
        )
    return conflict(closed.code, closed.sentence)


class LeaveItem(ApiView):
    """Go on in a linear sitting."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="leave_item",
        parameters=[TOKEN],
        request=None,
        responses=schemas.SittingSchema,
        examples=[SITTING],
    )
    def post(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Leave a question of a linear sitting for the next. There is no way back."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if not own.is_linear:
            raise conflict("not_linear", "This sitting is free: any question is open.")
        saving.go_on(sitting=own, leaving=position, at=at)
        return Response(sitting_shape(own, at))


class CheckItem(ApiView):
    """Check an answer in practice."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="check_item",
        parameters=[TOKEN],
        request=schemas.AnswerInput,
        responses=schemas.VerdictSchema,
        examples=[VERDICT],
    )
    def post(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Check an answer in practice with feedback at once. The first one stands."""
        at = timezone.now()
        sent = read(schemas.AnswerInput(data=request.data))
        own = callers.own_sitting(request, public_id, at)
        try:
            practice.answer_item(
                owner=callers.owner_of(request, "item__sitting"),
                public_id=public_id,
                position=position,
                answer=practice.Answer(
                    chosen=sent.get("chosen"), seconds=sent.get("seconds", 0)
                ),
                withheld=callers.withheld(request, at),
                at=at,
            )
        except saving.NoSuchItem as missing:
            raise not_found("This is no question of a practice of yours.") from missing
        except practice.KeyWithheld as hidden:
            raise conflict(
                "withheld", "This question is in the mock exam you have under way."
            ) from hidden
        except saving.SittingClosed as closed:
            raise conflict(closed.code, closed.sentence) from closed
        except InvalidResponse as refused:
            raise unprocessable(refused.code, refused.sentence) from refused
        return Response(reviewed(request, own, position, at))
