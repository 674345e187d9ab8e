"""A learner's work on one item, as a page sends it: by a form or by its script.

Read by hand, not by a form of Django's: nothing of it is ever shown again, and every
change of every learner passes here.
"""

from __future__ import annotations

import datetime
import uuid
from typing import Final

from django.http import QueryDict

from questions.domain.responses import InvalidResponse
from questions.exams.services.saving import Work
from questions.forms.numbers import number_in

_LONGEST: Final = 24 * 60 * 60
_BIGGEST: Final = 2_147_483_647
_NOT_TICKED: Final = frozenset({"", "false", "False"})


def read_work(*, posted: QueryDict, at: datetime.datetime) -> Work:
    """Return the work, with what the button pressed does to it.

    Raises:
        InvalidResponse: a field that is needed is missing, or one can't be read.
    """
    base_version = _number(posted, "base_version", most=_BIGGEST)
    if base_version is None:
        raise InvalidResponse(
            "invalid", "A save says which version it was based on, as base_version."
        )
    verb, _, key = posted.get("toggle", "").partition(":")
    struck = posted.getlist("struck")
    if verb == "strike" and key:
        others = [each for each in struck if each != key]
        struck = others if key in struck else [*others, key]
    is_flagged = posted.get("is_flagged", "") not in _NOT_TICKED
    return Work(
        save_id=_save_id(posted),
        base_version=base_version,
        chosen=[] if verb == "clear" else posted.getlist("answer"),
        struck=struck,
        is_flagged=is_flagged is not (verb == "flag"),
        # A browser sends two characters for each line break; one is kept and counted.
        note=posted.get("note", "").replace("\r\n", "\n"),
        seconds=_seconds(posted, at),
    )


def _save_id(posted: QueryDict) -> uuid.UUID:
    sent = posted.get("save_id", "")
    if not sent:
        raise InvalidResponse("invalid", "A save carries its id as save_id.")
    try:
        return uuid.UUID(sent)
    except ValueError:
        raise InvalidResponse("invalid", "The save id is not a UUID.") from None


def _seconds(posted: QueryDict, at: datetime.datetime) -> int:
    """Return the seconds that a script counted.

    Without one nobody counts them: then the page was open since it was sent.
    """
    counted = _number(posted, "seconds", most=_LONGEST)
    opened = _number(posted, "opened_at", most=_BIGGEST)
    if counted is not None or opened is None:
        return counted or 0
    return max(int(at.timestamp()) - opened, 0)


def _number(posted: QueryDict, name: str, *, most: int) -> int | None:
    """Return a whole number, or nothing if none was sent."""
    sent = posted.get(name, "").strip()
    if not sent:
        return None
    number = number_in(sent)
    if number is None or number > most:
        raise InvalidResponse(
            "invalid", f"{name} is not a whole number from 0 to {most}."
        )
    return number
