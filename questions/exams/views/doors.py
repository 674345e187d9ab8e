"""What the doors of a sitting share: whose it is, and how a refusal is told."""

from __future__ import annotations

import datetime
import uuid
from typing import Any, TypeVar

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse

from accounts.models import User
from accounts.selectors import owner_filter, participant_of_session
from questions.exams.models import Sitting
from questions.exams.selectors import sittings, under_way
from questions.exams.services import finishing

Answered = TypeVar("Answered", bound=HttpResponse)

CONFLICT = 409
UNPROCESSABLE = 422
FORBIDDEN = 403
WITHHELD = (
    "This question is in the mock exam you have under way, so its answer is not shown "
    "until that ends."
)


def owner(request: HttpRequest) -> under_way.Owner:
    """Return who asks, as the busiest doors want to know it.

    Raises:
        Http404: who asks never did anything here.
    """
    if isinstance(request.user, User):
        return under_way.Owner(user_id=request.user.pk)
    visitor = participant_of_session(request)
    if visitor is None:
        raise _not_found()
    return under_way.Owner(participant_id=visitor.pk)


def owner_of(request: HttpRequest, path: str) -> Q:
    """Return the filter by which ``path`` belongs to who asks.

    Raises:
        Http404: who asks never did anything here.
    """
    owner = owner_filter(request, path)
    if owner is None:
        raise _not_found()
    return owner


def own_sitting(
    request: HttpRequest, public_id: uuid.UUID, at: datetime.datetime
) -> Sitting:
    """Return the sitting of who asks, scored now if its time has run out.

    Raises:
        Http404: there is none of theirs at this address.
    """
    sitting = sittings.sitting_of(
        owner=owner_of(request, "participant"), public_id=public_id
    )
    if sitting is None:
        raise _not_found()
    return finishing.settle(sitting=sitting, at=at)


def _not_found() -> Http404:
    return Http404("There is no sitting of yours at this address.")


def wants_json(request: HttpRequest) -> bool:
    """Say whether a script asks, which reads the answer itself."""
    return "application/json" in request.headers.get("Accept", "")


def refusal(status: int, code: str, sentence: str, **more: Any) -> JsonResponse:
    """Return what a script is told when nothing was done."""
    told = {"code": code, "sentence": sentence, **more}
    response = JsonResponse(told, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def private(response: Answered) -> Answered:
    """Keep an answer that is one person's out of caches on the way."""
    response.headers["Cache-Control"] = "no-store"
    return response
