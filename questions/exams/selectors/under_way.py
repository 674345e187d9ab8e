"""What every step through an exam asks for, in statements written out.

Putting such statements together takes Django longer than answering takes PostgreSQL,
and all sitters ask for them all the time.
"""

from __future__ import annotations

import datetime
import json
import uuid
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import connection

from accounts.selectors.prepared import Prepared
from questions.exams.domain.visibility import Feedback
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
    choose: int
    seconds: int = 0
    saved_at: datetime.datetime | None = None
    answered_at: datetime.datetime | None = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A sitting with the code of its certification, at one of its questions.

    What else is read of the sitting loads. ``item`` is missing out of range. ``told`` is
    the state of all items in JSON, as the exam's script reads it (``screens.exam.state_of``);
    ``rows`` are the same, without times. Both are empty where answers are checked at once.
    """

    sitting: Sitting
    position: int
    item: OpenItem | None
    told: str
    rows: list[StateRow]
    saved_at: datetime.datetime | None


_LAST_PLACE: Final = 32_767
_FIELDS = [field.attname for field in Sitting._meta.concrete_fields]  # noqa: SLF001
# OFFSET 0 has each response looked up by its key. While there are some thousands, the
# planner would rather read them all, which takes four times as long.
_STATE = Prepared(
    "exams_state",
    """
    SELECT i.position, r.version, r.chosen, r.struck, r.is_flagged, r.note,
           coalesce(i.choose, (SELECT v.choose FROM questions_revision v
                                WHERE v.id = i.revision_id)),
           r.seconds, r.saved_at, r.answered_at
      FROM exams_sittingitem i
      JOIN LATERAL (
             SELECT * FROM exams_response WHERE item_id = i.id OFFSET 0
           ) r ON true
     WHERE i.sitting_id = %(sitting)s
     ORDER BY i.position
    """,
    sitting="bigint",
)
# One statement for all that a page shows. PostgreSQL writes the JSON faster than rows
# are read and written here.
_PLACE = Prepared(
    "exams_place",
    f"""
    SELECT {", ".join(f"s.{name}" for name in _FIELDS)}, c.code,
           d.open, n.option_order, n.rule, state.told, state.saved_at
      FROM exams_sitting s
      JOIN accounts_participant p ON p.id = s.participant_id
      JOIN questions_certification c ON c.id = s.certification_id
      LEFT JOIN exams_sittingitem n
             ON n.sitting_id = s.id AND n.position = %(position)s
      LEFT JOIN questions_publisheddocument d ON d.revision_id = n.revision_id
     CROSS JOIN LATERAL (
             SELECT json_agg(
                      json_build_array(
                        i.position, r.version, r.chosen, r.struck, r.is_flagged, r.note,
                        coalesce(i.choose,
                                 (SELECT v.choose FROM questions_revision v
                                   WHERE v.id = i.revision_id))
                      ) ORDER BY i.position
                    )::text AS told,
                    max(r.saved_at) AS saved_at
               FROM exams_sittingitem i
               JOIN LATERAL (
                      SELECT * FROM exams_response WHERE item_id = i.id OFFSET 0
                    ) r ON true
              WHERE i.sitting_id = s.id AND s.feedback <> '{Feedback.AT_ONCE}'
           ) state
     WHERE s.public_id = %(sitting)s
       AND (p.user_id = %(user)s OR p.id = %(participant)s)
    """,  # noqa: S608  (names of fields)
    sitting="uuid",
    position="integer",
    user="bigint",
    participant="bigint",
)


def place_to_go_on_at(
    *, owner: Owner, public_id: uuid.UUID, position: int
) -> Place | None:
    """Return what the page of one question shows, in one query; no key is read."""
    rows = _PLACE.rows(
        sitting=public_id,
        position=position if position <= _LAST_PLACE else 0,
        user=owner.user_id,
        participant=owner.participant_id,
    )
    for *values, code, opened, option_order, rule, told, saved_at in rows:
        sitting: Sitting = Sitting.from_db(connection.alias, _FIELDS, values)
        sitting.certification = Certification.from_db(
            connection.alias, ("id", "code"), (sitting.certification_id, code)
        )
        return Place(
            sitting=sitting,
            position=position,
            item=opened and OpenItem(json.loads(opened), option_order, rule),
            told=told or "[]",
            rows=[StateRow(*each) for each in json.loads(told or "[]")],
            saved_at=saved_at,
        )
    return None


def state_rows(*, sitting: Sitting) -> list[StateRow]:
    """Return the state of all items in order, in one query."""
    return [StateRow._make(row) for row in _STATE.rows(sitting=sitting.pk)]
