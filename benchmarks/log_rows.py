"""Millions of logged answers of people who never were, for a throwaway database.

Who is able and what is hard is drawn from known curves, so that what calibration finds
can be held against it. Rows go in by COPY; the database joins what they chose. Foreign
keys are not looked at meanwhile: the rows name sittings that nobody sat.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from django.db import connection, transaction

from analytics.domain import irt
from analytics.domain.arrays import Bools, Ints
from benchmarks.calibration import asked
from questions.models import Certification, Revision

_BLOCK: Final = 500_000
_SESSION: Final = 15
"""Answers in a row; every fourth time they are a mock exam, scored at its end."""

_MINUTE: Final = 60_000_000
_DAY: Final = 1_440 * _MINUTE
_LOG: Final = "analytics_responselog"

_STAGED: Final = {
    "item": "i8",
    "number": "i2",
    "participant": "i8",
    "choice": "i4",
    "is_mock": "i2",
    "position": "i2",
    "seconds": "i4",
    "logged_at": "i8",
}
_STAGING: Final = """
DROP TABLE IF EXISTS staged, choice;
CREATE TEMP TABLE choice
  (id int, question bigint, revision bigint, chosen text[], is_right smallint);
CREATE TEMP TABLE staged
  (item bigint, number smallint, participant bigint, choice int, is_mock smallint,
   position smallint, seconds int, logged_at timestamptz);
"""
_INSERT: Final = """
INSERT INTO analytics_responselog
  (participant_id, question_id, revision_id, item_id, number, cause, mode, position,
   chosen, was_shown, points_numerator, points_denominator, seconds, answered_at,
   logged_at)
SELECT s.participant, c.question, c.revision, s.item, s.number,
       CASE s.number WHEN 1 THEN 'scored' ELSE 'regraded' END,
       CASE s.is_mock WHEN 1 THEN 'mock' ELSE 'practice' END, s.position,
       c.chosen, false, c.is_right, 1, s.seconds, s.logged_at, s.logged_at
  FROM staged s JOIN choice c ON c.id = s.choice
"""
_PEOPLE: Final = """
INSERT INTO accounts_user
  (password, is_superuser, email, display_name, is_staff, is_active, joined_at,
   time_allowance)
SELECT '!', false, 'bench-' || n || '@example.org', '', false, true, now(), 1
  FROM generate_series(%(first)s, %(last)s) n;
INSERT INTO accounts_participant (public_id, created_at, user_id)
SELECT gen_random_uuid(), now(), u.id FROM accounts_user u
 WHERE u.email LIKE 'bench-%%'
   AND NOT EXISTS (SELECT 1 FROM accounts_participant p WHERE p.user_id = u.id)
 ORDER BY u.id
RETURNING id;
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Written:
    """What was written, and what is true of it: an entry per revision of the bank."""

    rows: int
    answers: int
    revisions: Ints
    questions: irt.Questions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Choices:
    """What can be chosen: those of a question together, the right one first."""

    begins: Ints
    counts: Ints


