"""More time in timed exams: asked for by a person, granted by staff."""

from __future__ import annotations

import datetime
from decimal import Decimal

from django.db import transaction

from accounts.models import AllowanceRequest, User


@transaction.atomic
def ask_for_allowance(
    *, user: User, wanted: Decimal, reason: str, at: datetime.datetime
) -> AllowanceRequest:
    """Keep what is asked for; asking again changes what is open."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    request, _ = AllowanceRequest.objects.update_or_create(
        user=user,
        decided_at=None,
        defaults={"wanted": wanted, "reason": reason, "asked_at": at},
    )
    return request


@transaction.atomic
def grant_allowance(*, user: User, by: User, at: datetime.datetime) -> bool:
    """Give what this person asked for; return whether anything was open.

    In force from the next exam begun. One that is under way keeps its clock.
    """
    request = _open(user)
    if request is None:
        return False
    user.time_allowance = request.wanted
    user.save(update_fields=["time_allowance"])
    request.granted = request.wanted
    _decide(request, by=by, at=at)
    return True


@transaction.atomic
def decline_allowance(*, user: User, by: User, at: datetime.datetime) -> bool:
    """Close what this person asked for without giving it."""
    request = _open(user)
    if request is None:
        return False
    _decide(request, by=by, at=at)
    return True


def _open(user: User) -> AllowanceRequest | None:
    return (
        AllowanceRequest.objects.select_for_update()
        .filter(user=user, decided_at=None)
        .first()
    )


def _decide(request: AllowanceRequest, *, by: User, at: datetime.datetime) -> None:
    request.decided_at = at
    request.decided_by = by
    request.save(update_fields=["granted", "decided_at", "decided_by"])
