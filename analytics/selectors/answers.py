"""What people answered, from the log: each answer once, as it counts now.

A person is an account with all its participants, or a participant without one. Answers
come in the order in which they were first scored, those scored together by their place.
What was voided is left out, but its key was met: a later answer is no first attempt.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import connection

from accounts.models import Participant

EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DAY: Final = 86_400_000_000
"""Microseconds in a day; moments are counted in microseconds since 1970."""

_COLUMNS = """
       l.participant_id, l.item_id, l.number, l.question_id, l.revision_id, l.mode,
       l.chosen, l.seconds, l.points_numerator = l.points_denominator, l.was_shown,
       l.cause = 'voided',
       (extract(epoch FROM l.answered_at) * 1000000)::bigint,
       (extract(epoch FROM l.logged_at) * 1000000)::bigint
"""
_WHOLE = f"""
SELECT {_COLUMNS}, FALSE
  FROM analytics_responselog l
  JOIN questions_question q ON q.id = l.question_id
 WHERE l.participant_id = ANY(%(participants)s)
   AND q.certification_id = %(certification)s
   AND (%(before)s::timestamptz IS NULL OR l.logged_at < %(before)s)
"""  # noqa: S608  (no value is in it)

_PEOPLE = """
WITH people (participant, person, since) AS (
    SELECT * FROM unnest(%(participants)s::bigint[], %(persons)s::bigint[],
                         %(since)s::timestamptz[])
)
"""
_COUNTS = f"""{_PEOPLE}
SELECT people.person, count(*)
  FROM people
  JOIN analytics_responselog l
    ON l.participant_id = people.participant AND l.logged_at <= people.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
 GROUP BY people.person
"""  # noqa: S608
_NEW = f"""{_PEOPLE}
SELECT {_COLUMNS}, EXISTS (
           SELECT FROM people own
             JOIN analytics_responselog b ON b.participant_id = own.participant
            WHERE own.person = people.person AND b.question_id = l.question_id
              AND b.logged_at <= people.since)
  FROM people
  JOIN analytics_responselog l
    ON l.participant_id = people.participant AND l.logged_at > people.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
"""  # noqa: S608


class Answered(NamedTuple):
    """One answer as it counts now. ``is_right`` means full marks.

    ``is_first`` says that its person had not met the key before; with ``was_shown`` the
    answer was only asked for, which is no attempt. Moments as ``DAY`` has them.
    """

    item: int
    question: int
    revision: int
    mode: str
    chosen: tuple[str, ...]
    seconds: int
    is_right: bool
    was_shown: bool
    answered_at: int
    scored_at: int
    is_first: bool

    @property
    def is_first_attempt(self) -> bool:
        """Say whether this tells of ability, not of memory."""
        return self.is_first and not self.was_shown


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
    asked = {
        "participants": list(people),
        "certification": certification,
        "before": before,
    }
    return _by_person(people, _rows(_WHOLE, asked))


def news(
    *,
    people: Mapping[int, int],
    certification: int,
    since: Mapping[int, datetime.datetime],
) -> dict[int, History]:
    """Return what each person answered after ``since``, and only that; one query."""
    asked = _asked(people, since, certification)
    return _by_person(people, _rows(_NEW, asked))


def row_counts(
    *,
    people: Mapping[int, int],
    certification: int,
    since: Mapping[int, datetime.datetime],
) -> dict[int, int]:
    """Return how many rows each person's log has up to ``since``; one query."""
    return dict(_rows(_COUNTS, _asked(people, since, certification)))


def moment(microseconds: int) -> datetime.datetime:
    """Return a moment of the log as a datetime, exactly."""
    return EPOCH + datetime.timedelta(microseconds=microseconds)


def day_of(at: datetime.datetime) -> float:
    """Return a moment in days since 1970."""
    return (at - EPOCH) / datetime.timedelta(days=1)


def _asked(
    people: Mapping[int, int],
    since: Mapping[int, datetime.datetime],
    certification: int,
) -> dict[str, Any]:
    known = [(each, person) for each, person in people.items() if person in since]
    return {
        "participants": [each for each, _ in known],
        "persons": [person for _, person in known],
        "since": [since[person] for _, person in known],
        "certification": certification,
    }


def _rows(sql: str, asked: dict[str, Any]) -> list[tuple[Any, ...]]:
    if not asked["participants"]:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _by_person(
    people: Mapping[int, int], rows: Sequence[tuple[Any, ...]]
) -> dict[int, History]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(people[row[0]], []).append(row)
    return {person: _history(own) for person, own in found.items()}


def _history(rows: list[tuple[Any, ...]]) -> History:
    counting: dict[int, tuple[Any, ...]] = {}
    scored_at: dict[int, int] = {}
    for row in rows:
        item, number, logged_at = row[1], row[2], row[12]
        former = counting.get(item)
        if former is None or number > former[2]:
            counting[item] = row
        scored_at[item] = min(scored_at.get(item, logged_at), logged_at)
    met: set[int] = set()
    answers = []
    for item in sorted(counting, key=lambda item: (scored_at[item], item)):
        row = counting[item]
        question, is_voided, was_met = row[3], row[10], row[13]
        is_first = not was_met and question not in met
        met.add(question)
        if not is_voided:
            answers.append(_answered(row, scored_at[item], is_first=is_first))
    return History(
        answers=tuple(answers),
        rows=len(rows),
        through=moment(max(row[12] for row in rows)),
        is_plain=all(row[2] == 1 for row in rows),
    )


def _answered(row: tuple[Any, ...], scored_at: int, *, is_first: bool) -> Answered:
    return Answered(
        item=row[1],
        question=row[3],
        revision=row[4],
        mode=row[5],
        chosen=tuple(row[6]),
        seconds=row[7],
        is_right=row[8] and not row[9],
        was_shown=row[9],
        answered_at=row[11],
        scored_at=scored_at,
        is_first=is_first,
    )
