"""Keep how jobs went: begun, and ended well or badly."""

from __future__ import annotations

import datetime
from typing import Any, Final

from analytics.models import JobRun

LOST: Final = "Its worker was lost."
_KEPT: Final = 200
"""Runs kept of a job; those of a job that runs each minute reach back three hours."""


def begin(*, name: str, at: datetime.datetime) -> JobRun:
    """Keep that a job has begun."""
    return JobRun.objects.create(name=name, started_at=at)


def end(*, job: JobRun, at: datetime.datetime, said: str, is_good: bool) -> None:
    """Keep how a job ended, in a sentence; forget its oldest runs."""
    job.finished_at, job.said, job.is_good = at, said, is_good
    job.save(update_fields=["finished_at", "said", "is_good", "found"])
    newest = JobRun.objects.filter(name=job.name).order_by("-started_at", "-pk")
    kept = newest.values_list("pk", flat=True)[:_KEPT]
    JobRun.objects.filter(name=job.name).exclude(pk__in=list(kept)).delete()


def give_up_lost(*, name: str, at: datetime.datetime) -> int:
    """Keep that runs begun before ``at`` were lost, where they never ended.

    For jobs that run one at a time.
    """
    return JobRun.objects.filter(
        name=name, finished_at__isnull=True, started_at__lt=at
    ).update(finished_at=at, is_good=False, said=LOST)


def last_found(*, name: str) -> dict[str, Any]:
    """Return what the last run of a job that ended left to know; empty without one."""
    found: dict[str, Any] | None = (
        JobRun.objects.filter(name=name, finished_at__isnull=False)
        .order_by("-started_at", "-pk")
        .values_list("found", flat=True)
        .first()
    )
    return found or {}


def last_good(*, name: str) -> datetime.datetime | None:
    """Return when the last run of a job that ended well had begun."""
    return (
        JobRun.objects.filter(name=name, is_good=True)
        .order_by("-started_at")
        .values_list("started_at", flat=True)
        .first()
    )
