"""Hears that somebody signed in, or set up a second factor."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts import services
from accounts.models import User
from accounts.permissions import SECOND_FACTOR_SESSION_KEY


@receiver(user_logged_in, dispatch_uid="accounts.give_a_participant")
def give_a_participant(*, user: User, **_unused: Any) -> None:
    """Make the participant of an account that was made at the command line."""
    services.participant_of_user(user=user, at=timezone.now())


@receiver(authenticator_added, dispatch_uid="accounts.remember_a_second_factor")
def remember_a_second_factor(
    *, request: HttpRequest, authenticator: Authenticator, **_unused: Any
) -> None:
    """Who has just set up a second factor has shown it: a code of it was asked for."""
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        request.session[SECOND_FACTOR_SESSION_KEY] = authenticator.pk
