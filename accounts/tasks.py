"""Doors for the worker."""

from __future__ import annotations

import datetime
from typing import Final

from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

from accounts.services import erasing, exports, limits

# By then, whoever was told to build it has lost it.
_LOST_AFTER: Final = datetime.timedelta(minutes=10)


@shared_task
def clear_expired_sessions() -> None:
    """Delete sessions that have run out."""
    call_command("clearsessions")


@shared_task
def build_export(export_id: int) -> None:
    """Build one copy of a person's records."""
    exports.build_export(export_id=export_id, at=timezone.now())


@shared_task
def build_waiting_exports() -> int:
    """Build exports that were asked for while the queue was away."""
    now = timezone.now()
    waiting = exports.waiting_exports(before=now - _LOST_AFTER)
    for export_id in waiting:
        exports.build_export(export_id=export_id, at=now)
    return len(waiting)


@shared_task
def sweep_expired() -> None:
    """Delete exports and limits that have run out."""
    now = timezone.now()
    exports.sweep_exports(at=now)
    limits.sweep_limits(at=now)


@shared_task
def erase_due() -> int:
    """Have everybody erased whose two weeks are over, each apart from the others."""
    due = erasing.due_erasures(at=timezone.now())
    for erasure_id in due:
        erase_one.delay(erasure_id)
    return len(due)


@shared_task
def erase_one(erasure_id: int) -> None:
    """Erase one person, if the two weeks are over and it was not undone."""
    erasing.erase(erasure_id=erasure_id, at=timezone.now())
