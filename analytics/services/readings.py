"""What one learner is told of their readiness, worked out from what is stored."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from accounts.models import User
from analytics.domain import ability, advice
from analytics.domain.ability import POPULATION, Ability, Explanation
from analytics.domain.advice import Area, Gain, Readiness
from analytics.models import CalibrationRun, LearnerState
from analytics.selectors import standing
from analytics.selectors.answers import DAY, day_of
from analytics.selectors.guides import Guide
from analytics.selectors.parameters import QuestionTable, question_table
from analytics.selectors.targets import exam_day
from analytics.services.beliefs import nothing_known, question_of
from questions.models import Blueprint, Domain, Objective

GAINS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveGain:
    """What twenty more questions of an objective would add. ``score`` is a share of 1."""

    objective: Objective
    gain: Gain


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One of the last first attempts, taken apart."""

    revision: int
    is_right: bool
    explanation: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Readiness of one learner for ``day``: that of their exam, or today.

    ``exam_date`` is what they set, also when it has passed. ``state`` is what it rests
    on, or nothing before the first answer was worked in. ``mark`` is the share right
    that passes, ``needed`` of ``questions``.
    """

    blueprint: Blueprint
    domains: tuple[Domain, ...]
    exam_date: datetime.date | None
    day: datetime.date
    state: LearnerState | None
    readiness: Readiness
    gains: tuple[ObjectiveGain, ...]
    mark: Fraction
    needed: int
    questions: int
    table: QuestionTable

    @property
    def run(self) -> CalibrationRun | None:
        """Return the calibration that it rests on; none, the authors' difficulties."""
        return self.state.run if self.state else None


def reading(
    *,
    user: User,
    guide: Guide,
    exam_date: datetime.date | None,
    at: datetime.datetime,
) -> Reading | None:
    """Return what is known of somebody's readiness, in two queries.

    Nothing where the certification has no blueprint or no questions yet.
    """
    day = exam_day(exam_date, at.date())
    blueprint = guide.on(day)
    if blueprint is None:
        return None
    table = question_table(blueprint=blueprint)
    if table.exam is None:
        return None
    state = standing.state_of(user=user, blueprint=blueprint)
    known = _known(state, table)
    domains = guide.domains[blueprint.pk]
    on = day_of(at) + (day - at.date()).days
    return Reading(
        blueprint=blueprint,
        domains=domains,
        exam_date=exam_date,
        day=day,
        state=state,
        readiness=advice.readiness_of(
            ability=known, population=POPULATION, exam=table.exam, day=on
        ),
        gains=_gains(known, table, domains, on),
        mark=blueprint.mark,
        needed=math.ceil(blueprint.mark * blueprint.questions_max),
        questions=blueprint.questions_max,
        table=table,
    )


def told(*, found: Reading) -> list[Told]:
    """Return what the last first attempts changed, the last one first."""
    if found.state is None or not found.state.recent:
        return []
    recent = found.state.recent
    known = ability.from_record(record=recent["before"])
    lines = []
    for revision, is_right, scored_at in recent["answers"]:
        question = question_of(table=found.table, revision=revision)
        if question is None:
            continue
        asked = {
            "ability": known,
            "population": POPULATION,
            "question": question,
            "is_right": is_right,
            "day": scored_at / DAY,
        }
        lines.append(
            Told(
                revision=revision,
                is_right=is_right,
                explanation=ability.explain_answer(**asked),
            )
        )
        known = ability.after_answer(**asked)
    return lines[::-1]


def _known(state: LearnerState | None, table: QuestionTable) -> Ability:
    if state is None:
        return nothing_known(table=table).ability
    return ability.from_record(record=state.ability)


def _gains(
    known: Ability, table: QuestionTable, domains: tuple[Domain, ...], on: float
) -> tuple[ObjectiveGain, ...]:
    """Return the objectives whose practice would add most, by expected score."""
    assert table.exam is not None  # noqa: S101  (its caller looked)
    areas, objectives = [], []
    for number, domain in enumerate(domains):
        here = table.is_live & (table.domain == number)
        total = int(here.sum())
        for objective in domain.objectives.all():
            asked = int((here & (table.objective == objective.pk)).sum())
            if asked:
                areas.append(Area(domain=number, share=asked / total))
                objectives.append(objective)
    found = advice.gains(
        ability=known, population=POPULATION, exam=table.exam, day=on, areas=areas
    )
    by_area = {id(area): each for area, each in zip(areas, objectives, strict=True)}
    return tuple(
        ObjectiveGain(objective=by_area[id(gain.area)], gain=gain)
        for gain in found[:GAINS_SHOWN]
    )
