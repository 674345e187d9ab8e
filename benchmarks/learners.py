"""How fast what is known of learners follows the log.

Caught up from nothing, then with a million rows more behind people who were known, then
one answer of one learner, and the read of a learner's readiness.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from analytics.models import LearnerState
from analytics.selectors import answers
from analytics.services import catching_up, learners
from benchmarks import bank, log_rows, measures
from benchmarks.ground import Ground
from questions.models import Certification

_A_LEARNER: Final = 60
"""Answers that each simulated learner gives, on average."""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Write a log, catch up with it, and say how long each step took."""
    del ground
    measures.prepare()
    bank.grow(asked.questions)
    certification = Certification.objects.get(slug="pmle")
    known = asked.known // _A_LEARNER
    written = log_rows.write(certification=certification, learners=known, seed=1)
    print(f"{written.rows:,} rows of {known:,} learners, {asked.questions:,} questions")
    _timed("  caught up from nothing", lambda: _catch_up(answers.EPOCH), written.rows)
    _timed("  nobody behind", lambda: _catch_up(answers.EPOCH), written.rows)
    behind = _add_behind(asked.behind)
    _timed(f"  {behind:,} rows behind", lambda: _catch_up(answers.EPOCH), behind)
    _timed("  made again", lambda: catching_up.rebuild(at=timezone.now()), written.rows)
    _one_by_one(certification)


def _catch_up(since: Any) -> int:
    return catching_up.catch_up(since=since, at=timezone.now())


def _timed(what: str, do: Callable[[], int], rows: int) -> None:
    begun = time.perf_counter()
    changed = do()
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_048_576
    print(
        f"{what}: {seconds:.1f} s, {changed:,} learners, "
        f"{rows / seconds:,.0f} rows a second, peak {peak:.2f} GB"
    )


# Each learner's last answers once more, an hour after all that was known.
_BEHIND: Final = """
INSERT INTO analytics_responselog
  (participant_id, question_id, revision_id, item_id, number, cause, mode, position,
   chosen, was_shown, points_numerator, points_denominator, seconds, answered_at,
   logged_at)
SELECT participant_id, question_id, revision_id, %(item)s + row_number() OVER (), 1,
       'scored', mode, position, chosen, false, points_numerator, points_denominator,
       seconds, %(at)s::timestamptz + place * interval '1 minute',
       %(at)s::timestamptz + place * interval '1 minute'
  FROM (SELECT l.*, row_number() OVER (PARTITION BY participant_id ORDER BY id DESC)
               AS place FROM analytics_responselog l) last
 ORDER BY place
 LIMIT %(rows)s
"""


def _add_behind(rows: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(item_id), max(logged_at) FROM analytics_responselog")
        item, at = cursor.fetchone()
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(_BEHIND, {"item": item, "at": at, "rows": rows})
        added: int = cursor.rowcount
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE analytics_responselog")
    return added


def _one_by_one(certification: Certification) -> None:
    """Time one more answer of one learner at a time, as the task of a request does."""
    times = []
    users = LearnerState.objects.order_by("pk").values_list("user", flat=True)[:200]
    for user in list(users):
        _add_one(user)
        begun = time.perf_counter()
        changed = learners.update(
            user=user, certification=certification.pk, at=timezone.now()
        )
        times.append(1_000 * (time.perf_counter() - begun))
        if not changed:
            print("  nothing changed: the figure is worthless")
    print(
        f"  one answer of one learner: median {statistics.median(times):.1f} ms, "
        f"95 % within {statistics.quantiles(times, n=20)[-1]:.1f} ms"
    )


def _add_one(user: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            """
            INSERT INTO analytics_responselog
              (participant_id, question_id, revision_id, item_id, number, cause, mode,
               position, chosen, was_shown, points_numerator, points_denominator,
               seconds, answered_at, logged_at)
            SELECT l.participant_id, r.question_id, r.id, l.item_id + 1000000000, 1,
                   'scored', 'practice', 1, '{a}', false, 1, 1, 30,
                   l.logged_at + interval '1 hour', l.logged_at + interval '1 hour'
              FROM analytics_responselog l
              JOIN accounts_participant p ON p.id = l.participant_id
              JOIN questions_revision r ON r.id = (
                   SELECT published_revision_id FROM questions_question q
                    WHERE q.id = l.question_id)
             WHERE p.user_id = %s
             ORDER BY l.logged_at DESC, l.id DESC LIMIT 1
            """,
            [user],
        )
        cursor.execute("SET session_replication_role = DEFAULT")
