"""Rows that count tries: swept once they have run out."""

from __future__ import annotations

import datetime

from django.db import connection


def sweep_limits(*, at: datetime.datetime) -> int:
    """Delete the counters that have run out; return how many.

    They hold addresses of visitors, so they are not kept longer than they count.
    """
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_limit WHERE expires < %s", [at])
        return int(cursor.rowcount)
