"""The log of one certification as arrays, for whoever works on all of it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.db import connection

from analytics.domain import attempts
from analytics.domain.arrays import Bools, Floats, Ints
from analytics.selectors import copying
from questions.exams.models import Sitting

MODES: Final = (
    Sitting.Mode.PRACTICE.value,
    Sitting.Mode.MOCK.value,
    Sitting.Mode.REVIEW.value,
)
"""The modes by their numbers."""

_MOCK: Final = MODES.index(Sitting.Mode.MOCK.value)
_NO_MODE: Final = 3
_DAY: Final = 86_400_000_000

# Nobody simulated, in any statement here.
_ROWS: Final = """
  FROM analytics_responselog l
  JOIN accounts_participant p ON p.id = l.participant_id AND NOT p.is_simulated
  JOIN questions_question q ON q.id = l.question_id AND q.certification_id = %s
"""
_MARK: Final = f"SELECT COALESCE(max(l.id), 0), count(*) {_ROWS}"
_AFTER: Final = f"SELECT count(*) {_ROWS} WHERE l.id > %s"

PERSON: Final = "COALESCE(p.user_id * 2, p.id * 2 + 1)"
"""A person is an account with all its participants, or a participant without one."""

CHOSEN: Final = "hash_array_extended(l.chosen, l.revision_id)"
"""A digest of what was chosen of what: lists differ in length, and records must not."""

_LOGGED: Final = f"""
SELECT l.item_id, l.number, {PERSON}, l.revision_id, {CHOSEN},
       (CASE l.mode WHEN 'practice' THEN 0 WHEN 'mock' THEN 1 WHEN 'review' THEN 2
             ELSE {_NO_MODE} END
        + CASE WHEN l.cause = 'voided' THEN 4 ELSE 0 END
        + CASE WHEN l.was_shown THEN 8 ELSE 0 END
        + CASE WHEN l.points_numerator = l.points_denominator THEN 16 ELSE 0 END
        + CASE WHEN l.chosen = '{{}}' THEN 32 ELSE 0 END)::smallint,
       l.seconds, l.logged_at
{_ROWS} WHERE l.id <= %s
"""
_LOGGED_COLUMNS: Final = {
    "item": "i8",
    "number": "i2",
    "person": "i8",
    "revision": "i8",
    "chosen": "i8",
    "flags": "i2",
    "seconds": "i4",
    "logged_at": "i8",
}
_MODE, _VOIDED, _SHOWN, _RIGHT, _OMITTED = 3, 4, 8, 16, 32

_CHOICES: Final = """
SELECT DISTINCT ON (w.place) l.revision_id, l.chosen
  FROM unnest(%s::bigint[], %s::smallint[]) WITH ORDINALITY AS w (item, number, place)
  LEFT JOIN analytics_responselog l ON l.item_id = w.item AND l.number = w.number
 ORDER BY w.place
"""

_BANK: Final = """
SELECT r.id, r.question_id, r.number, r.choose, a.domain_id, a.objective_id,
       o.keys, o.are_keys
  FROM questions_revision r
  JOIN questions_question q ON q.id = r.question_id AND q.certification_id = %s
  JOIN LATERAL (
        SELECT array_agg(o.key ORDER BY o.position) AS keys,
               array_agg(o.is_key ORDER BY o.position) AS are_keys
          FROM questions_option o WHERE o.revision_id = r.id
       ) o ON o.keys IS NOT NULL
  LEFT JOIN questions_alignment a ON a.question_id = q.id AND a.blueprint_id = %s
 ORDER BY r.question_id, r.number
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A revision as statistics need it; its options in the author's order."""

    revision: int
    question: int
    choose: int
    domain: int | None
    objective: int | None
    options: tuple[str, ...]
    keys: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstAttempts:
    """First attempts of real people, an entry per attempt.

    ``learner`` counts from 0 and never falls; each learner's are in the order in which
    they were scored. ``revision`` counts through the bank that was asked for, ``mode``
    through ``MODES``. ``day`` is counted from the first of 2000. ``chosen`` are places
    of the choices that were asked for.
    """

    learner: Ints
    revision: Ints
    mode: Ints
    is_right: Bools
    is_omitted: Bools
    seconds: Ints
    day: Floats
    chosen: Ints
    learners: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choices:
    """All that was ever chosen: a row per revision and set of options.

    The columns of ``options`` are the options in the author's order. ``digests`` rise.
    The last row has no options: it stands for what is not among the others.
    """

    digests: Ints
    options: Bools

    def places(self, *, digests: Ints) -> Ints:
        """Return the rows of what was chosen."""
        last = len(self.digests)
        if not last:
            return np.zeros(len(digests), dtype=np.int32)
        place = np.minimum(np.searchsorted(self.digests, digests), last - 1)
        is_there = self.digests[place] == digests
        return np.where(is_there, place, last).astype(np.int32)


