"""People who do not exist, to see the site as it is with work in it."""

from __future__ import annotations

import datetime

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import Participant, User
from accounts.services.participants import participant_of_user


@transaction.atomic
def new_person(*, email: str, name: str, at: datetime.datetime) -> User:
    """Make an account that nobody can sign in to, with its address confirmed."""
    user = User.objects.create_user(email, display_name=name, joined_at=at)
    EmailAddress.objects.create(
        user=user, email=user.email, verified=True, primary=True
    )
    return user


def participant_of(*, user: User, at: datetime.datetime) -> Participant:
    """Return whom the account's new work belongs to, and have it be nobody's real work.

    From then on it is kept out of calibration and public figures.
    """
    participant = participant_of_user(user=user, at=at)
    Participant.objects.filter(user=user).update(is_simulated=True)
    participant.is_simulated = True
    return participant
