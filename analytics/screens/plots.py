"""Plots of the author desk, as numbers that templates draw.

Places are per cent of the plot, from the left and from the top. Each plot has a table
beside it with the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from analytics.domain import irt
from analytics.domain.arrays import Floats
from analytics.models import ItemEstimate, ItemStatistic

REACH: Final = 3.5
"""Logits from the middle to either end of a scale of ability."""
_NINETY: Final = 1.645
_STEEPEST: Final = 3.0
_STEPS: Final = 71


def option_curves(*, statistic: ItemStatistic) -> dict[str, Any] | None:
    """Return a line per option over groups of ability; nothing with one group."""
    groups = statistic.curves
    if len(groups) < 2:  # noqa: PLR2004  (one point is no curve)
        return None
    places = [round(100 * i / (len(groups) - 1), 2) for i in range(len(groups))]
    lines = []
    for column, option in enumerate(statistic.options):
        heights = [round(100 - 100 * group["shares"][column], 2) for group in groups]
        lines.append(
            {
                "name": option["key"],
                "is_key": option["is_key"],
                "path": _path(zip(places, heights, strict=True)),
                "end": heights[-1],
                "shares": [
                    f"{100 * group['shares'][column]:.0f} %" for group in groups
                ],
            }
        )
    return {
        "lines": lines,
        "groups": [
            {"attempts": group["attempts"], "ability": f"{group['ability']:+.2f}"}
            for group in groups
        ],
        "label": "Share of each option in groups from the least to the most able: "
        + "; ".join(f"{line['name']} {', '.join(line['shares'])}" for line in lines),
    }


def drift(*, estimates: Sequence[ItemEstimate]) -> dict[str, Any] | None:
    """Return the difficulty by run with its 90 % range, oldest first."""
    rows = [each for each in reversed(estimates) if each.difficulty_error is not None]
    if not rows:
        return None
    points = []
    for place, each in enumerate(rows):
        error = _NINETY * (each.difficulty_error or 0.0)
        points.append(
            {
                "x": round(100 * (place + 0.5) / len(rows), 2),
                "y": _down(each.difficulty),
                "low": _down(each.difficulty - error),
                "high": _down(each.difficulty + error),
            }
        )
    return {
        "points": points,
        "label": f"Difficulty in the last {len(rows)} runs, with 90 % ranges, from "
        f"{rows[0].difficulty:.2f} to {rows[-1].difficulty:.2f} logits",
    }


def information(*, slope: Floats, difficulty: Floats, guess: Floats) -> dict[str, Any]:
    """Return how much the questions together tell about ability, along the scale."""
    abilities = np.linspace(-REACH, REACH, _STEPS)
    questions = irt.Questions(slope=slope, easiness=-slope * difficulty, guess=guess)
    told = irt.information(questions=questions, ability=abilities).sum(axis=0)
    most = float(told.max()) or 1.0
    places = np.linspace(0.0, 100.0, _STEPS)
    best = float(abilities[int(told.argmax())])
    return {
        "path": _path(zip(places, 100.0 - 95.0 * told / most, strict=True)),
        "most": f"{most:.2f}",
        "best": f"{best:+.1f}",
        "table": [
            {"ability": f"{ability:+.0f}", "information": f"{value:.2f}"}
            for ability, value in zip(abilities, told, strict=True)
            if abs(ability - round(ability)) < 1e-9  # noqa: PLR2004
        ],
    }


def item_map(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return a dot per question: how hard from left to right, how telling upwards."""
    return [
        {
            "x": round(min(max(50 + 50 * row.difficulty / REACH, 0.0), 100.0), 2),
            "y": round(100 - 100 * min(row.slope, _STEEPEST) / _STEEPEST, 2),
            "is_flagged": bool(row.concerns),
            "title": row.revision.title,
        }
        for row in rows
        if row.slope is not None
    ]


def _down(logits: float) -> float:
    """Return how far down the plot a difficulty lies, kept on it."""
    return round(min(max(50 - 50 * logits / REACH, 0.0), 100.0), 2)


def _path(points: Any) -> str:
    """Return points as an SVG path."""
    return "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
