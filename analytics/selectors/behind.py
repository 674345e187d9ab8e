"""Whose states and figures the log is ahead of."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import connection

# Rows that came in since, another calibration in force, and who enrolled and has no row.
_BEHIND = """
SELECT q.certification_id, p.user_id
  FROM analytics_responselog l
  JOIN accounts_participant p ON p.id = l.participant_id
  JOIN questions_question q ON q.id = l.question_id
  LEFT JOIN analytics_learnerfigures f
    ON f.user_id = p.user_id AND f.certification_id = q.certification_id
 WHERE l.logged_at > %(since)s AND p.user_id IS NOT NULL
   AND (f.through_at IS NULL OR l.logged_at > f.through_at)
 UNION
SELECT b.certification_id, s.user_id
  FROM analytics_learnerstate s
  JOIN questions_blueprint b ON b.id = s.blueprint_id
  LEFT JOIN analytics_calibrationrun r
    ON r.certification_id = b.certification_id AND r.is_in_force
 WHERE s.run_id IS DISTINCT FROM r.id
 UNION
SELECT e.certification_id, e.user_id
  FROM exams_enrolment e
  LEFT JOIN analytics_learnerfigures f
    ON f.user_id = e.user_id AND f.certification_id = e.certification_id
 WHERE e.result = '' AND f.id IS NULL
 ORDER BY 1, 2
"""

_EVERYBODY = """
SELECT q.certification_id, p.user_id
  FROM analytics_responselog l
  JOIN accounts_participant p ON p.id = l.participant_id
  JOIN questions_question q ON q.id = l.question_id
 WHERE p.user_id IS NOT NULL
 UNION
SELECT certification_id, user_id FROM exams_enrolment WHERE result = ''
 UNION
SELECT certification_id, user_id FROM analytics_learnerfigures
 ORDER BY 1, 2
"""


def behind(*, since: datetime.datetime) -> dict[int, list[int]]:
    """Return the accounts behind the log, by certification; both in order.

    Rows logged up to ``since`` were looked at before, so that this stays cheap.
    """
    return _grouped(_BEHIND, {"since": since})


def everybody() -> dict[int, list[int]]:
    """Return all accounts of whom anything is known or should be, by certification."""
    return _grouped(_EVERYBODY, {})


def _grouped(sql: str, asked: dict[str, Any]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        for certification, user in cursor.fetchall():
            found.setdefault(certification, []).append(user)
    return found
