"""The learner's dashboard, and the same figures taken apart."""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from accounts.domain.zones import zone_named
from accounts.models import User
from analytics.domain.advice import ENOUGH_ANSWERS, Readiness
from analytics.domain.figures import Figures
from analytics.screens import chances, study
from analytics.selectors import learners, standing
from analytics.selectors.learners import LearnerReadiness, ObjectiveGain
from analytics.selectors.outcomes import LEAST_QUESTIONS
from questions.exams.domain import clock
from questions.exams.models import Sitting
from questions.models import Certification, Revision

GAINS: Final = 3
TRAPS: Final = 12
COHORT: Final = 30
"""Comparisons need as many other learners."""

_MORNING, _AFTERNOON, _EVENING = 5, 12, 18


def dashboard(
    *,
    user: User,
    certification: Certification,
    others: Sequence[Certification],
    at: datetime.datetime,
) -> dict[str, Any]:
    """Return everything that the dashboard of one certification shows.

    The same number of queries for any history. ``is_empty`` says that nothing was
    counted yet.
    """
    found = learners.readiness_of(user=user, certification=certification, at=at)
    exam_date = found.exam_date if found else None
    context: dict[str, Any] = {
        "certification": certification,
        "greeting": greeting(user, at),
        "at": at,
        "exam_date": exam_date,
        "others": others,
        "behind": found.counted.rows_behind if found else 0,
        "needed": ENOUGH_ANSWERS,
        "bubbles": [False] * chances.BUBBLES,
    }
    if (
        found is None
        or found.readiness is None
        or not found.counted.figures.total.answered
    ):
        return {**context, "is_empty": True}
    today, figures = local_day(user, at), found.counted.figures
    sittings = standing.sittings_to_show(user=user, certification=certification)
    mocks = [
        each
        for each in sittings
        if each.is_mock and each.status == clock.Status.FINISHED
    ]
    practice = next((s for s in sittings if s.mode == Sitting.Mode.PRACTICE), None)
    return {
        **context,
        **_exam_day(found, today),
        **_readiness(found, found.readiness),
        "sittings": sittings,
        "made_at": found.counted.made_at,
        "is_simulated": any(each.is_simulated for each in sittings),  # type: ignore[attr-defined]
        "on": f"on {found.on:%-d %B}" if exam_date and exam_date >= today else "today",
        "gains": [
            _gain(each, found)
            for each in learners.gains(user=user, found=found)[:GAINS]
        ],
        "mock_count": len(mocks),
        "trend": _trend(found, mocks, today, user),
        "open_practice": practice
        and {
            "sitting": practice,
            "answered": practice.answered_count,  # type: ignore[attr-defined]
            "total": practice.item_count,  # type: ignore[attr-defined]
        },
        "activity": study.activity(figures=figures, today=today),
        "week": study.week(figures=figures, today=today),
        "pace": study.pace(figures=figures, blueprint=found.blueprint),
        "standing": _beside_others(found, found.readiness),
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
    certification: Certification,
    withheld: Collection[int],
    at: datetime.datetime,
) -> dict[str, Any] | None:
    """Return the figures taken apart with this learner's answers, if there are any."""
    found = learners.readiness_of(user=user, certification=certification, at=at)
    if (
        found is None
        or found.readiness is None
        or not found.counted.figures.total.answered
    ):
        return None
    rests_on = found.blueprint
    return {
        **_readiness(found, found.readiness),
        "certification": certification,
        "blueprint": rests_on,
        "at": at,
        "made_at": found.counted.made_at,
        "behind": found.counted.rows_behind,
        "exam_date": found.on,
        "is_dated": found.exam_date is not None,
        "run": found.measured_by,
        "measured": found.table.measured,
        "live": int(found.table.is_live.sum()),
        "mark": chances.whole(float(rests_on.mark)),
        "needed": math.ceil(rests_on.mark * rests_on.questions_max),
        "questions": rests_on.questions_max,
        "exact": chances.whole(found.readiness.modelled),
        "mended": found.mended,
        "told": chances.whole(found.readiness.probability),
        "shown": (found.readiness.shown or "").replace(" %", "%"),
        "missing": _missing(found, found.readiness),
        "distance": chances.signed(100 * (found.readiness.expected - found.mark)),
        "explained": _explained(found, withheld),
        "repeats": found.counted.figures.total.repeats,
    }


