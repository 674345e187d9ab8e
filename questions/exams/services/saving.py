"""Save what a learner does with an item. Committed before anybody says "saved"."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from accounts.selectors.prepared import Prepared
from questions.domain.items import Item, choose_of
from questions.domain.responses import InvalidResponse, parse
from questions.exams.domain import clock, feedback, saving
from questions.exams.domain.visibility import Feedback
from questions.exams.models import LateAnswer, Navigation, Response, Sitting
from questions.exams.selectors.under_way import Owner

LONGEST_NOTE = 2000
_MOST_LATE = 5
_LAST_PLACE = 32_767


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

    @property
    def mark(self) -> uuid.UUID:
        """Return what tells this save from others: its id together with its content.

        A retry brings both again. Other content under the same id, as from a page that
        the browser's back button brought back, is another save and never called saved.
        """
        content = (
            sorted(self.chosen),
            sorted(self.struck),
            self.is_flagged,
            self.note,
        )
        return uuid.uuid5(self.save_id, repr(content))


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
    owner: Owner,
    public_id: uuid.UUID,
    position: int,
    work: Work,
    at: datetime.datetime,
) -> Saved:
    """Save the work on one item, and return what it became.

    The same save gets the same reply, however often it comes. Choosing fewer
    options than asked for is saved; it counts as incomplete.

    Raises:
        NoSuchItem: there is no such item of theirs.
        SittingClosed: the sitting has ended; after the grace the answer is kept as late.
        StaleResponse: the work was based on a version that was replaced meanwhile.
        InvalidResponse: an option is foreign, or too many are chosen.
    """
    saved = None
    # Nobody goes round for long: each time, somebody else's change was stored.
    while saved is None:
        stands = _read(owner, public_id, position)
        saved = _judge(stands, work, at)
    return saved


def _judge(stands: _Stands, work: Work, at: datetime.datetime) -> Saved | None:
    """Return what the save comes to, or nothing if what stood was changed meanwhile."""
    judgement = saving.judge(
        mark=work.mark,
        base_version=work.base_version,
        version=stands.version,
        recent=stands.recent_saves,
    )
    if judgement.outcome is saving.Outcome.REPEAT:
        # What was called saved stays saved: a retry is told so after the end too.
        return Saved(
            version=judgement.version,
            saved_at=stands.recent_saved_at[judgement.version - stands.version - 1],
            is_complete=len(stands.chosen) == choose_of(stands.item),
            time_left=clock.time_left(deadline=stands.deadline, at=at),
        )
    _check_is_open(stands, work, at)
    if judgement.outcome is saving.Outcome.STALE:
        raise StaleResponse(Response.objects.get(pk=stands.item_id))
    return _store(stands, work, at)


def keep_late_answer(
    *,
    owner: Q,
    public_id: uuid.UUID,
    position: int,
    work: Work,
    at: datetime.datetime,
) -> bool:
    """Keep an answer that arrived after the grace, if it may be kept.

    Nothing is kept once the key was met or the report was seen, or after its owner
    submitted. Returns whether it is kept; a repeated save id is kept once.
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
        is_checked = sitting.feedback == Feedback.AT_ONCE
        if is_checked and response.answered_at is not None:
            return False
        kept = LateAnswer.objects.filter(save_id=work.save_id).first()
        if kept is not None:
            return bool(kept.response_id == response.pk)
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


class _Stands(NamedTuple):
    """What stands of an item, its response and its sitting.

    ``sitting_row`` and ``response_row`` name the states of both rows: PostgreSQL gives
    a row another ``xmin`` whenever it is changed.
    """

    sitting_id: int
    sitting_row: str
    response_row: str
    item_id: int
    position: int
    option_order: list[str]
    kind: str
    choose: int
    version: int
    chosen: list[str]
    seconds: int
    saved_at: datetime.datetime | None
    answered_at: datetime.datetime | None
    recent_saves: list[uuid.UUID]
    recent_saved_at: list[datetime.datetime]
    status: str
    navigation: str
    reached: int
    started_at: datetime.datetime
    deadline: datetime.datetime | None
    grace_seconds: int

    @property
    def item(self) -> Item:
        """As much of the item as parsing a response needs."""
        return feedback.unkeyed(
            kind=self.kind, choose=self.choose, keys=self.option_order
        )


