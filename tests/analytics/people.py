"""People who answer through the services, at moments of the story's choice."""

from __future__ import annotations

import datetime

from accounts.models import Participant
from accounts.selectors import Learner
from analytics.services import learners
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Sitting, SittingItem
from questions.exams.services import finishing, practice, starting
from questions.exams.services.practice import Answer
from questions.models import Blueprint, Question

NOW = datetime.datetime(2026, 11, 30, 12, 0, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)


def participant_of(user=None, **fields):
    """Return the first participant of an account, or one of nobody; made if need be."""
    if user is not None:
        owned = Participant.objects.filter(user=user).order_by("pk").first()
        if owned is not None and not fields:
            return owned
    return Participant.objects.create(user=user, created_at=NOW, **fields)


def learner_of(participant):
    return Learner(user=participant.user, participants=(participant,))


def answer(participant, question, *, right, at, seconds=30):
    """Answer a question on its page; return the item."""
    blueprint = Blueprint.objects.get(
        certification=question.certification_id, version="2"
    )
    revision = question.published_revision
    keys = [option.key for option in revision.options.all() if option.is_key]
    others = [
        option.key
        for option in revision.options.order_by("position")
        if not option.is_key
    ]
    chosen = (keys if right else others)[: revision.choose]
    response = practice.answer_on_page(
        learner=learner_of(participant),
        blueprint=blueprint,
        revision=revision,
        answer=Answer(chosen=chosen, seconds=seconds),
        at=at,
    )
    return response.item


def practised(participant, questions, *, right=True, at=NOW - 5 * DAY):
    """Have questions answered on their pages, and the worker be done with it."""
    for number, question in enumerate(questions):
        moment = at + datetime.timedelta(minutes=number)
        answer(participant, question, right=right, at=moment)
    learners.update(
        user=participant.user_id, certification=questions[0].certification_id, at=NOW
    )


def look(participant, question, *, at):
    """Have the answer shown."""
    blueprint = Blueprint.objects.get(
        certification=question.certification_id, version="2"
    )
    practice.answer_on_page(
        learner=learner_of(participant),
        blueprint=blueprint,
        revision=question.published_revision,
        answer=Answer(chosen=None),
        at=at,
    )


def begin_mock(participant, certification, *, length, at, seed=1):
    """Begin a standard mock exam of some length; return the sitting."""
    blueprint = Blueprint.objects.get(certification=certification, version="2")
    return starting.start_mock(
        terms=starting.standard_terms(blueprint=blueprint, length=length),
        learner=learner_of(participant),
        seed=seed,
        at=at,
    ).sitting


def end_mock(sitting, *, right, at):
    """Answer the first questions of a mock right, leave the others, and submit."""
    for item in SittingItem.objects.filter(sitting=sitting, position__lte=right):
        item.response.chosen = [
            option.key for option in item.revision.options.all() if option.is_key
        ]
        item.response.save()
    finishing.submit(sitting=sitting, at=at)
    sitting.refresh_from_db()
    return sitting


def mock(participant, certification, *, length, right, at):
    sitting = begin_mock(participant, certification, length=length, at=at)
    return end_mock(sitting, right=right, at=at + HOUR / 4)


def practise(participant, questions: list[Question], *, at, feedback=Feedback.AT_ONCE):
    """Begin a practice of some questions; return the sitting."""
    blueprint = Blueprint.objects.get(
        certification=questions[0].certification_id, version="2"
    )
    return starting.start_practice(
        terms=starting.PracticeTerms(
            blueprint=blueprint, length=len(questions), feedback=feedback
        ),
        learner=learner_of(participant),
        questions=[question.pk for question in questions],
        seed=1,
        at=at,
    )


def sittings_of(participant):
    return Sitting.objects.filter(participant=participant)
