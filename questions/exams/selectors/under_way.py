"""What every step through an exam asks for, in statements written out.

Putting such statements together takes Django longer than answering takes PostgreSQL,
and all sitters ask for them all the time.
"""

from __future__ import annotations

import datetime
import json
import uuid
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from accounts.selectors.prepared import Prepared
from questions.exams.models import Sitting
from questions.models import Certification


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose sitting it must be: an account's, or a visitor's participant's."""

    user_id: int | None = None
    participant_id: int | None = None


class StateRow(NamedTuple):
    """One item's response as the navigator and the script know it."""

    position: int
    version: int
    chosen: list[str]
    struck: list[str]
    is_flagged: bool
    note: str
    seconds: int
    saved_at: datetime.datetime | None
    answered_at: datetime.datetime | None
    choose: int

    @property
    def is_answered(self) -> bool:
        """Whether as many options are chosen as are asked for."""
        return len(self.chosen) >= self.choose

    @property
    def is_incomplete(self) -> bool:
        """Whether some are chosen, and too few."""
        return 0 < len(self.chosen) < self.choose


class OpenItem(NamedTuple):
    """One item as its sitter may see it: nothing of the key was read."""

    opened: dict[str, Any]
    option_order: list[str]
    rule: str


_FIELDS = [field.attname for field in Sitting._meta.concrete_fields]  # noqa: SLF001
_SITTING = Prepared(
    "exams_sitting",
    f"""
    SELECT {", ".join(f"s.{name}" for name in _FIELDS)}, c.code
      FROM exams_sitting s
      JOIN accounts_participant p ON p.id = s.participant_id
      JOIN questions_certification c ON c.id = s.certification_id
     WHERE s.public_id = %(sitting)s
       AND (p.user_id = %(user)s OR p.id = %(participant)s)
    """,  # noqa: S608  (names of fields)
    sitting="uuid",
    user="bigint",
    participant="bigint",
)
# OFFSET 0 has each response looked up by its key. While there are some thousands, the
# planner would rather read them all, which takes four times as long.
_STATE = Prepared(
    "exams_state",
    """
    SELECT i.position, r.version, r.chosen, r.struck, r.is_flagged, r.note, r.seconds,
           r.saved_at, r.answered_at,
           (SELECT v.choose FROM questions_revision v WHERE v.id = i.revision_id)
      FROM exams_sittingitem i
      JOIN LATERAL (
             SELECT * FROM exams_response WHERE item_id = i.id OFFSET 0
           ) r ON true
     WHERE i.sitting_id = %(sitting)s
     ORDER BY i.position
    """,
    sitting="bigint",
)
_ITEM = Prepared(
    "exams_item",
    """
    SELECT d.open, i.option_order, i.rule
      FROM exams_sittingitem i
      JOIN questions_publisheddocument d ON d.revision_id = i.revision_id
     WHERE i.sitting_id = %(sitting)s AND i.position = %(position)s
    """,
    sitting="bigint",
    position="integer",
)


def sitting_to_go_on_with(*, owner: Owner, public_id: uuid.UUID) -> Sitting | None:
    """Return a sitting with the code of its certification; what else is read loads."""
    rows = _SITTING.rows(
        sitting=public_id, user=owner.user_id, participant=owner.participant_id
    )
    for *values, code in rows:
        sitting: Sitting = Sitting.from_db(connection.alias, _FIELDS, values)
        certification = sitting.certification_id, code
        sitting.certification = Certification.from_db(
            connection.alias, ("id", "code"), certification
        )
        return sitting
    return None


def state_rows(*, sitting: Sitting) -> list[StateRow]:
    """Return the state of all items in order, in one query."""
    return [StateRow._make(row) for row in _STATE.rows(sitting=sitting.pk)]


def open_item(*, sitting: Sitting, position: int) -> OpenItem:
    """Return one item of a sitting that has this position; the key is not read."""
    rows = _ITEM.rows(sitting=sitting.pk, position=position)
    opened, option_order, rule = rows[0]
    return OpenItem(json.loads(opened), option_order, rule)
