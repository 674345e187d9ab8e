"""Lines of the list of sittings."""

from __future__ import annotations

import datetime
from typing import Any

from django.http import HttpRequest

from questions.exams.domain import clock
from questions.exams.models import Sitting
from questions.exams.screens.exam import clock_text
from questions.exams.selectors import sittings


def line(*, sitting: Any, at: datetime.datetime) -> dict[str, Any]:
    """Return one sitting as a line: what it is, how it stands, where it leads."""
    phase = sitting.phase(at)
    left = clock.time_left(deadline=sitting.deadline, at=at)
    return {
        "sitting": sitting,
        "name": name_of(sitting),
        "phase": phase,
        "is_running": phase is clock.Phase.RUNNING,
        "clock": clock_text(left) if phase is clock.Phase.RUNNING else "",
        "answered": sitting.answered_count,
        "total": sitting.item_count,
        "right": sitting.right_count,
        "asked": sitting.question_count,
        "is_passed": sitting.is_passed,
        "may_close": phase is clock.Phase.RUNNING and not sitting.is_mock,
    }


def name_of(sitting: Sitting) -> str:
    """Return what a sitting is called in lists."""
    if sitting.daily_date is not None:
        return "Answered on question pages"
    if sitting.mock_exam is not None:
        return sitting.mock_exam.name
    return sitting.get_mode_display()


def running_mocks(request: HttpRequest, at: datetime.datetime) -> list[dict[str, Any]]:
    """Return what every page says of mock exams under way."""
    return [
        {
            "sitting": sitting,
            "code": sitting.certification.code,
            "clock": clock_text(clock.time_left(deadline=sitting.deadline, at=at)),
        }
        for sitting in sittings.running_mocks_of_request(request, at)
        if sitting.phase(at) is clock.Phase.RUNNING
    ]