def write(
    *, certification: Certification, learners: int, seed: int, days: int = 90
) -> Written:
    """Add answers of ``learners`` new accounts: 10 to 110 each, about 60 on average.

    Some are repeats, and some were graded again. Needs a superuser's connection.
    """
    rng = np.random.default_rng(seed)
    revisions = list(
        Revision.objects.filter(
            published_of__certification=certification,
            published_of__retired_at__isnull=True,
        )
        .prefetch_related("options")
        .order_by("pk")
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(_STAGING)
        choices = _write_choices(revisions)
        people = _write_people(learners)
        truth = _truth(revisions, rng)
        rows, answers = _staged(truth, choices, people, days, rng)
        _copy(table="staged", columns=_STAGED, rows=rows)
        indexes = _without_indexes()
        cursor.execute(_INSERT)
        for index in indexes:
            cursor.execute(index)
        cursor.execute("DROP TABLE staged, choice")
    with connection.cursor() as cursor:
        for table in (_LOG, "accounts_participant", "accounts_user"):
            cursor.execute(f"VACUUM ANALYZE {table}")
    return Written(
        rows=len(rows["item"]),
        answers=answers,
        revisions=np.array([revision.pk for revision in revisions]),
        questions=truth,
    )


def _truth(revisions: list[Revision], rng: np.random.Generator) -> irt.Questions:
    slope = rng.lognormal(0.0, 0.35, len(revisions))
    difficulty = rng.normal(0.0, 1.2, len(revisions))
    guess = [
        irt.guessing_floor(options=len(r.options.all()), keys=r.choose)
        for r in revisions
    ]
    return irt.Questions(
        slope=slope, easiness=-slope * difficulty, guess=np.array(guess)
    )


def _write_people(learners: int) -> Ints:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM accounts_user WHERE email LIKE 'bench-%'")
        (there,) = cursor.fetchone()
        cursor.execute(_PEOPLE, {"first": there + 1, "last": there + learners})
        return np.array([row[0] for row in cursor.fetchall()], dtype=np.int64)


def _write_choices(revisions: list[Revision]) -> _Choices:
    lines: list[str] = []
    counts: list[int] = []
    for revision in revisions:
        sets = _sets(revision)
        counts.append(len(sets))
        for keys in sets:
            is_right = int(keys is sets[0])
            chosen = "{" + ",".join(keys) + "}"
            lines.append(
                f"{len(lines)}\t{revision.question_id}\t{revision.pk}\t{chosen}"
                f"\t{is_right}\n"
            )
    with connection.cursor() as cursor:
        cursor.copy_expert("COPY choice FROM STDIN", io.StringIO("".join(lines)))
        cursor.execute("ANALYZE choice")
    each = np.array(counts, dtype=np.int64)
    return _Choices(begins=np.cumsum(each) - each, counts=each)


def _sets(revision: Revision) -> list[tuple[str, ...]]:
    """Return what people choose of a revision: all of its keys first, then mistakes."""
    options = sorted(revision.options.all(), key=lambda option: option.position)
    right = tuple(option.key for option in options if option.is_key)
    others = combinations((option.key for option in options), revision.choose)
    return [right, *(keys for keys in others if keys != right)]


def _staged(
    truth: irt.Questions,
    choices: _Choices,
    people: Ints,
    days: int,
    rng: np.random.Generator,
) -> tuple[dict[str, Ints], int]:
    """Return the rows in the order of time, and how many are no repeats or regrades."""
    each = rng.integers(10, 111, len(people))
    ability = np.repeat(rng.normal(size=len(people)), each)
    turn = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    question = asked(questions=len(truth.slope), each=each, rng=rng)
    is_mock = (turn // _SESSION) % 4 == 3
    is_repeat = ~is_mock & (turn % 32 == 31)
    question[is_repeat] = question[np.flatnonzero(is_repeat) - 9]
    guess = truth.guess[question]
    z = truth.slope[question] * ability + truth.easiness[question]
    chance = guess + (1.0 - guess) / (1.0 + np.exp(-z))
    is_wrong = rng.random(len(z)) >= chance
    mistake = 1 + rng.integers(0, choices.counts[question] - 1)
    at = _moments(each, turn, is_mock, days, rng)
    order = np.argsort(at, kind="stable")
    rows = {
        "item": _first_item() + np.arange(len(at)),
        "number": np.ones(len(at), np.int64),
        "participant": np.repeat(people, each)[order],
        "choice": (choices.begins[question] + is_wrong * mistake)[order],
        "is_mock": is_mock[order].astype(np.int64),
        "position": 1 + turn[order] % _SESSION,
        "seconds": rng.lognormal(4.0, 0.5, len(at)).astype(np.int64),
        "logged_at": at[order],
    }
    again = np.flatnonzero(rng.random(len(at)) < 0.001)
    regraded = {name: column[again] for name, column in rows.items()}
    regraded["number"] = np.full(len(again), 2)
    regraded["logged_at"] = np.full(len(again), at.max() + _DAY)
    whole = {name: np.append(rows[name], regraded[name]) for name in rows}
    return whole, int((~is_repeat).sum())


def _first_item() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COALESCE(max(item_id), 0) + 1 FROM analytics_responselog"
        )
        (first,) = cursor.fetchone()
    return int(first)


def _moments(
    each: Ints, turn: Ints, is_mock: Bools, days: int, rng: np.random.Generator
) -> Ints:
    """Return when answers were scored: a session a day, those of a mock at once."""
    sessions = turn // _SESSION
    start = rng.integers(0, max(days - 8, 1) * 1_440, len(each)) * _MINUTE
    first = (9_831 * _DAY) - days * _DAY  # counted back from 1 December 2026
    within = np.where(is_mock, _SESSION, turn % _SESSION) * _MINUTE
    return np.asarray(np.repeat(start, each) + first + sessions * _DAY + within)


def _copy(*, table: str, columns: dict[str, str], rows: dict[str, Ints]) -> None:
    """Write columns of numbers in PostgreSQL's binary format, block by block."""
    fields = [("fields", ">i2")]
    for name, kind in columns.items():
        fields += [(f"{name} size", ">i4"), (name, f">{kind}")]
    count = len(next(iter(rows.values())))
    for first in range(0, count, _BLOCK):
        block = np.zeros(min(_BLOCK, count - first), dtype=np.dtype(fields))
        block["fields"] = len(columns)
        for name, kind in columns.items():
            block[f"{name} size"] = np.dtype(kind).itemsize
            block[name] = rows[name][first : first + _BLOCK]
        stream = b"PGCOPY\n\xff\r\n\0" + bytes(8) + block.tobytes() + b"\xff\xff"
        with connection.cursor() as cursor:
            cursor.copy_expert(
                f"COPY {table} FROM STDIN (FORMAT binary)", io.BytesIO(stream), 1 << 20
            )


def _without_indexes() -> list[str]:
    """Drop the log's indexes but for its key; return how to make them again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes"
            " WHERE tablename = %s AND indexname NOT LIKE '%%pkey'",
            [_LOG],
        )
        found = cursor.fetchall()
        for name, _ in found:
            cursor.execute(f"DROP INDEX {name}")
    return [definition for _, definition in found]
