"""What was said before results were known, beside the results."""

from __future__ import annotations

from typing import Final

import numpy as np

from analytics.domain.arrays import Bools, Floats
from analytics.models import Forecast

LEAST_QUESTIONS: Final = 30
LEAST_UNSEEN: Final = 0.8
"""Shorter mock exams, and those that repeat what was met, test memory and luck."""


def outcomes() -> tuple[Floats, Bools]:
    """Return chances that were given, and whether each came true.

    Of real people with enough evidence: mock exams that were long and new enough, and
    results of real exams that people told, the first of each person in a certification.
    """
    known = Forecast.objects.filter(
        is_simulated=False, is_enough=True, has_passed__isnull=False
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
    said = ("probability", "has_passed")
    rows = [
        *mocks.order_by("pk").values_list(*said),
        *real.distinct(*whose).values_list(*said),
    ]
    return (
        np.array([probability for probability, _ in rows], dtype=np.float64),
        np.array([passed for _, passed in rows], dtype=bool),
    )
