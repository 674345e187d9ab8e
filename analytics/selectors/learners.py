"""What a learner may read of themselves: readiness, and what was counted.

The number of queries is the same whatever is in the log.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.db.models import Count, DateTimeField, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from analytics.domain import ability, advice, irt
from analytics.domain.ability import POPULATION, Ability, Explanation
from analytics.domain.figures import Figures, Tally
from analytics.domain.measures import Recalibration
from analytics.models import CalibrationRun, LearnerFigures, LearnerState, ResponseLog
from analytics.selectors import answers, outcomes, targets
from analytics.selectors.parameters import (
    DomainPlace,
    ObjectivePlace,
    QuestionTable,
    question_table,
)
from questions.exams.models import Enrolment
from questions.exams.selectors import pool
from questions.models import Blueprint, Certification, Revision

EXPLAINED: Final = 5
"""So many of the last first attempts are explained one by one."""

_STEP: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLine:
    """One domain of a readiness, with what the learner did there."""

    place: DomainPlace
    contribution: advice.Contribution
    done: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveGain:
    """What up to twenty new questions of an objective would add, on average.

    ``live`` is how many questions there are, ``questions`` how many of the new ones the
    gain is of.
    """

    place: ObjectivePlace
    gain: advice.Gain
    done: Tally
    live: int

    @property
    def questions(self) -> int:
        """Return how many new questions the gain is of."""
        return self.gain.area.questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What was counted, when, and how many answers came into the log since."""

    figures: Figures
    made_at: datetime.datetime | None
    rows_behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One of the last first attempts, and what it changed. ``pk`` is its question's."""

    pk: int
    question: str
    title: str
    slug: str
    is_right: bool
    at: datetime.datetime
    explanation: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerReadiness:
    """All that is said of a learner's readiness, with what it rests on.

    ``enrolment`` is the primary key of what they prepare for it with, if they do.
    ``on`` is the day that is looked at: that of the exam, or today. ``known`` is what
    is believed now; without a state of the learner, what is of anybody, and so is
    ``readiness``, which is nothing while there is no question to ask. ``run`` is the
    calibration it rests on, or nothing for the authors' difficulties. ``mended`` is the
    map that results put between the model's chance and the one that is told. ``day`` is that of
    ``on`` as the filter counts. ``trend`` and ``moved`` as the state keeps them.
    """

    blueprint: Blueprint
    exam_date: datetime.date | None
    enrolment: int | None
    on: datetime.date
    known: Ability
    readiness: advice.Readiness | None
    mended: Recalibration | None
    domains: tuple[DomainLine, ...]
    day: float
    trend: list[dict[str, Any]]
    moved: dict[str, Any] | None
    counted: Counted
    state: LearnerState | None
    table: QuestionTable

    @property
    def run(self) -> CalibrationRun | None:
        """Return the calibration it rests on."""
        return self.state.run if self.state else None

    @property
    def measured_by(self) -> CalibrationRun | None:
        """Return that calibration if any live question has parameters from one.

        Where each has too few answers a run changes nothing: authors' difficulties count.
        """
        return self.run if self.table.measured else None

    @property
    def is_enrolled(self) -> bool:
        """Say whether they prepare for it."""
        return self.enrolment is not None

    @property
    def mark(self) -> float:
        """Return the share right that passes: of whole questions, at full length."""
        exam = self.table.exam
        if exam is None:
            return float(self.blueprint.mark)
        return float(exam.needed / exam.counts.sum())


