"""Which blueprint version counts for whom: that in force on the day of their exam."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import User
from analytics.models import CalibrationRun, LearnerState
from questions.exams.models import Enrolment
from questions.models import Blueprint, Certification, Domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """For some accounts in one certification: what counts, and what is there.

    ``blueprint_of`` and ``zones`` are keyed by account; ``states`` are those under the
    blueprint that counts. ``domains`` is how many each blueprint has, and ``run`` the
    calibration in force.
    """

    blueprints: tuple[Blueprint, ...]
    blueprint_of: dict[int, int]
    domains: dict[int, int]
    enrolled: frozenset[int]
    zones: dict[int, str]
    states: dict[int, LearnerState]
    run: int | None


def targets(
    *, users: Sequence[int], certification: Certification, on: datetime.date
) -> Targets:
    """Return what counts for accounts on a day, in six queries."""
    open_now = Enrolment.objects.filter(
        user__in=users, certification=certification, result=""
    )
    dates = dict(open_now.values_list("user", "exam_date"))
    versions = certification.blueprints.order_by("-effective_from")
    chosen = {
        user: version_on(versions=versions, on=exam_day(dates.get(user), on))
        for user in users
    }
    used = {version.pk: version for version in chosen.values() if version}
    states = LearnerState.objects.filter(user__in=users, blueprint__in=used)
    blueprint_of = {user: version.pk for user, version in chosen.items() if version}
    return Targets(
        blueprints=tuple(used.values()),
        blueprint_of=blueprint_of,
        domains=dict(
            Domain.objects.filter(blueprint__in=used)
            .values("blueprint")
            .values_list("blueprint", Count("pk"))
        ),
        enrolled=frozenset(dates),
        zones=dict(User.objects.filter(pk__in=users).values_list("pk", "time_zone")),
        states={
            state.user_id: state
            for state in states
            if state.blueprint_id == blueprint_of[state.user_id]
        },
        run=CalibrationRun.objects.filter(certification=certification, is_in_force=True)
        .values_list("pk", flat=True)
        .first(),
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
