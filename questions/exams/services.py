"""Answer a question, start a practice set."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence

from django.db import IntegrityError, transaction

from accounts.models import Participant
from questions.domain.responses import Response
from questions.domain.scoring import score
from questions.exams.domain import feedback
from questions.exams.models import (
    KeyContact,
    PracticeItem,
    PracticeSet,
    RenderedPage,
)
from questions.models import Certification, PublishedDocument, Question, Revision

MOST_IN_A_SET = 50


class NothingMatches(ValueError):
    """No question fits what the learner chose to practise."""


def verdict_of(document: PublishedDocument, response: Response | None) -> str:
    """Return the verdict on a response, or on asking to see the answer."""
    if response is None:
        return KeyContact.Verdict.SHOWN
    item = feedback.answerable(document.open, document.keyed)
    if score(item, response).is_full:
        return KeyContact.Verdict.RIGHT
    return KeyContact.Verdict.WRONG


def record_contact(
    *,
    participant: Participant,
    revision: Revision,
    response: Response | None,
    at: datetime.datetime,
) -> KeyContact:
    """Keep that the participant met the key of a question, and how."""
    return KeyContact.objects.create(
        participant=participant,
        question_id=revision.question_id,
        revision=revision,
        chosen=sorted(response.chosen) if response else [],
        verdict=verdict_of(revision.document, response),
        met_at=at,
    )


def answer_in_practice(
    *, item: PracticeItem, response: Response | None, at: datetime.datetime
) -> KeyContact:
    """Keep the answer to one item of a set. The first answer stands.

    So a double click, or the same form sent again, gives the same result.
    """
    try:
        with transaction.atomic():
            return KeyContact.objects.create(
                participant=item.practice_set.participant,
                question_id=item.revision.question_id,
                revision=item.revision,
                practice_item=item,
                chosen=sorted(response.chosen) if response else [],
                verdict=verdict_of(item.revision.document, response),
                met_at=at,
            )
    except IntegrityError:
        return KeyContact.objects.get(practice_item=item)


@transaction.atomic
def start_practice(
    *,
    participant: Participant,
    certification: Certification,
    questions: Sequence[int],
    length: int,
    seed: int,
    at: datetime.datetime,
) -> PracticeSet:
    """Draw ``length`` of ``questions`` (ids), those never met first, into a set.

    A shorter pool gives a shorter set; the same seed gives the same set.

    Raises:
        NothingMatches: there is no question to draw from.
    """
    if not questions:
        raise NothingMatches
    met = set(
        KeyContact.objects.filter(
            participant=participant, question__in=questions
        ).values_list("question_id", flat=True)
    )
    shuffled = sorted(questions)
    random.Random(seed).shuffle(shuffled)  # noqa: S311  (a draw, not a secret)
    drawn = sorted(shuffled, key=lambda question: question in met)
    drawn = drawn[: min(length, MOST_IN_A_SET)]
    published = dict(
        Question.objects.filter(pk__in=drawn).values_list("pk", "published_revision")
    )
    practice_set = PracticeSet.objects.create(
        participant=participant, certification=certification, started_at=at
    )
    PracticeItem.objects.bulk_create(
        PracticeItem(
            practice_set=practice_set, position=place, revision_id=published[question]
        )
        for place, question in enumerate(drawn, start=1)
    )
    return practice_set


def keep_page(*, question_id: int, stamp: str, gzipped: bytes) -> None:
    """Keep a rendered page for the next anonymous visitor, in one statement."""
    RenderedPage.objects.bulk_create(
        [RenderedPage(question_id=question_id, stamp=stamp, gzipped=gzipped)],
        update_conflicts=True,
        unique_fields=["question"],
        update_fields=["stamp", "gzipped"],
    )
