"""Hears what happens below: logs what was scored, and has figures brought up to date.

The log is written in the transaction that scores, and forecasts in that of what they are
about. Everything else is asked of the worker, once that is committed; if the queue is
away, the sweep finds it later.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from celery import Task
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Participant
from analytics import tasks
from analytics.services import forecasts, learners, log
from questions.exams.models import Enrolment, ScoreReport, Sitting, SittingItem
from questions.exams.signals import Cause, mock_started, responses_scored

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
    certifications = set(sat.values_list("certification", flat=True))
    learners.take_again(
        user=instance.user_id, certifications=certifications, at=timezone.now()
    )
    for certification in certifications:
        _queue.ask(tasks.update_learner, instance.user_id, certification)


@receiver(post_save, sender=Enrolment, dispatch_uid="analytics.enrolment_changed")
@receiver(post_delete, sender=Enrolment, dispatch_uid="analytics.enrolment_left")
def follow_exam_date(*, instance: Enrolment, **_unused: Any) -> None:
    """Have readiness worked out for the exam that somebody prepares for now."""
    _queue.ask(tasks.update_learner, instance.user_id, instance.certification_id)


@contextmanager
def _never_in_the_way(what: str) -> Iterator[None]:
    """Log a fault and undo what led to it, so that an exam goes on without forecast."""
    try:
        with transaction.atomic():
            yield
    except Exception:
        logger.exception("No forecast is kept of %s.", what)


@receiver(mock_started, dispatch_uid="analytics.keep_forecast")
def keep_forecast(
    *,
    sitting: Sitting,
    items: Sequence[SittingItem],
    at: datetime.datetime,
    **_unused: Any,
) -> None:
    """Keep the chance of passing that is given as a mock begins."""
    with _never_in_the_way(f"sitting {sitting.pk}"):
        forecasts.keep_of_mock(sitting=sitting, items=items, at=at)


@receiver(post_save, sender=ScoreReport, dispatch_uid="analytics.score_forecast")
def score_forecast(*, instance: ScoreReport, **_unused: Any) -> None:
    """Note beside the forecast what came true, by the newest report."""
    if instance.sitting.is_mock:
        forecasts.come_true(sitting=instance.sitting, has_passed=instance.is_passed)


@receiver(responses_scored, dispatch_uid="analytics.drop_voided_result")
def drop_voided_result(*, sitting: Sitting, cause: Cause, **_unused: Any) -> None:
    """Count no result of a sitting that is void."""
    if cause is Cause.VOIDED and sitting.is_mock:
        forecasts.come_true(sitting=sitting, has_passed=None)


@receiver(post_save, sender=Enrolment, dispatch_uid="analytics.result_told")
def follow_result(*, instance: Enrolment, **_unused: Any) -> None:
    """Keep the last chance before a real exam, once somebody tells how it went."""
    with _never_in_the_way(f"enrolment {instance.pk}"):
        forecasts.follow_result(enrolment=instance)
