"""From answers to a report: the figures that a finished sitting came to.

All shares are exact until they are shown, and are shown so that a figure never
contradicts the decision it stands beside.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

SLOW: Final = Fraction(3, 2)
"""An item is slow from this many times the pace of the exam."""

DIFFICULTIES: Final = ("easy", "medium", "hard")
RIGHT, WRONG, UNANSWERED, SHOWN = "right", "wrong", "unanswered", "shown"
FORMAT: Final = 1
"""Version of the document: raised when its shape changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """One item as it was answered. Letters are those of its sitting."""

    position: int
    question: str
    title: str
    domain: str
    domain_name: str
    difficulty: str
    chosen: Sequence[str]
    keys: Sequence[str]
    points: Fraction
    seconds: int
    is_flagged: bool
    was_shown: bool
    is_incomplete: bool

    @property
    def state(self) -> str:
        """How the answer stands, in a word."""
        return state_of(
            was_shown=self.was_shown,
            is_answered=bool(self.chosen),
            points=self.points,
        )


def state_of(*, was_shown: bool, is_answered: bool, points: Fraction) -> str:
    """Return how an answer stands, in a word."""
    if was_shown:
        return SHOWN
    if not is_answered:
        return UNANSWERED
    return RIGHT if points == 1 else WRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The share right that passes, and whose mark it is."""

    share: Fraction
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The scale on which a vendor reports."""

    lowest: int
    highest: int
    passing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds allowed (nothing without a clock), used, and the exam's pace."""

    allowed: int | None
    used: int
    pace: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a blueprint says of the exam when a sitting ends.

    ``domains`` has code and name of each place's domain. ``source`` says whose mark it
    is.
    """

    pace: Fraction
    source: str
    scale: Scale | None
    unscored: int
    domains: dict[int, tuple[str, str]]


def terms_of(document: dict[str, Any]) -> Terms:
    """Return the terms that a report was made under, from its document."""
    timing, mark, scaled = document["time"], document["mark"], document["scaled"]
    names = {domain["code"]: domain["name"] for domain in document["domains"]}
    exact = timing.get("exact_pace", [timing["pace"], 1])
    return Terms(
        pace=Fraction(*exact),
        source=mark["source"] if mark else "",
        scale=scaled
        and Scale(
            lowest=scaled["lowest"],
            highest=scaled["highest"],
            passing=scaled["passing"],
        ),
        unscored=document["unscored"],
        domains={
            line["position"]: (line["domain"], names[line["domain"]])
            for line in document["items"]
        },
    )


def build(
    *,
    items: Sequence[ItemResult],
    mark: Mark | None,
    scale: Scale | None,
    timing: Timing,
    unscored: int = 0,
) -> dict[str, Any]:
    """Return the report as a JSON document.

    ``unscored`` is how many questions of the real exam do not count: it is only told,
    as all of ours do. Fractions are pairs of whole numbers.
    """
    points = sum((item.points for item in items), Fraction(0))
    total = len(items)
    share = points / total if total else Fraction(0)
    states = [item.state for item in items]
    slow = [item.position for item in items if item.seconds > SLOW * timing.pace]
    return {
        "format": FORMAT,
        "points": _pair(points),
        "questions": total,
        "right": states.count(RIGHT),
        "wrong": states.count(WRONG),
        "unanswered": states.count(UNANSWERED),
        "shown": states.count(SHOWN),
        "incomplete": sum(1 for item in items if item.is_incomplete),
        "mark": _mark(mark, total),
        "passed": passes(share=share, mark=mark),
        "scaled": _scaled(share, scale),
        "unscored": unscored,
        "time": {
            "allowed": timing.allowed,
            "used": timing.used,
            "median": _median(item.seconds for item in items),
            "pace": math.floor(timing.pace),
            "exact_pace": _pair(timing.pace),
            "slow": slow,
        },
        "domains": _domains(items),
        "difficulties": _difficulties(items),
        "items": [_line(item) for item in items],
    }


def passes(*, share: Fraction, mark: Mark | None) -> bool | None:
    """Say whether ``share`` reaches the mark, exactly; nothing without a mark."""
    return None if mark is None else share >= mark.share


def needed(*, mark: Fraction, total: int) -> int:
    """Return the fewest right answers of ``total`` that reach the mark."""
    return math.ceil(mark * total)


def least_points(*, mark: Fraction, total: int, is_whole: bool) -> Fraction:
    """Return the fewest points that reach the mark.

    ``is_whole`` says that no part of a question earns any, so that points are whole too.
    """
    exact = mark * total
    return Fraction(math.ceil(exact)) if is_whole else exact


def points_text(points: Fraction) -> str:
    """Return points with two decimals at most, rounded down.

    Two that are compared are then shown as they compare: shares of a question differ
    by more than a hundredth.
    """
    return f"{math.floor(points * 100) / 100:.2f}".rstrip("0").rstrip(".")


def scaled_estimate(*, share: Fraction, scale: Scale) -> int:
    """Return ``share`` on the vendor's scale by the linear map, rounded down.

    Rounded down, a share below the mark never shows the passing figure. An estimate:
    vendors do not publish their curve.
    """
    return math.floor(scale.lowest + share * (scale.highest - scale.lowest))


def percents(share: Fraction, mark: Fraction | None) -> tuple[str, str]:
    """Return share and mark in per cent, with as many decimals as tell them apart.

    69.6 % against a mark of 70 % must not be shown as 70 % and failed.
    """
    if mark is None:
        return _percent(share, 0), ""
    for decimals in range(6):
        shown, bar = _rounded(share, decimals), _rounded(mark, decimals)
        if (shown >= bar) == (share >= mark):
            return _percent(share, decimals), _percent(mark, decimals)
    return _percent(share, 6), _percent(mark, 6)


def _rounded(share: Fraction, decimals: int) -> int:
    """Return the share in units of the last decimal of a per cent, half up."""
    return math.floor(share * 100 * int(10**decimals) + Fraction(1, 2))


def _percent(share: Fraction, decimals: int) -> str:
    units = _rounded(share, decimals)
    if decimals == 0:
        return str(units)
    whole, rest = divmod(units, 10**decimals)
    digits = f"{rest:0{decimals}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)


def _pair(amount: Fraction) -> list[int]:
    return [amount.numerator, amount.denominator]


def _mark(mark: Mark | None, total: int) -> dict[str, Any] | None:
    if mark is None:
        return None
    return {
        "share": _pair(mark.share),
        "needed": needed(mark=mark.share, total=total),
        "source": mark.source,
    }


def _scaled(share: Fraction, scale: Scale | None) -> dict[str, int] | None:
    if scale is None:
        return None
    return {
        "estimate": scaled_estimate(share=share, scale=scale),
        "lowest": scale.lowest,
        "highest": scale.highest,
        "passing": scale.passing,
    }


def _median(seconds: Iterable[int]) -> int | None:
    spent = [each for each in seconds if each > 0]
    return round(statistics.median(spent)) if spent else None


def _domains(items: Sequence[ItemResult]) -> list[dict[str, Any]]:
    names = {item.domain: item.domain_name for item in items}
    return [
        {
            "code": code,
            "name": names[code],
            **_counted([item for item in items if item.domain == code]),
        }
        for code in sorted(names, key=_natural)
    ]


def _natural(code: str) -> tuple[int, int, str]:
    """Order codes as people do: 2 before 10, what is no number after."""
    return (0, int(code), "") if code.isdecimal() else (1, 0, code)


def _difficulties(items: Sequence[ItemResult]) -> list[dict[str, Any]]:
    return [
        {"name": name, **_counted(found)}
        for name in DIFFICULTIES
        if (found := [item for item in items if item.difficulty == name])
    ]


def _counted(items: Sequence[ItemResult]) -> dict[str, Any]:
    points = sum((item.points for item in items), Fraction(0))
    right = sum(1 for item in items if item.state == RIGHT)
    return {"questions": len(items), "right": right, "points": _pair(points)}


def _line(item: ItemResult) -> dict[str, Any]:
    return {
        "position": item.position,
        "question": item.question,
        "title": item.title,
        "domain": item.domain,
        "difficulty": item.difficulty,
        "state": item.state,
        "chosen": list(item.chosen),
        "keys": list(item.keys),
        "points": _pair(item.points),
        "seconds": item.seconds,
        "flagged": item.is_flagged,
        "incomplete": item.is_incomplete,
    }
