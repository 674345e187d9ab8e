"""Readiness as pages show it: the chance, the range, domains, and the trend.

Places are per cent of a plot, from the left and from the top.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from analytics.domain.advice import ENOUGH_ANSWERS, HEAVY_DOMAIN, Readiness

BUBBLES: Final = 20
"""The chance is shown in bubbles of 5 %, which is as finely as it is rounded."""

_TEN: Final = 10
_EDGE: Final = 2.0
"""Points of score that stay free beside what a plot shows."""


def chance(*, readiness: Readiness) -> dict[str, Any]:
    """Return the chance as figure, bubbles and words, or what is missing for one."""
    evidence = readiness.evidence
    heavy = sum(1 for each in readiness.contributions if each.weight > HEAVY_DOMAIN)
    shown = readiness.shown
    context: dict[str, Any] = {
        "is_enough": evidence.is_enough,
        "first": evidence.first_attempts,
        "needed": ENOUGH_ANSWERS,
        "missing": evidence.missing,
        "heavy": heavy,
        "heavy_touched": heavy - len(evidence.unseen),
        "covered": evidence.covered,
        "domains": evidence.domains,
    }
    if shown is None:
        return {**context, "bubbles": [False] * BUBBLES}
    *bound, number, _sign = shown.split()
    people = round(int(number) / 5)
    if bound == ["under"]:
        people = 0
    elif bound == ["over"]:
        people = BUBBLES
    return {
        **context,
        "bound": " ".join(bound),
        "number": number,
        "people": people,
        "bubbles": [place < people for place in range(BUBBLES)],
    }


def score_plot(*, readiness: Readiness, mark: float) -> dict[str, Any]:
    """Return the expected score with its range, and the mark, on one axis."""
    values = (readiness.low, readiness.high, readiness.expected, mark)
    axis = _Axis(values)
    return {
        "from": axis.first,
        "to": axis.last,
        "x": axis.place(readiness.expected),
        "low_x": axis.place(readiness.low),
        "high_x": axis.place(readiness.high),
        "mark_x": axis.place(mark),
        "expected": whole(readiness.expected),
        "low": whole(readiness.low),
        "high": whole(readiness.high),
        "mark": whole(mark),
    }


def domain_rows(
    *, readiness: Readiness, names: Sequence[str], mark: float
) -> dict[str, Any]:
    """Return the expected share right per domain with its range, on one axis."""
    parts = readiness.contributions
    axis = _Axis([mark, *(p.low for p in parts), *(p.high for p in parts)])
    return {
        "from": axis.first,
        "to": axis.last,
        "mark_x": axis.place(mark),
        "mark": whole(mark),
        "rows": [
            {
                "name": name,
                "weight": whole(part.weight),
                "answers": part.answers,
                "expected": whole(part.expected),
                "low": whole(part.low),
                "high": whole(part.high),
                "points": signed(part.points),
                "x": axis.place(part.expected),
                "low_x": axis.place(part.low),
                "high_x": axis.place(part.high),
            }
            for name, part in zip(names, parts, strict=True)
        ],
    }


def trend(
    *,
    points: Sequence[Mapping[str, Any]],
    mocks: Sequence[Mapping[str, Any]],
    mark: float,
    today: datetime.date,
) -> dict[str, Any] | None:
    """Return the expected score over the weeks, and mock results on it.

    ``points`` have ``date``, ``expected``, ``low`` and ``high``; ``mocks`` ``date`` and
    ``share``. Nothing with fewer than two weeks of evidence.
    """
    if len(points) < 2:  # noqa: PLR2004  (one point is no trend)
        return None
    first: datetime.date = min(point["date"] for point in points)
    span = max((today - first).days, 1)
    mocks = [mock for mock in mocks if first <= mock["date"] <= today]
    axis = _Axis(
        [
            mark,
            *(point["low"] for point in points),
            *(point["high"] for point in points),
            *(mock["share"] for mock in mocks),
        ]
    )

    def across(day: datetime.date) -> float:
        return round(100 * (day - first).days / span, 2)

    def down(share: float) -> float:
        return round(100 - axis.place(share), 2)

    tops = [(across(p["date"]), down(p["high"])) for p in points]
    bottoms = [(across(p["date"]), down(p["low"])) for p in points]
    middle = [(across(p["date"]), down(p["expected"])) for p in points]
    line_x, line_y = zip(*middle, strict=True)
    return {
        "band": f"{_path(tops)} L{_path(list(reversed(bottoms)))[1:]} Z",
        "line": _path(middle),
        "end": {"x": middle[-1][0], "y": middle[-1][1]},
        "mark_y": down(mark),
        "grid": [
            {"y": down(share / 100), "name": f"{share}%"}
            for share in range(axis.first, axis.last + 1, 2 * _TEN)
        ],
        "mocks": [
            {
                "x": across(mock["date"]),
                "y": down(mock["share"]),
                "share": whole(mock["share"]),
                # Its figure stands on the side away from the line.
                "is_above": down(mock["share"])
                < float(np.interp(across(mock["date"]), line_x, line_y)),
            }
            for mock in mocks
        ],
        "first": first,
        "last": points[-1]["date"],
        "from": whole(points[0]["expected"]),
        "to": whole(points[-1]["expected"]),
        "table": _trend_table(points, mocks),
    }


def signed(value: float, places: int = 1) -> str:
    """Return a number with its sign, and a minus that is one; what rounds to 0 has none."""
    rounded = round(value, places)
    if rounded == 0:
        return f"{0:.{places}f}"
    return f"{rounded:+.{places}f}".replace("-", "\N{MINUS SIGN}")


def whole(share: float) -> str:
    """Return a share of 1 in whole per cent."""
    return f"{100 * share:.0f}"


class _Axis:
    """A scale from one multiple of ten to another, around some shares of 1."""

    def __init__(self, shares: Sequence[float]) -> None:
        low, high = 100 * min(shares) - _EDGE, 100 * max(shares) + _EDGE
        self.first = max(_TEN * math.floor(low / _TEN), 0)
        self.last = min(_TEN * math.ceil(high / _TEN), 100)

    def place(self, share: float) -> float:
        """Return where a share lies, in per cent of the axis."""
        along = (100 * share - self.first) / (self.last - self.first)
        return round(100 * min(max(along, 0.0), 1.0), 2)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x} {y}" for x, y in points)


def _trend_table(
    points: Sequence[Mapping[str, Any]], mocks: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    rows = [
        {
            "date": point["date"],
            "expected": whole(point["expected"]),
            "low": whole(point["low"]),
            "high": whole(point["high"]),
            "mock": "",
        }
        for point in points
    ]
    rows += [
        {
            "date": mock["date"],
            "expected": "",
            "low": "",
            "high": "",
            "mock": whole(mock["share"]),
        }
        for mock in mocks
    ]
    return sorted(rows, key=lambda row: row["date"], reverse=True)
