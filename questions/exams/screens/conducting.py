"""What staff see of a sitting, and of a regrade before it is done."""

from __future__ import annotations

import datetime
from typing import Any

from questions.exams.domain import clock, feedback
from questions.exams.models import LateAnswer, Sitting
from questions.exams.screens.exam import clock_text
from questions.exams.screens.words import short_duration
from questions.exams.selectors import sittings
from questions.exams.services import conducting

_MOST_LINES = 500


def sitting_page(*, sitting: Sitting, at: datetime.datetime) -> dict[str, Any]:
    """Return one sitting with its items, events, reports and late answers."""
    phase = sitting.phase(at)
    items = sittings.items_of(sitting=sitting)
    return {
        "sitting": sitting,
        "phase": phase,
        "clock": clock_text(clock.time_left(deadline=sitting.deadline, at=at)),
        "may_extend": sitting.status == clock.Status.RUNNING
        and sitting.deadline is not None,
        "may_void": sitting.status != clock.Status.VOID
        and sitting.report_seen_at is None,
        "items": [_line(item) for item in items],
        "events": list(
            sitting.events.select_related("by").order_by("happened_at", "pk")
        ),
        "reports": sittings.reports_of(sitting=sitting),
        "late": list(
            LateAnswer.objects.filter(response__item__sitting=sitting)
            .select_related("response__item")
            .order_by("received_at")
        ),
    }


def _line(item: Any) -> dict[str, Any]:
    letters = feedback.letters_of(item.option_order)
    response = item.response
    return {
        "position": item.position,
        "question": item.question,
        "title": item.revision.title,
        "revision": item.revision.number,
        "chosen": " ".join(letters[key] for key in response.chosen) or "–",
        "points": response.points,
        "time": short_duration(response.seconds),
        "saved_at": response.saved_at,
        "version": response.version,
        "is_regraded": item.graded_by_id is not None,
    }


def regrade_lines(*, regrade: conducting.Regrade) -> dict[str, Any]:
    """Return the dry run: what would change, and how much of it is shown."""
    found = [
        line
        for line in conducting.plan_regrade(
            wrong=regrade.wrong, corrected=regrade.corrected
        )
        if line.improves or not regrade.only_if_improves or line.report is None
    ]
    return {
        "shown": found[:_MOST_LINES],
        "count": len(found),
        "changed": sum(1 for line in found if line.before != line.after),
        "flipped": sum(1 for line in found if line.passed_before != line.passed_after),
    }