def readiness_of(
    *, user: User, certification: Certification, at: datetime.datetime
) -> LearnerReadiness | None:
    """Return the readiness of an account at a moment, in three queries; at first in four.

    Nothing if the certification has no blueprint.
    """
    open_now = Enrolment.objects.filter(
        user=user, certification=certification, result=""
    )
    versions = list(
        certification.blueprints.order_by("-effective_from").annotate(
            enrolment=Subquery(open_now.values("pk")[:1]),
            exam_date=Subquery(open_now.values("exam_date")[:1]),
            chance_map=Subquery(
                outcomes.map_in_force(certification=OuterRef("certification"))
            ),
        )
    )
    enrolled: Any = versions[0] if versions else None
    exam_date = enrolled.exam_date if enrolled else None
    on = targets.exam_day(exam_date, at.date())
    blueprint = targets.version_on(versions=versions, on=on)
    if blueprint is None:
        return None
    table = question_table(blueprint=blueprint)
    state, counted = _stored(user, certification, blueprint)
    known = _ability(state, table)
    day = max(answers.day_of(at), _noon(on))
    found, mended = None, outcomes.map_from(enrolled.chance_map)
    if table.exam is not None:
        found = advice.readiness_of(
            ability=known,
            population=POPULATION,
            exam=table.exam,
            day=day,
            mended=mended,
        )
    return LearnerReadiness(
        blueprint=blueprint,
        exam_date=exam_date,
        enrolment=enrolled.enrolment,
        on=on,
        known=known,
        readiness=found,
        mended=mended,
        domains=_domain_lines(found, table, counted.figures),
        day=day,
        trend=state.trend if state else [],
        moved=state.moved if state else None,
        counted=counted,
        state=state,
        table=table,
    )


def gains(*, user: User, found: LearnerReadiness) -> tuple[ObjectiveGain, ...]:
    """Return what practising each objective would add, the greatest first; one query.

    Only objectives with questions that this account was never given.
    """
    table, figures = found.table, found.counted.figures
    if table.exam is None:
        return ()
    unseen = pool.unseen_by_objective(user=user, blueprint=found.blueprint)
    in_domain = np.bincount(table.domain[table.is_live], minlength=len(table.domains))
    then = ability.on_day(ability=found.known, population=POPULATION, day=found.day)
    areas, live = [], []
    for number, place in enumerate(table.objectives):
        mine = np.flatnonzero(table.is_live & (table.objective == place.pk))
        live.append(len(mine))
        new = unseen.get(place.pk, 0)
        if not len(mine) or not new:
            continue
        done = figures.objectives.get(place.pk, Tally())
        chance, steepness = _curve_at(table, mine, float(then.mean[place.domain]))
        areas.append(
            advice.Area(
                domain=place.domain,
                share=len(mine) / int(in_domain[place.domain]),
                shift=advice.shift_of(
                    attempts=done.first,
                    right=done.first_right,
                    chance=chance,
                    steepness=steepness,
                ),
                questions=min(new, advice.MORE_QUESTIONS),
                number=number,
            )
        )
    return tuple(
        ObjectiveGain(
            place=(place := table.objectives[gain.area.number]),
            gain=gain,
            done=figures.objectives.get(place.pk, Tally()),
            live=live[gain.area.number],
        )
        for gain in advice.gains(
            ability=found.known,
            population=POPULATION,
            exam=table.exam,
            day=found.day,
            areas=areas,
        )
    )


def counted_of(*, user: User, certification: Certification) -> Counted:
    """Return what was counted of an account, in one query; at first in two."""
    row: Any = (
        LearnerFigures.objects.filter(user=user, certification=certification)
        .annotate(behind=_rows_since())
        .first()
    )
    if row is None:
        behind = ResponseLog.objects.filter(
            participant__user=user, question__certification=certification
        )
        return Counted(figures=Figures(), made_at=None, rows_behind=behind.count())
    return Counted(
        figures=Figures.from_record(row.figures),
        made_at=row.made_at,
        rows_behind=row.behind,
    )


