"""How the questions of a certification perform: worklist, maps, forms, drift, a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from django.core.paginator import Paginator

from analytics.domain.ctt import Concern
from analytics.models import CalibrationRun, FormStatistic
from analytics.screens import plots
from analytics.screens.analysis import (
    ENOUGH,
    figure,
    per_cent,
    since_words,
    with_error,
    word_of,
)
from analytics.selectors import items
from questions.exams.screens.table import safe_text
from questions.models import Certification

ROWS: Final = 50
_MOVERS: Final = 10

COLUMNS: Final = (
    ("title", "Question"),
    ("attempts", "Attempts"),
    ("facility", "Facility"),
    ("discrimination", "Discrimination"),
    ("difficulty", "Difficulty"),
    ("slope", "Slope"),
    ("seconds", "Seconds"),
    ("concerns", "Look at"),
)
_FILE: Final = (
    "question",
    "title",
    "attempts",
    "omitted",
    "facility",
    "discrimination",
    "efficiency",
    "median_seconds",
    "slope",
    "slope_error",
    "difficulty",
    "difficulty_error",
    "guess",
    "concerns",
)


def bank_page(
    *, certification: Certification, sort: str, concern: str, page: str
) -> dict[str, Any]:
    """Return everything that the page of a certification's figures shows.

    An unknown ``sort`` or ``concern`` is taken as none, an unknown page as the nearest.
    """
    run = items.run_in_force(certification=certification)
    chosen = sort if sort in items.SORTS else "concerns"
    only = concern if concern in set(Concern) else ""
    context: dict[str, Any] = {
        "certification": certification,
        "run": run,
        "failed": items.last_failed_run(certification=certification),
        "enough": ENOUGH,
        "concerns": [(each.value, word_of(each)) for each in Concern],
        "concern": only,
        "sort": chosen,
    }
    if run is None:
        return context
    former = items.former_run(run=run)
    everything = list(items.worklist(run=run, sort="title"))
    found = items.worklist(run=run, sort=chosen, concern=only)
    rows = Paginator(found, ROWS).get_page(page)
    return {
        **context,
        "since": since_words(items.answers_since(run=run)),
        "columns": [
            {"name": name, "sort": order, "is_current": order == chosen}
            for order, name in COLUMNS
        ],
        "rows": rows,
        "lines": [_line(row) for row in rows],
        "map": plots.item_map(everything),
        "information": _information(everything),
        "forms": [_form(each) for each in items.forms_of(run=run)],
        "drift": None if former is None else _drift(run, former, everything),
    }


def bank_file(*, run: CalibrationRun) -> str:
    """Return the whole worklist as CSV, with a byte order mark so that Excel reads it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_FILE)
    for row in items.worklist(run=run, sort="title"):
        question = row.revision.question
        writer.writerow(
            [
                safe_text(question.slug),
                safe_text(row.revision.title),
                *(
                    "" if value is None else value
                    for value in (getattr(row, name) for name in _FILE[2:-1])
                ),
                " ".join(row.concerns),
            ]
        )
    return "\ufeff" + out.getvalue()


def _line(row: Any) -> dict[str, Any]:
    return {
        "question": row.revision.question_id,
        "title": row.revision.title,
        "attempts": row.attempts,
        "facility": per_cent(row.facility),
        "discrimination": figure(row.discrimination),
        "difficulty": "beyond 6"
        if row.is_runaway
        else with_error(row.difficulty, row.difficulty_error, sign=True),
        "slope": with_error(row.slope, row.slope_error),
        "seconds": figure(row.median_seconds, decimals=0),
        "concerns": ", ".join(word_of(concern) for concern in row.concerns),
    }


def _information(rows: Sequence[Any]) -> dict[str, Any] | None:
    known = [row for row in rows if row.slope is not None]
    if not known:
        return None
    return plots.information(
        slope=np.array([row.slope for row in known]),
        difficulty=np.array([row.difficulty for row in known]),
        guess=np.array([row.guess for row in known]),
    )


def _form(statistic: FormStatistic) -> dict[str, Any]:
    figures = statistic.figures
    return {
        "name": statistic.mock_exam.name,
        "attempts": statistic.attempts,
        "questions": figures.get("questions"),
        **{
            name: figure(figures.get(name))
            for name in (
                "mean",
                "standard_deviation",
                "skewness",
                "kurtosis",
                "standard_error",
            )
        },
        "alpha": per_cent(figures.get("internal_consistency"), scale=1),
    }


def _drift(
    run: CalibrationRun, former: CalibrationRun, rows: Sequence[Any]
) -> dict[str, Any] | None:
    """Return how far difficulties moved since the run before, the farthest first."""
    found = items.drift(run=run, former=former)
    if not found:
        return None
    titles = {row.revision_id: row.revision for row in rows}
    moved = sorted(found, key=lambda each: -abs(each[2] - each[1]))
    return {
        "at": former.started_at,
        "count": len(found),
        "mean": f"{np.mean([abs(now - before) for _, before, now in found]):.3f}",
        "farthest": [
            {
                "question": titles[revision].question_id,
                "title": titles[revision].title,
                "before": f"{before:+.2f}",
                "now": f"{now:+.2f}",
            }
            for revision, before, now in moved[:_MOVERS]
            if revision in titles
        ],
    }
