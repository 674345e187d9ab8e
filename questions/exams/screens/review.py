"""The page before submitting: what is unanswered, and what is flagged."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from questions.exams.domain import clock, feedback
from questions.exams.models import Sitting
from questions.exams.screens.words import duration
from questions.exams.selectors import sittings
from questions.exams.selectors.under_way import StateRow


def open_lists(*, sitting: Sitting, rows: Sequence[StateRow]) -> list[dict[str, Any]]:
    """Return what the page before submitting lists: unanswered, and flagged."""
    wanted = [row for row in rows if not row.is_answered or row.is_flagged]
    begins = sittings.beginnings(
        sitting=sitting, positions=[row.position for row in wanted]
    )

    def lines(found: Sequence[StateRow]) -> list[dict[str, Any]]:
        return [
            {
                "position": row.position,
                "begins": begins[row.position][0],
                "note": _standing(row, begins[row.position][1]),
            }
            for row in found
        ]

    return [
        {
            "name": "Not answered",
            "lines": lines([row for row in wanted if not row.is_answered]),
        },
        {"name": "Flagged", "lines": lines([row for row in wanted if row.is_flagged])},
    ]


def _standing(row: StateRow, order: Sequence[str]) -> str:
    letters = feedback.letters_of(order)
    if row.is_answered:
        return "answered " + " and ".join(letters[key] for key in row.chosen)
    if row.is_incomplete:
        return f"{len(row.chosen)} of {row.choose} chosen"
    if row.seconds:
        return f"seen for {duration(row.seconds)}"
    return "nothing saved yet"


def minutes_left(*, sitting: Sitting, at: datetime.datetime) -> int | None:
    """Return the whole minutes left, rounded down; nothing without a clock."""
    left = clock.time_left(deadline=sitting.deadline, at=at)
    return None if left is None else int(left.total_seconds() // 60)
