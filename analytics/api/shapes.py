"""Readiness, figures and history as the API answers them."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from analytics.domain.advice import Readiness
from analytics.domain.figures import Figures, Tally, Trap
from analytics.selectors.history import Entry
from analytics.selectors.learners import (
    DomainLine,
    LearnerReadiness,
    ObjectiveGain,
)
from questions.models import Certification, Revision

_PLACES: Final = 4
_DAY: Final = datetime.timedelta(days=1)


def readiness_shape(
    certification: Certification,
    found: LearnerReadiness,
    gains: Sequence[ObjectiveGain],
) -> dict[str, Any]:
    """Return a readiness; without enough evidence, what is missing for a chance."""
    told = found.readiness
    return {
        "certification": certification.slug,
        "blueprint": found.blueprint.version,
        "is_enrolled": found.is_enrolled,
        "exam_date": found.exam_date,
        "on": found.on,
        "mark": found.mark,
        "calibration": found.measured_by and found.measured_by.pk,
        "made_at": found.counted.made_at,
        "rows_behind": found.counted.rows_behind,
        **(_nothing() if told is None else _told(found, told, gains)),
    }


def _nothing() -> dict[str, Any]:
    """Return what can be said while there is no question to ask."""
    return {
        "state": "no_questions",
        "chance": None,
        "missing": {"first_attempts": 0, "domains": []},
        "expected": None,
        "low": None,
        "high": None,
        "evidence": {"first_attempts": 0, "domains_covered": 0, "domains": 0},
        "domains": [],
        "gains": [],
        "trend": [],
        "moved": None,
    }


def _told(
    found: LearnerReadiness, told: Readiness, gains: Sequence[ObjectiveGain]
) -> dict[str, Any]:
    evidence = told.evidence
    return {
        "state": "shown" if evidence.is_enough else "not_enough_evidence",
        "chance": _chance(told.shown),
        "missing": {
            "first_attempts": evidence.missing,
            "domains": [found.domains[number].place.code for number in evidence.unseen],
        },
        "expected": _rounded(told.expected),
        "low": _rounded(told.low),
        "high": _rounded(told.high),
        "evidence": {
            "first_attempts": evidence.first_attempts,
            "domains_covered": evidence.covered,
            "domains": evidence.domains,
        },
        "domains": [_domain(line) for line in found.domains],
        "gains": [_gain(each, found) for each in gains],
        "trend": [_point(point) for point in found.trend],
        "moved": found.moved
        and {
            "at": found.moved["at"],
            "before": _rounded(found.moved["before"]["expected"]),
            "after": _rounded(found.moved["after"]["expected"]),
        },
    }


def _domain(line: DomainLine) -> dict[str, Any]:
    part = line.contribution
    return {
        "code": line.place.code,
        "name": line.place.name,
        "weight": _rounded(part.weight),
        "first_attempts": part.answers,
        "expected": _rounded(part.expected),
        "low": _rounded(part.low),
        "high": _rounded(part.high),
        "points": _rounded(part.points),
    }


def _gain(each: ObjectiveGain, found: LearnerReadiness) -> dict[str, Any]:
    return {
        "objective": each.place.code,
        "name": each.place.name,
        "domain": found.domains[each.place.domain].place.code,
        "questions": each.questions,
        "score": _rounded(each.gain.score),
        "first_attempts": each.done.first,
        "first_right": each.done.first_right,
    }


def _point(point: Mapping[str, Any]) -> dict[str, Any]:
    # The chance is kept with each point, too; but not whether it could be shown then.
    return {
        "date": point["date"],
        "expected": _rounded(point["expected"]),
        "low": _rounded(point["low"]),
        "high": _rounded(point["high"]),
        "first_attempts": point["first_attempts"],
    }


def _chance(shown: str | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    *bound, percent, _sign = shown.split()
    return {
        "text": shown,
        "percent": int(percent),
        "bound": bound[0] if bound else None,
    }


def statistics_shape(
    certification: Certification,
    found: LearnerReadiness,
    *,
    traps: list[dict[str, Any]],
    today: datetime.date,
) -> dict[str, Any]:
    """Return all that was counted for one exam."""
    figures, blueprint = found.counted.figures, found.blueprint
    streak = figures.streak(today=today)
    return {
        "certification": certification.slug,
        "blueprint": blueprint.version,
        "total": {
            **_tally(figures.total),
            "omitted": figures.omitted,
            "shown": figures.shown,
        },
        "streak": {"days": streak, "longest": max(figures.longest_streak(), streak)},
        "days": [{"date": day, **_tally(tally)} for day, tally in figures.days.items()],
        "weeks": _weeks(figures),
        "domains": [
            {
                "code": place.code,
                "name": place.name,
                **_tally(figures.domains.get(place.pk, Tally())),
                "objectives": [
                    {
                        "code": objective.code,
                        "name": objective.name,
                        **_tally(figures.objectives.get(objective.pk, Tally())),
                    }
                    for objective in found.table.objectives
                    if objective.domain == number
                ],
            }
            for number, place in enumerate(found.table.domains)
        ],
        "difficulties": _named("difficulty", figures.difficulties),
        "kinds": _named("kind", figures.kinds),
        "modes": [
            {**row, "median_seconds": figures.pace(row["mode"])}
            for row in _named("mode", figures.modes)
        ],
        "exam_seconds": _rounded(60 * blueprint.minutes / blueprint.questions_max),
        "traps": traps,
        "made_at": found.counted.made_at,
        "rows_behind": found.counted.rows_behind,
    }


def traps_shape(
    traps: Collection[Trap], revisions: Mapping[int, Revision]
) -> list[dict[str, Any]]:
    """Return wrong answers, the last one first, to questions of ``revisions``."""
    return [
        {
            "question": revisions[trap.revision].question.public_id,
            "revision": revisions[trap.revision].number,
            "title": revisions[trap.revision].title,
            "chosen": list(trap.chosen),
            "times": trap.times,
            "last_date": trap.last,
        }
        for trap in traps
        if trap.revision in revisions
    ]


def entry_shape(entry: Entry) -> dict[str, Any]:
    """Return one answer as it counts now."""
    first, latest = entry.first, entry.latest
    return {
        "question": first.question.public_id,
        "revision": first.revision.number,
        "certification": first.question.certification.slug,
        "sitting": first.item.sitting.public_id,
        "position": first.position,
        "mode": first.mode,
        "chosen": entry.chosen,
        "is_right": entry.is_right,
        "was_shown": latest.was_shown,
        "is_voided": entry.is_voided,
        "is_first_attempt": entry.is_first_attempt,
        "seconds": latest.seconds,
        "answered_at": latest.answered_at,
    }


def _weeks(figures: Figures) -> list[dict[str, Any]]:
    mondays = sorted({day - day.weekday() * _DAY for day in figures.days})
    return [{"monday": monday, **_tally(figures.week(of=monday))} for monday in mondays]


def _named(name: str, tallies: Mapping[str, Tally]) -> list[dict[str, Any]]:
    return [{name: value, **_tally(tally)} for value, tally in tallies.items()]


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "answered": tally.answered,
        "right": tally.right,
        "first_attempts": tally.first,
        "first_right": tally.first_right,
        "seconds": tally.seconds,
    }


def _rounded(value: float) -> float:
    return round(value, _PLACES)
