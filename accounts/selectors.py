"""Reads about people."""

from __future__ import annotations

import uuid
from typing import Final

from django.http import HttpRequest

from accounts.models import Participant, User

PARTICIPANT_SESSION_KEY: Final = "participant"


def displayed_name(user: User) -> str:
    """Return what this person is called on pages that only this person sees."""
    return user.display_name or user.email


def participant_of_request(request: HttpRequest) -> Participant | None:
    """Return whose work this request continues, or nothing; create nothing.

    At most one query, besides those that load session and user. An anonymous visitor
    never gets a participant that belongs to an account.
    """
    if request.user.is_authenticated:
        return Participant.objects.filter(user=request.user).first()
    return participant_of_session(request)


def participant_of_session(request: HttpRequest) -> Participant | None:
    """Return the participant of what was done here before signing in, if any."""
    try:
        public_id = uuid.UUID(str(request.session.get(PARTICIPANT_SESSION_KEY)))
    except ValueError:
        return None
    return Participant.objects.filter(public_id=public_id, user=None).first()
