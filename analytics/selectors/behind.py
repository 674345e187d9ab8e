"""Whose states and figures are not what they would be if they were made now."""

from __future__ import annotations

import datetime
import itertools
from operator import attrgetter
from typing import Any, Final

from django.db import connection

from analytics.selectors import targets
from questions.models import Blueprint

# Rows that came in since; figures of another time zone; those without a state that is as
# it should be; and who enrolled and has no row. What is read of figures and states, but
# for the first part, is in their indexes.
_BEHIND: Final = """
WITH spans AS MATERIALIZED (
    SELECT b.certification_id, span.blueprint_id, span.first, span.last,
           r.id AS run_id,
           ARRAY(SELECT d.id FROM questions_domain d
                  WHERE d.blueprint_id = b.id ORDER BY d.id) AS domains
      FROM unnest(%(blueprints)s::bigint[], %(firsts)s::date[], %(lasts)s::date[])
           AS span (blueprint_id, first, last)
      JOIN questions_blueprint b ON b.id = span.blueprint_id
      LEFT JOIN analytics_calibrationrun r
        ON r.certification_id = b.certification_id AND r.is_in_force
)
SELECT q.certification_id, p.user_id
  FROM analytics_responselog l
  JOIN accounts_participant p ON p.id = l.participant_id
  JOIN questions_question q ON q.id = l.question_id
  LEFT JOIN analytics_learnerfigures f
    ON f.user_id = p.user_id AND f.certification_id = q.certification_id
 WHERE l.logged_at > %(since)s AND p.user_id IS NOT NULL
   AND (f.through_at IS NULL OR l.logged_at > f.through_at)
 UNION
SELECT f.certification_id, f.user_id
  FROM analytics_learnerfigures f
  JOIN accounts_user u ON u.id = f.user_id
 WHERE f.time_zone <> u.time_zone
 UNION
SELECT f.certification_id, f.user_id
  FROM analytics_learnerfigures f
  LEFT JOIN exams_enrolment e
    ON e.user_id = f.user_id AND e.certification_id = f.certification_id
   AND e.result = ''
  JOIN spans
    ON spans.certification_id = f.certification_id
   AND greatest(e.exam_date, %(today)s) BETWEEN spans.first AND spans.last
  LEFT JOIN analytics_learnerstate s
    ON s.user_id = f.user_id AND s.blueprint_id = spans.blueprint_id
 WHERE s.user_id IS NULL OR s.made_under = '' OR s.domains <> spans.domains
    OR s.run_id IS DISTINCT FROM spans.run_id
 UNION
SELECT e.certification_id, e.user_id
  FROM exams_enrolment e
  LEFT JOIN analytics_learnerfigures f
    ON f.user_id = e.user_id AND f.certification_id = e.certification_id
 WHERE e.result = '' AND f.user_id IS NULL
 ORDER BY 1, 2
"""

_EVERYBODY: Final = """
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


def behind(*, since: datetime.datetime, today: datetime.date) -> dict[int, list[int]]:
    """Return the accounts to bring up to date, by certification; both in order.

    Rows logged up to ``since`` were looked at before, so that this stays cheap.
    """
    versions = Blueprint.objects.order_by("certification", "-effective_from")
    spans = [
        span
        for _, own in itertools.groupby(versions, attrgetter("certification_id"))
        for span in targets.spans(versions=list(own), today=today)
    ]
    asked = {
        "since": since,
        "today": today,
        "blueprints": [span.blueprint.pk for span in spans],
        "firsts": [span.first for span in spans],
        "lasts": [span.last for span in spans],
    }
    return _grouped(_BEHIND, asked)


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
