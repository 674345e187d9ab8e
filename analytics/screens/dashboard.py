"""The learner's dashboard, and the same figures taken apart."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Collection, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from accounts.models import User
from analytics.domain.advice import ENOUGH_ANSWERS, MORE_QUESTIONS
from analytics.domain.figures import Figures
from analytics.models import CalibrationRun, LearnerState
from analytics.screens import chances, study
from analytics.selectors import standing
from analytics.selectors.guides import Guide
from analytics.selectors.standing import Stored
from analytics.services import readings
from analytics.services.readings import ObjectiveGain, Reading
from questions.exams.models import Enrolment, Sitting
from questions.models import Revision

TRAPS: Final = 12
COHORT: Final = 30
"""Comparisons need as many other learners."""

_MORNING, _AFTERNOON, _EVENING = 5, 12, 18


def dashboard(
    *,
    user: User,
    guide: Guide,
    enrolments: Sequence[Enrolment],
    at: datetime.datetime,
) -> dict[str, Any]:
    """Return everything that the dashboard of one certification shows.

    The same number of queries for any history. ``is_empty`` says that nothing was
    counted yet.
    """
    certification = guide.certification
    today = local_day(user, at)
    enrolment = next(
        (e for e in enrolments if e.certification_id == certification.pk), None
    )
    exam_date = enrolment.exam_date if enrolment else None
    stored = standing.figures_of(user=user, certification=certification)
    found = readings.reading(user=user, guide=guide, exam_date=exam_date, at=at)
    context: dict[str, Any] = {
        "certification": certification,
        "greeting": greeting(user, at),
        "at": at,
        "exam_date": exam_date,
        "others": [
            e.certification
            for e in enrolments
            if e.certification_id != certification.pk
        ],
        "behind": stored.behind,
        "needed": ENOUGH_ANSWERS,
        "bubbles": [False] * chances.BUBBLES,
    }
    if found is None or not stored.figures.total.answered:
        return {**context, "is_empty": True}
    sittings = standing.sittings_to_show(user=user, certification=certification)
    mocks = [each for each in sittings if each.mode == Sitting.Mode.MOCK]
    practice = next((s for s in sittings if s.mode == Sitting.Mode.PRACTICE), None)
    return {
        **context,
        **_exam_day(exam_date, today, enrolment),
        **_readiness(found),
        "made_at": stored.made_at,
        "on": f"on {found.day:%-d %B}" if exam_date and exam_date >= today else "today",
        "gains": [_gain(each, stored.figures) for each in found.gains],
        "may_choose": _has_unseen(found, stored.figures),
        "mock_count": len(mocks),
        "trend": _trend(found, mocks, today, user),
        "open_practice": practice
        and {
            "sitting": practice,
            "answered": practice.answered_count,  # type: ignore[attr-defined]
            "total": practice.item_count,  # type: ignore[attr-defined]
        },
        "activity": study.activity(figures=stored.figures, today=today),
        "week": study.week(figures=stored.figures, today=today),
        "pace": study.pace(figures=stored.figures, blueprint=found.blueprint),
        "standing": _beside_others(found),
        "shows_streak": user.shows_streak,
    }


def nothing_yet(*, user: User, at: datetime.datetime) -> dict[str, Any]:
    """Return what is shown to who has neither enrolled nor answered anything."""
    return {
        "greeting": greeting(user, at),
        "needed": ENOUGH_ANSWERS,
        "bubbles": [False] * chances.BUBBLES,
    }


def how(
    *,
    user: User,
    guide: Guide,
    enrolments: Sequence[Enrolment],
    withheld: Collection[int],
    at: datetime.datetime,
) -> dict[str, Any] | None:
    """Return the figures taken apart with this learner's answers, if there are any."""
    certification = guide.certification
    exam_date = next(
        (e.exam_date for e in enrolments if e.certification_id == certification.pk),
        None,
    )
    stored = standing.figures_of(user=user, certification=certification)
    found = readings.reading(user=user, guide=guide, exam_date=exam_date, at=at)
    if found is None or not stored.figures.total.answered:
        return None
    shown = _readiness(found)
    unseen = found.readiness.evidence.unseen
    return {
        **shown,
        "certification": certification,
        "blueprint": found.blueprint,
        "at": at,
        "made_at": stored.made_at,
        "behind": stored.behind,
        "exam_date": found.day,
        "is_dated": exam_date is not None,
        "run": found.run,
        "needed": found.needed,
        "questions": found.questions,
        "exact": chances.whole(found.readiness.probability),
        "shown": found.readiness.shown,
        "unseen": [found.domains[number].name for number in unseen],
        "distance": f"{100 * (found.readiness.expected - float(found.mark)):+.1f}",
        "explained": _explained(found, withheld),
        "repeats": stored.figures.total.repeats,
    }


def statistics(
    *,
    user: User,
    guide: Guide,
    enrolments: Sequence[Enrolment],
    withheld: Collection[int],
    at: datetime.datetime,
) -> dict[str, Any]:
    """Return all that was counted, by week, area, kind and mode."""
    certification = guide.certification
    exam_date = next(
        (e.exam_date for e in enrolments if e.certification_id == certification.pk),
        None,
    )
    stored: Stored = standing.figures_of(user=user, certification=certification)
    blueprint = guide.on(exam_date or at.date())
    figures = stored.figures
    context = {
        "certification": certification,
        "at": at,
        "made_at": stored.made_at,
        "behind": stored.behind,
        "totals": study.totals(figures=figures),
    }
    if blueprint is None or not figures.total.answered:
        return context
    return {
        **context,
        "weeks": study.weeks(figures=figures, today=local_day(user, at)),
        "areas": study.areas(figures=figures, domains=guide.domains[blueprint.pk]),
        "kinds": study.kinds(figures=figures),
        "modes": study.modes(figures=figures, blueprint=blueprint),
        "traps": _traps(figures, withheld),
    }


