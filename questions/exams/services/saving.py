"""Save what a learner does with an item. Committed before anybody says "saved"."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from questions.domain.responses import InvalidResponse, parse
from questions.exams.domain import clock, saving
from questions.exams.models import LateAnswer, Response, Sitting

LONGEST_NOTE = 2000
_MOST_LATE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """All of a learner's work on one item, as one save carries it.

    ``seconds`` is how long the item was in view since its last save on this device.
    """

    save_id: uuid.UUID
    base_version: int
    chosen: Sequence[str]
    struck: Sequence[str] = ()
    is_flagged: bool = False
    note: str = ""
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a save came to: the version it became, when, and the time left then."""

    version: int
    saved_at: datetime.datetime
    is_complete: bool
    time_left: datetime.timedelta | None


class NoSuchItem(Exception):
    """The learner has no such sitting, or it has no such position."""


class StaleResponse(Exception):
    """Something else was saved meanwhile. ``stored`` is what stands."""

    def __init__(self, stored: Response) -> None:
        super().__init__(f"Version {stored.version} stands.")
        self.stored = stored


class SittingClosed(Exception):
    """Nothing can be saved here any more. ``sentence`` says why."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def save_response(
    *,
    owner: Q,
    public_id: uuid.UUID,
    position: int,
    work: Work,
    at: datetime.datetime,
) -> Saved:
    """Save the work on one item, and return what it became.

    ``owner`` is a filter on responses. The same ``save_id`` gets the same reply,
    however often it comes. Choosing fewer options than asked for is saved; it counts
    as incomplete.

    Raises:
        NoSuchItem: there is no such item of theirs.
        SittingClosed: the sitting has ended; after the grace the answer is kept as late.
        StaleResponse: the work was based on a version that was replaced meanwhile.
        InvalidResponse: an option is foreign, or too many are chosen.
    """
    with transaction.atomic():
        response = _locked(owner, public_id, position)
        sitting = response.item.sitting
        _check_is_open(response, work, at)
        judgement = saving.judge(
            save_id=work.save_id,
            base_version=work.base_version,
            version=response.version,
            recent=response.recent_save_ids,
        )
        if judgement.outcome is saving.Outcome.STALE:
            raise StaleResponse(response)
        if judgement.outcome is saving.Outcome.STORE:
            _store(response, work, at)
        place = judgement.version - response.version - 1
        saved_at = response.recent_saved_at[place]
        item = response.item.answerable()
        complete = parse(item, response.chosen).is_complete(item)
    return Saved(
        version=judgement.version,
        saved_at=saved_at,
        is_complete=complete,
        time_left=clock.time_left(deadline=sitting.deadline, at=at),
    )


def keep_late_answer(
    *,
    owner: Q,
    public_id: uuid.UUID,
    position: int,
    work: Work,
    at: datetime.datetime,
) -> bool:
    """Keep an answer that arrived after the grace, if it may be kept.

    Nothing is kept once the report was seen, as keys are known from then on, or after
    its owner submitted. Returns whether it is kept; a repeated save id is kept once.
    """
    with transaction.atomic():
        response = _locked(owner, public_id, position)
        sitting = response.item.sitting
        if sitting.report_seen_at is not None or sitting.deadline is None:
            return False
        if sitting.ending not in {"", Sitting.Ending.EXPIRED}:
            return False
        if sitting.status == clock.Status.VOID:
            return False
        if LateAnswer.objects.filter(save_id=work.save_id).exists():
            return True
        try:
            chosen = parse(response.item.answerable(), work.chosen).chosen
        except InvalidResponse:
            return False  # no answer to this question, late or not
        if response.late_answers.count() >= _MOST_LATE:
            return False
        LateAnswer.objects.create(
            response=response,
            save_id=work.save_id,
            chosen=sorted(chosen),
            received_at=at,
        )
    return True


def _locked(owner: Q, public_id: uuid.UUID, position: int) -> Response:
    """Lock and return the response with its sitting, in one query.

    The sitting first, as whoever ends it does: locks are taken in the order of ``of``.
    """
    response = (
        Response.objects.select_for_update(of=("item__sitting", "self"), no_key=True)
        .select_related("item__sitting", "item__revision")
        .filter(owner, item__sitting__public_id=public_id, item__position=position)
        .first()
    )
    if response is None:
        raise NoSuchItem
    return response


def _check_is_open(response: Response, work: Work, at: datetime.datetime) -> None:
    sitting = response.item.sitting
    phase = sitting.phase(at)
    if phase in {clock.Phase.DUE, clock.Phase.FINISHED, clock.Phase.VOID}:
        raise SittingClosed(*_CLOSED[phase])
    if sitting.is_linear and response.item.position != sitting.reached:
        raise SittingClosed(
            "passed", "This exam has no way back, and this question has been passed."
        )
    is_settled = response.answered_at is not None
    if is_settled and sorted(work.chosen) != sorted(response.chosen):
        raise SittingClosed(
            "answered", "This question was answered; its first answer stands."
        )


_CLOSED = {
    clock.Phase.DUE: (
        "time_is_up",
        "Time is up. The answers saved before count; this one came too late.",
    ),
    clock.Phase.FINISHED: (
        "closed",
        "This sitting has ended. Nothing in it can be changed any more.",
    ),
    clock.Phase.VOID: ("void", "This sitting was declared void."),
}


def _store(response: Response, work: Work, at: datetime.datetime) -> None:
    """Write the next version.

    Raises:
        InvalidResponse: an option is foreign, too many are chosen, or the note is long.
    """
    item = response.item.answerable()
    chosen = parse(item, work.chosen).chosen
    if len(work.note) > LONGEST_NOTE:
        raise InvalidResponse(
            "note_too_long",
            f"A note has {LONGEST_NOTE} characters at most; yours has "
            f"{len(work.note)}. Shorten it, and it will be saved.",
        )
    sitting = response.item.sitting
    order = response.item.option_order
    response.seconds = clock.seconds_spent(
        stored=response.seconds,
        claimed=work.seconds,
        since=response.saved_at or sitting.started_at,
        start=sitting.started_at,
        at=at,
    )
    response.chosen = [key for key in order if key in chosen]
    response.struck = [key for key in order if key in set(work.struck)]
    response.is_flagged = work.is_flagged
    response.note = work.note
    response.version += 1
    response.saved_at = at
    kept = saving.KEPT_SAVES - 1
    response.recent_save_ids = [*response.recent_save_ids[-kept:], work.save_id]
    response.recent_saved_at = [*response.recent_saved_at[-kept:], at]
    response.save(
        update_fields=[
            "chosen",
            "struck",
            "is_flagged",
            "note",
            "seconds",
            "version",
            "saved_at",
            "recent_save_ids",
            "recent_saved_at",
        ]
    )


@transaction.atomic
def go_on(*, sitting: Sitting, leaving: int, at: datetime.datetime) -> int:
    """Leave a question of a linear sitting for the next, and return where it stands.

    Leaving the same question twice is leaving it once.
    """
    locked = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
    last = locked.items.count()
    if locked.phase(at) is clock.Phase.RUNNING and locked.reached == leaving:
        locked.reached = min(leaving + 1, last + 1)
        locked.save(update_fields=["reached"])
    return locked.reached
