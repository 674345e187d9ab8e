"""What is held about one person, as tables with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind. ``about`` is a sentence for the person who reads them.

    ``rows`` may be read once; every row has the ``columns`` as its keys.
    """

    name: str
    about: str
    columns: tuple[str, ...]
    rows: Iterable[Row]
