"""What people answered, from the log: each answer once, as it counts now.

A person is an account with all its participants, or a participant without one. Answers
come in the order in which they were first scored, those scored together by their place.
What was voided is left out, but its key was met: a later answer is no first attempt.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import connection

from accounts.models import Participant
from questions.exams.models import Sitting

EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DAY: Final = 86_400_000_000
"""Microseconds in a day; moments are counted in microseconds since 1970."""

_COLUMNS = """
       l.item_id, l.question_id, l.revision_id, l.mode, l.chosen, l.seconds,
       l.points_numerator = l.points_denominator AND NOT l.was_shown, l.was_shown,
       (extract(epoch FROM l.answered_at) * 1000000)::bigint,
       (extract(epoch FROM l.logged_at) * 1000000)::bigint,
       l.number, l.cause = 'voided'
"""
_WHOLE = f"""
SELECT {_COLUMNS}, FALSE, l.participant_id
  FROM analytics_responselog l
  JOIN questions_question q ON q.id = l.question_id
 WHERE l.participant_id = ANY(%(participants)s)
   AND q.certification_id = %(certification)s
   AND (%(before)s::timestamptz IS NULL OR l.logged_at < %(before)s)
 ORDER BY l.logged_at, l.item_id
"""  # noqa: S608  (no value is in it)

_KNOWN = """
  FROM unnest(%(users)s::bigint[], %(since)s::timestamptz[]) AS known (person, since)
  JOIN accounts_participant p ON p.user_id = known.person
"""
_COUNTS = f"""
SELECT known.person, count(*)
  {_KNOWN}
  JOIN analytics_responselog l
    ON l.participant_id = p.id AND l.logged_at <= known.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
 GROUP BY known.person
"""
_NEW = f"""
SELECT {_COLUMNS}, EXISTS (
           SELECT FROM accounts_participant own
             JOIN analytics_responselog b ON b.participant_id = own.id
            WHERE own.user_id = known.person AND b.question_id = l.question_id
              AND b.logged_at <= known.since),
       known.person
  {_KNOWN}
  JOIN analytics_responselog l
    ON l.participant_id = p.id AND l.logged_at > known.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
 ORDER BY l.logged_at, l.item_id
"""  # noqa: S608

_SCORED_AT, _NUMBER, _IS_VOIDED, _WAS_MET, _WHOSE = 9, 10, 11, 12, 13
"""Places in a row, after those that an answer begins with."""

_Row: TypeAlias = tuple[Any, ...]


class Answered(NamedTuple):
    """One answer as it counts now. ``is_right`` means full marks.

    ``is_first`` says that its person had not met the key before; with ``was_shown`` the
    answer was only asked for, which is no attempt. Moments as ``DAY`` has them.
    """

    item: int
    question: int
    revision: int
    mode: str
    chosen: list[str]
    seconds: int
    is_right: bool
    was_shown: bool
    answered_at: int
    scored_at: int
    is_first: bool

    @property
    def is_attempt(self) -> bool:
        """Say whether it was tried: what a mock left unanswered counts as wrong."""
        return (
            bool(self.chosen or self.mode == Sitting.Mode.MOCK) and not self.was_shown
        )

    @property
    def is_first_attempt(self) -> bool:
        """Say whether this tells of ability, not of memory."""
        return self.is_first and self.is_attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Somebody's answers, with how many rows of the log they are and up to when.

    ``is_plain`` says that no row takes an earlier one's place.
    """

    answers: tuple[Answered, ...] = ()
    rows: int = 0
    through: datetime.datetime | None = None
    is_plain: bool = True


def participants_of(*, users: Iterable[int]) -> dict[int, int]:
    """Return the participants of accounts, each with its account."""
    owned = Participant.objects.filter(user__in=users)
    return dict(owned.values_list("pk", "user_id"))


def account_of(*, participant: int) -> int | None:
    """Return the account that a participant belongs to, if to any."""
    found = Participant.objects.filter(pk=participant)
    return found.values_list("user", flat=True).first()


def histories(
    *,
    people: Mapping[int, int],
    certification: int,
    before: datetime.datetime | None = None,
) -> dict[int, History]:
    """Return all that people answered in a certification, in one query.

    ``people`` are participants, each with a number of its person; those who have
    answered nothing are left out. ``before`` shows the log as it was at a moment.
    """
    if not people:
        return {}
    rows = _rows(
        _WHOLE,
        {
            "participants": list(people),
            "certification": certification,
            "before": before,
        },
    )
    # Of one person's participants, rows must stay in the order of time.
    whose = [(*row[:_WHOSE], people[row[_WHOSE]]) for row in rows]
    return {person: _history(own) for person, own in _grouped(whose).items()}


def news(
    *, certification: int, since: Mapping[int, datetime.datetime]
) -> dict[int, History]:
    """Return what accounts answered, each after a moment; one query."""
    rows = _rows(_NEW, _asked(since, certification)) if since else []
    return {user: _history(own) for user, own in _grouped(rows).items()}


def row_counts(
    *, certification: int, since: Mapping[int, datetime.datetime]
) -> dict[int, int]:
    """Return how many rows accounts' logs have, each up to a moment; one query."""
    return dict(_rows(_COUNTS, _asked(since, certification))) if since else {}


def moment(microseconds: int) -> datetime.datetime:
    """Return a moment of the log as a datetime, exactly."""
    return EPOCH + datetime.timedelta(microseconds=microseconds)


def day_of(at: datetime.datetime) -> float:
    """Return a moment in days since 1970."""
    return (at - EPOCH) / datetime.timedelta(days=1)


def _asked(
    since: Mapping[int, datetime.datetime], certification: int
) -> dict[str, Any]:
    return {
        "users": list(since),
        "since": list(since.values()),
        "certification": certification,
    }


def _rows(sql: str, asked: dict[str, Any]) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        found: list[_Row] = cursor.fetchall()
    return found


def _grouped(rows: Sequence[_Row]) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = {}
    for row in rows:
        found.setdefault(row[_WHOSE], []).append(row)
    return found


def _history(rows: list[_Row]) -> History:
    """Return what rows tell; they come in the order in which they were logged."""
    is_plain = all(row[_NUMBER] == 1 for row in rows)
    met: set[int] = set()
    answers = []
    for row in rows if is_plain else _as_they_count(rows):
        question = row[1]
        is_first = not row[_WAS_MET] and question not in met
        met.add(question)
        if not row[_IS_VOIDED]:
            answers.append(Answered._make((*row[:_NUMBER], is_first)))
    return History(
        answers=tuple(answers),
        rows=len(rows),
        through=moment(rows[-1][_SCORED_AT]),
        is_plain=is_plain,
    )


def _as_they_count(rows: list[_Row]) -> list[_Row]:
    """Return the last row of each answer, in the order of their first ones."""
    counting: dict[int, _Row] = {}
    scored_at: dict[int, int] = {}
    for row in rows:
        former = counting.get(row[0])
        if former is None or row[_NUMBER] > former[_NUMBER]:
            counting[row[0]] = row
        scored_at.setdefault(row[0], row[_SCORED_AT])
    return [
        (*row[:_SCORED_AT], scored_at[item], *row[_NUMBER:])
        for item, row in sorted(
            counting.items(), key=lambda each: (scored_at[each[0]], each[0])
        )
    ]
