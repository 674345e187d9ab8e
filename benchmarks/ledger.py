"""What browsers were told is saved, written down outside the server, and compared."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from django.db import connection

from questions.exams.models import Response, ScoreReport, SittingItem

Place = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One acknowledged save; ``mark`` tells it from all others."""

    sitting: str
    position: int
    version: int
    mark: str
    chosen: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The file of all acknowledged saves, in the order in which they were told."""

    path: Path
    _file: TextIO = field(init=False)

    def __post_init__(self) -> None:
        """Begin an empty file."""
        self._file = self.path.open("w", buffering=1)

    def note(self, entry: Entry) -> None:
        """Write one save down."""
        self._file.write(json.dumps(asdict(entry)) + "\n")

    def entries(self) -> Iterator[Entry]:
        """Read the file."""
        for line in self.path.read_text().splitlines():
            told = json.loads(line)
            yield Entry(**{**told, "chosen": tuple(told["chosen"])})


@dataclass(slots=True, kw_only=True)
class Comparison:
    """How the database differs from the ledger; all zero is what was promised."""

    saves: int = 0
    lost: int = 0
    doubled: int = 0
    differing: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether every acknowledged save is there exactly once, and none beside."""
        return not (self.lost or self.doubled or self.differing)

    def __str__(self) -> str:
        return (
            f"{self.saves:,} acknowledged saves against the database: "
            f"{self.lost} lost, {self.doubled} stored more than once or beside, "
            f"{self.differing} items with another answer"
        )


def compare(*, ledger: Ledger) -> Comparison:
    """Compare the ledger with every response of the database."""
    connection.close()  # the server may have been another one when it was opened
    told: defaultdict[Place, list[Entry]] = defaultdict(list)
    for entry in ledger.entries():
        told[entry.sitting, entry.position].append(entry)
    found = Comparison(saves=sum(map(len, told.values())))
    for response in Response.objects.select_related("item__sitting"):
        place = (str(response.item.sitting.public_id), response.item.position)
        _compare_one(response, told.pop(place, []), found)
    found.lost += sum(map(len, told.values()))
    return found


def _compare_one(response: Response, told: list[Entry], found: Comparison) -> None:
    stored = dict(enumerate(response.recent_saves, start=1))
    for entry in told:
        if stored.get(entry.version) != uuid.UUID(entry.mark):
            found.lost += 1
    found.doubled += max(0, response.version - len({each.mark for each in told}))
    last = max(told, key=lambda entry: entry.version, default=None)
    if set(response.chosen) != set(last.chosen if last else ()):
        found.differing += 1


def wrong_scores(*, ledger: Ledger) -> int:
    """Return how many sittings lack the score that the ledger gives them.

    Counted here anew: an item is right if just its keys are chosen.
    """
    chosen: dict[Place, tuple[int, set[str]]] = {}
    for entry in ledger.entries():
        place = entry.sitting, entry.position
        version, _ = chosen.get(place, (0, set()))
        if entry.version > version:
            chosen[place] = entry.version, set(entry.chosen)
    right: defaultdict[str, int] = defaultdict(int)
    asked: defaultdict[str, int] = defaultdict(int)
    for item in SittingItem.objects.select_related("sitting", "revision__document"):
        sitting = str(item.sitting.public_id)
        _, own = chosen.get((sitting, item.position), (0, set()))
        right[sitting] += own == set(item.revision.document.keyed["keys"])
        asked[sitting] += 1
    reports = {
        str(report.sitting.public_id): (report.right_count, report.question_count)
        for report in ScoreReport.objects.select_related("sitting")
    }
    return sum(
        reports.get(sitting) != (right[sitting], asked[sitting]) for sitting in asked
    )
