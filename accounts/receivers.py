"""Hears that somebody signed in, and sees to it that they have a participant."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.utils import timezone

from accounts import services
from accounts.models import User


@receiver(user_logged_in, dispatch_uid="accounts.give_a_participant")
def give_a_participant(*, user: User, **_unused: Any) -> None:
    """Make the participant of an account that was made at the command line."""
    services.participant_of_user(user=user, at=timezone.now())