def local_day(user: User, at: datetime.datetime) -> datetime.date:
    """Return the day it is where the learner is."""
    return at.astimezone(_zone(user)).date()


def greeting(user: User, at: datetime.datetime) -> str:
    """Return a greeting for the hour it is where the learner is."""
    hour = at.astimezone(_zone(user)).hour
    if _MORNING <= hour < _AFTERNOON:
        word = "Good morning"
    elif _AFTERNOON <= hour < _EVENING:
        word = "Good afternoon"
    else:
        word = "Good evening"
    return f"{word}, {user.display_name}" if user.display_name else word


def _zone(user: User) -> datetime.tzinfo:
    return zoneinfo.ZoneInfo(user.time_zone) if user.time_zone else datetime.UTC


def _exam_day(
    exam_date: datetime.date | None, today: datetime.date, enrolment: Enrolment | None
) -> dict[str, Any]:
    is_over = exam_date is not None and exam_date < today
    return {
        "days_left": (exam_date - today).days if exam_date and not is_over else None,
        "result_due": enrolment if is_over else None,
    }


def _readiness(found: Reading) -> dict[str, Any]:
    mark = float(found.mark)
    return {
        "chance": chances.chance(readiness=found.readiness),
        "score": chances.score_plot(readiness=found.readiness, mark=mark),
        "areas": chances.domain_rows(
            readiness=found.readiness, domains=found.domains, mark=mark
        ),
        "moved": _moved(found.state),
    }


def _moved(state: LearnerState | None) -> dict[str, Any] | None:
    if state is None or not state.moved:
        return None
    moved = state.moved
    return {
        "at": datetime.datetime.fromisoformat(moved["at"]),
        "before": chances.whole(moved["before"]["expected"]),
        "after": chances.whole(moved["after"]["expected"]),
    }


def _gain(each: ObjectiveGain, figures: Figures) -> dict[str, Any]:
    tally = figures.objectives.get(each.objective.pk)
    return {
        "name": each.objective.name,
        "points": f"{100 * each.gain.score:+.1f}",
        "answered": tally.first if tally else 0,
        "share": study.percent(tally.first_share_right) if tally else "",
        "query": urlencode({"objectives": each.objective.pk, "length": MORE_QUESTIONS}),
    }


def _has_unseen(found: Reading, figures: Figures) -> bool:
    """Say whether questions are left that this learner can't have met."""
    return int(found.table.is_open.sum()) > figures.total.first


def _trend(
    found: Reading, mocks: Sequence[Any], today: datetime.date, user: User
) -> dict[str, Any] | None:
    points = [
        {**point, "date": datetime.date.fromisoformat(point["date"])}
        for point in (found.state.trend if found.state else [])
    ]
    results = [
        {
            "date": local_day(user, mock.ended_at or mock.started_at),
            "share": mock.points_n / mock.points_d / mock.asked,
        }
        for mock in mocks
        if mock.points_d and mock.asked
    ]
    return chances.trend(
        points=points, mocks=results, mark=float(found.mark), today=today
    )


def _beside_others(found: Reading) -> str:
    """Return where the expected score lies among learners, if there are enough."""
    run: CalibrationRun | None = found.run
    if run is None or run.cohort_learners < COHORT or not run.cohort:
        return ""
    below = sum(1 for quantile in run.cohort if quantile < found.readiness.expected)
    percent = round(100 * below / len(run.cohort))
    return (
        f"Your expected score is above that of {percent}% of "
        f"{run.cohort_learners} learners"
    )


def _explained(found: Reading, withheld: Collection[int]) -> list[dict[str, Any]]:
    lines = readings.told(found=found)
    titles = {
        revision.pk: revision
        for revision in Revision.objects.filter(
            pk__in=[line.revision for line in lines]
        )
    }
    return [
        {
            "title": titles[line.revision].title,
            "domain": found.domains[line.explanation.domain].name,
            "chance": chances.whole(line.explanation.chance),
            "is_right": line.is_right,
            "moved": f"{line.explanation.moved[line.explanation.domain]:+.2f}",
            "learned": f"{line.explanation.learned:+.3f}",
        }
        for line in lines
        if line.revision in titles and titles[line.revision].question_id not in withheld
    ]


def _traps(figures: Figures, withheld: Collection[int]) -> list[dict[str, Any]]:
    """Return wrong answers, those given again first, without what is withheld now."""
    again = list(figures.most_frequent_traps())
    known = {(trap.question, trap.chosen) for trap in again}
    rest = [t for t in figures.traps if (t.question, t.chosen) not in known]
    found = [t for t in (*again, *rest) if t.question not in withheld][:TRAPS]
    revisions = {
        revision.pk: revision
        for revision in Revision.objects.filter(
            pk__in=[trap.revision for trap in found]
        ).select_related("question")
    }
    return [
        {
            "title": revisions[trap.revision].title,
            "address": revisions[trap.revision].question.get_absolute_url(),
            "times": trap.times,
            "last": trap.last,
        }
        for trap in found
        if trap.revision in revisions
        and revisions[trap.revision].question.is_live
        and revisions[trap.revision].question.exposure != "mock_only"
    ]
