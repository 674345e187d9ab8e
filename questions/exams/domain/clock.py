"""The server's clock over a sitting: deadline, grace, and what part it is in.

"Now" is always an argument. All moments are aware datetimes and all lengths are
timedeltas, so time zones and changes to summer time can't touch them.
"""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction


class Status(StrEnum):
    """What is stored of a sitting's course."""

    RUNNING = "running"
    FINISHED = "finished"
    VOID = "void"


class Phase(StrEnum):
    """What a sitting is at a moment.

    ``CLOSING`` lasts from the deadline to the end of the grace: answers that were on
    their way are taken, nothing is shown. ``DUE`` waits to be scored.
    """

    RUNNING = "running"
    CLOSING = "closing"
    DUE = "due"
    FINISHED = "finished"
    VOID = "void"


def deadline_of(
    *, start: datetime.datetime, minutes: int, allowance: Decimal
) -> datetime.datetime:
    """Return the end of the time allowed: ``minutes`` times the learner's allowance."""
    return start + datetime.timedelta(minutes=float(minutes * allowance))


def minutes_for(*, length: int, full_length: int, full_minutes: int) -> int:
    """Return the minutes for ``length`` questions at the pace of the full exam.

    Rounded up to whole minutes, and one at least.
    """
    return max(1, math.ceil(Fraction(length * full_minutes, full_length)))


def phase_of(
    *,
    status: str,
    deadline: datetime.datetime | None,
    grace: datetime.timedelta,
    at: datetime.datetime,
) -> Phase:
    """Return what the sitting is at the moment ``at``."""
    if status != Status.RUNNING:
        return Phase(status)
    if deadline is None or at < deadline:
        return Phase.RUNNING
    return Phase.CLOSING if at < deadline + grace else Phase.DUE


def time_left(
    *, deadline: datetime.datetime | None, at: datetime.datetime
) -> datetime.timedelta | None:
    """Return the time left, never negative; nothing where no clock runs."""
    if deadline is None:
        return None
    return max(deadline - at, datetime.timedelta(0))


def seconds_spent(
    *,
    stored: int,
    claimed: int,
    since: datetime.datetime,
    start: datetime.datetime,
    at: datetime.datetime,
) -> int:
    """Return the seconds spent on an item after a save that claims some more.

    A device says how long the item was in view since its last save (``since``). It
    can't have been longer than the server saw pass, nor all together longer than the
    sitting has run.
    """
    passed = max(int((at - since).total_seconds()), 0)
    run = max(int((at - start).total_seconds()), 0)
    return max(stored, min(stored + min(max(claimed, 0), passed), run))
