"""Whose sittings a request to the API may reach: a person's, or a secret's."""

from __future__ import annotations

import datetime
import uuid
from typing import Final

from django.db.models import Q
from rest_framework.request import Request

from accounts.api.problems import Problem, conflict, not_found
from accounts.models import Participant, User
from accounts.selectors import Learner, participant_of_session
from accounts.services import participants, tokens
from questions.exams.models import Sitting, SittingItem
from questions.exams.selectors import sittings, under_way
from questions.exams.services import finishing

HEADER: Final = "Sitting-Token"
_LONGEST: Final = 100


def secret_of(request: Request) -> str:
    """Return the secret of an anonymous sitting that came with the request, or nothing."""
    secret = request.headers.get(HEADER, "")
    return secret if len(secret) <= _LONGEST else ""


def owner_of(request: Request, path: str) -> Q:
    """Return the filter by which ``path`` to a sitting belongs to who asks."""
    user = request.user
    prefix = f"{path}__" if path else ""
    if isinstance(user, User):
        return Q(**{f"{prefix}participant__user": user})
    secret = secret_of(request)
    if not secret:
        return Q(pk__in=())
    return Q(
        **{
            f"{prefix}token_digest": tokens.digest(secret),
            f"{prefix}participant__user": None,
        }
    )


def saver(request: Request) -> under_way.Owner:
    """Return who asks, as saving an answer wants to know it.

    Raises:
        Problem: who asks has no sitting.
    """
    if isinstance(request.user, User):
        return under_way.Owner(user_id=request.user.pk)
    owned = Sitting.objects.filter(owner_of(request, ""))
    participant = owned.values_list("participant", flat=True).first()
    if participant is None:
        raise not_found("There is no sitting of yours with this id.")
    return under_way.Owner(participant_id=participant)


def own_sitting(
    request: Request, public_id: uuid.UUID, at: datetime.datetime
) -> Sitting:
    """Return the sitting of who asks, scored now if its time has run out.

    Raises:
        Problem: there is none of theirs with this id.
    """
    sitting = sittings.sitting_of(owner=owner_of(request, ""), public_id=public_id)
    if sitting is None:
        raise not_found("There is no sitting of yours with this id.")
    return finishing.settle(sitting=sitting, at=at)


def learner_of(request: Request) -> Learner:
    """Return who asks, with what work is theirs; create nothing."""
    user = request.user
    if isinstance(user, User):
        owned = Participant.objects.filter(user=user).order_by("pk")
        return Learner(user=user, participants=tuple(owned))
    secret = secret_of(request)
    found = Participant.objects.filter(
        user=None, sittings__token_digest=tokens.digest(secret)
    ).exclude(sittings__token_digest="")
    return Learner(user=None, participants=tuple(found[:1]) if secret else ())


def learner_for(request: Request, at: datetime.datetime) -> Learner:
    """Return who asks, with a participant made now if there is none yet."""
    learner = learner_of(request)
    if learner.participants:
        return learner
    if learner.user is not None:
        made = participants.participant_of_user(user=learner.user, at=at)
    else:
        made = participants.new_participant(at=at)
    return Learner(user=learner.user, participants=(made,))


def withheld(request: Request, at: datetime.datetime) -> frozenset[int]:
    """Return the questions whose keys who asks may see nowhere now.

    They are in a mock exam under way, of the token's person, of the secret, or of the
    visitor whose browser asks.
    """
    visitor = participant_of_session(request._request)  # noqa: SLF001  (DRF's own name)
    ids = {*learner_of(request).ids, *([visitor.pk] if visitor else [])}
    if not ids:
        return frozenset()
    running = sittings.running_mocks(owner=Q(participant__in=ids), at=at)
    if not running:
        return frozenset()
    return frozenset(
        SittingItem.objects.filter(sitting__in=running).values_list(
            "question", flat=True
        )
    )


def key_withheld() -> Problem:
    """Return the answer to who asks for the key of a question in their running mock."""
    return conflict(
        "withheld",
        "This question is in the mock exam you have under way, so its key is not "
        "shown until that ends.",
    )
