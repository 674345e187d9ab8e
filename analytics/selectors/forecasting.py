"""What a forecast rests on."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.domain.zones import zone_named
from accounts.models import Participant, User
from analytics.domain.measures import Recalibration
from analytics.models import LearnerState
from analytics.selectors import outcomes
from questions.exams.models import KeyContact
from questions.models import Blueprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is stored of an account: its ability, as a state has it, if there is one.

    ``met`` is how many of the questions it was asked about it has met before.
    ``mended`` is how chances are mended in this certification.
    """

    ability: dict[str, Any] | None
    met: int
    mended: Recalibration | None


def known_of(
    *, participant: Participant, blueprint: Blueprint, questions: Collection[int]
) -> Known:
    """Return what is known of the account that a participant belongs to; one query."""
    state = LearnerState.objects.filter(user=OuterRef("user"), blueprint=blueprint)
    met = (
        KeyContact.objects.filter(
            participant__user=OuterRef("user"), question__in=questions
        )
        .order_by()
        .values("participant__user")
        .annotate(count=Count("question", distinct=True))
        .values("count")
    )
    in_force = outcomes.map_in_force(certification=blueprint.certification_id)
    ability, count, mended = (
        Participant.objects.filter(pk=participant.pk)
        .values_list(
            Subquery(state.values("ability")[:1]),
            Coalesce(Subquery(met), 0),
            Subquery(in_force),
        )
        .get()
    )
    return Known(ability=ability, met=count, mended=outcomes.map_from(mended))


def is_simulated(*, user: User) -> bool:
    """Say whether an account's work is nobody's real work."""
    return Participant.objects.filter(user=user, is_simulated=True).exists()


def start_of_day(*, user: User, day: datetime.date) -> datetime.datetime:
    """Return the moment at which a day begins where somebody is."""
    return datetime.datetime.combine(day, datetime.time.min, zone_named(user.time_zone))
