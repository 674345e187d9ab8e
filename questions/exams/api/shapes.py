"""Sittings, items and reports as the API answers them."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any

from questions.exams.domain import clock, orders
from questions.exams.models import Response, ScoreReport, Sitting, SittingItem
from questions.exams.screens.lines import public_ids


def sitting_shape(
    sitting: Sitting,
    at: datetime.datetime,
    counts: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """Return a sitting as it stands at the moment ``at``."""
    if counts is None:
        found = Response.objects.filter(item__sitting=sitting)
        counts = (found.count(), found.exclude(chosen=[], was_shown=False).count())
    left = clock.time_left(deadline=sitting.deadline, at=at)
    is_running = sitting.phase(at) is clock.Phase.RUNNING
    return {
        "id": str(sitting.public_id),
        "certification": sitting.certification.slug,
        "blueprint": sitting.blueprint.version,
        "exam": sitting.mock_exam.slug if sitting.mock_exam else None,
        "mode": sitting.mode,
        "phase": sitting.phase(at).value,
        "feedback": str(sitting.feedback),
        "navigation": str(sitting.navigation),
        "question_count": counts[0],
        "answered_count": counts[1],
        "started_at": _moment(sitting.started_at),
        "deadline": _moment(sitting.deadline),
        "ended_at": _moment(sitting.ended_at),
        "server_time": _moment(at),
        "milliseconds_left": left // datetime.timedelta(milliseconds=1)
        if left is not None and is_running
        else None,
        "grace_seconds": sitting.grace_seconds,
    }


def _moment(at: datetime.datetime | None) -> str | None:
    """Return a moment as text: the reply is kept as JSON for a replay."""
    if at is None:
        return None
    return at.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def item_shape(item: SittingItem) -> dict[str, Any]:
    """Return one question of a sitting with what was done, without its key."""
    opened = orders.arranged(item.revision.document.open, item.option_order)
    response = item.response
    return {
        "position": item.position,
        "reason": item.reason,
        "title": opened["title"],
        "kind": opened["kind"],
        "choose": opened["choose"],
        "rule": item.rule,
        "scenario": opened["scenario"],
        "stem_html": opened["stem_html"],
        "exhibits_html": opened["exhibits_html"],
        "lead_in_html": opened["lead_in_html"],
        "options": [
            {"key": option["key"], "html": option["html"]}
            for option in opened["options"]
        ],
        "version": response.version,
        "chosen": response.chosen,
        "struck": response.struck,
        "is_flagged": response.is_flagged,
        "note": response.note,
        "seconds": response.seconds,
        "saved_at": response.saved_at,
    }


def report_shape(report: ScoreReport, withheld: Collection[int]) -> dict[str, Any]:
    """Return a report; what is asked again in a running mock tells no key."""
    hidden = public_ids(withheld)
    document = dict(report.document)
    document["items"] = [
        {**line, "keys": [], "state": "hidden", "points": [0, 1]}
        if line["question"] in hidden
        else line
        for line in document["items"]
    ]
    return {
        "number": report.number,
        "cause": report.cause,
        "made_at": report.made_at,
        **document,
    }
