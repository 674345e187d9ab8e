"""What staff do with sittings: more time, void, late answers, regrades. With a reason.

Nothing is reopened once its report was seen; what changes a result adds a report and
keeps the one before.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction

from accounts.models import User
from questions.exams.domain import clock
from questions.exams.models import (
    LateAnswer,
    ScoreReport,
    Sitting,
    SittingEvent,
    SittingItem,
)
from questions.exams.selectors import sittings
from questions.exams.services import finishing
from questions.exams.signals import Cause, responses_scored
from questions.models import Revision

MOST_MINUTES = 600


class Refused(ValueError):
    """It can't be done with this sitting. The message says why."""


@transaction.atomic
def extend(
    *, sitting: Sitting, minutes: int, reason: str, by: User, at: datetime.datetime
) -> Sitting:
    """Give a sitting that is not scored yet more time, from its deadline on.

    Raises:
        Refused: no clock runs, it has ended, or the minutes make no sense.
    """
    locked = _locked(sitting)
    if locked.status != clock.Status.RUNNING or locked.deadline is None:
        message = "Only a sitting whose clock still runs can be given time."
        raise Refused(message)
    if not 1 <= minutes <= MOST_MINUTES:
        message = f"Give a number of minutes from 1 to {MOST_MINUTES}."
        raise Refused(message)
    if locked.phase(at) is clock.Phase.DUE:
        # Its keys are open by now; with more time they could be used.
        message = "Its time and the grace are over. Void it and grant another."
        raise Refused(message)
    locked.deadline += datetime.timedelta(minutes=minutes)
    locked.save(update_fields=["deadline"])
    _note(
        locked, SittingEvent.Kind.EXTENDED, reason=reason, by=by, at=at, minutes=minutes
    )
    return locked


@transaction.atomic
def void(*, sitting: Sitting, reason: str, by: User, at: datetime.datetime) -> Sitting:
    """Declare a sitting void and grant another: it no longer counts against limits.

    Answers stay kept.

    Raises:
        Refused: its report was seen, or it is void already.
    """
    locked = _locked(sitting)
    if locked.status == clock.Status.VOID:
        message = "This sitting is void already."
        raise Refused(message)
    if locked.report_seen_at is not None:
        message = "Its report was seen, so its result stands."
        raise Refused(message)
    locked.status = clock.Status.VOID
    locked.ended_at = locked.ended_at or at
    locked.save(update_fields=["status", "ended_at"])
    _note(locked, SittingEvent.Kind.VOIDED, reason=reason, by=by, at=at)
    _note(locked, SittingEvent.Kind.GRANTED, reason=reason, by=by, at=at)
    scored = [
        item
        for item in finishing.scored_items(sitting=locked)
        if item.response.answered_at is not None
    ]
    _tell(locked, scored, Cause.VOIDED, at)
    return locked


def _tell(
    sitting: Sitting, items: list[SittingItem], cause: Cause, at: datetime.datetime
) -> None:
    """Tell whoever measures answers what became of these."""
    if items:
        responses_scored.send(Sitting, sitting=sitting, items=items, cause=cause, at=at)


def _stood(item: SittingItem) -> dict[str, Any]:
    """Return what an event keeps of a response before it changes."""
    points = item.response.points or Fraction(0)
    return {
        "chosen": item.response.chosen,
        "points": [points.numerator, points.denominator],
    }


