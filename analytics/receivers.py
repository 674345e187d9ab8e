"""Hears that answers were scored, and logs them in the same transaction."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver

from analytics.services import log
from questions.exams.models import Sitting, SittingItem
from questions.exams.signals import Cause, responses_scored


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
