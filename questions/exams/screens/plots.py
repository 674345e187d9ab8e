"""Plots of a report, as numbers that the templates draw."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from questions.exams.domain import report as reports
from questions.exams.models import ScoreReport
from questions.exams.screens.words import duration, short_duration


def share_of(document: dict[str, Any]) -> Fraction:
    points = Fraction(*document["points"])
    return points / document["questions"] if document["questions"] else Fraction(0)


def _percent_of(share: Fraction) -> float:
    """Return a share as a place on a plot, in per cent."""
    return round(float(share * 100), 2)


def score_plot(
    document: dict[str, Any],
    former: Sequence[ScoreReport],
    share: Fraction,
    mark: Fraction | None,
) -> dict[str, Any]:
    past = [
        {
            "x": _percent_of(share_of(report.document)),
            "percent": reports.percents(share_of(report.document), None)[0],
            "on": report.sitting.started_at,
        }
        for report in former
    ]
    return {
        "x": _percent_of(share),
        "mark": _percent_of(mark) if mark is not None else None,
        "past": past,
    }


def domain_rows(
    document: dict[str, Any], former: Sequence[ScoreReport], mark: Fraction | None
) -> list[dict[str, Any]]:
    before = {}
    if former:
        before = {
            domain["code"]: Fraction(*domain["points"]) / domain["questions"]
            for domain in former[-1].document["domains"]
        }
    rows = []
    for domain in document["domains"]:
        share = Fraction(*domain["points"]) / domain["questions"]
        past = before.get(domain["code"])
        rows.append(
            {
                **domain,
                "percent": reports.percents(share, None)[0],
                "x": _percent_of(share),
                "past": None if past is None else _percent_of(past),
                "past_percent": "" if past is None else reports.percents(past, None)[0],
                "mark": None if mark is None else _percent_of(mark),
                "missed": domain["questions"] - domain["right"],
            }
        )
    return rows


_PLOT_HEIGHT: Final = 114
_PLOT_BASE: Final = 130


def time_plot(document: dict[str, Any]) -> dict[str, Any]:
    """Return the seconds of each question as bars, and what they say."""
    items, pace = document["items"], document["time"]["pace"]
    longest = max([pace, *(line["seconds"] for line in items)], default=pace) or 1
    width = 100 / max(len(items), 1)
    bars = [
        {
            "position": line["position"],
            "state": line["state"],
            "x": round(index * width + width * 0.1, 3),
            "middle": round((index + 0.5) * width, 3),
            "width": round(width * 0.8, 3),
            "height": round(line["seconds"] / longest * _PLOT_HEIGHT, 1),
            "y": round(_PLOT_BASE - line["seconds"] / longest * _PLOT_HEIGHT, 1),
            "time": duration(line["seconds"]),
        }
        for index, line in enumerate(items)
    ]
    slowest = sorted(items, key=lambda line: -line["seconds"])[:3]
    slow = [line for line in slowest if line["position"] in document["time"]["slow"]]
    return {
        "bars": bars,
        "pace_y": round(_PLOT_BASE - pace / longest * _PLOT_HEIGHT, 1),
        "pace": duration(pace),
        "used": duration(document["time"]["used"]),
        "allowed": duration(document["time"]["allowed"])
        if document["time"]["allowed"]
        else "",
        "median": duration(document["time"]["median"])
        if document["time"]["median"] is not None
        else "",
        "slowest": [
            {"position": line["position"], "time": duration(line["seconds"])}
            for line in slow
        ],
        "slow_total": duration(sum(line["seconds"] for line in slow)),
        "table": _time_table(items),
        "has_any": any(line["seconds"] for line in items),
    }


def _time_table(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for state, name in (
        ("right", "Right"),
        ("wrong", "Wrong"),
        ("unanswered", "Unanswered"),
        ("shown", "Answer shown"),
    ):
        seconds = sorted(line["seconds"] for line in items if line["state"] == state)
        if seconds:
            rows.append(
                {
                    "name": name,
                    "count": len(seconds),
                    "median": short_duration(seconds[len(seconds) // 2]),
                    "longest": short_duration(seconds[-1]),
                }
            )
    return rows
