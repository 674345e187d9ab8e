"""A report as a file for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from fractions import Fraction
from typing import Final

from questions.exams.models import Sitting
from questions.exams.screens.lines import public_ids
from questions.exams.selectors import sittings

_DANGEROUS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_HEADER: Final = (
    "Position",
    "Question",
    "Domain",
    "Difficulty",
    "Result",
    "Points",
    "Chosen",
    "Key",
    "Seconds",
    "Flagged",
    "Title",
)


def csv_of(*, sitting: Sitting, withheld: Collection[int]) -> str:
    """Return the report as CSV, with a byte order mark so that Excel reads UTF-8.

    A text that a spreadsheet would take for a formula gets an apostrophe in front
    (OWASP, *CSV Injection*); numbers stay numbers.
    """
    report = sittings.report_of(sitting=sitting)
    hidden = public_ids(withheld)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_HEADER)
    for line in report.document["items"] if report else ():
        is_hidden = line["question"] in hidden
        points = Fraction(*line["points"])
        writer.writerow(
            [
                line["position"],
                safe_text(line["question"]),
                safe_text(line["domain"]),
                line["difficulty"],
                "" if is_hidden else line["state"],
                "" if is_hidden else _decimal(points),
                " ".join(line["chosen"]),
                "" if is_hidden else " ".join(line["keys"]),
                line["seconds"],
                "yes" if line["flagged"] else "no",
                safe_text(line["title"]),
            ]
        )
    return "\ufeff" + out.getvalue()


def safe_text(text: str) -> str:
    """Return text that a spreadsheet shows as it is and does not calculate."""
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def _decimal(points: Fraction) -> str:
    if points.denominator == 1:
        return str(points.numerator)
    return f"{float(points):.4f}"