def explained(*, found: LearnerReadiness) -> tuple[Explained, ...]:
    """Return what the last answers changed, the last one first, in one query.

    Those of a day are weighed in a fixed order, not that in which they were given.
    """
    state, table = found.state, found.table
    if state is None or not state.recent:
        return ()
    known = ability.from_record(record=state.recent["before"])
    weighed = []
    for revision, is_right, scored_at in state.recent["answers"]:
        place = int(table.places_of([revision])[0])
        if place < 0:
            continue
        told = {
            "ability": known,
            "population": POPULATION,
            "question": table.question_at(place),
            "is_right": is_right,
            "day": float(scored_at // answers.DAY),
        }
        weighed.append((scored_at, revision, ability.explain_answer(**told), is_right))
        known = ability.after_answer(**told)
    weighed.sort(key=lambda each: each[:2], reverse=True)
    titles: dict[int, Revision] = {
        revision.pk: revision
        for revision in Revision.objects.filter(
            pk__in=[revision for _, revision, _, _ in weighed[:EXPLAINED]]
        )
        .select_related("question")
        .only("title", "question__slug", "question__public_id")
    }
    return tuple(
        Explained(
            pk=titles[revision].question_id,
            question=titles[revision].question.public_id,
            title=titles[revision].title,
            slug=titles[revision].question.slug,
            is_right=is_right,
            at=answers.moment(scored_at),
            explanation=explanation,
        )
        for scored_at, revision, explanation, is_right in weighed[:EXPLAINED]
    )


def _stored(
    user: User, certification: Certification, blueprint: Blueprint
) -> tuple[LearnerState | None, Counted]:
    """Return what is believed and counted; both are always made together."""
    figures = LearnerFigures.objects.filter(
        user=OuterRef("user"), certification=certification
    )
    state: Any = (
        LearnerState.objects.filter(user=user, blueprint=blueprint)
        .select_related("run")
        .annotate(
            figures=Subquery(figures.values("figures")[:1]),
            certification=F("blueprint__certification"),
        )
        .annotate(behind=_rows_since())
        .first()
    )
    if state is None or state.figures is None:
        return None, counted_of(user=user, certification=certification)
    return state, Counted(
        figures=Figures.from_record(state.figures),
        made_at=state.made_at,
        rows_behind=state.behind,
    )


def _rows_since() -> Coalesce:
    """Return how many answers came into the log after what is worked out."""
    rows = (
        ResponseLog.objects.filter(
            participant__user=OuterRef("user"),
            question__certification=OuterRef("certification"),
            logged_at__gt=Coalesce(
                OuterRef("through_at"), answers.EPOCH, output_field=DateTimeField()
            ),
        )
        .order_by()
        .values("participant__user")
        .annotate(rows=Count("pk"))
    )
    return Coalesce(Subquery(rows.values("rows")), 0)


def _ability(state: LearnerState | None, table: QuestionTable) -> Ability:
    domains = [place.pk for place in table.domains]
    if state is not None and state.domains == domains:
        return ability.from_record(record=state.ability)
    return ability.prior(domains=len(table.domains), population=POPULATION, day=0.0)


def _noon(on: datetime.date) -> float:
    """Return the middle of a day, in days since 1970."""
    noon = datetime.time(12, tzinfo=datetime.UTC)
    return answers.day_of(datetime.datetime.combine(on, noon))


def _domain_lines(
    found: advice.Readiness | None, table: QuestionTable, figures: Figures
) -> tuple[DomainLine, ...]:
    if found is None:
        return ()
    return tuple(
        DomainLine(
            place=place,
            contribution=contribution,
            done=figures.domains.get(place.pk, Tally()),
        )
        for place, contribution in zip(table.domains, found.contributions, strict=True)
    )


def _curve_at(table: QuestionTable, places: Any, theta: float) -> tuple[float, float]:
    """Return the mean chance of some questions at an ability, and its rise per logit."""
    nodes = np.array([theta - _STEP, theta, theta + _STEP])
    chances = irt.chance(questions=table.parameters(places), ability=nodes)
    below, here, above = chances.mean(axis=0)
    return float(here), float(above - below) / (2.0 * _STEP)
