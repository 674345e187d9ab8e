"""What calibration found of questions, for their authors' pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import F, OuterRef, QuerySet, Subquery

from analytics.domain import ctt
from analytics.models import (
    CalibrationRun,
    FormStatistic,
    ItemEstimate,
    ItemStatistic,
    ResponseLog,
)
from questions.models import Certification, Question

RUNS_SHOWN: Final = 12
COUNTED: Final = 1_000
"""Beyond so many, answers since a run are told as "over"."""

SORTS: Final = {
    "title": F("revision__title").asc(),
    "attempts": F("attempts").desc(),
    "facility": F("facility").asc(nulls_last=True),
    "discrimination": F("discrimination").asc(nulls_last=True),
    "difficulty": F("difficulty").desc(nulls_last=True),
    "slope": F("slope").asc(nulls_last=True),
    "seconds": F("median_seconds").desc(nulls_last=True),
    "concerns": F("concern_count").desc(),
}
"""Orders of the worklist; each begins with what wants looking at."""


def run_in_force(*, certification: Certification) -> CalibrationRun | None:
    """Return the run whose figures count."""
    return CalibrationRun.objects.filter(
        certification=certification, is_in_force=True
    ).first()


def last_failed_run(*, certification: Certification) -> CalibrationRun | None:
    """Return the newest run if it failed, so that its error can be told."""
    newest = (
        CalibrationRun.objects.filter(certification=certification)
        .order_by("-started_at", "-pk")
        .first()
    )
    has_failed = newest is not None and newest.status == CalibrationRun.Status.FAILED
    return newest if has_failed else None


def former_run(*, run: CalibrationRun) -> CalibrationRun | None:
    """Return the finished run before this one."""
    return (
        CalibrationRun.objects.filter(
            certification=run.certification_id,
            status=CalibrationRun.Status.FINISHED,
            started_at__lt=run.started_at,
        )
        .order_by("-started_at")
        .first()
    )


def statistics_of(*, question: Question, run: CalibrationRun) -> list[ItemStatistic]:
    """Return the statistics of a question, newest revision first, all modes first."""
    return list(
        ItemStatistic.objects.filter(run=run, revision__question=question)
        .select_related("revision")
        .order_by("-revision__number", "mode")
    )


def estimates_of(*, question: Question) -> list[ItemEstimate]:
    """Return what the last runs found of a question, the newest run first.

    Nothing of revisions with few attempts, here as elsewhere: what is told of those is
    mostly the prior.
    """
    runs = (
        CalibrationRun.objects.filter(
            certification=question.certification_id,
            status=CalibrationRun.Status.FINISHED,
        )
        .order_by("-started_at")
        .values("pk")[:RUNS_SHOWN]
    )
    return list(
        _estimates()
        .filter(revision__question=question, run__in=[row["pk"] for row in runs])
        .select_related("run", "revision")
        .order_by("-run__started_at", "-revision__number")
    )


def answers_since(*, run: CalibrationRun, question: Question | None = None) -> int:
    """Return how many answers were logged since a run, counted up to ``COUNTED``.

    Of real people, as only those are calibrated on.
    """
    rows = ResponseLog.objects.filter(
        pk__gt=run.through,
        question__certification=run.certification_id,
        participant__is_simulated=False,
    )
    if question is not None:
        rows = rows.filter(question=question)
    return rows.order_by()[: COUNTED + 1].count()


def worklist(
    *, run: CalibrationRun, sort: str, concern: str = ""
) -> QuerySet[ItemStatistic]:
    """Return the statistics of published revisions over all modes, with estimates.

    ``sort`` is one of ``SORTS``; ties are broken by the question.
    """
    estimates = _estimates().filter(run=run, revision=OuterRef("revision"))
    rows = (
        ItemStatistic.objects.filter(
            run=run, mode="", revision__question__published_revision=F("revision")
        )
        .select_related("revision__question")
        .annotate(
            slope=Subquery(estimates.values("slope")[:1]),
            slope_error=Subquery(estimates.values("slope_error")[:1]),
            difficulty=Subquery(estimates.values("difficulty")[:1]),
            difficulty_error=Subquery(estimates.values("difficulty_error")[:1]),
            guess=Subquery(estimates.values("guess")[:1]),
            is_runaway=Subquery(estimates.values("is_runaway")[:1]),
            concern_count=F("concerns__len"),
        )
    )
    if concern:
        rows = rows.filter(concerns__contains=[concern])
    return rows.order_by(SORTS[sort], "revision__question__slug")


def forms_of(*, run: CalibrationRun) -> list[FormStatistic]:
    """Return the statistics of the fixed mock exams."""
    return list(
        FormStatistic.objects.filter(run=run)
        .select_related("mock_exam")
        .order_by("mock_exam__name", "pk")
    )


def drift(
    *, run: CalibrationRun, former: CalibrationRun
) -> Sequence[tuple[int, float, float]]:
    """Return revision, difficulty before and now, of what both runs estimated."""
    before = _estimates().filter(run=former, revision=OuterRef("revision"))
    return list(
        _estimates()
        .filter(run=run, is_runaway=False)
        .annotate(before=Subquery(before.filter(is_runaway=False).values("difficulty")))
        .filter(before__isnull=False)
        .order_by("revision")
        .values_list("revision", "before", "difficulty")
    )


def _estimates() -> QuerySet[ItemEstimate]:
    return ItemEstimate.objects.filter(attempts__gte=ctt.ENOUGH_ATTEMPTS)
