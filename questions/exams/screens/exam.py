"""The exam screen: what its templates and its script show."""

from __future__ import annotations

import datetime
import math
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from questions.exams.domain import clock, feedback, orders
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Response, Sitting
from questions.exams.screens import sheet
from questions.exams.selectors import sittings, under_way
from questions.exams.selectors.under_way import OpenItem, StateRow
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


def counts(rows: Sequence[StateRow]) -> dict[str, int]:
    """Return how many items are answered, not answered, incomplete and flagged."""
    answered = sum(1 for row in rows if row.is_answered)
    return {
        "answered": answered,
        "unanswered": len(rows) - answered,
        "incomplete": sum(1 for row in rows if row.is_incomplete),
        "flagged": sum(1 for row in rows if row.is_flagged),
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


def state_of(rows: Sequence[StateRow]) -> list[dict[str, Any]]:
    """Return the state of all items for the script."""
    return [
        {
            "position": row.position,
            "version": row.version,
            "chosen": row.chosen,
            "struck": row.struck,
            "is_flagged": row.is_flagged,
            "note": row.note,
            "choose": row.choose,
        }
        for row in rows
    ]


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


def exam_choices(
    item: OpenItem, *, chosen: Sequence[str] = (), struck: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return the options in the sitting's order: letter, text, what was done."""
    opened = orders.arranged(item.opened, item.option_order)
    return [
        {
            "key": choice.key,
            "letter": choice.letter,
            "html": choice.html,
            "is_chosen": choice.is_chosen,
            "is_struck": choice.key in struck,
        }
        for choice in feedback.choices(opened, frozenset(chosen))
    ]


def exam_screen(
    *,
    sitting: Sitting,
    position: int,
    rows: Sequence[StateRow],
    at: datetime.datetime,
) -> dict[str, Any]:
    """Return everything the exam screen shows of one item, without its key."""
    item = under_way.open_item(sitting=sitting, position=position)
    work = rows[position - 1]
    left = clock.time_left(deadline=sitting.deadline, at=at)
    return {
        "sitting": sitting,
        "item": item.opened,
        "choices": exam_choices(item, chosen=work.chosen, struck=work.struck),
        "work": work,
        "rule": item.rule,
        "save_id": str(uuid.uuid4()),
        "base_version": work.version,
        "opened_at": int(at.timestamp()),
        "position": position,
        "total": len(rows),
        "is_last": position == len(rows),
        "sheet": sheet.buttons(rows, sitting=sitting, current=position),
        "counts": counts(rows),
        "saved_at": last_saved(rows),
        "clock": clock_text(left),
        "state": {
            "milliseconds_left": milliseconds_left(sitting=sitting, at=at),
            "is_linear": sitting.is_linear,
            "position": position,
            "items": state_of(rows),
        },
    }


def all_items(*, sitting: Sitting) -> Iterator[dict[str, Any]]:
    """Yield every question of a sitting as the screen shows it, without its state."""
    for item in sittings.items_with_documents(sitting=sitting):
        shown = OpenItem(item.revision.document.open, item.option_order, item.rule)
        yield {
            "position": item.position,
            "item": shown.opened,
            "choices": exam_choices(shown),
            "rule": shown.rule,
        }


def both(
    *, sitting: Sitting, position: int, mine: saving.Work, stored: Response
) -> dict[str, Any]:
    """Return an own change and what was stored meanwhile, for the page to ask.

    The form then stands on the stored version, so sending it again is a decision.
    """
    item = under_way.open_item(sitting=sitting, position=position)
    letters = feedback.letters_of(item.option_order)

    def listed(keys: Sequence[str]) -> str:
        chosen = [letters[key] for key in item.option_order if key in keys]
        return " and ".join(chosen) or "nothing"

    return {
        "theirs": listed(stored.chosen),
        "mine": listed(mine.chosen),
        "work": mine,
        "choices": exam_choices(item, chosen=mine.chosen, struck=mine.struck),
        "base_version": stored.version,
    }
