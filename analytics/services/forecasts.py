"""What chance was given before a result was known, kept to be scored against it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import transaction

from analytics.domain import ability, advice, readiness
from analytics.domain.ability import POPULATION, Ability
from analytics.domain.measures import Recalibration
from analytics.models import Forecast
from analytics.selectors import answers, forecasting, outcomes, targets
from analytics.selectors.answers import History
from analytics.selectors.parameters import QuestionTable, question_table
from analytics.services import beliefs
from questions.domain.scoring import Rule
from questions.exams.models import Enrolment, Sitting, SittingItem


def keep_of_mock(
    *, sitting: Sitting, items: Sequence[SittingItem], at: datetime.datetime
) -> Forecast | None:
    """Keep the chance of passing this very paper, as known now; three statements.

    Nothing is kept of visitors, of whom nothing is known; nor of papers that the model
    does not know: with parts of points, or with a question outside of the blueprint.
    Questions met before are taken as new ones; what share they are is kept.
    """
    mark = sitting.mark
    is_exact = sitting.rule == Rule.EXACT_MATCH
    if sitting.participant.user_id is None or mark is None or not is_exact:
        return None
    table = question_table(blueprint=sitting.blueprint)
    places = table.places_of([item.revision_id for item in items])
    if not len(places) or (places < 0).any():
        return None
    domain = table.domain[places]
    paper = readiness.exam(
        counts=np.bincount(domain, minlength=len(table.domains)).tolist(),
        needed=math.ceil(mark * len(places)),
        questions=table.parameters(places),
        domain=domain,
    )
    known = forecasting.known_of(
        participant=sitting.participant,
        blueprint=sitting.blueprint,
        questions=[item.question_id for item in items],
    )
    return Forecast.objects.create(
        sitting=sitting,
        share_unseen=1.0 - known.met / len(places),
        is_simulated=sitting.participant.is_simulated,
        **_given(
            _as_stored(known.ability, table), table, paper, at, mended=known.mended
        ),
    )


def come_true(*, sitting: Sitting, has_passed: bool | None) -> None:
    """Note how a mock ended, by the report in force; nothing where none counts."""
    Forecast.objects.filter(sitting=sitting).update(has_passed=has_passed)


@transaction.atomic
def follow_result(*, enrolment: Enrolment) -> None:
    """Keep the last chance before a real exam beside its result, once that is told.

    The chance is worked out when the result is told, from answers before the day of the
    exam only, once for each day that is told. It stays as it is when the result is
    corrected, or the day is and is corrected back, and goes with the result.
    """
    said, day = Forecast.objects.filter(enrolment=enrolment), enrolment.exam_date
    if not enrolment.result or day is None:
        said.delete()
        return
    has_passed = enrolment.result == Enrolment.Result.PASSED
    said.exclude(exam_date=day).update(has_passed=None)
    if not said.filter(exam_date=day).update(has_passed=has_passed):
        _keep_of_real_exam(enrolment, day, has_passed=has_passed)


def _keep_of_real_exam(
    enrolment: Enrolment, day: datetime.date, *, has_passed: bool
) -> None:
    versions = enrolment.certification.blueprints.order_by("-effective_from")
    blueprint = targets.version_on(versions=versions, on=day)
    if blueprint is None:
        return
    table = question_table(blueprint=blueprint)
    if table.exam is None:
        return
    user = enrolment.user
    before = forecasting.start_of_day(user=user, day=day)
    own = answers.participants_of(users=[user.pk])
    histories = answers.histories(
        people=own, certification=enrolment.certification_id, before=before
    )
    (belief,) = beliefs.advanced(
        table=table,
        beliefs=[beliefs.nothing_known(table=table)],
        answers=[histories.get(user.pk, History()).answers],
    )
    in_force = outcomes.map_in_force(certification=enrolment.certification_id)
    mended = outcomes.map_from(next(iter(in_force), (None,))[0])
    Forecast.objects.create(
        enrolment=enrolment,
        exam_date=day,
        is_simulated=forecasting.is_simulated(user=user),
        has_passed=has_passed,
        **_given(belief.ability, table, table.exam, before, mended=mended),
    )


def _as_stored(record: dict[str, Any] | None, table: QuestionTable) -> Ability:
    """Return the ability that pages tell of now, also where the worker is behind."""
    if record is None or len(record["mean"]) != len(table.domains):
        return beliefs.nothing_known(table=table).ability
    return ability.from_record(record=record)


def _given(
    known: Ability,
    table: QuestionTable,
    exam: readiness.Exam,
    at: datetime.datetime,
    *,
    mended: Recalibration | None,
) -> dict[str, Any]:
    """Return what a forecast holds of the chance that is given."""
    found = advice.readiness_of(
        ability=known,
        population=POPULATION,
        exam=exam,
        day=answers.day_of(at),
        mended=mended,
    )
    return {
        "blueprint_id": table.blueprint,
        "run_id": table.run,
        "probability": found.probability,
        "modelled": None if mended is None else found.modelled,
        "expected": found.expected,
        "questions": int(exam.counts.sum()),
        "needed": exam.needed,
        "first_attempts": found.evidence.first_attempts,
        "is_enough": found.evidence.is_enough,
        "made_at": at,
    }
