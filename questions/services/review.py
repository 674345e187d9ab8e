"""Submit, approve, send back, publish, retire: one function a move."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from accounts import permissions
from accounts import services as people
from accounts.models import AuthorProfile, User
from questions import selectors
from questions.domain import checks, lifecycle
from questions.domain.lifecycle import Move, MoveRefused, Role, Status
from questions.models import (
    Question,
    QuestionEvent,
    Review,
    Revision,
    ScenarioRevision,
)
from questions.services import authoring, documents, locks

REVIEW_INTERVAL = datetime.timedelta(days=365)
"""How long a published question stands before somebody should read it again."""


class NotPublishable(Exception):
    """The item has problems. ``problems`` lists all that block, in reading order."""

    def __init__(self, problems: Sequence[checks.Problem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that a person could make now, or why they can't."""

    move: Move
    refusal: str = ""


def roles_of(user: User) -> frozenset[Role]:
    """Return the roles that ``user`` holds in the bank."""
    held = {
        Role.AUTHOR: permissions.may_author(user),
        Role.REVIEWER: permissions.may_review(user),
        Role.EDITOR: permissions.may_publish(user),
    }
    return frozenset(role for role, has in held.items() if has)


def open_moves(*, question: Question, by: User) -> list[OpenMove]:
    """List what ``by`` could do with the question now, refusals with their reason."""
    roles = roles_of(by)
    is_own = selectors.wrote_in(question=question, user=by)
    found: list[OpenMove] = []
    could = lifecycle.moves(status=Status(question.status), roles=roles)
    if question.is_live and Move.RETIRE not in could and Role.EDITOR in roles:
        could = (*could, Move.RETIRE)
    for move in could:
        try:
            lifecycle.step(
                status=_status_for(question, move),
                move=move,
                roles=roles,
                is_own=is_own,
                self_approval=settings.SELF_APPROVAL,
            )
        except MoveRefused as refused:
            found.append(OpenMove(move, refused.reason))
        else:
            found.append(OpenMove(move))
    return found


@transaction.atomic
def submit_question(*, question: Question, by: User, at: datetime.datetime) -> None:
    """Hand the latest revision to the reviewers.

    Raises:
        MoveRefused: it is not a draft, or ``by`` is no author.
    """
    _move(question, Move.SUBMIT, by=by, at=at)


@transaction.atomic
def withdraw_question(*, question: Question, by: User, at: datetime.datetime) -> None:
    """Take the question back from the reviewers.

    Raises:
        MoveRefused: it is not in review, or ``by`` is no author.
    """
    _move(question, Move.WITHDRAW, by=by, at=at)


@transaction.atomic
def approve_question(
    *,
    question: Question,
    revision: int,
    by: User,
    at: datetime.datetime,
    comment: str = "",
) -> None:
    """Stamp the revision that ``by`` has read as approved.

    Raises:
        MoveRefused: it is not in review, ``by`` may not approve it, or a newer
            revision than the one read was saved meanwhile.
    """
    locked = _move(
        question, Move.APPROVE, by=by, at=at, note=comment, expected=revision
    )
    Review.objects.create(
        revision=_latest(locked),
        reviewer=people.profile_of_user(user=by),
        verdict=Review.Verdict.APPROVED,
        comment=comment,
        reviewed_at=at,
    )


@transaction.atomic
def send_back_question(
    *, question: Question, by: User, at: datetime.datetime, comment: str
) -> None:
    """Give the question back to its author, saying what should change.

    Raises:
        MoveRefused: it is not in review or approved, ``by`` may not, or no comment.
    """
    if not comment.strip():
        raise MoveRefused("Say what should change: the author sees only your comment.")
    locked = _move(question, Move.SEND_BACK, by=by, at=at, note=comment)
    Review.objects.create(
        revision=_latest(locked),
        reviewer=people.profile_of_user(user=by),
        verdict=Review.Verdict.SENT_BACK,
        comment=comment,
        reviewed_at=at,
    )


@transaction.atomic
def publish_question(
    *, question: Question, revision: int, by: User, at: datetime.datetime
) -> None:
    """Let learners meet the latest revision.

    Raises:
        MoveRefused: this very revision is not approved, ``by`` may not publish it, or
            a newer revision than ``revision`` was saved meanwhile.
        NotPublishable: the item has problems that block.
    """
    locked = _move(question, Move.PUBLISH, by=by, at=at, expected=revision)
    latest = _latest(locked)
    approved = latest.reviews.filter(verdict=Review.Verdict.APPROVED)
    if not approved.exists():
        raise MoveRefused("Nobody has approved this revision. Submit it for review.")
    make_public(question=locked, at=at)


@transaction.atomic
def retire_question(
    *, question: Question, by: User, at: datetime.datetime, reason: str
) -> None:
    """Take the question out of practice and new exams. Past results keep it.

    Raises:
        MoveRefused: learners can't meet it anyway, or ``by`` is no editor.
    """
    locked = _move(question, Move.RETIRE, by=by, at=at, note=reason)
    locked.retired_at = at
    locked.changed_at = at
    locked.save(update_fields=["retired_at", "changed_at"])
    documents.touch_bank(locked.certification)


