"""Rows of a statement as numpy arrays, by COPY in PostgreSQL's binary format.

Millions of rows come without an object for each. The columns must be integers, booleans
or moments, and never null: then every record has the same length, and a block of records
is an array as it stands. Moments are microseconds since 2000, in UTC.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db import connection
from numpy.typing import NDArray

Records = NDArray[np.void]

_SIGNATURE: Final = b"PGCOPY\n\xff\r\n\0"
_HEADER: Final = len(_SIGNATURE) + 8
"""After the signature come four bytes of flags, and four that say how much follows."""

_BLOCK: Final = 4 << 20
"""Bytes that are made an array at once: a row at a time would take as long as SQL."""

_TRAILER: Final = 2


class RecordsDiffer(ValueError):
    """A record is not as long as the columns say; a null makes it shorter."""


def read(
    *,
    sql: str,
    params: Sequence[Any],
    columns: Mapping[str, str],
    take: Callable[[Records], None],
) -> int:
    """Hand the rows of a SELECT to ``take``, block by block; return how many there were.

    ``columns`` are the names and types (``i2``, ``i4``, ``i8``, ``?``) in the order of
    the statement.

    Raises:
        RecordsDiffer: a value is null, or of another type.
    """
    sink = _Sink(columns=columns, take=take)
    buffer = io.BufferedWriter(sink, buffer_size=_BLOCK)
    with connection.cursor() as cursor:
        asked = cursor.mogrify(sql, params).decode()
        cursor.copy_expert(f"COPY ({asked}) TO STDOUT (FORMAT binary)", buffer)
    buffer.flush()
    return sink.finish()


class _Sink(io.RawIOBase):
    """Takes the stream in blocks and cuts it into records."""

    def __init__(
        self, *, columns: Mapping[str, str], take: Callable[[Records], None]
    ) -> None:
        super().__init__()
        fields = [("fields", ">i2")]
        for name, kind in columns.items():
            fields += [(f"{name} size", ">i4"), (name, f">{kind}")]
        self._dtype = np.dtype(fields)
        self._sizes = {name: np.dtype(kind).itemsize for name, kind in columns.items()}
        self._take = take
        self._rest = b""
        self._is_begun = False
        self._rows = 0

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        held = self._rest + bytes(block)
        if not self._is_begun:
            if len(held) < _HEADER:
                self._rest = held
                return len(block)
            held, self._is_begun = held[_HEADER:], True
        # What may be the trailer stays behind until the end.
        whole = max(len(held) - _TRAILER, 0) // self._dtype.itemsize
        self._rest = held[whole * self._dtype.itemsize :]
        if whole:
            records = np.frombuffer(held, dtype=self._dtype, count=whole)
            self._check(records)
            self._take(records)
            self._rows += whole
        return len(block)

    def finish(self) -> int:
        """Return the number of rows, if nothing but the trailer is left."""
        if self._rest != b"\xff\xff":
            raise RecordsDiffer
        return self._rows

    def _check(self, records: Records) -> None:
        if (records["fields"] != len(self._sizes)).any():
            raise RecordsDiffer
        for name, size in self._sizes.items():
            if (records[f"{name} size"] != size).any():
                raise RecordsDiffer
