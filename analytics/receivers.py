"""Hears what happens below: logs what was scored, and has figures brought up to date.

The log is written in the transaction that scores. Everything else is asked of the
worker, once that is committed; if the queue is away, the sweep finds it later.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Sequence
from typing import Any, Final

from celery import Task
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from accounts.models import Participant
from analytics import tasks
from analytics.services import log
from questions.exams.models import Enrolment, Sitting, SittingItem
from questions.exams.signals import Cause, responses_scored

logger = logging.getLogger(__name__)

_PATIENCE: Final = 30.0
"""Seconds for which nothing is queued after the queue was found away."""


class Queue:
    """The way to the worker, left alone for a while where it did not answer."""

    def __init__(self) -> None:
        self._away_until = 0.0

    def ask(self, task: Task[..., Any], *ids: int) -> None:
        """Queue a task once the transaction is committed; never fail for it."""
        transaction.on_commit(lambda: self._send(task, ids))

    def _send(self, task: Task[..., Any], ids: Sequence[int]) -> None:
        if time.monotonic() < self._away_until:
            return
        try:
            task.apply_async(args=tuple(ids), retry=False)
        except OperationalError:
            self._away_until = time.monotonic() + _PATIENCE
            logger.exception("The queue is away; the sweep will find what was missed.")


_queue: Final = Queue()


@receiver(responses_scored, dispatch_uid="analytics.log_scored_answers")
def log_scored_answers(
    *,
    sitting: Sitting,
    items: Sequence[SittingItem],
    cause: Cause,
    at: datetime.datetime,
    **_unused: Any,
) -> None:
    """Add to the log. If that fails, so does the scoring: they never disagree."""
    log.append(sitting=sitting, items=items, cause=cause, at=at)
    # Whose account it is, the worker finds out: answering must stay quick.
    _queue.ask(
        tasks.update_participant, sitting.participant_id, sitting.certification_id
    )


@receiver(post_save, sender=Participant, dispatch_uid="analytics.participant_claimed")
def take_over_claimed_work(
    *, instance: Participant, created: bool, **_unused: Any
) -> None:
    """Have work done before signing up counted, once it is somebody's."""
    if created or instance.user_id is None:
        return
    sat = Sitting.objects.filter(participant=instance).order_by()
    for certification in set(sat.values_list("certification", flat=True)):
        _queue.ask(tasks.update_learner, instance.user_id, certification)


@receiver(post_save, sender=Enrolment, dispatch_uid="analytics.enrolment_changed")
@receiver(post_delete, sender=Enrolment, dispatch_uid="analytics.enrolment_left")
def follow_exam_date(*, instance: Enrolment, **_unused: Any) -> None:
    """Have readiness worked out for the exam that somebody prepares for now."""
    _queue.ask(tasks.update_learner, instance.user_id, instance.certification_id)
