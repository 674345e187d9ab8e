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
from django.db import connection

_known: Final[WeakKeyDictionary[Any, set[str]]] = WeakKeyDictionary()
_PARAMETER: Final = re.compile(r"%\((\w+)\)s")


class Prepared:
    """A statement with named parameters, each with its type in PostgreSQL."""

    def __init__(self, name: str, sql: str, **types: str) -> None:
        self.sql = sql
        self.names = tuple(types)
        place = {parameter: f"${n}" for n, parameter in enumerate(types, start=1)}
        numbered = _PARAMETER.sub(lambda found: place[found[1]], sql)
        self._key = name
        self._prepare = f"PREPARE {name} ({', '.join(types.values())}) AS {numbered}"
        self._execute = f"EXECUTE {name} ({', '.join(['%s'] * len(types))})"

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Carry the statement out and return what it found."""
        with connection.cursor() as cursor:
            if settings.DATABASE_PREPARES:
                self._make_known()
                cursor.execute(self._execute, [values[name] for name in self.names])
            else:
                cursor.execute(self.sql, values)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    def _make_known(self) -> None:
        lasting = connection.connection
        known = _known.setdefault(lasting, set())
        if self._key not in known:
            with lasting.cursor() as cursor:
                cursor.execute(self._prepare)
            known.add(self._key)
