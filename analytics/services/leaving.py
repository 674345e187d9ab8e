"""What is forgotten of a person who is erased. The log stays, and is nobody's."""

from __future__ import annotations

import datetime

from accounts.services.erasing import Leaving
from analytics.models import LearnerFigures, LearnerState


def erase_person(*, leaving: Leaving, at: datetime.datetime) -> None:
    """Delete what is believed of them and what was counted.

    Forecasts name nobody: those of mocks stay, and those of real exams go with the
    enrolment.
    """
    del at
    LearnerState.objects.filter(user=leaving.user).delete()
    LearnerFigures.objects.filter(user=leaving.user).delete()