# Written out, like the update below: every change of every learner passes here, and
# Django would take longer to put these two statements together than PostgreSQL takes to
# carry them out.
_READ = Prepared(
    "exams_stands",
    """
    SELECT s.id, s.xmin::text, r.xmin::text,
           r.item_id, i.position, i.option_order, v.kind, v.choose,
           r.version, r.chosen, r.seconds, r.saved_at, r.answered_at,
           r.recent_saves, r.recent_saved_at,
           s.status, s.navigation, s.reached, s.started_at, s.deadline, s.grace_seconds
      FROM exams_sitting s
      JOIN accounts_participant p ON p.id = s.participant_id
      JOIN exams_sittingitem i ON i.sitting_id = s.id AND i.position = %(position)s
      JOIN exams_response r ON r.item_id = i.id
      JOIN questions_revision v ON v.id = i.revision_id
     WHERE s.public_id = %(sitting)s
       AND (p.user_id = %(user)s OR p.id = %(participant)s)
    """,
    sitting="uuid",
    position="integer",
    user="bigint",
    participant="bigint",
)

# Stores if both rows are still as they were read, and nothing otherwise
# (docs/decisions/0042). The sitting is locked first, as whoever ends it does.
_STORE = Prepared(
    "exams_store",
    """
    WITH as_read AS (
           SELECT id FROM exams_sitting
            WHERE id = %(sitting)s AND xmin = %(sitting_row)s
              FOR SHARE
         )
    UPDATE exams_response
       SET chosen = %(chosen)s, struck = %(struck)s,
           is_flagged = %(is_flagged)s, note = %(note)s, seconds = %(seconds)s,
           version = version + 1, saved_at = %(at)s,
           recent_saves = recent_saves[%(first)s:] || %(mark)s,
           recent_saved_at = recent_saved_at[%(first)s:] || %(at)s
      FROM as_read
     WHERE item_id = %(item_id)s AND exams_response.xmin = %(response_row)s
    RETURNING version, saved_at
    """,
    sitting="bigint",
    sitting_row="xid",
    item_id="bigint",
    response_row="xid",
    chosen="text[]",
    struck="text[]",
    is_flagged="boolean",
    note="text",
    seconds="integer",
    at="timestamptz",
    mark="uuid",
    first="integer",
)


def _read(owner: Owner, public_id: uuid.UUID, position: int) -> _Stands:
    """Return what stands of the response and its sitting, in one query."""
    if position > _LAST_PLACE:
        raise NoSuchItem  # PostgreSQL would refuse to read the number
    rows = _READ.rows(
        sitting=public_id,
        position=position,
        user=owner.user_id,
        participant=owner.participant_id,
    )
    if not rows:
        raise NoSuchItem
    return _Stands._make(rows[0])


def _check_is_open(stands: _Stands, work: Work, at: datetime.datetime) -> None:
    phase = clock.phase_of(
        status=stands.status,
        deadline=stands.deadline,
        grace=datetime.timedelta(seconds=stands.grace_seconds),
        at=at,
    )
    if phase in {clock.Phase.DUE, clock.Phase.FINISHED, clock.Phase.VOID}:
        raise SittingClosed(*_CLOSED[phase])
    if stands.navigation == Navigation.LINEAR and stands.position != stands.reached:
        raise SittingClosed(
            "passed", "This exam has no way back, and this question has been passed."
        )
    is_settled = stands.answered_at is not None
    if is_settled and sorted(work.chosen) != sorted(stands.chosen):
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


def _store(stands: _Stands, work: Work, at: datetime.datetime) -> Saved | None:
    """Write and commit the next version, or nothing if what stood was changed meanwhile.

    Raises:
        InvalidResponse: an option is foreign, too many are chosen, or the note is long.
    """
    response = parse(stands.item, work.chosen)
    if len(work.note) > LONGEST_NOTE:
        raise InvalidResponse(
            "note_too_long",
            f"A note has {LONGEST_NOTE} characters at most; yours has "
            f"{len(work.note)}. Shorten it, and it will be saved.",
        )
    stored = _STORE.rows(
        sitting=stands.sitting_id,
        sitting_row=stands.sitting_row,
        response_row=stands.response_row,
        item_id=stands.item_id,
        chosen=[key for key in stands.option_order if key in response.chosen],
        struck=[key for key in stands.option_order if key in set(work.struck)],
        is_flagged=work.is_flagged,
        note=work.note,
        seconds=clock.seconds_spent(
            stored=stands.seconds,
            claimed=work.seconds,
            since=stands.saved_at or stands.started_at,
            start=stands.started_at,
            at=at,
        ),
        at=at,
        mark=work.mark,
        first=max(len(stands.recent_saves) - saving.KEPT_SAVES + 2, 1),
    )
    if not stored:
        return None
    ((version, saved_at),) = stored
    return Saved(
        version=version,
        saved_at=saved_at,
        is_complete=response.is_complete(stands.item),
        time_left=clock.time_left(deadline=stands.deadline, at=at),
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