def mark(*, certification_id: int) -> tuple[int, int]:
    """Return the highest id of the certification's log, and how many rows there are."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK, [certification_id])
        through, rows = cursor.fetchone()
    return int(through), int(rows)


def rows_after(*, certification_id: int, through: int) -> int:
    """Return how many rows the log has beyond the id ``through``."""
    with connection.cursor() as cursor:
        cursor.execute(_AFTER, [certification_id, through])
        (rows,) = cursor.fetchone()
    return int(rows)


def bank(*, certification_id: int, blueprint_id: int | None) -> list[Asked]:
    """Return all revisions, with their places in a blueprint version if it has them.

    Those of a question together, the oldest first.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BANK, [certification_id, blueprint_id])
        return [
            Asked(
                revision=revision,
                question=question,
                choose=choose,
                domain=domain,
                objective=objective,
                options=tuple(options),
                keys=tuple(keys),
            )
            for (
                revision,
                question,
                _number,
                choose,
                domain,
                objective,
                options,
                keys,
            ) in cursor.fetchall()
        ]


def first_attempts(
    *, certification_id: int, through: int, asked: Sequence[Asked]
) -> tuple[FirstAttempts, Choices]:
    """Return the first attempts among the log's rows up to the id ``through``.

    And all that was chosen in those rows, first attempts or not.

    A person's earliest answer to a question tells: if the answer was shown, if the
    sitting was voided, or if practice ended without an answer, there is no first
    attempt at the question. What a mock exam left unanswered is a wrong answer.
    """
    reader = _Reader(asked=asked)
    rows = copying.read(
        sql=_LOGGED,
        params=[certification_id, through],
        columns=_LOGGED_COLUMNS,
        take=reader.take,
    )
    flags = reader.column("flags")
    is_unanswered = (flags & _OMITTED > 0) & (flags & _MODE != _MOCK)
    people, person = np.unique(reader.column("person"), return_inverse=True)
    revision = reader.column("revision")
    _, questions = np.unique([each.question for each in asked], return_inverse=True)
    firsts = attempts.first_attempts(
        item=reader.column("item"),
        number=reader.column("number"),
        person=person,
        question=questions[revision] if len(revision) else revision,
        logged_at=reader.column("logged_at"),
        is_attempt=(flags & (_VOIDED | _SHOWN) == 0) & ~is_unanswered,
    )
    kept, learner = np.unique(person[firsts.row], return_inverse=True)
    del people, person
    flags = flags[firsts.row]
    chosen = _choices(reader, asked)
    found = FirstAttempts(
        learner=learner.astype(np.int64),
        revision=revision[firsts.row].astype(np.int64),
        mode=(flags & _MODE).astype(np.int8),
        is_right=flags & _RIGHT > 0,
        is_omitted=flags & _OMITTED > 0,
        seconds=reader.column("seconds")[firsts.row],
        day=firsts.scored_at / _DAY,
        chosen=chosen.places(digests=reader.column("chosen")[firsts.row]),
        learners=len(kept),
        rows=rows,
    )
    return found, chosen


def _choices(reader: _Reader, asked: Sequence[Asked]) -> Choices:
    """Return what was chosen, looking each digest up in one row that has it."""
    digests, example = np.unique(reader.column("chosen"), return_index=True)
    items = reader.column("item")[example].tolist()
    numbers = reader.column("number")[example].tolist()
    with connection.cursor() as cursor:
        cursor.execute(_CHOICES, [items, numbers])
        found = cursor.fetchall()
    options = {each.revision: each.options for each in asked}
    widest = max((len(each.options) for each in asked), default=0)
    table = np.zeros((len(found) + 1, widest), dtype=bool)
    for place, (revision, keys) in enumerate(found):
        for column, key in enumerate(options.get(revision, ())):
            table[place, column] = key in keys
    return Choices(digests=digests, options=table)


class _Reader:
    """Keeps the columns of a stream in small types."""

    def __init__(self, *, asked: Sequence[Asked]) -> None:
        ids = np.array([each.revision for each in asked], dtype=np.int64)
        self._order = np.argsort(ids)
        self._ids = ids[self._order]
        self._blocks: dict[str, list[Any]] = {name: [] for name in _LOGGED_COLUMNS}
        self._columns: dict[str, Any] = {}

    def take(self, records: copying.Records) -> None:
        for name, kind in _LOGGED_COLUMNS.items():
            column = records[name].astype(kind)
            if name == "revision":
                place = np.searchsorted(self._ids, column)
                column = self._order[place].astype(np.int32)
            self._blocks[name].append(column)

    def column(self, name: str) -> Any:
        """Return a whole column; its blocks are let go."""
        if name not in self._columns:
            blocks = self._blocks.pop(name)
            empty = np.zeros(0, dtype=_LOGGED_COLUMNS[name])
            self._columns[name] = np.concatenate(blocks) if blocks else empty
        return self._columns[name]
