"""Participants: made when there is something to keep, owned by one account at most."""

from __future__ import annotations

import datetime
import secrets

from django.db import transaction
from django.http import HttpRequest
from django.utils.text import slugify

from accounts import selectors
from accounts.models import AuthorProfile, Participant, User


def new_participant(*, at: datetime.datetime) -> Participant:
    """Create the participant of an anonymous visitor."""
    return Participant.objects.create(created_at=at)


def participant_of_user(*, user: User, at: datetime.datetime) -> Participant:
    """Return the participant of this account, made now if it has none."""
    participant, _ = Participant.objects.get_or_create(
        user=user, defaults={"created_at": at}
    )
    return participant


def participant_for_request(
    *, request: HttpRequest, at: datetime.datetime
) -> Participant:
    """Return whose work this request belongs to, made now if there is nobody yet.

    The session of an anonymous visitor remembers the participant.
    """
    if isinstance(request.user, User):
        return participant_of_user(user=request.user, at=at)
    participant = selectors.participant_of_session(request)
    if participant is None:
        participant = new_participant(at=at)
        request.session[selectors.PARTICIPANT_SESSION_KEY] = str(participant.public_id)
    return participant


@transaction.atomic
def settle_new_account(
    *, user: User, visitor: Participant | None, at: datetime.datetime
) -> Participant:
    """Return the participant of a new account: the visitor's own, so no work is lost.

    An account that already has a participant keeps it.
    """
    has_one = Participant.objects.filter(user=user).exists()
    if visitor is not None and not has_one:
        Participant.objects.filter(pk=visitor.pk, user=None).update(user=user)
    return participant_of_user(user=user, at=at)


def profile_of_user(*, user: User) -> AuthorProfile:
    """Return the profile that this person's work in the bank is signed with.

    Made now if there is none, not public until its owner fills it in.
    """
    name = user.display_name or user.email.partition("@")[0]
    profile, _ = AuthorProfile.objects.get_or_create(
        user=user,
        defaults={
            "slug": f"{slugify(name)[:60] or 'author'}-{secrets.token_hex(3)}",
            "name": name,
            "is_public": False,
        },
    )
    return profile
