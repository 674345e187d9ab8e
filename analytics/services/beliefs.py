"""From answers to what is believed of learners: many at once, nothing is read or kept.

What was believed before is gone on from, or all answers are taken again from the first.
Both give the same. The last days are weighed once more with each new answer, so that the
order of the answers within a day changes nothing (``filtering.order_to_weigh``).
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from analytics.domain import ability, filtering, readiness
from analytics.domain.ability import POPULATION, Ability
from analytics.domain.arrays import Bools, Ints
from analytics.selectors.answers import DAY, Answered, moment
from analytics.selectors.learners import EXPLAINED
from analytics.selectors.parameters import QuestionTable

_MOST_FORECASTS: Final = 2_000
"""At once, so that the draws of abilities fit into memory."""

_MONDAY: Final = 3
"""1970 began on a Thursday, so this many days were gone of its week."""


@dataclass(slots=True, kw_only=True)
class Path:
    """How what is believed of one learner came to be, as a state keeps it.

    ``recent`` has the first attempts of the last days as they are weighed, and the
    ability ``before`` those days: that is what is gone on from.
    """

    trend: list[dict[str, Any]] = field(default_factory=list)
    recent: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Belief(Path):
    """What is believed of one learner, and how it came to be."""

    ability: Ability

    @property
    def first_attempts(self) -> int:
        """Return how many answers it rests on."""
        return sum(self.ability.answers)


@dataclass(slots=True, kw_only=True, eq=False)
class _Evidence:
    """First attempts that stand in the blueprint, in the order they are weighed."""

    learner: Ints
    place: Ints
    is_right: Bools
    scored_at: Ints

    @property
    def day(self) -> Ints:
        """Return the day of each answer since 1970, in UTC."""
        return self.scored_at // DAY


def nothing_known(*, table: QuestionTable) -> Belief:
    """Return what is believed of somebody who has answered nothing."""
    nobody = ability.prior(domains=len(table.domains), population=POPULATION, day=0.0)
    return Belief(
        ability=nobody,
        recent={"before": ability.to_record(ability=nobody), "answers": []},
    )


def advanced(
    *,
    table: QuestionTable,
    beliefs: Sequence[Path],
    answers: Sequence[Sequence[Answered]],
) -> list[Belief]:
    """Return what is believed of each learner after some more answers of theirs.

    Repeats, answers that were asked for and questions without a place in the blueprint
    change nothing.
    """
    if not beliefs:
        return []
    evidence = _evidence(table, beliefs, answers)
    counts = np.bincount(evidence.learner, minlength=len(beliefs))
    ends = np.cumsum(counts)
    windows = [
        _window(evidence.day[end - count : end]) + end - count
        for end, count in zip(ends.tolist(), counts.tolist(), strict=True)
    ]
    is_kept = _is_last_of_week(evidence)
    week_ends = np.flatnonzero(is_kept)
    anchors = np.array(windows) - 1
    has_anchor = anchors >= ends - counts
    is_kept[anchors[has_anchor]] = True
    starts = [ability.from_record(record=each.recent["before"]) for each in beliefs]
    after, moments = filtering.advance(
        log=_log(table, evidence),
        start=filtering.stacked(abilities=starts),
        population=POPULATION,
        is_kept=is_kept,
    )
    place_of = np.cumsum(is_kept) - 1
    points = _points(table, evidence, moments, week_ends, place_of[week_ends])
    found = []
    for n, belief in enumerate(beliefs):
        before = belief.recent["before"]
        if has_anchor[n]:
            anchor = moments.of(int(place_of[anchors[n]]))
            before = ability.to_record(ability=anchor)
        told = _told(table, evidence, range(windows[n], int(ends[n])))
        found.append(
            Belief(
                ability=after.of(n),
                trend=_joined(belief.trend, points.get(n, [])),
                recent={"before": before, "answers": told},
            )
        )
    return found


def _evidence(
    table: QuestionTable,
    beliefs: Sequence[Path],
    answers: Sequence[Sequence[Answered]],
) -> _Evidence:
    """Return what is weighed, in the order in which it is: the last days once more."""
    rows = [
        (learner, revision, is_right, scored_at)
        for learner, belief in enumerate(beliefs)
        for revision, is_right, scored_at in belief.recent["answers"]
    ]
    rows += [
        (learner, answer.revision, answer.is_right, answer.scored_at)
        for learner, own in enumerate(answers)
        for answer in own
        if answer.is_first_attempt
    ]
    columns = list(zip(*rows, strict=True)) or [()] * 4
    place = table.places_of(columns[1])
    learner, revision, scored_at = (
        np.array(columns[n], dtype=np.int64) for n in (0, 1, 3)
    )
    order = filtering.order_to_weigh(
        learner=learner, day=scored_at // DAY, question=revision
    )
    order = order[place[order] >= 0]
    return _Evidence(
        learner=learner[order],
        place=place[order],
        is_right=np.array(columns[2], dtype=bool)[order],
        scored_at=scored_at[order],
    )


def _window(days: Ints) -> int:
    """Return where the last days begin that have enough answers to explain."""
    first = max(len(days) - EXPLAINED, 0)
    return int(np.searchsorted(days, days[first])) if len(days) else 0


def _log(table: QuestionTable, evidence: _Evidence) -> filtering.Log:
    place = evidence.place
    return filtering.Log(
        learner=evidence.learner,
        domain=table.domain[place],
        slope=table.slope[place],
        difficulty=table.difficulty[place],
        guess=table.guess[place],
        is_right=evidence.is_right,
        day=evidence.day.astype(np.float64),
    )


def _is_last_of_week(evidence: _Evidence) -> Bools:
    week = (evidence.day + _MONDAY) // 7
    found = np.ones(len(week), dtype=bool)
    found[:-1] = (np.diff(week) != 0) | (np.diff(evidence.learner) != 0)
    return found


def _points(
    table: QuestionTable,
    evidence: _Evidence,
    moments: filtering.Beliefs,
    rows: Ints,
    places: Ints,
) -> dict[int, list[dict[str, Any]]]:
    """Return the points of each learner's trend at the answers in ``rows``."""
    found: dict[int, list[dict[str, Any]]] = {}
    if table.exam is None:
        return found
    for begin in range(0, len(rows), _MOST_FORECASTS):
        some = slice(begin, begin + _MOST_FORECASTS)
        forecasts = readiness.forecast(
            exam=table.exam,
            mean=moments.mean[places[some]],
            covariance=moments.covariance[places[some]],
        )
        attempts = moments.answers[places[some]].sum(axis=1)
        for n, row in enumerate(rows[some]):
            day = moment(int(evidence.scored_at[row])).date()
            found.setdefault(int(evidence.learner[row]), []).append(
                {
                    "date": day.isoformat(),
                    "expected": float(forecasts.expected[n]),
                    "low": float(forecasts.low[n]),
                    "high": float(forecasts.high[n]),
                    "probability": float(forecasts.probability[n]),
                    "first_attempts": int(attempts[n]),
                }
            )
    return found


def _joined(
    before: Sequence[dict[str, Any]], more: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the trend with points added; of a week there is the last one only."""
    if more:
        before = [point for point in before if _week(point) < _week(more[0])]
    return [*before, *more]


def _week(point: dict[str, Any]) -> tuple[int, int]:
    year, week, _ = datetime.date.fromisoformat(point["date"]).isocalendar()
    return year, week


def _told(table: QuestionTable, evidence: _Evidence, own: range) -> list[list[Any]]:
    """Return a learner's rows as a state keeps them: revision, right or not, moment."""
    return [
        [
            int(table.revision[evidence.place[row]]),
            bool(evidence.is_right[row]),
            int(evidence.scored_at[row]),
        ]
        for row in own
    ]
