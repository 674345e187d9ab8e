"""Statements that PostgreSQL plans once a connection instead of once a request.

For look-ups by key over several tables, planning takes several times as long as
carrying out. ``DATABASE_PREPARES`` off is for poolers that share connections between
transactions: the statements are then sent as any other.
"""

from __future__ import annotations

import re
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import DatabaseError, InterfaceError, NotSupportedError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

# Of each connection, whether the plan of a statement that it knows may be used.
_known: Final[WeakKeyDictionary[Any, dict[str, bool]]] = WeakKeyDictionary()
_PARAMETER: Final = re.compile(r"%\((\w+)\)s")


class Execution(str):
    """``EXECUTE`` of a prepared statement: text that can be sent on any connection."""

    __slots__ = ("key", "only_reads", "prepare")

    key: str
    prepare: str
    only_reads: bool

    def __new__(
        cls, key: str, text: str, *, prepare: str, only_reads: bool
    ) -> Execution:
        """Keep beside the text what another connection must be told first."""
        made = super().__new__(cls, text)
        made.key = key
        made.prepare = prepare
        made.only_reads = only_reads
        return made

    def make_known(self, to: BaseDatabaseWrapper) -> bool:
        """Prepare the statement on a connection, unless it was; False if that is dead."""
        lasting = to.connection
        known = _known.setdefault(lasting, {})
        if known.get(self.key):
            return True
        first = f"DEALLOCATE {self.key}; " if self.key in known else ""
        try:
            with to.wrap_database_errors, lasting.cursor() as cursor:
                cursor.execute(first + self.prepare)
        except (DatabaseError, InterfaceError):
            if not lasting.closed:
                raise
            return False
        known[self.key] = True
        return True

    def plan_anew(self, on: BaseDatabaseWrapper) -> None:
        """Have the statement prepared once more when it is used next."""
        _known[on.connection][self.key] = False


class Prepared:
    """A statement with named parameters, each with its type in PostgreSQL."""

    def __init__(self, name: str, sql: str, **types: str) -> None:
        self.sql = sql
        self.names = tuple(types)
        place = {parameter: f"${n}" for n, parameter in enumerate(types, start=1)}
        numbered = _PARAMETER.sub(lambda found: place[found[1]], sql)
        self._execute = Execution(
            name,
            f"EXECUTE {name} ({', '.join(['%s'] * len(types))})",
            prepare=f"PREPARE {name} ({', '.join(types.values())}) AS {numbered}",
            only_reads=sql.lstrip().startswith("SELECT"),
        )

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Carry the statement out and return what it found."""
        with connection.cursor() as cursor:
            # On a dead connection the statement goes as any other, and meets what
            # stands there for that case (docs/decisions/0029).
            if settings.DATABASE_PREPARES and self._execute.make_known(connection):
                self._execute_planned(cursor, values)
            else:
                cursor.execute(self.sql, values)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    def _execute_planned(self, cursor: CursorWrapper, values: dict[str, Any]) -> None:
        try:
            cursor.execute(self._execute, [values[name] for name in self.names])
        except NotSupportedError:
            # A migration gave a column another type, so PostgreSQL refuses the plan for
            # good, before anything is done. In a transaction, which is lost, this is
            # the only time.
            self._execute.plan_anew(connection)
            if connection.in_atomic_block:
                raise
            cursor.execute(self.sql, values)
