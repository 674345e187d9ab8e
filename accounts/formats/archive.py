"""A person's records as one zip: each table once as JSON and once as CSV."""

from __future__ import annotations

import csv
import datetime
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import IO, Final
from uuid import UUID

from accounts.domain.records import Row, Table

# What a spreadsheet would take for a formula.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def write_archive(
    *,
    tables: Iterable[Table],
    into: IO[bytes],
    title: str,
    after_each: Callable[[int], None],
) -> None:
    """Write the zip; ``after_each`` hears how many tables are done.

    Moments are ISO 8601 in UTC. In the CSV files a text that a spreadsheet would take
    for a formula has an apostrophe before it; the JSON files hold texts as they are.
    """
    lines = [title, "", "Each table is here twice: as JSON and as CSV. Times are UTC."]
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, table in enumerate(tables, start=1):
            count = _write_table(archive, table)
            lines.append(f"{table.name}: {table.about} Rows: {count}.")
            after_each(done)
        archive.writestr("README.txt", "\n".join(lines) + "\n")


def _write_table(archive: zipfile.ZipFile, table: Table) -> int:
    # Rows are read once and written to both: the CSV waits in memory meanwhile, as a
    # zip takes one file at a time.
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, table.columns)
    writer.writeheader()
    count = 0
    with archive.open(f"{table.name}.json", "w") as file:
        file.write(b"[")
        for count, row in enumerate(_plain(table.rows), start=1):
            file.write(b",\n" if count > 1 else b"\n")
            file.write(json.dumps(row, ensure_ascii=False).encode())
            writer.writerow({name: _cell(value) for name, value in row.items()})
        file.write(b"\n]\n")
    archive.writestr(f"{table.name}.csv", sheet.getvalue())
    return count


def _plain(rows: Iterable[Row]) -> Iterator[dict[str, object]]:
    for row in rows:
        yield {name: _value(value) for name, value in row.items()}


def _value(value: object) -> object:
    match value:
        case datetime.datetime() | datetime.date():
            return value.isoformat()
        case Decimal() | UUID():
            return str(value)
        case list() | tuple():
            return [_value(each) for each in value]
        case dict():
            return {str(name): _value(each) for name, each in value.items()}
        case _:
            return value


def _cell(value: object) -> object:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