@transaction.atomic
def accept_late(
    *, late: LateAnswer, reason: str, by: User, at: datetime.datetime
) -> ScoreReport:
    """Count an answer that came after the grace, and make the next report.

    Raises:
        Refused: it was accepted already, or the sitting is not a scored one.
    """
    locked = _locked(late.response.item.sitting)
    late.refresh_from_db(fields=["accepted_at"])
    if late.accepted_at is not None:
        message = "This answer was accepted already."
        raise Refused(message)
    if locked.status != clock.Status.FINISHED:
        message = "Late answers are accepted once the sitting is scored."
        raise Refused(message)
    item = (
        SittingItem.objects.select_related(
            "response", "revision__document", "graded_by__document"
        )
        .filter(response=late.response_id)
        .get()
    )
    before = _stood(item)
    item.response.chosen = [key for key in item.option_order if key in late.chosen]
    item.response.points = finishing.points_of(item)
    item.response.answered_at = item.response.answered_at or locked.ended_at
    item.response.version += 1
    # Not the note: erasing its writer may have emptied it since.
    item.response.save(
        update_fields=[
            "chosen",
            "points_numerator",
            "points_denominator",
            "answered_at",
            "version",
        ]
    )
    late.accepted_at = at
    late.save(update_fields=["accepted_at"])
    _note(
        locked,
        SittingEvent.Kind.LATE_ACCEPTED,
        reason=reason,
        by=by,
        at=at,
        item=item,
        before=before,
    )
    _tell(locked, [item], Cause.LATE_ACCEPTED, at)
    return finishing.make_report(
        sitting=locked, cause=ScoreReport.Cause.LATE_ACCEPTED, note=reason, at=at
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeLine:
    """What a corrected key would do to one place of one sitting.

    ``report`` is nothing while the sitting runs; it will be scored by the new key.
    """

    item: SittingItem
    report: ScoreReport | None
    before: Fraction
    after: Fraction

    @property
    def improves(self) -> bool:
        """Whether the learner gains."""
        return self.after > self.before

    @property
    def passed_before(self) -> bool | None:
        """Whether the sitting passed so far."""
        return self.report.is_passed if self.report else None

    @property
    def passed_after(self) -> bool | None:
        """Whether it passes once this place is regraded."""
        mark = self.item.sitting.mark
        if self.report is None or mark is None:
            return None
        points = self.report.points - self.before + self.after
        return points / self.report.question_count >= mark


def check_can_regrade(*, wrong: Revision, corrected: Revision) -> None:
    """Refuse a correction that can't be laid over the answers given.

    Raises:
        Refused: another question's, or with other options.
    """
    if wrong.question_id != corrected.question_id or wrong.pk == corrected.pk:
        message = "Choose two revisions of one question."
        raise Refused(message)
    ours = {option.key for option in wrong.options.all()}
    theirs = {option.key for option in corrected.options.all()}
    if ours != theirs or wrong.choose != corrected.choose:
        message = (
            "The corrected revision has other options, or asks for another number of "
            "them, so answers given to the first can't be graded by it."
        )
        raise Refused(message)
    if not hasattr(corrected, "document"):
        message = "The corrected revision was never published. Publish it first."
        raise Refused(message)


def plan_regrade(*, wrong: Revision, corrected: Revision) -> Iterator[RegradeLine]:
    """Yield what regrading would change: the dry run. Nothing is written.

    Raises:
        Refused: as ``check_can_regrade``.
    """
    check_can_regrade(wrong=wrong, corrected=corrected)
    affected = (
        SittingItem.objects.filter(revision=wrong)
        .exclude(graded_by=corrected)
        .exclude(sitting__status=clock.Status.VOID)
        .select_related(
            "sitting__blueprint", "response", "revision__document", "domain", "question"
        )
        .order_by("sitting__started_at", "pk")
    )
    for item in affected.iterator(chunk_size=500):
        before = item.response.points
        item.graded_by = corrected
        yield RegradeLine(
            item=item,
            report=sittings.report_of(sitting=item.sitting),
            before=before or Fraction(0),
            after=finishing.points_of(item),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrade:
    """How a regrade is to be done."""

    wrong: Revision
    corrected: Revision
    reason: str
    only_if_improves: bool


def apply_regrade(*, regrade: Regrade, by: User, at: datetime.datetime) -> int:
    """Grade by the corrected key, each sitting by itself; return how many changed.

    Can be run again: what was regraded is passed over. A finished sitting gets the next
    report with a note, and keeps the one before. One that runs is scored by the
    corrected key when it ends.

    Raises:
        Refused: as ``check_can_regrade``.
    """
    lines = plan_regrade(wrong=regrade.wrong, corrected=regrade.corrected)
    chosen = [
        line.item
        for line in lines
        if line.improves or not regrade.only_if_improves or line.report is None
    ]
    for item in chosen:
        _regrade_one(item, regrade, by, at)
    return len(chosen)


@transaction.atomic
def _regrade_one(
    item: SittingItem, regrade: Regrade, by: User, at: datetime.datetime
) -> None:
    locked = _locked(item.sitting)
    SittingItem.objects.filter(pk=item.pk).update(graded_by=regrade.corrected)
    response = item.response
    response.refresh_from_db()
    before = _stood(item)
    if response.answered_at is not None:
        response.points = finishing.points_of(item)
        response.save(update_fields=["points_numerator", "points_denominator"])
        _tell(locked, [item], Cause.REGRADED, at)
    _note(
        locked,
        SittingEvent.Kind.REGRADED,
        reason=regrade.reason,
        by=by,
        at=at,
        item=item,
        before=before if response.answered_at is not None else {},
    )
    if locked.status == clock.Status.FINISHED:
        finishing.make_report(
            sitting=locked,
            cause=ScoreReport.Cause.REGRADED,
            note=f"Question {item.position}: {regrade.reason}"[:300],
            at=at,
        )


def _locked(sitting: Sitting) -> Sitting:
    return (
        Sitting.objects.select_for_update(of=("self",), no_key=True)
        .select_related("blueprint", "certification")
        .get(pk=sitting.pk)
    )


def _note(
    sitting: Sitting,
    kind: SittingEvent.Kind,
    *,
    reason: str,
    by: User,
    at: datetime.datetime,
    **more: Any,
) -> None:
    if not reason.strip():
        message = "Say why: the reason is kept."
        raise Refused(message)
    SittingEvent.objects.create(
        sitting=sitting,
        kind=kind,
        **more,
        reason=reason.strip()[:300],
        by=by,
        happened_at=at,
    )
