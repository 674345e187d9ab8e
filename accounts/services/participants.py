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


@transaction.atomic
def participant_of_user(*, user: User, at: datetime.datetime) -> Participant:
    """Return the participant that this account's new work belongs to.

    Made now if there is none. The account is locked meanwhile, so that two requests at
    once don't make two.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    first = Participant.objects.filter(user=user).order_by("pk").first()
    return first or Participant.objects.create(user=user, created_at=at)


def learner_for_request(
    *, request: HttpRequest, at: datetime.datetime
) -> selectors.Learner:
    """Return who asks, with a participant made now if there is none yet.

    The session of an anonymous visitor remembers the participant.
    """
    learner = selectors.learner_of_request(request)
    if learner.participants:
        return learner
    if learner.user is not None:
        made = participant_of_user(user=learner.user, at=at)
    else:
        made = new_participant(at=at)
        request.session[selectors.PARTICIPANT_SESSION_KEY] = str(made.public_id)
    return selectors.Learner(user=learner.user, participants=(made,))


@transaction.atomic
def claim_participant(*, participant: Participant, user: User) -> bool:
    """Link a visitor's participant, and all work done as it, to an account.

    Nothing but the link changes. Returns whether it was free to be claimed.
    """
    free = (
        Participant.objects.select_for_update(no_key=True)
        .filter(pk=participant.pk, user=None)
        .first()
    )
    if free is None:
        return False
    # Saved, not updated: rooms above listen for what became somebody's.
    free.user = user
    free.save(update_fields=["user"])
    return True


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