def statistics(
    *,
    user: User,
    certification: Certification,
    withheld: Collection[int],
    at: datetime.datetime,
) -> dict[str, Any]:
    """Return all that was counted, by week, area, kind and mode."""
    found = learners.readiness_of(user=user, certification=certification, at=at)
    counted = (
        found.counted
        if found
        else learners.counted_of(user=user, certification=certification)
    )
    figures = counted.figures
    context = {
        "certification": certification,
        "at": at,
        "made_at": counted.made_at,
        "behind": counted.rows_behind,
        "totals": study.totals(figures=figures),
    }
    if found is None or not figures.total.answered:
        return context
    return {
        **context,
        "weeks": study.weeks(figures=figures, today=local_day(user, at)),
        "areas": study.areas(figures=figures, table=found.table),
        "kinds": study.kinds(figures=figures),
        "modes": study.modes(figures=figures, blueprint=found.blueprint),
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
    return zone_named(user.time_zone)


def _exam_day(found: LearnerReadiness, today: datetime.date) -> dict[str, Any]:
    """Return how many days are left; once it is over, whose result may be told."""
    date = found.exam_date
    is_over = date is not None and date < today
    return {
        "days_left": (date - today).days if date and not is_over else None,
        "result_due": found.enrolment if is_over else None,
    }


def _readiness(found: LearnerReadiness, readiness: Readiness) -> dict[str, Any]:
    return {
        "chance": chances.chance(readiness=readiness),
        "score": chances.score_plot(readiness=readiness, mark=found.mark),
        "areas": chances.domain_rows(
            readiness=readiness,
            names=[line.place.name for line in found.domains],
            mark=found.mark,
        ),
        "moved": _moved(found.moved),
    }


def _missing(found: LearnerReadiness, readiness: Readiness) -> str:
    """Return what a chance of passing lacks, as the end of a sentence."""
    lacks = []
    if count := readiness.evidence.missing:
        lacks.append(
            f"{count} more first answer{' is' if count == 1 else 's are'} needed"
        )
    if unseen := readiness.evidence.unseen:
        names = " and ".join(found.domains[number].place.name for number in unseen)
        lacks.append(f"nothing was answered in {names}")
    return " and ".join(lacks)


def _moved(moved: dict[str, Any] | None) -> dict[str, Any] | None:
    if not moved:
        return None
    return {
        "at": datetime.datetime.fromisoformat(moved["at"]),
        "before": chances.whole(moved["before"]["expected"]),
        "after": chances.whole(moved["after"]["expected"]),
    }


def _gain(each: ObjectiveGain, found: LearnerReadiness) -> dict[str, Any]:
    asked = {
        "objectives": each.place.pk,
        "standing": "unseen",
        "length": each.questions,
    }
    return {
        "name": each.place.name,
        "domain": found.table.domains[each.place.domain].name,
        "questions": each.questions,
        "points": chances.signed(100 * each.gain.score),
        "answered": each.done.first,
        "share": study.percent(each.done.first_share_right),
        "query": urlencode(asked),
    }


def _trend(
    found: LearnerReadiness, mocks: Sequence[Any], today: datetime.date, user: User
) -> dict[str, Any] | None:
    points = [
        {**point, "date": datetime.date.fromisoformat(point["date"])}
        for point in found.trend
    ]
    results = [
        {
            "date": local_day(user, mock.ended_at or mock.started_at),
            "share": mock.points_n / mock.points_d / mock.asked,
        }
        for mock in mocks
        if mock.points_d and mock.asked >= LEAST_QUESTIONS
    ]
    return chances.trend(points=points, mocks=results, mark=found.mark, today=today)


def _beside_others(found: LearnerReadiness, readiness: Readiness) -> str:
    """Return where the expected score lies among learners, if there are enough."""
    run = found.run
    if run is None or run.cohort_learners < COHORT or not run.cohort:
        return ""
    below = sum(1 for quantile in run.cohort if quantile < readiness.expected)
    percent = round(100 * below / len(run.cohort))
    return (
        f"Your expected score is above that of {percent}% of "
        f"{run.cohort_learners} learners"
    )


def _explained(
    found: LearnerReadiness, withheld: Collection[int]
) -> list[dict[str, Any]]:
    return [
        {
            "title": line.title,
            "domain": found.domains[line.explanation.domain].place.name,
            "chance": chances.whole(line.explanation.chance),
            "is_right": line.is_right,
            "moved": chances.signed(
                line.explanation.moved[line.explanation.domain], places=2
            ),
            "learned": chances.signed(line.explanation.learned, places=3),
        }
        for line in learners.explained(found=found)
        if line.pk not in withheld
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
