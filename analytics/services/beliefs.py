"""From answers to what is believed of learners: many at once, nothing is read or kept.

What was believed before is gone on from, or all answers are taken again from the first.
Both give the same.
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
from analytics.selectors.parameters import QuestionTable

EXPLAINED: Final = 5
"""So many of the last first attempts can be explained one by one."""

_MOST_FORECASTS: Final = 2_000
"""At once, so that the draws of abilities fit into memory."""

_MONDAY: Final = 3
"""1970 began on a Thursday, so this many days were gone of its week."""


@dataclass(slots=True, kw_only=True)
class Belief:
    """What is believed of one learner, and how it came to be, as a state keeps it."""

    ability: Ability
    trend: list[dict[str, Any]] = field(default_factory=list)
    recent: dict[str, Any] = field(default_factory=dict)

    @property
    def first_attempts(self) -> int:
        """Return how many answers it rests on."""
        return sum(self.ability.answers)


@dataclass(slots=True, kw_only=True, eq=False)
class _Evidence:
    """First attempts that stand in the blueprint, learners' one after the other."""

    learner: Ints
    place: Ints
    is_right: Bools
    scored_at: Ints


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
    beliefs: Sequence[Belief],
    answers: Sequence[Sequence[Answered]],
) -> list[Belief]:
    """Return what is believed of each learner after some more answers of theirs.

    Repeats, answers that were asked for and questions without a place in the blueprint
    change nothing.
    """
    if not beliefs:
        return []
    evidence = _evidence(table, answers)
    counts = np.bincount(evidence.learner, minlength=len(beliefs))
    ends = np.cumsum(counts)
    is_kept = _is_last_of_week(evidence)
    was_fresh = np.array([not belief.first_attempts for belief in beliefs])
    # Where all is taken again, the ability before the last answers is met on the way.
    anchors = np.where(was_fresh & (counts > EXPLAINED), ends - EXPLAINED - 1, -1)
    week_ends = np.flatnonzero(is_kept)
    is_kept[anchors[anchors >= 0]] = True
    after, moments = filtering.advance(
        log=_log(table, evidence),
        start=filtering.stacked(abilities=[each.ability for each in beliefs]),
        population=POPULATION,
        is_kept=is_kept,
    )
    place_of = np.cumsum(is_kept) - 1
    points = _points(table, evidence, moments, week_ends, place_of[week_ends])
    found = []
    for n, belief in enumerate(beliefs):
        has_anchor = anchors[n] >= 0
        begin = int(anchors[n]) + 1 if has_anchor else int(ends[n] - counts[n])
        told = _told(table, evidence, range(begin, int(ends[n])))
        anchor = moments.of(int(place_of[anchors[n]])) if has_anchor else None
        found.append(
            Belief(
                ability=after.of(n),
                trend=_joined(belief.trend, points.get(n, [])),
                recent=_recent(table, belief.recent, anchor, told),
            )
        )
    return found


def question_of(*, table: QuestionTable, revision: int) -> ability.Question | None:
    """Return a revision's question as the filter takes it, if it has a place."""
    place = int(table.places_of([revision])[0])
    return table.question_at(place) if place >= 0 else None


def _evidence(table: QuestionTable, answers: Sequence[Sequence[Answered]]) -> _Evidence:
    rows = [
        (learner, answer.revision, answer.is_right, answer.scored_at)
        for learner, own in enumerate(answers)
        for answer in own
        if answer.is_first_attempt
    ]
    columns = list(zip(*rows, strict=True)) or [()] * 4
    place = table.places_of(columns[1])
    stands = place >= 0
    return _Evidence(
        learner=np.array(columns[0], dtype=np.int64)[stands],
        place=place[stands],
        is_right=np.array(columns[2], dtype=bool)[stands],
        scored_at=np.array(columns[3], dtype=np.int64)[stands],
    )


def _log(table: QuestionTable, evidence: _Evidence) -> filtering.Log:
    place = evidence.place
    return filtering.Log(
        learner=evidence.learner,
        domain=table.domain[place],
        slope=table.slope[place],
        difficulty=table.difficulty[place],
        guess=table.guess[place],
        is_right=evidence.is_right,
        day=evidence.scored_at / DAY,
    )


def _is_last_of_week(evidence: _Evidence) -> Bools:
    week = (evidence.scored_at // DAY + _MONDAY) // 7
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
    """Return the trend with points added; a week that goes on has its last one only."""
    if before and more and _week(before[-1]) == _week(more[0]):
        before = before[:-1]
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


def _recent(
    table: QuestionTable,
    before: dict[str, Any],
    anchor: Ability | None,
    told: list[list[Any]],
) -> dict[str, Any]:
    """Return the last answers, and the ability before the first of them."""
    if anchor is not None:
        return {
            "before": ability.to_record(ability=anchor),
            "answers": told,
        }
    answers = [*before["answers"], *told]
    known = ability.from_record(record=before["before"])
    while len(answers) > EXPLAINED:
        revision, is_right, scored_at = answers.pop(0)
        question = question_of(table=table, revision=revision)
        if question is not None:
            known = ability.after_answer(
                ability=known,
                population=POPULATION,
                question=question,
                is_right=is_right,
                day=scored_at / DAY,
            )
    return {"before": ability.to_record(ability=known), "answers": answers}
