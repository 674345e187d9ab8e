"""What people prepare for: noted, changed, left, and told how it went."""

from __future__ import annotations

import datetime
from typing import Final

from django.db import transaction

from accounts.domain.zones import zone_named
from accounts.models import User
from questions.exams.models import EARLIEST_EXAM, Enrolment
from questions.models import Certification

AHEAD: Final = datetime.timedelta(days=3653)
"""Ten years: nobody plans an exam further ahead than that."""


class ImpossibleDate(Exception):
    """An exam is on no such day; the message says which days there are."""


@transaction.atomic
def enrol(
    *,
    user: User,
    certification: Certification,
    exam_date: datetime.date | None,
    at: datetime.datetime,
) -> Enrolment:
    """Note that this person prepares for it; where noted already, set the date.

    Raises:
        ImpossibleDate: it is before this century, or over ten years ahead.
    """
    if exam_date is not None:
        _check(exam_date)
        if exam_date > _today(user, at) + AHEAD:
            message = "Give a day within the next ten years."
            raise ImpossibleDate(message)
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
    """Keep how the real exam went; telling again corrects it.

    Raises:
        ImpossibleDate: where the person is, the day has not come; or it is before this
            century.
    """
    _check(exam_date)
    if exam_date > _today(enrolment.user, at):
        message = "This day has not come yet."
        raise ImpossibleDate(message)
    enrolment.result = result
    enrolment.score = score
    enrolment.exam_date = exam_date
    enrolment.resulted_at = at
    enrolment.save(update_fields=["result", "score", "exam_date", "resulted_at"])
    return enrolment


def leave(*, enrolment: Enrolment) -> None:
    """Forget that this person prepares for it."""
    enrolment.delete()


def _check(day: datetime.date) -> None:
    if day < EARLIEST_EXAM:
        message = f"Give a day from {EARLIEST_EXAM.year} on."
        raise ImpossibleDate(message)


def _today(user: User, at: datetime.datetime) -> datetime.date:
    return at.astimezone(zone_named(user.time_zone)).date()
