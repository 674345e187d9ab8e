"""A learner's pages beside a short log and beside a long one.

The same learner, with twenty thousand answers, asks for the dashboard, how its figures
came about and everything that was counted; then millions of answers of others are added.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Final

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Participant, User
from analytics.models import LearnerState
from analytics.services import learners
from benchmarks import bank, log_rows, measures
from benchmarks.ground import Ground
from questions.models import Certification

_SHORT: Final = 500
"""Learners who fill the short log; about sixty answers each."""

_PAGES: Final = {
    "dashboard": "/dashboard/pmle/",
    "how do we know": "/dashboard/pmle/how/",
    "all figures": "/dashboard/pmle/figures/",
}
_TIMES: Final = 200
_BUSY: Final = """
INSERT INTO analytics_responselog
  (participant_id, question_id, revision_id, item_id, number, cause, mode, position,
   chosen, was_shown, points_numerator, points_denominator, seconds, answered_at,
   logged_at)
SELECT %(participant)s, question_id, revision_id, %(item)s + n, 1, 'scored', mode,
       position, chosen, false, points_numerator, points_denominator, seconds,
       answered_at, logged_at
  FROM (SELECT l.*, row_number() OVER (ORDER BY logged_at, id) AS n
          FROM analytics_responselog l WHERE number = 1) row
 ORDER BY n LIMIT %(rows)s
"""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Ask beside a short log, lengthen it, ask again, and compare."""
    del ground
    measures.prepare()
    bank.grow(asked.questions)
    certification = Certification.objects.get(slug="pmle")
    log_rows.write(certification=certification, learners=_SHORT, seed=1)
    user = _busy_learner(certification, asked.answers)
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    before = _ask(client)
    log_rows.write(certification=certification, learners=asked.learners, seed=2)
    after = _ask(client)
    print(f"| page | rows | median | 95 % within | queries | of the {before.rows:,} |")
    print("| --- | --- | --- | --- | --- | --- |")
    for told in (before, after):
        for name, times in told.times.items():
            share = statistics.median(times) / statistics.median(before.times[name])
            print(
                f"| {name} | {told.rows:,} | {statistics.median(times):.1f} ms"
                f" | {statistics.quantiles(times, n=20)[-1]:.1f} ms"
                f" | {told.queries[name]} | {share:.0%} |"
            )


class _Told:
    """What asking came to: milliseconds and queries by page, beside so many rows."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.times: dict[str, list[float]] = {}
        self.queries: dict[str, int] = {}


def _ask(client: Client) -> _Told:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM analytics_responselog")
        told = _Told(cursor.fetchone()[0])
    for name, path in _PAGES.items():
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        told.queries[name] = len(queries)
        told.times[name] = [_once(client, path) for _ in range(_TIMES)]
    return told


def _once(client: Client, path: str) -> float:
    begun = time.perf_counter()
    reply = client.get(path)
    elapsed = 1_000 * (time.perf_counter() - begun)
    if reply.status_code != 200:
        message = f"{path} answered {reply.status_code}."
        raise RuntimeError(message)
    return elapsed


def _busy_learner(certification: Certification, rows: int) -> User:
    """Give a new account the earliest answers of everybody, as if they were its own."""
    now = timezone.now()
    user = get_user_model().objects.create_user("busy@example.org")
    participant = Participant.objects.create(user=user, created_at=now)
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(item_id) FROM analytics_responselog")
        (item,) = cursor.fetchone()
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            _BUSY, {"participant": participant.pk, "item": item, "rows": rows}
        )
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE analytics_responselog")
    learners.update(user=user.pk, certification=certification.pk, at=now)
    state = LearnerState.objects.get(user=user)
    print(
        f"A learner of {state.rows:,} answers, {state.first_attempts:,} of them first."
    )
    return user
