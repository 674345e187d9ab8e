"""Answer in practice: checked at once, the first answer stands."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Q

from accounts.models import Participant
from accounts.selectors import Learner
from questions.domain import responses
from questions.exams.domain import clock
from questions.exams.domain.visibility import Feedback
from questions.exams.models import (
    KeyContact,
    QuestionFlag,
    Response,
    Sitting,
    SittingItem,
)
from questions.exams.services import finishing, starting
from questions.exams.services.saving import NoSuchItem, SittingClosed
from questions.exams.signals import Cause, responses_scored
from questions.models import Blueprint, Question, Revision

_LONGEST_VIEW = datetime.timedelta(hours=1)
"""How long a page's question is believed to have been in view, at most."""


class KeyWithheld(Exception):
    """The question is in a mock exam under way, so its key is shown nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a learner wants checked; ``chosen`` is nothing to see the answer only."""

    chosen: Sequence[str] | None
    seconds: int = 0


def answer_item(
    *,
    owner: Q,
    public_id: uuid.UUID,
    position: int,
    answer: Answer,
    withheld: Collection[int],
    at: datetime.datetime,
) -> Response:
    """Check the answer to one item of a practice sitting. The first answer stands.

    So a double click, or the same form sent again, gives the same result. The last
    answer ends the sitting.

    Raises:
        NoSuchItem: there is no such item of theirs.
        SittingClosed: the sitting has ended.
        KeyWithheld: the question is in a mock exam under way.
        InvalidResponse: nothing, too few, too many or foreign options are chosen.
    """
    with transaction.atomic():
        response = _locked(owner, public_id, position)
        sitting = response.item.sitting
        if response.answered_at is not None:
            return response
        if sitting.phase(at) is not clock.Phase.RUNNING:
            raise SittingClosed(
                "closed", "This practice has ended. What was answered before counts."
            )
        if response.item.question_id in withheld:
            raise KeyWithheld
        check(response=response, answer=answer, at=at)
        if not Response.objects.filter(
            item__sitting=sitting, answered_at=None
        ).exists():
            finishing.submit(sitting=sitting, at=at)
    return response


def _locked(owner: Q, public_id: uuid.UUID, position: int) -> Response:
    """Lock and return the response with its sitting."""
    response = (
        Response.objects.select_for_update(of=("item__sitting", "self"), no_key=True)
        .select_related("item__sitting", "item__revision__document")
        .filter(
            owner,
            item__sitting__public_id=public_id,
            item__sitting__feedback=Feedback.AT_ONCE,
            item__position=position,
        )
        .first()
    )
    if response is None:
        raise NoSuchItem
    return response


def check(
    *,
    response: Response,
    answer: Answer,
    at: datetime.datetime,
    since: datetime.datetime | None = None,
) -> None:
    """Score one answer, and note that its key was met.

    ``since`` is the earliest moment at which the question can have been in view, if it
    isn't the start of the sitting.

    Raises:
        InvalidResponse: as ``questions.domain.responses.complete``.
    """
    item = response.item
    sitting = item.sitting
    response.was_shown = answer.chosen is None
    if answer.chosen is not None:
        given = responses.complete(item.answerable(), answer.chosen)
        response.chosen = [key for key in item.option_order if key in given.chosen]
    response.seconds = clock.seconds_spent(
        stored=response.seconds,
        claimed=answer.seconds,
        since=since or response.saved_at or sitting.started_at,
        start=since or sitting.started_at,
        at=at,
    )
    response.points = finishing.points_of(item)
    response.version += 1
    response.saved_at = response.answered_at = at
    response.save()
    KeyContact.objects.create(
        participant_id=sitting.participant_id,
        question_id=item.question_id,
        item=item,
        verdict=_verdict(response),
        met_at=at,
    )
    responses_scored.send(
        Sitting, sitting=sitting, items=[item], cause=Cause.SCORED, at=at
    )


def _verdict(response: Response) -> KeyContact.Verdict:
    if response.was_shown:
        return KeyContact.Verdict.SHOWN
    return KeyContact.Verdict.RIGHT if response.is_right else KeyContact.Verdict.WRONG


