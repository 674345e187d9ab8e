"""What sittings forget of a person who is erased. Answers stay, and are nobody's."""

from __future__ import annotations

import datetime

from django.db import connection

from accounts.services.erasing import Leaving, take_names_out
from questions.exams.models import (
    Enrolment,
    QuestionFlag,
    Response,
    ScoreReport,
    SittingEvent,
)


def erase_person(*, leaving: Leaving, at: datetime.datetime) -> None:
    """Delete enrolments, flags and notes; take the names out of reasons.

    The link from participants to the account is cut by ``accounts``.
    """
    del at
    user = leaving.user
    Enrolment.objects.filter(user=user).delete()
    QuestionFlag.objects.filter(participant__user=user).delete()
    Response.objects.filter(item__sitting__participant__user=user).exclude(
        note=""
    ).update(note="")
    # Triggers refuse changes of reports and events; this opens their reasons until the
    # transaction ends, and nothing else of them.
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL courseiva.erasing = 'on'")
    take_names_out(leaving=leaving, rows=ScoreReport.objects.all(), field="note")
    take_names_out(leaving=leaving, rows=SittingEvent.objects.all(), field="reason")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL courseiva.erasing = 'off'")
