"""From draft to published to retired: which moves there are, and who may make them.

The status is that of a question's newest revision. Whether a question can be met by
learners is another matter: while a new revision is being written, the published one
stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Where the newest revision of a question stands."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    PUBLISHED = "published"
    RETIRED = "retired"


class Role(StrEnum):
    """What a person may do in the bank. One person may hold several."""

    AUTHOR = "author"
    REVIEWER = "reviewer"
    EDITOR = "editor"


class Move(StrEnum):
    """What can be done to a question, apart from writing in it."""

    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    APPROVE = "approve"
    SEND_BACK = "send_back"
    PUBLISH = "publish"
    RETIRE = "retire"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One allowed move: who may make it, and what comes of it.

    ``never_own`` moves are closed to the author, and to everyone who wrote what is not yet
    published of the question.
    """

    role: Role
    to: Status
    never_own: bool = False


STEPS: dict[tuple[Status, Move], Step] = {
    (Status.DRAFT, Move.SUBMIT): Step(role=Role.AUTHOR, to=Status.IN_REVIEW),
    (Status.IN_REVIEW, Move.WITHDRAW): Step(role=Role.AUTHOR, to=Status.DRAFT),
    (Status.IN_REVIEW, Move.APPROVE): Step(
        role=Role.REVIEWER, to=Status.APPROVED, never_own=True
    ),
    (Status.IN_REVIEW, Move.SEND_BACK): Step(role=Role.REVIEWER, to=Status.DRAFT),
    (Status.APPROVED, Move.SEND_BACK): Step(role=Role.REVIEWER, to=Status.DRAFT),
    (Status.APPROVED, Move.PUBLISH): Step(
        role=Role.EDITOR, to=Status.PUBLISHED, never_own=True
    ),
    (Status.PUBLISHED, Move.RETIRE): Step(role=Role.EDITOR, to=Status.RETIRED),
    (Status.RETIRED, Move.RESTORE): Step(role=Role.EDITOR, to=Status.DRAFT),
}

AFTER_WRITING = Status.DRAFT
"""A new revision starts over: nobody has read it yet."""


class MoveRefused(ValueError):
    """The move is not open now, or not to this person. ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_NOUN = {
    Move.SUBMIT: "submitted for review",
    Move.WITHDRAW: "withdrawn from review",
    Move.APPROVE: "approved",
    Move.SEND_BACK: "sent back",
    Move.PUBLISH: "published",
    Move.RETIRE: "retired",
    Move.RESTORE: "restored",
}
_ADJECTIVE = {
    Status.DRAFT: "a draft",
    Status.IN_REVIEW: "in review",
    Status.APPROVED: "approved",
    Status.PUBLISHED: "published",
    Status.RETIRED: "retired",
}
_OWN = {
    Move.APPROVE: "You wrote in this question, so somebody else approves it.",
    Move.PUBLISH: "You wrote in this question, so another editor publishes it.",
}


def step(
    *,
    status: Status,
    move: Move,
    roles: frozenset[Role],
    is_own: bool,
    self_approval: bool = False,
) -> Step:
    """Return the step that ``move`` takes from ``status``.

    ``is_own`` says that the person wrote in the question; ``self_approval`` is the
    setting for a house of one.

    Raises:
        MoveRefused: there is no such step, the role is missing, or it is their own.
    """
    found = STEPS.get((status, move))
    if found is None:
        starts = [_ADJECTIVE[at] for (at, what) in STEPS if what is move]
        raise MoveRefused(
            f"Only a question that is {' or '.join(starts)} can be {_NOUN[move]}; "
            f"this one is {_ADJECTIVE[status]}."
        )
    if found.role not in roles:
        article = "an" if found.role[0] in "ae" else "a"
        raise MoveRefused(
            f"Only {article} {found.role} can do this: it can't be {_NOUN[move]} by you."
        )
    if found.never_own and is_own and not self_approval:
        raise MoveRefused(_OWN[move])
    return found


def moves(
    *,
    status: Status,
    roles: frozenset[Role],
) -> tuple[Move, ...]:
    """Return the moves from ``status`` that one of ``roles`` could make, in order."""
    return tuple(
        move
        for move in Move
        if (found := STEPS.get((status, move))) is not None and found.role in roles
    )
