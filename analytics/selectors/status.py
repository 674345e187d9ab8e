"""How the work in the background stands: queues, jobs, calibrations."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import redis
from django.conf import settings
from django.db.models import OuterRef, Subquery

from analytics.models import CalibrationRun, JobRun
from analytics.selectors import responses
from questions.models import Certification, ItemParameters

logger = logging.getLogger(__name__)

QUEUES: Final = ("celery", "analytics")
_TIMEOUT_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """The last run of a job. ``seconds`` are none while it runs."""

    name: str
    started_at: datetime.datetime
    seconds: float | None
    is_good: bool | None
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankStatus:
    """What is in force for a certification, and how far it is behind.

    ``in_use`` is how many revisions have parameters from it: the others have too few
    answers, and stand as their authors judge them. ``rows_behind`` are rows of the log
    that it does not rest on. ``error`` is that of the newest run, if it failed.
    """

    certification: Certification
    run: CalibrationRun | None
    in_use: int
    age: datetime.timedelta | None
    rows_behind: int
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Everything at once. A queue's depth is None if the broker does not answer."""

    queues: Mapping[str, int | None]
    jobs: tuple[JobStatus, ...]
    banks: tuple[BankStatus, ...]


def status(*, at: datetime.datetime) -> Status:
    """Return how the work in the background stands."""
    return Status(
        queues=queue_depths(),
        jobs=last_jobs(),
        banks=tuple(
            _bank(certification, at)
            for certification in Certification.objects.order_by("code")
        ),
    )


def queue_depths() -> dict[str, int | None]:
    """Return how many tasks wait in each queue; None if nobody can say."""
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        socket_timeout=_TIMEOUT_SECONDS,
    )
    try:
        return {name: int(client.llen(name)) for name in QUEUES}
    except (redis.RedisError, OSError) as failure:
        logger.warning("The broker does not answer: %s", failure)
        return dict.fromkeys(QUEUES)
    finally:
        client.close()


def last_jobs() -> tuple[JobStatus, ...]:
    """Return the last run of each job, by name."""
    newest = (
        JobRun.objects.filter(name=OuterRef("name"))
        .order_by("-started_at", "-pk")
        .values("pk")[:1]
    )
    runs = JobRun.objects.filter(pk=Subquery(newest)).order_by("name")
    return tuple(
        JobStatus(
            name=run.name,
            started_at=run.started_at,
            seconds=(run.finished_at - run.started_at).total_seconds()
            if run.finished_at
            else None,
            is_good=run.is_good,
            said=run.said,
        )
        for run in runs
    )


def _bank(certification: Certification, at: datetime.datetime) -> BankStatus:
    runs = CalibrationRun.objects.filter(certification=certification)
    run = runs.filter(is_in_force=True).first()
    newest = runs.order_by("-started_at", "-pk").first()
    has_failed = newest is not None and newest.status == CalibrationRun.Status.FAILED
    return BankStatus(
        certification=certification,
        run=run,
        in_use=ItemParameters.objects.filter(run=run.pk).count() if run else 0,
        age=None if run is None or run.finished_at is None else at - run.finished_at,
        rows_behind=responses.rows_after(
            certification_id=certification.pk, through=0 if run is None else run.through
        ),
        error=newest.error if newest is not None and has_failed else "",
    )
