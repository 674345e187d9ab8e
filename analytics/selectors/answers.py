"""What people answered, from the log: each answer once, as it counts now.

A person is an account with all its participants, or a participant without one. Answers
come in the order in which they were first scored, those scored together by their place.
What was voided is left out, but its key was met: a later answer is no first attempt.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import connection

from accounts.models import Participant
from questions.exams.models import Sitting

EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
DAY: Final = 86_400_000_000
"""Microseconds in a day; moments are counted in microseconds since 1970."""

# A double holds today's moments to a quarter of a microsecond, and takes half the time
# of a decimal.
_COLUMNS = """
       l.item_id, l.question_id, l.revision_id, l.mode, l.chosen, l.seconds,
       l.points_numerator = l.points_denominator AND NOT l.was_shown, l.was_shown,
       (date_part('epoch', l.answered_at) * 1000000)::bigint,
       (date_part('epoch', l.logged_at) * 1000000)::bigint,
       l.number, l.cause = 'voided'
"""
_WHOLE = f"""
SELECT {_COLUMNS}, l.participant_id
  FROM analytics_responselog l
  JOIN questions_question q ON q.id = l.question_id
 WHERE l.participant_id = ANY(%(participants)s)
   AND q.certification_id = %(certification)s
   AND (%(before)s::timestamptz IS NULL OR l.logged_at < %(before)s)
"""  # noqa: S608  (no value is in it)

_KNOWN = """
  FROM unnest(%(users)s::bigint[], %(since)s::timestamptz[]) AS known (person, since)
  JOIN accounts_participant p ON p.user_id = known.person
"""
_EARLIER = f"""
SELECT known.person, array_agg(l.question_id)
  {_KNOWN}
  JOIN analytics_responselog l
    ON l.participant_id = p.id AND l.logged_at <= known.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
 GROUP BY known.person
"""
_NEW = f"""
SELECT {_COLUMNS}, known.person
  {_KNOWN}
  JOIN analytics_responselog l
    ON l.participant_id = p.id AND l.logged_at > known.since
  JOIN questions_question q ON q.id = l.question_id
 WHERE q.certification_id = %(certification)s
"""

_QUESTION, _SCORED_AT, _NUMBER, _IS_VOIDED, _WHOSE = 1, 9, 10, 11, 12
"""Places in a row; an answer begins with those before the number."""

_in_order_of_time = itemgetter(_SCORED_AT, 0)
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
    grouped = _grouped(rows, people)
    return {person: _history(own, ()) for person, own in grouped.items()}


def earlier(
    *, certification: int, since: Mapping[int, datetime.datetime]
) -> dict[int, list[int]]:
    """Return the questions of accounts' rows, each up to a moment; one query.

    One per row of the log, so that they can be counted, too.
    """
    return dict(_rows(_EARLIER, _asked(since, certification))) if since else {}


def news(
    *,
    certification: int,
    since: Mapping[int, datetime.datetime],
    met: Mapping[int, Iterable[int]],
) -> dict[int, History]:
    """Return what accounts answered, each after a moment; one query.

    ``met`` are the questions that each had met by then.
    """
    rows = _rows(_NEW, _asked(since, certification)) if since else []
    grouped = _grouped(rows, {user: user for user in since})
    return {user: _history(own, met.get(user, ())) for user, own in grouped.items()}


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


def _grouped(
    rows: Iterable[_Row], people: Mapping[int, int]
) -> defaultdict[int, list[_Row]]:
    """Return rows by person; ``people`` has the person of whom a row names.

    In the order in which they were logged: to sort them here, where they nearly are,
    takes less than in a statement.
    """
    found: defaultdict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[people[row[_WHOSE]]].append(row)
    for own in found.values():
        own.sort(key=_in_order_of_time)
    return found


def _history(rows: list[_Row], met: Iterable[int]) -> History:
    """Return what rows tell, of somebody who had met some questions before them."""
    is_plain = all(row[_NUMBER] == 1 for row in rows)
    known = set(met)
    answers = []
    for row in rows if is_plain else _as_they_count(rows):
        is_first = row[_QUESTION] not in known
        known.add(row[_QUESTION])
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
