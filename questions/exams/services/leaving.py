"""What sittings forget of a person who is erased. Answers stay, and are nobody's."""

from __future__ import annotations

import datetime

from django.db import connection
from django.db.models import Q

from accounts.models import Participant
from accounts.services.erasing import Leaving, take_names_out
from questions.exams.models import (
    QuestionFlag,
    RenderedPage,
    Response,
    ScoreReport,
    SittingEvent,
)


def erase_person(*, leaving: Leaving, at: datetime.datetime) -> None:
    """Delete flags, notes and kept pages that name them; take names out of reasons.

    The link from participants to the account is cut by ``accounts``.
    """
    del at
    user = leaving.user
    RenderedPage.objects.filter(
        Q(question__author__user=user)
        | Q(question__revisions__reviews__reviewer__user=user)
    ).delete()
    # No exam begins from here on: its notes would come after those that are emptied.
    own = Participant.objects.select_for_update(no_key=True).filter(user=user)
    participants = [participant.pk for participant in own]
    QuestionFlag.objects.filter(participant__in=participants).delete()
    # Empty ones as well: a save on its way, perhaps of a first note, stores only if the
    # response is as it read it (docs/decisions/0042), and then finds nobody's sitting.
    Response.objects.filter(item__sitting__participant__in=participants).update(note="")
    # Triggers refuse changes of reports and events; this opens their reasons until the
    # transaction ends, and nothing else of them.
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL courseiva.erasing = 'on'")
    take_names_out(leaving=leaving, rows=ScoreReport.objects.all(), field="note")
    take_names_out(leaving=leaving, rows=SittingEvent.objects.all(), field="reason")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL courseiva.erasing = 'off'")
