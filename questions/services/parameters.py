"""Record what calibration says about revisions. Its only caller is the calibration."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db import transaction

from questions.models.parameters import ItemParameters

_FIELDS = (
    "slope",
    "difficulty",
    "guess",
    "slope_error",
    "difficulty_error",
    "attempts",
    "run",
    "recorded_at",
)


@transaction.atomic
def record(
    *, parameters: Iterable[ItemParameters], at: datetime.datetime, run: int
) -> int:
    """Put the parameters of these revisions in force; return how many.

    Revisions that are not among them keep what they had.
    """
    rows = list(parameters)
    for row in rows:
        row.run = run
        row.recorded_at = at
    ItemParameters.objects.bulk_create(
        rows,
        batch_size=1_000,
        update_conflicts=True,
        unique_fields=["revision"],
        update_fields=_FIELDS,
    )
    return len(rows)
