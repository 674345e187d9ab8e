"""What people say of themselves."""

from __future__ import annotations

from accounts.models import User


def keep_profile(*, user: User, display_name: str, time_zone: str, theme: str) -> None:
    """Keep a person's name here, and how pages look to them.

    Nothing else of the account is written: it may have been closed, or its password
    changed, since ``user`` was read. Nothing at all if they were erased meanwhile.
    """
    User.objects.filter(pk=user.pk, is_active=True).update(
        display_name=display_name, time_zone=time_zone, theme=theme
    )
