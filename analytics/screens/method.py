"""The page that says how readiness is worked out, and how often it came true."""

from __future__ import annotations

from typing import Any, Final

from analytics.domain import measures
from analytics.domain.advice import ENOUGH_ANSWERS
from analytics.screens.chances import whole
from analytics.selectors.outcomes import outcomes

ENOUGH: Final = 200
"""So many outcomes make the diagram everyone's; fewer would show chance."""


def method_page(*, is_staff: bool) -> dict[str, Any]:
    """Return what the page shows: the diagram to staff at once, to all from enough on."""
    probability, outcome = outcomes()
    count = len(outcome)
    is_public = count >= ENOUGH
    context: dict[str, Any] = {
        "needed": ENOUGH_ANSWERS,
        "enough": ENOUGH,
        "count": count,
        "is_early": not is_public,
        "diagram": None,
    }
    if count and (is_public or is_staff):
        groups = measures.reliability(probability=probability, outcome=outcome)
        context["diagram"] = {
            "groups": [_group(group) for group in groups],
            "label": "What was said and what came true: "
            + "; ".join(
                f"said {whole(group.forecast)} %, {whole(group.came_true)} % of "
                f"{group.forecasts} passed"
                for group in groups
            ),
        }
    return context


def _group(group: measures.Group) -> dict[str, Any]:
    return {
        "x": round(100 * group.forecast, 2),
        "y": round(100 - 100 * group.came_true, 2),
        "low_y": round(100 - 100 * group.low, 2),
        "high_y": round(100 - 100 * group.high, 2),
        "said": whole(group.forecast),
        "passed": whole(group.came_true),
        "low": whole(group.low),
        "high": whole(group.high),
        "count": group.forecasts,
        "is_off": group.is_off,
    }
