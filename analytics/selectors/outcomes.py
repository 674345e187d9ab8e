"""What was said before results were known, beside the results."""

from __future__ import annotations

import datetime
from typing import Any, Final

import numpy as np
from django.db.models import OuterRef, QuerySet
from django.db.models.functions import Coalesce, JSONObject

from analytics.domain.arrays import Bools, Floats
from analytics.domain.measures import Recalibration
from analytics.models import ChanceMap, Forecast
from analytics.selectors import answers
from questions.models import Certification

LEAST_QUESTIONS: Final = 30
LEAST_UNSEEN: Final = 0.8
"""Shorter mock exams, and those that repeat what was met, test memory and luck."""


def outcomes(*, since: datetime.datetime = answers.EPOCH) -> tuple[Floats, Bools]:
    """Return chances that were given, from a moment on, and whether each came true.

    Of real people with enough evidence: mock exams that were long and new enough, and
    results of real exams that people told, the first of each person in a certification.
    """
    return _arrays("probability", made_at__gte=since)


def modelled_outcomes(*, certification: Certification) -> tuple[Floats, Bools]:
    """Return the same of one certification, as the model had them: before any map."""
    modelled = Coalesce("modelled", "probability")
    return _arrays(modelled, blueprint__certification=certification)


def map_in_force(*, certification: OuterRef | int) -> QuerySet[Any]:
    """Return how chances are mended, as a record for ``map_from``; a row or none."""
    return ChanceMap.objects.filter(certification=certification).values_list(
        JSONObject(
            intercept="intercept", slope="slope", outcomes="outcomes", gain="gain"
        )
    )[:1]


def maps_in_force() -> QuerySet[ChanceMap]:
    """Return how chances are mended, with the certifications in which they are."""
    return ChanceMap.objects.select_related("certification").order_by(
        "certification__code"
    )


def map_from(record: dict[str, Any] | None) -> Recalibration | None:
    """Return the map that a record holds, if there is one."""
    return Recalibration(**record, is_in_force=True) if record else None


def _arrays(said: str | Coalesce, **narrowed: object) -> tuple[Floats, Bools]:
    known = Forecast.objects.filter(
        is_simulated=False, is_enough=True, has_passed__isnull=False, **narrowed
    )
    mocks = known.filter(
        sitting__isnull=False,
        questions__gte=LEAST_QUESTIONS,
        share_unseen__gte=LEAST_UNSEEN,
    )
    # What somebody tells is checked by nobody: one voice each. The first one, as whether
    # there is a later one hangs on how the first went.
    whose = ("enrolment__user", "enrolment__certification")
    real = known.filter(enrolment__isnull=False).order_by(
        *whose, "exam_date", "enrolment"
    )
    rows = [
        *mocks.order_by("pk").values_list(said, "has_passed"),
        *real.distinct(*whose).values_list(said, "has_passed"),
    ]
    return (
        np.array([probability for probability, _ in rows], dtype=np.float64),
        np.array([passed for _, passed in rows], dtype=bool),
    )
