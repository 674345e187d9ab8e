"""How the work in the background stands, as the desk says it."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.utils.timesince import timesince

from analytics.models import CalibrationRun
from analytics.models.calibration import STAGES
from analytics.screens.analysis import figure
from analytics.selectors import status
from analytics.selectors.status import BankStatus, JobStatus

_QUEUES: Final = {
    "analytics": "what works figures out",
    "celery": "everything else: mail, copies of data, sittings to close",
}


def background_page(*, at: datetime.datetime) -> dict[str, Any]:
    """Return everything that the page of the work in the background shows."""
    found = status.status(at=at)
    return {
        "queues": [
            {"name": name, "depth": depth, "holds": _QUEUES[name]}
            for name, depth in found.queues.items()
        ],
        "is_queue_away": None in found.queues.values(),
        "jobs": [_job(each) for each in found.jobs],
        "banks": [_bank(each, at) for each in found.banks],
    }


def _job(job: JobStatus) -> dict[str, Any]:
    return {
        "name": job.name,
        "at": job.started_at,
        "took": "–" if job.seconds is None else f"{figure(job.seconds, decimals=1)} s",
        "result": "under way" if job.is_good is None else "good",
        "has_failed": job.is_good is False,
        "said": job.said,
    }


def _bank(bank: BankStatus, at: datetime.datetime) -> dict[str, Any]:
    run = bank.run
    made_at = None if run is None else run.finished_at
    return {
        "certification": bank.certification,
        "run": run,
        "in_use": bank.in_use,
        "age": "" if made_at is None else timesince(made_at, at, depth=1),
        "took": "" if run is None else _took(run),
        "behind": bank.rows_behind,
        "error": bank.error,
    }


def _took(run: CalibrationRun) -> str:
    """Return the seconds of each step, in the order of the steps."""
    known = [(name, run.stages[name]) for name in STAGES if name in run.stages]
    return ", ".join(
        f"{name} {seconds:.1f}\N{NO-BREAK SPACE}s" for name, seconds in known
    )
