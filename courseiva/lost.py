"""Which failures mean that a server we lean on is away, and not a fault of ours."""

from __future__ import annotations

import psycopg2
import redis
from django.db import DatabaseError, InterfaceError, OperationalError


def is_away(failure: BaseException | None) -> bool:
    """Say whether a server is away.

    A connection that breaks while a statement is under way is a plain
    ``psycopg2.DatabaseError``, without a code; faults in statements are subclasses.
    """
    if isinstance(failure, redis.RedisError | OperationalError | InterfaceError):
        return True
    return (
        isinstance(failure, DatabaseError)
        and type(failure.__cause__) is psycopg2.DatabaseError
    )
