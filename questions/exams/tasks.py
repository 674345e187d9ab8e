"""Doors for the worker."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.exams.services import finishing


@shared_task
def close_overdue_sittings() -> int:
    """Score sittings whose time has run out, as reading them would.

    Every half minute; missing a run only means that a report waits to be made until
    somebody asks for it.
    """
    return finishing.close_overdue(at=timezone.now())


@shared_task
def close_daily_practice() -> int:
    """End the practice sittings that collected the answers of earlier days."""
    now = timezone.now()
    return finishing.close_days(before=now.date(), at=now)
