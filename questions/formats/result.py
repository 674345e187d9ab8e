"""What came of reading: records, problems met, and where in the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Record_co = TypeVar("Record_co", covariant=True)
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """One thing that keeps a record from being read. Lines count from 1; 0 is none."""

    file: str
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(filter(None, (place, self.where, self.message)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult(Generic[Record_co]):
    """All that was read. With any problem, nothing of it should be written."""

    records: tuple[Record_co, ...]
    problems: tuple[RowProblem, ...]

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """Return the records of one kind, in the order of the files."""
        return tuple(record for record in self.records if isinstance(record, kind))