@transaction.atomic
def restore_question(*, question: Question, by: User, at: datetime.datetime) -> None:
    """Make a retired question a draft again; its page stays retired till published.

    Raises:
        MoveRefused: it is not retired, or ``by`` is no editor.
    """
    _move(question, Move.RESTORE, by=by, at=at)


def make_public(*, question: Question, at: datetime.datetime) -> None:
    """Point learners to the latest revision, whoever decided so.

    The caller holds the row's lock and has seen to permissions and approval.

    Raises:
        NotPublishable: the item has problems that block.
    """
    latest = _latest(question)
    item = latest.to_item()
    blocking = [
        problem
        for problem in selectors.problems_of(question=question, item=item)
        if problem.severity is checks.Severity.BLOCKING
    ]
    if blocking:
        raise NotPublishable(blocking)
    Revision.objects.filter(pk=latest.pk, published_at=None).update(published_at=at)
    if latest.scenario_revision_id is not None:
        ScenarioRevision.objects.filter(
            pk=latest.scenario_revision_id, published_at=None
        ).update(published_at=at)
    question.published_revision = latest
    question.status = Status.PUBLISHED
    question.retired_at = None
    question.changed_at = at
    question.review_due_date = (at + REVIEW_INTERVAL).date()
    question.save(
        update_fields=[
            "published_revision",
            "status",
            "retired_at",
            "changed_at",
            "review_due_date",
        ]
    )
    documents.store_document(revision=latest, item=item, at=at)
    documents.refresh_search(question=question, item=item)
    documents.touch_bank(question.certification)


@transaction.atomic
def record_import(
    *,
    question: Question,
    status: Status,
    reviewer: AuthorProfile | None,
    reviewed_at: datetime.datetime | None,
    at: datetime.datetime,
) -> None:
    """Bring a question that a file describes to the status that the file gives.

    What the file says of review is recorded as said by the import.

    Raises:
        NotPublishable: the file says published, and the item has problems that block.
    """
    locked = locks.lock_question(question)
    latest = _latest(locked)
    if reviewer is not None and reviewed_at is not None:
        Review.objects.get_or_create(
            revision=latest,
            reviewer=reviewer,
            verdict=Review.Verdict.APPROVED,
            defaults={"reviewed_at": reviewed_at},
        )
    if status is Status(locked.status):
        return
    kind = {
        Status.DRAFT: QuestionEvent.Kind.WITHDRAW,
        Status.IN_REVIEW: QuestionEvent.Kind.SUBMIT,
        Status.APPROVED: QuestionEvent.Kind.APPROVE,
        Status.PUBLISHED: QuestionEvent.Kind.PUBLISH,
        Status.RETIRED: QuestionEvent.Kind.RETIRE,
    }[status]
    if status in {Status.PUBLISHED, Status.RETIRED}:
        make_public(question=locked, at=at)
    if status is Status.RETIRED:
        locked.retired_at = at
        locked.changed_at = at
        documents.touch_bank(locked.certification)
    locked.status = status
    locked.save(update_fields=["status", "retired_at", "changed_at"])
    note = f"By import; approved by {reviewer}" if reviewer else "By import"
    authoring.record(locked, kind, by=None, at=at, revision=latest, note=note)


def _move(
    question: Question,
    move: Move,
    *,
    by: User,
    at: datetime.datetime,
    note: str = "",
    expected: int | None = None,
) -> Question:
    """Make the move and its event under the row's lock; return the locked row."""
    locked = locks.lock_question(question)
    latest = _latest(locked)
    if expected is not None and latest.number != expected:
        raise MoveRefused(
            f"Revision {latest.number} was saved after the one you read "
            f"({expected}). Read it first."
        )
    found = lifecycle.step(
        status=_status_for(locked, move),
        move=move,
        roles=roles_of(by),
        is_own=selectors.wrote_in(question=locked, user=by),
        self_approval=settings.SELF_APPROVAL,
    )
    authoring.record(
        locked, QuestionEvent.Kind(move.value), by=by, at=at, revision=latest, note=note
    )
    if move is Move.PUBLISH:
        return locked
    locked.status = found.to
    if found.to is Status.RETIRED:
        locked.retired_at = at
    locked.save(update_fields=["status", "retired_at"])
    return locked


def _status_for(question: Question, move: Move) -> Status:
    """Return the status that ``move`` starts from.

    What learners meet can be retired while its next revision is being written: a
    wrong key doesn't wait for a draft.
    """
    if move is Move.RETIRE and question.is_live:
        return Status.PUBLISHED
    return Status(question.status)


def _latest(question: Question) -> Revision:
    if question.latest_revision is None:
        raise MoveRefused("This question has no words yet. Write them first.")
    return question.latest_revision
