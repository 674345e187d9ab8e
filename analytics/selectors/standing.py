"""What somebody prepares for, studied last, sat and has open."""

from __future__ import annotations

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from accounts.models import User
from accounts.selectors import Learner
from analytics.models import LearnerFigures
from questions.exams.domain import clock
from questions.exams.models import Enrolment, ScoreReport, Sitting, SittingItem
from questions.models import Certification


def open_enrolments(*, user: User) -> list[Enrolment]:
    """Return what somebody prepares for, the nearest exam first."""
    return list(
        Enrolment.objects.filter(user=user, result="")
        .select_related("certification")
        .order_by(F("exam_date").asc(nulls_last=True), "pk")
    )


def exam_and_others(
    *, user: User, slug: str
) -> tuple[Certification | None, list[Certification]]:
    """Return a certification, and the others that somebody prepares for; one query."""
    prepared = Enrolment.objects.filter(
        user=user, result="", certification=OuterRef("pk")
    )
    found = list(
        Certification.objects.filter(Q(slug=slug) | Exists(prepared)).order_by("code")
    )
    asked = next((each for each in found if each.slug == slug), None)
    return asked, [each for each in found if each.slug != slug]


def last_studied(*, user: User) -> Certification | None:
    """Return the certification of the last answer."""
    row = (
        LearnerFigures.objects.filter(user=user, rows__gt=0)
        .select_related("certification")
        .order_by("-through_at")
        .first()
    )
    return row.certification if row else None


def open_choice(*, learner: Learner, certification: Certification) -> Sitting | None:
    """Return the practice under way whose questions were chosen for somebody, if any."""
    chosen = SittingItem.objects.filter(sitting=OuterRef("pk")).exclude(reason="")
    return (
        Sitting.objects.filter(
            Exists(chosen),
            participant__in=learner.ids,
            certification=certification,
            status=clock.Status.RUNNING,
        )
        .order_by("-started_at")
        .first()
    )


def sittings_to_show(*, user: User, certification: Certification) -> list[Sitting]:
    """Return finished mock exams and what is under way, the newest first; one query.

    All say whether they are simulated. Mocks carry ``points_n``, ``points_d`` and
    ``asked`` of the report that counts; practice carries ``item_count`` and
    ``answered_count``. Mock exams under way are those of any certification.
    """
    last = ScoreReport.objects.filter(sitting=OuterRef("pk")).order_by("-number")
    here = Q(certification=certification)
    mocks = here & Q(mode=Sitting.Mode.MOCK, status=clock.Status.FINISHED)
    practice = here & Q(
        mode=Sitting.Mode.PRACTICE, status=clock.Status.RUNNING, daily_date=None
    )
    running = Q(mode=Sitting.Mode.MOCK, status=clock.Status.RUNNING)
    return list(
        Sitting.objects.filter(participant__user=user)
        .filter(mocks | practice | running)
        .select_related("certification")
        .annotate(
            points_n=Subquery(last.values("points_numerator")[:1]),
            points_d=Subquery(last.values("points_denominator")[:1]),
            asked=Subquery(last.values("question_count")[:1]),
            item_count=Count("items"),
            answered_count=Count("items__response__answered_at"),
            is_simulated=F("participant__is_simulated"),
        )
        .order_by("-started_at")
    )
