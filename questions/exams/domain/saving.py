"""What becomes of a save: stored, repeated, or shown to its owner as stale.

A save names itself and the version of the response it was based on. So a retry is told
from a second thought, and two devices never undo each other in silence
(docs/decisions/0006).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

KEPT_SAVES = 40
"""How many of the last saves of a response can be told from new ones."""


class Outcome(StrEnum):
    """What to do with a save."""

    STORE = "store"
    REPEAT = "repeat"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The outcome, and the version that the reply names.

    For a repeat this is the version that the save became when it first came in.
    """

    outcome: Outcome
    version: int


def judge(
    *,
    mark: uuid.UUID,
    base_version: int,
    version: int,
    recent: Sequence[uuid.UUID],
) -> Judgement:
    """Return what becomes of a save of a response that stands at ``version``.

    ``mark`` tells the save from others. ``recent`` are those of the last saves in order;
    the last one made ``version``.
    """
    if mark in recent:
        behind = len(recent) - 1 - list(recent).index(mark)
        return Judgement(outcome=Outcome.REPEAT, version=version - behind)
    if base_version != version:
        return Judgement(outcome=Outcome.STALE, version=version)
    return Judgement(outcome=Outcome.STORE, version=version + 1)
