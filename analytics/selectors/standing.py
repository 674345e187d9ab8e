"""What is stored of one learner in one certification, for pages and the API."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from analytics.domain.figures import Figures
from analytics.models import LearnerFigures, LearnerState, ResponseLog
from questions.exams.domain import clock
from questions.exams.models import Enrolment, ScoreReport, Sitting
from questions.models import Blueprint, Certification


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Figures as they were worked out, and how many answers came in since."""

    figures: Figures
    made_at: datetime.datetime | None
    behind: int


def state_of(*, user: User, blueprint: Blueprint) -> LearnerState | None:
    """Return what is believed of somebody, with the run it rests on, in one query."""
    return (
        LearnerState.objects.filter(user=user, blueprint=blueprint)
        .select_related("run")
        .first()
    )


def figures_of(*, user: User, certification: Certification) -> Stored:
    """Return somebody's figures and how far the log is ahead, in one query or two."""
    later = (
        ResponseLog.objects.filter(
            participant__user=OuterRef("user"),
            question__certification=OuterRef("certification"),
            logged_at__gt=Coalesce(OuterRef("through_at"), _EPOCH),
        )
        .order_by()
        .values("participant__user")
        .annotate(count=Count("pk"))
        .values("count")
    )
    row = (
        LearnerFigures.objects.filter(user=user, certification=certification)
        .annotate(behind=Coalesce(Subquery(later), 0))
        .first()
    )
    if row is None:
        behind = ResponseLog.objects.filter(
            participant__user=user, question__certification=certification
        ).count()
        return Stored(figures=Figures(), made_at=None, behind=behind)
    return Stored(
        figures=Figures.from_record(row.figures),
        made_at=row.made_at,
        behind=row.behind,
    )


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def open_enrolments(*, user: User) -> list[Enrolment]:
    """Return what somebody prepares for, the nearest exam first."""
    return list(
        Enrolment.objects.filter(user=user, result="")
        .select_related("certification")
        .order_by(F("exam_date").asc(nulls_last=True), "pk")
    )


def studied(*, user: User) -> QuerySet[Certification]:
    """Return what somebody answered questions of, the last one first."""
    return Certification.objects.filter(
        pk__in=LearnerFigures.objects.filter(user=user, rows__gt=0).values(
            "certification"
        )
    ).order_by("code")


def last_studied(*, user: User) -> Certification | None:
    """Return the certification of the last answer."""
    row = (
        LearnerFigures.objects.filter(user=user, rows__gt=0)
        .select_related("certification")
        .order_by("-through_at")
        .first()
    )
    return row.certification if row else None


def sittings_to_show(*, user: User, certification: Certification) -> list[Sitting]:
    """Return finished mock exams and practice under way, the newest first; one query.

    Mocks carry ``points`` and ``asked`` of the report that counts; practice carries
    ``item_count`` and ``answered_count``.
    """
    last = ScoreReport.objects.filter(sitting=OuterRef("pk")).order_by("-number")
    own = Sitting.objects.filter(participant__user=user, certification=certification)
    mocks = own.filter(mode=Sitting.Mode.MOCK, status=clock.Status.FINISHED)
    practice = own.filter(
        mode=Sitting.Mode.PRACTICE, status=clock.Status.RUNNING, daily_date=None
    )
    return list(
        (mocks | practice)
        .annotate(
            points_n=Subquery(last.values("points_numerator")[:1]),
            points_d=Subquery(last.values("points_denominator")[:1]),
            asked=Subquery(last.values("question_count")[:1]),
            item_count=Count("items"),
            answered_count=Count("items__response__answered_at"),
        )
        .order_by("-started_at")
    )
