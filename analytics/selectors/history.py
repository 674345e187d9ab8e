"""What somebody studies, and everything they answered, as it counts now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from analytics.models import ResponseLog
from questions.exams.models import Enrolment, Sitting
from questions.exams.signals import Cause
from questions.models import Certification, Question, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One answer: the row by which it came into the log, and the row that counts.

    ``first`` carries its revision, question with certification, and sitting.
    """

    first: ResponseLog
    latest: ResponseLog
    is_first_attempt: bool

    @property
    def is_voided(self) -> bool:
        """Say whether it does not count at all."""
        return self.latest.cause == Cause.VOIDED

    @property
    def chosen(self) -> list[str]:
        """Return what was chosen, by key; of a void sitting nothing is seen."""
        return [] if self.is_voided else self.latest.chosen

    @property
    def is_right(self) -> bool | None:
        """Say whether it got full marks; nothing if that may not or can't be said.

        It can't if the answer was only asked for. Of a void sitting nothing is seen.
        """
        row = self.latest
        if row.was_shown or self.is_voided:
            return None
        return row.points_numerator == row.points_denominator


def certifications_of(*, user: User, slug: str = "") -> list[Certification]:
    """Return what somebody prepares for or has sat anything of; one query."""
    open_now = Enrolment.objects.filter(user=user, result="")
    sat = Sitting.objects.filter(participant__user=user)
    found = Certification.objects.filter(
        Q(pk__in=open_now.values("certification"))
        | Q(pk__in=sat.values("certification"))
    )
    return list((found.filter(slug=slug) if slug else found).order_by("code"))


def readable_revisions(
    *, revisions: Collection[int], user: User, withheld: Collection[int]
) -> dict[int, Revision]:
    """Return those of some revisions whose questions somebody may open now."""
    readable = Question.objects.readable_by(user).exclude(pk__in=withheld)
    found = Revision.objects.filter(pk__in=revisions, question__in=readable)
    return {
        revision.pk: revision
        for revision in found.select_related("question").only(
            "number", "title", "question__public_id"
        )
    }


def answers_of(
    *,
    participants: Collection[int],
    certification: str = "",
    withheld: Collection[int] = (),
) -> QuerySet[ResponseLog]:
    """Return the rows by which answers came into the log, to be paged by ``logged_at``.

    Each says ``was_met``: whether its person had met the question's key before.
    ``withheld`` questions are left out.
    """
    earlier = ResponseLog.objects.filter(
        Q(logged_at__lt=OuterRef("logged_at"))
        | Q(logged_at=OuterRef("logged_at"), item__lt=OuterRef("item")),
        participant__in=participants,
        question=OuterRef("question"),
    )
    rows = (
        ResponseLog.objects.filter(participant__in=participants, number=1)
        .exclude(question__in=withheld)
        .select_related("question__certification", "revision", "item__sitting")
        .only(
            *(field.name for field in ResponseLog._meta.concrete_fields),  # noqa: SLF001
            "question__public_id",
            "question__certification__slug",
            "revision__number",
            "item__position",
            "item__sitting__public_id",
        )
        .annotate(was_met=Exists(earlier))
    )
    if certification:
        rows = rows.filter(question__certification__slug=certification)
    return rows


def entries(*, rows: Sequence[Any]) -> list[Entry]:
    """Return answers as they count now, in the order of ``rows``; one query."""
    latest: dict[int, ResponseLog] = {}
    again = ResponseLog.objects.filter(item__in=[row.item_id for row in rows])
    for row in again.order_by("number"):
        latest[row.item_id] = row
    return [
        Entry(
            first=row,
            latest=(counts := latest[row.item_id]),
            is_first_attempt=not row.was_met
            and counts.cause != Cause.VOIDED
            and not counts.was_shown
            and bool(counts.chosen or counts.mode == Sitting.Mode.MOCK),
        )
        for row in rows
    ]
