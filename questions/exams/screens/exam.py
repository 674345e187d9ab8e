"""The exam screen: what it says of a sitting, in words and to its script."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone
from django.utils.safestring import SafeString

from questions.exams.domain import clock
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Response, Sitting
from questions.exams.selectors.under_way import StateRow
from questions.exams.services import saving


def where_to_go_on(*, sitting: Sitting, rows: Sequence[StateRow]) -> int:
    """Return the position last worked on, or the first.

    Where answers are checked at once, the first that is not.
    """
    if sitting.feedback == Feedback.AT_ONCE:
        return next((row.position for row in rows if row.answered_at is None), 1)
    if sitting.is_linear:
        return min(sitting.reached, len(rows))
    worked = [row for row in rows if row.saved_at is not None]
    if not worked:
        return 1
    return max(worked, key=lambda row: (row.saved_at, row.position)).position


def last_saved(rows: Sequence[StateRow]) -> datetime.datetime | None:
    """Return when anything of the sitting was saved last."""
    return max((row.saved_at for row in rows if row.saved_at is not None), default=None)


def saved_words(saved_at: datetime.datetime | None) -> dict[str, str]:
    """Return a moment for scripts and on the reader's clock; nothing if there is none."""
    if saved_at is None:
        return {}
    local = timezone.localtime(saved_at)
    return {"iso": local.isoformat(), "time": f"{local:%H:%M}"}


def clock_at(at: datetime.datetime) -> str:
    """Return a moment to the second, on the reader's clock."""
    return f"{timezone.localtime(at):%H:%M:%S}"


def counts(rows: Sequence[StateRow]) -> dict[str, int]:
    """Return how many items are answered, not answered, incomplete and flagged."""
    answered = incomplete = flagged = 0
    for row in rows:  # once: each page of an exam counts all its items
        if row.is_answered:
            answered += 1
        elif row.is_incomplete:
            incomplete += 1
        if row.is_flagged:
            flagged += 1
    return {
        "answered": answered,
        "unanswered": len(rows) - answered,
        "incomplete": incomplete,
        "flagged": flagged,
    }


def milliseconds_left(*, sitting: Sitting, at: datetime.datetime) -> int | None:
    """Return the server's time left, or nothing without a clock."""
    left = clock.time_left(deadline=sitting.deadline, at=at)
    return None if left is None else int(left / datetime.timedelta(milliseconds=1))


def clock_text(left: datetime.timedelta | None) -> str:
    """Return time left as a clock shows it, whole seconds rounded up."""
    if left is None:
        return ""
    seconds = math.ceil(left.total_seconds())
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{minutes:02d}:{seconds:02d}"


def state_of(rows: Sequence[StateRow]) -> list[tuple[Any, ...]]:
    """Return the state of all items for the script, which names the values (rows.js).

    Pages would repeat the names for each of their sixty items.
    """
    return [row[:_TOLD] for row in rows]


_TOLD: Final = StateRow._fields.index("seconds")


# As ``json_script`` does: the text stands inside a script element.
_ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&"}


def state_json(
    *, sitting: Sitting, position: int, told: str, at: datetime.datetime
) -> SafeString:
    """Return the clock and the state, ``told`` by the selector, for the page to hold."""
    head = json.dumps(
        {
            "milliseconds_left": milliseconds_left(sitting=sitting, at=at),
            "is_linear": sitting.is_linear,
            "position": position,
        }
    )
    return SafeString(f'{head[:-1]}, "items": {told}}}'.translate(_ESCAPES))


def stored(response: Response) -> dict[str, Any]:
    """Return what stands on the server, for the script to show beside its own."""
    return {
        "version": response.version,
        "chosen": response.chosen,
        "struck": response.struck,
        "is_flagged": response.is_flagged,
        "note": response.note,
        "saved_at": response.saved_at and response.saved_at.isoformat(),
    }


def saved_reply(saved: saving.Saved) -> dict[str, Any]:
    """Return what a script is told of a save."""
    left = saved.time_left
    return {
        "version": saved.version,
        "saved_at": saved.saved_at.isoformat(),
        "is_complete": saved.is_complete,
        "milliseconds_left": left and int(left / datetime.timedelta(milliseconds=1)),
    }
