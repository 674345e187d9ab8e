"""Two hands at once, in an order that is certain: one waits for what the other holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction


def waiting_for_a_lock(
    call: Callable[[], Any],
    *,
    while_held: Callable[[], Any],
    then: Callable[[], Any] = lambda: None,
) -> Any:
    """Return what ``call`` comes to if it waits for rows that ``while_held`` changes.

    ``then`` happens while it waits, before the rows are let go.
    """
    came_to: list[Any] = []

    def run() -> None:
        try:
            came_to.append(call())
        except Exception as failure:  # noqa: BLE001  (what it came to)
            came_to.append(failure)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        while_held()
        thread.start()
        wait_for_a_waiter()
        then()
    thread.join(20)
    return came_to[0]


def wait_for_a_waiter() -> None:
    """Return once a statement waits for a lock."""
    for _ in range(400):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_stat_clear_snapshot();"
                "SELECT 1 FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone():
                return
        time.sleep(0.02)
    pytest.fail("Nobody waits.")
