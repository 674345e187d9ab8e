"""Sets too large for this repository: beside the checkout, as in CI, or nowhere.

Without them the tests that need them are skipped, as everything here must pass from a
clone alone; what is published in print is in ``tests/data`` and never skipped.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"


def reference() -> dict[str, Any]:
    """Return what other programs found in these sets; the test is skipped without."""
    path = FOLDER / "reference_values.json"
    if not path.exists():
        pytest.skip("The larger sets are not beside this checkout.")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def rows(name: str) -> list[list[str]]:
    """Return the rows of a set below its heading."""
    with (FOLDER / name).open(newline="") as file:
        return list(csv.reader(file))[1:]
