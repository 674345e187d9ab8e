"""Are database, broker and migrations fine?"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS: Final = 2.0
_seen_applied: Final[list[bool]] = []


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when all is fine, 503 otherwise, and say which part is not.

    The answer is public, so it holds the words "ok" and "failing" and no more; the
    reason is in the log.
    """
    parts = {
        "database": _verdict(check=_database_answers, part="database"),
        "broker": _verdict(check=_broker_answers, part="broker"),
        "migrations": _verdict(check=_migrations_are_applied, part="migrations"),
    }
    is_fine = all(verdict == "ok" for verdict in parts.values())
    return JsonResponse(
        {"status": "ok" if is_fine else "failing", **parts},
        status=200 if is_fine else 503,
    )


def _verdict(*, check: Callable[[], bool], part: str) -> str:
    try:
        is_fine = check()
    except (DatabaseError, redis.RedisError, OSError):
        logger.exception("The %s does not answer.", part)
        is_fine = False
    return "ok" if is_fine else "failing"


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _broker_answers() -> bool:
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
    )
    with client:
        return bool(client.ping())


def _migrations_are_applied() -> bool:
    # Once they are, they stay so while this process lives: it brought them along.
    if not _seen_applied:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _seen_applied.append(True)
    return True
