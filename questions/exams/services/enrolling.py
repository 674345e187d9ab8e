"""What people prepare for: noted, changed, left, and told how it went."""

from __future__ import annotations

import datetime

from django.db import transaction

from accounts.models import User
from questions.exams.models import Enrolment
from questions.models import Certification


@transaction.atomic
def enrol(
    *,
    user: User,
    certification: Certification,
    exam_date: datetime.date | None,
    at: datetime.datetime,
) -> Enrolment:
    """Note that this person prepares for it; where noted already, set the date."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    enrolment, _ = Enrolment.objects.update_or_create(
        user=user,
        certification=certification,
        result="",
        defaults={"exam_date": exam_date},
        create_defaults={"exam_date": exam_date, "enrolled_at": at},
    )
    return enrolment


def tell_result(
    *,
    enrolment: Enrolment,
    result: Enrolment.Result,
    score: int | None,
    exam_date: datetime.date,
    at: datetime.datetime,
) -> Enrolment:
    """Keep how the real exam went; telling again corrects it."""
    enrolment.result = result
    enrolment.score = score
    enrolment.exam_date = exam_date
    enrolment.resulted_at = at
    enrolment.save(update_fields=["result", "score", "exam_date", "resulted_at"])
    return enrolment


def leave(*, enrolment: Enrolment) -> None:
    """Forget that this person prepares for it."""
    enrolment.delete()
