"""What the bank forgets of a person who is erased. Questions stay."""

from __future__ import annotations

import datetime

from accounts.services.erasing import Leaving, take_names_out
from questions.models import ProblemReport, Question, QuestionEvent, Review
from questions.services import locks


def erase_person(*, leaving: Leaving, at: datetime.datetime) -> None:
    """Empty this person's problem reports, and take the names out of desk notes.

    Of a report stays that somebody found this revision wrong, and how.
    """
    del at
    locks.share_bank()
    ProblemReport.objects.filter(reported_by=leaving.user).update(
        reported_by=None, text="", user_agent="", address_hash=""
    )
    for rows, field in (
        (ProblemReport.objects.all(), "text"),
        (ProblemReport.objects.all(), "resolution"),
        (QuestionEvent.objects.all(), "note"),
        (Review.objects.all(), "comment"),
        (Question.objects.all(), "sources"),
    ):
        take_names_out(leaving=leaving, rows=rows, field=field)