@transaction.atomic
def answer_on_page(
    *,
    learner: Learner,
    blueprint: Blueprint,
    revision: Revision,
    answer: Answer,
    at: datetime.datetime,
) -> Response:
    """Keep an answer given on a question page, in the day's practice sitting.

    Raises:
        InvalidResponse: as ``questions.domain.responses.complete``.
    """
    participant = learner.participant
    if participant is None:
        message = "An answer belongs to a participant: make one first."
        raise ValueError(message)
    sitting = _daily(participant, blueprint, at)
    before = sitting.items.aggregate(
        place=Max("position"), moment=Max("response__saved_at")
    )
    item = SittingItem.objects.create(
        sitting=sitting,
        position=(before["place"] or 0) + 1,
        question_id=revision.question_id,
        revision=revision,
        domain_id=_domain(revision.question_id, blueprint),
        option_order=[option["key"] for option in revision.document.open["options"]],
        rule=sitting.rule,
    )
    response = Response.objects.create(item=item)
    longest_ago = at - _LONGEST_VIEW
    since = max(before["moment"] or longest_ago, longest_ago)
    check(response=response, answer=answer, at=at, since=since)
    return response


def _domain(question_id: int, blueprint: Blueprint) -> int | None:
    return (
        blueprint.alignments.filter(question=question_id)
        .values_list("domain", flat=True)
        .first()
    )


def _daily(
    participant: Participant, blueprint: Blueprint, at: datetime.datetime
) -> Sitting:
    """Return the open practice sitting of the day, locked; made now if need be.

    Two first answers at once meet at the lock on the participant.
    """
    Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)
    sitting, _ = Sitting.objects.select_for_update(no_key=True).get_or_create(
        participant=participant,
        certification=blueprint.certification,
        daily_date=at.astimezone(datetime.UTC).date(),
        defaults={
            "blueprint": blueprint,
            "mode": Sitting.Mode.PRACTICE,
            "feedback": Feedback.AT_ONCE,
            "seed": 0,
            "started_at": at,
        },
    )
    return sitting


@transaction.atomic
def start_chosen(
    *,
    terms: starting.PracticeTerms,
    learner: Learner,
    reasons: Mapping[int, str],
    seed: int,
    at: datetime.datetime,
) -> Sitting:
    """Begin a practice of questions chosen for the learner, in the order of ``reasons``.

    ``reasons`` says why, by question id. Nothing is drawn: the seed orders options.

    Raises:
        NothingMatches: none was chosen.
    """
    if not reasons:
        raise starting.NothingMatches
    sitting = starting.new_practice(terms=terms, learner=learner, seed=seed, at=at)
    starting.add_items(sitting=sitting, questions=list(reasons), reasons=reasons)
    return sitting


def practise_again(
    *,
    sitting: Sitting,
    learner: Learner,
    questions: Sequence[int],
    seed: int,
    at: datetime.datetime,
) -> Sitting:
    """Begin a practice of some questions of a sitting, such as those missed.

    Raises:
        NothingMatches: none of them may be practised.
    """
    readable = Question.objects.readable_by(learner.user).filter(pk__in=questions)
    ids = list(readable.values_list("pk", flat=True))
    return starting.start_practice(
        terms=starting.PracticeTerms(blueprint=sitting.blueprint, length=len(ids)),
        learner=learner,
        questions=ids,
        seed=seed,
        at=at,
    )


def set_flag(
    *, learner: Learner, question_id: int, is_flagged: bool, at: datetime.datetime
) -> None:
    """Set a question aside for later practice, or no longer."""
    if is_flagged:
        keep_flags(learner=learner, questions=[question_id], at=at)
    else:
        QuestionFlag.objects.filter(
            participant__in=learner.ids, question=question_id
        ).delete()


def keep_flags(
    *, learner: Learner, questions: Collection[int], at: datetime.datetime
) -> int:
    """Set questions aside for later practice, as flagged in a sitting."""
    QuestionFlag.objects.bulk_create(
        (
            QuestionFlag(
                participant=learner.participant, question_id=question, flagged_at=at
            )
            for question in questions
        ),
        ignore_conflicts=True,
    )
    return len(questions)
