"""Answers of many people at once, as rows: what the log has of mock exams and practice."""

from __future__ import annotations

import datetime
import uuid

import numpy as np
from django.db import connection

from accounts.models import Participant
from analytics.models import ResponseLog
from questions.exams.models import (
    MockExam,
    MockExamItem,
    Response,
    Sitting,
    SittingItem,
)
from questions.models import Blueprint
from tests import factories
from tests.analytics import larger
from tests.analytics.people import NOW

MINUTE = datetime.timedelta(minutes=1)


def make_bank(certification, keys, *, options=5):
    """Return published questions whose options are "1", "2" and so on; one key each."""
    return [
        factories.make_published(
            certification,
            factories.make_item(
                2_000 + number,
                options=tuple(
                    factories.option(
                        str(k), text=f"Take way {k} of {number}", is_key=k == key
                    )
                    for k in range(1, options + 1)
                ),
                explanation="That is how it is.",
            ),
            slug=f"bank-{certification.code.lower()}-{number}",
        )
        for number, key in enumerate(keys)
    ]


def make_form(certification, questions, *, slug="form"):
    """Return a fixed mock exam of these questions."""
    form = MockExam.objects.create(
        slug=slug,
        certification=certification,
        blueprint=Blueprint.objects.get(certification=certification, version="2"),
        name=slug.title(),
        length=len(questions),
        minutes=60,
    )
    MockExamItem.objects.bulk_create(
        MockExamItem(mock_exam=form, position=position, question=question)
        for position, question in enumerate(questions, start=1)
    )
    return form


def make_people(count, **fields):
    """Return participants without accounts."""
    return Participant.objects.bulk_create(
        Participant(public_id=uuid.uuid4(), created_at=NOW, **fields)
        for _ in range(count)
    )


def sit(people, questions, chosen, *, form=None, mode="mock", at=NOW):
    """Have each person answer all questions: a row of options, or nothing, per person.

    Sittings, items, responses and log as scoring leaves them.
    """
    blueprint = Blueprint.objects.get(
        certification=questions[0].certification_id, version="2"
    )
    sittings = Sitting.objects.bulk_create(
        Sitting(
            participant=person,
            certification_id=blueprint.certification_id,
            blueprint=blueprint,
            mock_exam=form,
            mode=mode,
            feedback="at_end",
            seed=1,
            status="finished",
            started_at=at,
            deadline=at + 60 * MINUTE,
            ended_at=at + 50 * MINUTE,
            ending="submitted",
        )
        for person in people
    )
    items = SittingItem.objects.bulk_create(
        SittingItem(
            sitting=sitting,
            position=position,
            question=question,
            revision=question.published_revision,
            option_order=[o.key for o in question.published_revision.options.all()],
        )
        for sitting in sittings
        for position, question in enumerate(questions, start=1)
    )
    keys = {
        question.published_revision_id: [
            o.key for o in question.published_revision.options.all() if o.is_key
        ]
        for question in questions
    }
    picked = [option for row in chosen for option in row]
    responses = Response.objects.bulk_create(
        Response(
            item=item,
            chosen=[option] if option else [],
            seconds=60,
            answered_at=at + 50 * MINUTE,
            points_numerator=_points(item, option, keys),
            points_denominator=1,
        )
        for item, option in zip(items, picked, strict=True)
    )
    ResponseLog.objects.bulk_create(
        ResponseLog(
            participant_id=item.sitting.participant_id,
            question_id=item.question_id,
            revision_id=item.revision_id,
            item=item,
            number=1,
            cause="scored",
            mode=mode,
            position=item.position,
            chosen=response.chosen,
            points_numerator=_points(item, option, keys),
            points_denominator=1,
            seconds=response.seconds,
            answered_at=at + 50 * MINUTE,
            logged_at=at + 50 * MINUTE,
        )
        for item, response, option in zip(items, responses, picked, strict=True)
    )
    _count_rows()
    return sittings


def draws(people, questions, *, seed=1, slope=1.4):
    """Return options chosen by people of different ability; "1" is the key."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=(people, 1))
    difficulty = np.linspace(-1.2, 1.2, questions)
    is_right = rng.random((people, questions)) < 1 / (
        1 + np.exp(-slope * (ability - difficulty))
    )
    wrong = rng.integers(2, 5, (people, questions))
    return np.where(is_right, 1, wrong).astype(str).tolist()


def _count_rows():
    # Autovacuum sees tables that every test rolls back, and takes them for empty.
    with connection.cursor() as cursor:
        for model in (Sitting, SittingItem, ResponseLog):
            cursor.execute(f"ANALYZE {model._meta.db_table}")


def _points(item, option, keys):
    return int([option] == keys[item.revision_id])


def sat12():
    """Return SAT12 as people by 32 options, None where omitted, and its keys."""
    larger.reference()  # skips where they are not
    answered = larger.rows("sat12_raw.csv")
    chosen = [[None if x == "8" else x for x in row] for row in answered]
    return chosen, [row[-1] for row in larger.rows("sat12_key.csv")]


def sat12_reference():
    """Return SAT12's statistics by the names of our fields: of the form, of questions."""
    found = larger.reference()["sat12"]["quiz_statistics"]
    return {
        "form": {ours: found["quiz"][theirs] for ours, theirs in _OF_FORM.items()},
        "questions": {
            ours: found["items"][theirs] for ours, theirs in _OF_QUESTIONS.items()
        },
    }


_OF_FORM = {
    "mean": "mean",
    "median": "median",
    "standard_deviation": "sd",
    "skewness": "skew",
    "kurtosis": "kurt",
    "internal_consistency": "cic",
    "error_ratio": "er",
    "standard_error": "se",
}
_OF_QUESTIONS = {
    "facility": "facility",
    "standard_deviation": "sd",
    "effective_weight": "EW",
    "discrimination_index": "DI",
    "discriminative_efficiency": "DE",
}
