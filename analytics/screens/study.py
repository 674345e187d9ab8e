"""What a learner did, as pages show it: activity, weeks, areas, pace, traps."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, Final

from analytics.domain.figures import Figures, Tally
from analytics.selectors.parameters import QuestionTable
from questions.exams.models import Sitting
from questions.exams.screens.words import duration
from questions.models import Blueprint

WEEKS: Final = 12
_WEEK: Final = datetime.timedelta(days=7)
_DAY: Final = datetime.timedelta(days=1)
_SOME, _MANY = 10, 30
"""Answers in a day from which its dot grows."""


def activity(*, figures: Figures, today: datetime.date) -> dict[str, Any]:
    """Return the calendar of the last weeks, Monday on top, and days in a row.

    ``months`` has how many columns belong to each month: that in which a week ends.
    """
    monday = today - datetime.timedelta(days=today.weekday())
    first = monday - (WEEKS - 1) * _WEEK
    days = [first + i * _DAY for i in range(7 * WEEKS)]
    counts = [figures.days.get(day, Tally()).answered for day in days]
    active = sum(1 for count in counts if count)
    streak = figures.streak(today=today)
    return {
        "dots": [
            "off" if day > today else _level(count)
            for day, count in zip(days, counts, strict=True)
        ],
        "months": _months([first + i * _WEEK for i in range(WEEKS)]),
        "label": f"Activity over {WEEKS} weeks: answers on {active} "
        f"day{'' if active == 1 else 's'}",
        "streak": streak,
        "longest": max(figures.longest_streak(), streak),
        "table": [
            {"day": day, "answered": count}
            for day, count in zip(reversed(days), reversed(counts), strict=True)
            if count
        ],
    }


def _months(mondays: list[datetime.date]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for monday in mondays:
        ends = monday + 6 * _DAY
        if found and found[-1]["ends"].month == ends.month:
            found[-1]["columns"] += 1
        else:
            found.append({"ends": ends, "columns": 1})
    return found


def week(*, figures: Figures, today: datetime.date) -> dict[str, Any]:
    """Return this week beside the last one."""
    now, before = figures.week(of=today), figures.week_before(of=today)
    return {"now": _tally(now), "before": _tally(before)}


def weeks(*, figures: Figures, today: datetime.date) -> dict[str, Any]:
    """Return answers and the share of first attempts right, week by week."""
    monday = today - datetime.timedelta(days=today.weekday())
    starts = [monday - i * _WEEK for i in reversed(range(WEEKS))]
    tallies = [figures.week(of=start) for start in starts]
    most = max([tally.answered for tally in tallies] + [1])
    width = 100 / WEEKS
    bars = [
        {
            **_tally(tally),
            "week": start,
            "x": round(place * width + width * 0.15, 2),
            "middle": round((place + 0.5) * width, 2),
            "width": round(width * 0.7, 2),
            "height": round(90 * tally.answered / most, 1),
            "y": round(100 - 90 * tally.answered / most, 1),
            "is_current": start == monday,
        }
        for place, (start, tally) in enumerate(zip(starts, tallies, strict=True))
    ]
    return {
        "bars": bars,
        "label": "Answers by week: " + ", ".join(str(bar["answered"]) for bar in bars),
        "has_any": any(tally.answered for tally in tallies),
    }


def areas(*, figures: Figures, table: QuestionTable) -> list[dict[str, Any]]:
    """Return a row per domain, each with a row per objective, in the guide's order."""
    return [
        {
            "name": domain.name,
            **_tally(figures.domains.get(domain.pk, Tally())),
            "objectives": [
                {
                    "name": objective.name,
                    **_tally(figures.objectives.get(objective.pk, Tally())),
                }
                for objective in table.objectives
                if objective.domain == number
            ],
        }
        for number, domain in enumerate(table.domains)
    ]


def kinds(*, figures: Figures) -> list[dict[str, Any]]:
    """Return rows by the authors' difficulty, then by kind of question."""
    return [
        *_rows(
            figures.difficulties,
            (("easy", "Easy"), ("medium", "Medium"), ("hard", "Hard")),
        ),
        *_rows(
            figures.kinds,
            (("single", "One answer"), ("multiple", "Several answers")),
        ),
    ]


def modes(*, figures: Figures, blueprint: Blueprint) -> dict[str, Any]:
    """Return accuracy and pace by mode, beside the exam's pace."""
    rows = _rows(figures.modes, Sitting.Mode.choices)
    for row in rows:
        pace = figures.pace(row["value"])
        row["pace"] = "" if pace is None else duration(round(pace))
    exam = round(60 * blueprint.minutes / blueprint.questions_max)
    return {"rows": rows, "exam_pace": duration(exam)}


def pace(*, figures: Figures, blueprint: Blueprint) -> str:
    """Return the median time of a first attempt beside the exam's, in a sentence."""
    exam = duration(round(60 * blueprint.minutes / blueprint.questions_max))
    mode = (
        Sitting.Mode.MOCK
        if figures.pace(Sitting.Mode.MOCK) is not None
        else (Sitting.Mode.PRACTICE)
    )
    own = figures.pace(mode)
    if own is None:
        return f"The exam allows {exam} a question"
    where = "in mock exams" if mode == Sitting.Mode.MOCK else "in practice"
    return f"{duration(round(own))} a question {where}; the exam allows {exam}"


def totals(*, figures: Figures) -> dict[str, Any]:
    """Return everything together, first answers beside repeats."""
    return {
        **_tally(figures.total),
        "omitted": figures.omitted,
        "shown": figures.shown,
        "time": duration(figures.total.seconds),
    }


def _rows(
    tallies: Mapping[str, Tally], names: Iterable[tuple[str, Any]]
) -> list[dict[str, Any]]:
    return [
        {"value": value, "name": name, **_tally(tallies[value])}
        for value, name in names
        if value in tallies
    ]


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "answered": tally.answered,
        "first": tally.first,
        "first_right": tally.first_right,
        "first_share": percent(tally.first_share_right),
        "repeats": tally.repeats,
        "repeats_share": percent(tally.repeats_share_right),
        "time": duration(tally.seconds),
        "each": duration(round(tally.seconds / tally.answered))
        if tally.answered
        else "",
    }


def percent(share: float | None) -> str:
    """Return a share as per cent, or nothing where there is none."""
    return "" if share is None else f"{100 * share:.0f}%"


def _level(count: int) -> int:
    if count >= _MANY:
        return 3
    if count >= _SOME:
        return 2
    return 1 if count else 0
