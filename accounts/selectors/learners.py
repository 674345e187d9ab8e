"""Who asks, and what is theirs."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.http import HttpRequest

from accounts.models import AllowanceRequest, Erasure, Participant, User

PARTICIPANT_SESSION_KEY: Final = "participant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Whoever asks: a person with all their participants, or a visitor with one.

    ``participants`` come oldest first; nobody has any before there is work to keep.
    """

    user: User | None
    participants: tuple[Participant, ...]

    @property
    def participant(self) -> Participant | None:
        """The participant that new work belongs to."""
        return self.participants[0] if self.participants else None

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of all participants whose work this learner may see."""
        return tuple(participant.pk for participant in self.participants)

    @property
    def time_allowance(self) -> Decimal:
        """What the minutes of a timed exam are multiplied by for this learner."""
        return self.user.time_allowance if self.user else Decimal(1)


def displayed_name(user: User) -> str:
    """Return what this person is called on pages that only this person sees."""
    return user.display_name or user.email


def learner_of_request(request: HttpRequest) -> Learner:
    """Return who asks, with what work is theirs; create nothing.

    At most one query, besides those that load session and user. An anonymous visitor
    never gets a participant that belongs to an account.
    """
    if isinstance(request.user, User):
        owned = Participant.objects.filter(user=request.user).order_by("pk")
        return Learner(user=request.user, participants=tuple(owned))
    visitor = participant_of_session(request)
    return Learner(user=None, participants=(visitor,) if visitor else ())


def participant_of_session(request: HttpRequest) -> Participant | None:
    """Return the participant of what was done here before signing in, if any."""
    try:
        public_id = uuid.UUID(str(request.session.get(PARTICIPANT_SESSION_KEY)))
    except ValueError:
        return None
    return Participant.objects.filter(public_id=public_id, user=None).first()


def has_verified_address(user: User | None) -> bool:
    """Say whether this person has shown that an address of theirs reaches them."""
    return (
        user is not None
        and EmailAddress.objects.filter(user=user, verified=True).exists()
    )


def owner_filter(request: HttpRequest, path: str) -> Q | None:
    """Return the condition that ``path`` leads to a participant of who asks.

    For look-ups that must not spend a query on finding the participants first. Nothing
    if who asks has none.
    """
    if isinstance(request.user, User):
        return Q(**{f"{path}__user": request.user})
    try:
        public_id = uuid.UUID(str(request.session.get(PARTICIPANT_SESSION_KEY)))
    except ValueError:
        return None
    return Q(**{f"{path}__public_id": public_id, f"{path}__user": None})


def erasure_of(*, user: User) -> Erasure | None:
    """Return the erasure that this person asked for and that can still be undone."""
    return Erasure.objects.filter(user=user, erased_at=None).first()


def open_allowance_request(*, user: User) -> AllowanceRequest | None:
    """Return what this person asked for and nobody has decided."""
    return AllowanceRequest.objects.filter(user=user, decided_at=None).first()
