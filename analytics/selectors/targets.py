"""Which blueprint version counts for whom: that in force on the day of their exam."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accounts.models import User
from analytics.models import LearnerState
from questions.exams.models import Enrolment
from questions.models import Blueprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """For some accounts in one certification: what counts, and what is there.

    ``blueprint_of`` and ``zones`` are keyed by account; ``states`` are those under the
    blueprint that counts, without what the next ones are not made from.
    """

    blueprints: tuple[Blueprint, ...]
    blueprint_of: dict[int, int]
    enrolled: frozenset[int]
    zones: dict[int, str]
    states: dict[int, LearnerState]


class Span(NamedTuple):
    """Days of exams, both included, that follow one version."""

    first: datetime.date
    last: datetime.date
    blueprint: Blueprint


def targets(
    *,
    users: Sequence[int],
    certification: int,
    on: datetime.date,
    is_afresh: bool = False,
) -> Targets:
    """Return what counts for accounts on a day, in four queries.

    ``is_afresh`` says that states are made from the log alone.
    """
    open_now = Enrolment.objects.filter(
        user__in=users, certification=certification, result=""
    )
    dates = dict(open_now.values_list("user", "exam_date"))
    versions = Blueprint.objects.filter(certification=certification).order_by(
        "-effective_from"
    )
    chosen = {
        user: version_on(versions=versions, on=exam_day(dates.get(user), on))
        for user in users
    }
    used = {version.pk: version for version in chosen.values() if version}
    # Half of a state is what it says of now; it is made from what was before.
    unused = ("ability", "recent") if is_afresh else ("ability",)
    states = LearnerState.objects.filter(user__in=users, blueprint__in=used).defer(
        *unused
    )
    blueprint_of = {user: version.pk for user, version in chosen.items() if version}
    return Targets(
        blueprints=tuple(used.values()),
        blueprint_of=blueprint_of,
        enrolled=frozenset(dates),
        zones=dict(User.objects.filter(pk__in=users).values_list("pk", "time_zone")),
        states={
            state.user_id: state
            for state in states
            if state.blueprint_id == blueprint_of[state.user_id]
        },
    )


def exam_day(date: datetime.date | None, today: datetime.date) -> datetime.date:
    """Return the day to look at: that of the exam, or today if it is none or gone."""
    return max(date, today) if date else today


def version_on(*, versions: Iterable[Blueprint], on: datetime.date) -> Blueprint | None:
    """Return the version that an exam on a day follows, or else the newest."""
    for version in versions:
        ends = version.effective_to
        if version.effective_from <= on and (ends is None or ends >= on):
            return version
    return next(iter(versions), None)


def spans(*, versions: Sequence[Blueprint], today: datetime.date) -> list[Span]:
    """Return the version of every day from today on, by ``version_on``, in order.

    The last span has no end but that of the calendar.
    """
    day = datetime.timedelta(days=1)
    turns = {today}
    for version in versions:
        turns.add(version.effective_from)
        if version.effective_to is not None:
            turns.add(version.effective_to + day)
    firsts = sorted(turn for turn in turns if turn >= today)
    lasts = [*(first - day for first in firsts[1:]), datetime.date.max]
    return [
        Span(first, last, found)
        for first, last in zip(firsts, lasts, strict=True)
        if (found := version_on(versions=versions, on=first))
    ]
