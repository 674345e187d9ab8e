"""How a question performs, for its authors: by revision and mode, first attempts only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from analytics.domain import ctt
from analytics.domain.ctt import Concern
from analytics.models import CalibrationRun, ItemEstimate, ItemStatistic
from analytics.screens import plots
from analytics.selectors import items
from questions.models import Question

ENOUGH: Final = ctt.ENOUGH_ATTEMPTS
"""Below so many first attempts figures are dashes: they would say nothing."""

WORDS: Final = {
    Concern.WRONG_KEY: "suspected wrong key",
    Concern.IDLE_DISTRACTOR: "idle distractor",
    Concern.NO_DISCRIMINATION: "no discrimination",
    Concern.TOO_EASY: "too easy",
}


def word_of(concern: str) -> str:
    """Return a concern as the desk calls it."""
    return WORDS.get(Concern(concern), concern.replace("_", " "))


def question_page(*, question: Question) -> dict[str, Any]:
    """Return everything that the analysis of one question shows."""
    run = items.run_in_force(certification=question.certification)
    estimates = items.estimates_of(question=question)
    since = None if run is None else items.answers_since(run=run, question=question)
    return {
        "run": run,
        "failed": items.last_failed_run(certification=question.certification),
        "since": since_words(since),
        "tables": [] if run is None else _tables(question, run),
        "estimates": [_estimate(each) for each in estimates],
        "drift": plots.drift(estimates=estimates),
        "information": _information(estimates),
        "enough": ENOUGH,
    }


def since_words(count: int | None) -> str:
    """Return how many answers came since a run, in words."""
    if count is None:
        return ""
    if count > items.COUNTED:
        return f"over {items.COUNTED:,} answers since"
    return f"{count} answer{'' if count == 1 else 's'} since"


def _tables(question: Question, run: CalibrationRun) -> list[dict[str, Any]]:
    return [
        _table(statistic)
        for statistic in items.statistics_of(question=question, run=run)
    ]


def _table(statistic: ItemStatistic) -> dict[str, Any]:
    return {
        "revision": statistic.revision.number,
        "mode": statistic.get_mode_display() if statistic.mode else "",
        "attempts": statistic.attempts,
        "facility": per_cent(statistic.facility),
        "discrimination": figure(statistic.discrimination),
        "efficiency": per_cent(statistic.efficiency, scale=1),
        "omitted": statistic.omitted,
        "seconds": figure(statistic.median_seconds, decimals=0),
        "options": [
            {
                "key": option["key"],
                "is_key": option["is_key"],
                "chosen": option["chosen"],
                "share": per_cent(option["share"]),
                "ability": figure(option["mean_ability"], sign=True),
                "correlation": figure(option["correlation"]),
            }
            for option in statistic.options
        ],
        "curves": plots.option_curves(statistic=statistic),
        "flags": flags_of(statistic),
    }


def flags_of(statistic: ItemStatistic) -> list[dict[str, str]]:
    """Return what to look at and what to do about it, in words."""
    found = ctt.flags(
        facility=None if statistic.facility is None else 100 * statistic.facility,
        discrimination=statistic.discrimination,
        options=tuple(
            ctt.OptionStatistics(
                chosen=option["chosen"],
                share=None if option["share"] is None else 100 * option["share"],
                correlation=option["correlation"],
                mean_criterion=option["mean_ability"],
            )
            for option in statistic.options
        ),
        keys=np.array([option["is_key"] for option in statistic.options], dtype=bool),
        attempts=statistic.attempts,
    )
    told = [
        {
            "concern": flag.concern.value,
            "name": word_of(flag.concern),
            "option": ""
            if flag.option is None
            else statistic.options[flag.option]["key"],
            "text": flag.text,
        }
        for flag in found
    ]
    known = {flag.concern.value for flag in found}
    told += [
        {"concern": concern, "name": word_of(concern), "option": "", "text": ""}
        for concern in statistic.concerns
        if concern not in known
    ]
    return told


def _estimate(estimate: ItemEstimate) -> dict[str, Any]:
    return {
        "at": estimate.run.started_at,
        "revision": estimate.revision.number,
        "attempts": estimate.attempts,
        "slope": with_error(estimate.slope, estimate.slope_error),
        "difficulty": "beyond 6"
        if estimate.is_runaway
        else with_error(estimate.difficulty, estimate.difficulty_error, sign=True),
        "guess": f"{estimate.guess:.2f}",
    }


def _information(estimates: Sequence[ItemEstimate]) -> dict[str, Any] | None:
    if not estimates:
        return None
    newest = estimates[0]
    return plots.information(
        slope=np.array([newest.slope]),
        difficulty=np.array([newest.difficulty]),
        guess=np.array([newest.guess]),
    )


def figure(value: float | None, *, decimals: int = 2, sign: bool = False) -> str:
    """Return a figure, or nothing where there is none; the page shows a dash."""
    if value is None:
        return ""
    return f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"


def per_cent(share: float | None, *, scale: int = 100) -> str:
    """Return a share as per cent, or nothing."""
    return "" if share is None else f"{scale * share:.0f} %"


def with_error(value: float | None, error: float | None, *, sign: bool = False) -> str:
    """Return an estimate with its standard error where there is one."""
    if value is None:
        return ""
    shown = figure(value, sign=sign)
    return shown if error is None else f"{shown} ± {error:.2f}"
