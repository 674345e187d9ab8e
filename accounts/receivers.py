"""Hears that somebody signed up or in, and sees to it that they have a participant."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_signed_up
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts import selectors, services
from accounts.models import User


@receiver(user_signed_up, dispatch_uid="accounts.keep_the_visitors_work")
def keep_the_visitors_work(*, request: HttpRequest, user: User, **_unused: Any) -> None:
    """Give a new account what was done here before signing up."""
    services.settle_new_account(
        user=user,
        visitor=selectors.participant_of_session(request),
        at=timezone.now(),
    )


@receiver(user_logged_in, dispatch_uid="accounts.give_a_participant")
def give_a_participant(*, user: User, **_unused: Any) -> None:
    """Make the participant of an account that was made at the command line."""
    services.participant_of_user(user=user, at=timezone.now())
