"""Doors for the worker. All of them go to a queue of their own."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from analytics.models import JobRun
from analytics.selectors import answers
from analytics.services import (
    calibration,
    catching_up,
    jobs,
    learners,
    simulating,
    watching,
)
from questions.models import Certification

logger = logging.getLogger(__name__)

_SWEEP: Final = "sweep learners"
_SWEEPING: Final = "sweep-learners"
"""The key in the cache of whose turn it is."""

_WATCH: Final = "watch readiness"
_LOOKED_BACK: Final = datetime.timedelta(hours=1)
"""Answers may come into the log as much later than they say, as their transactions."""

_TURN_SECONDS: Final = 300
"""A sweep that says nothing for so long has been killed, and another may begin."""

_HISTORY_DAYS: Final = 90
_HISTORY_SEED: Final = 28
"""With the starter bank, somebody who fails a first mock exam and passes the second."""


@contextmanager
def job(name: str) -> Iterator[JobRun]:
    """Note when a job begins, and how it ends; it puts its sentence into ``said``.

    It ends well unless it raises, or says itself that ``is_good`` is False.
    """
    run = jobs.begin(name=name, at=timezone.now())
    try:
        yield run
    except Exception as failure:
        said = f"{type(failure).__name__}: {failure}"
        jobs.end(job=run, is_good=False, said=said, at=timezone.now())
        raise
    is_good = run.is_good is not False
    jobs.end(job=run, is_good=is_good, said=run.said, at=timezone.now())


@shared_task
def update_learner(user_id: int, certification_id: int) -> None:
    """Bring one account up to date with the log."""
    learners.update(user=user_id, certification=certification_id, at=timezone.now())


@shared_task
def update_participant(participant_id: int, certification_id: int) -> None:
    """Bring the account that a participant belongs to up to date, if to any."""
    user = answers.account_of(participant=participant_id)
    if user is not None:
        learners.update(user=user, certification=certification_id, at=timezone.now())


@shared_task
def sweep_learners() -> None:
    """Bring everybody up to date whose own task was lost, or was never queued.

    Every minute; one at a time.
    """
    if not cache.add(_SWEEPING, 1, timeout=_TURN_SECONDS):
        return
    try:
        with job(_SWEEP) as run:
            seen = jobs.last_good(name=_SWEEP)
            changed = catching_up.catch_up(
                since=seen - _LOOKED_BACK if seen else answers.EPOCH,
                at=timezone.now(),
                progress=_keep_turn,
            )
            run.said = f"{changed} learners brought up to date."
    finally:
        cache.delete(_SWEEPING)


@shared_task
def rebuild_learners() -> None:
    """Make all that is known of learners again, as ``manage.py rebuild_analytics``."""
    with job("rebuild learners") as run:
        count = catching_up.rebuild(at=timezone.now())
        run.said = f"{count} learners worked out again from the log."


@shared_task
def calibrate_all() -> None:
    """Have every bank calibrated, each apart from the others. Nightly."""
    for pk in Certification.objects.order_by("pk").values_list("pk", flat=True):
        calibrate.delay(pk)


@shared_task
def calibrate(certification_id: int) -> None:
    """Calibrate one bank, if anything was answered since the last time."""
    calibrate_bank(certification=Certification.objects.get(pk=certification_id))


@shared_task
def watch_readiness() -> None:
    """Raise an alarm where what learners are told did not come true, twice running.

    Nightly, before chances are mended by what results show. The alarm is a run that
    failed, and an error in the log.
    """
    with job(_WATCH) as run:
        before = jobs.last_found(name=_WATCH)
        found = watching.look(off_before=before.get("off", ()), at=run.started_at)
        run.found = {"off": found.off}
        mended = [
            certification.code
            for certification in Certification.objects.order_by("pk")
            if watching.mend(certification=certification, at=run.started_at)
        ]
        run.said = found.said
        if mended:
            run.said += f" Chances are mended by results: {', '.join(mended)}."
        if found.again:
            run.is_good = False
            logger.error("Readiness is off: %s See /readiness/.", found.said)


@shared_task
def give_history(user_id: int, certification_id: int) -> None:
    """Have an account that never sat anything study for ninety days, up to now.

    For the demo learner: the work is simulated, and marked so.
    """
    plan = simulating.Plan(
        certification=Certification.objects.get(pk=certification_id),
        days=_HISTORY_DAYS,
        until=timezone.now(),
    )
    user = User.objects.get(pk=user_id)
    simulating.give_history(user=user, plan=plan, seed=_HISTORY_SEED)


def calibrate_bank(
    *, certification: Certification, progress: Callable[[str], None] = lambda _: None
) -> str:
    """Calibrate one bank and note how that went; return the result in a sentence."""
    name = f"calibrate {certification.code}"
    with job(name) as run:
        found = calibration.run(
            certification=certification, at=run.started_at, progress=progress
        )
        if found is None:
            run.said = "Another worker is at it."
        else:
            jobs.give_up_lost(name=name, at=run.started_at)
            is_new = found.started_at == run.started_at
            run.said = calibration.told(run=found, is_new=is_new)
    return run.said


def _keep_turn(_done: int, _total: int) -> None:
    cache.touch(_SWEEPING, timeout=_TURN_SECONDS)
