"""A database that was restarted is noticed without an error, and without asking it.

Connections are kept between requests. After a restart of the database each of them is
dead, and the first request on each would fail. Asking before every request whether the
connection lives would cost a statement; instead, a statement that finds it dead is sent
once more, on a new one, if nothing can have been lost or done twice: it reads, it is
the first of its request, and no transaction is open (docs/decisions/0029).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.signals import request_started
from django.db import DatabaseError, InterfaceError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from accounts.selectors.prepared import Execution

Execute = Callable[[Any, Any, bool, dict[str, Any]], Any]


class FirstStatement:
    """Stands before every statement of one kept connection."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        """Nothing is to be sent again before a request has begun."""
        self.connection = connection
        self.is_next = False

    def __call__(
        self,
        execute: Execute,
        sql: Any,
        params: Any,
        many: bool,  # noqa: FBT001  (Django's)
        context: dict[str, Any],
    ) -> Any:
        """Carry the statement out, on a new connection if it must be and may be."""
        is_first, self.is_next = self.is_next, False
        try:
            return execute(sql, params, many, context)
        except (DatabaseError, InterfaceError):
            if not (is_first and self._is_lost() and _only_reads(sql)):
                raise
        self.connection.close()
        self.connection.connect()
        context["cursor"].cursor = self.connection.create_cursor()
        if isinstance(sql, Execution):
            sql.make_known(self.connection)
        return execute(sql, params, many, context)

    def _is_lost(self) -> bool:
        lost = self.connection.connection
        return (
            not self.connection.in_atomic_block and lost is not None and lost.closed > 0
        )


def _only_reads(sql: Any) -> bool:
    if isinstance(sql, Execution):
        return sql.only_reads
    return isinstance(sql, str) and sql.lstrip().startswith("SELECT")


def watch() -> None:
    """Watch every connection from now on."""
    connection_created.connect(_stand_before, dispatch_uid="reconnecting")
    request_started.connect(_begin, dispatch_uid="reconnecting")


def _stand_before(connection: BaseDatabaseWrapper, **_unused: Any) -> None:
    if _standing(connection) is None:
        connection.execute_wrappers.append(FirstStatement(connection))


def _begin(**_unused: Any) -> None:
    for connection in connections.all(initialized_only=True):
        standing = _standing(connection)
        if standing is not None:
            standing.is_next = True


def _standing(connection: BaseDatabaseWrapper) -> FirstStatement | None:
    found = (
        each for each in connection.execute_wrappers if isinstance(each, FirstStatement)
    )
    return next(found, None)
