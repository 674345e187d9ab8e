"""The page that says how readiness is worked out, and how often it came true."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from analytics.domain import measures
from analytics.domain.advice import ENOUGH_ANSWERS
from analytics.models import ChanceMap
from analytics.screens.chances import whole
from analytics.selectors import outcomes

ENOUGH: Final = 200
"""So many outcomes make the diagram everyone's; fewer would show chance."""

_EXAMPLES: Final = (0.3, 0.5, 0.7)
"""Chances by which the page shows how results mend what is told."""


def method_page(*, is_staff: bool) -> dict[str, Any]:
    """Return what the page shows: the diagram to staff at once, to all from enough on."""
    probability, outcome = outcomes.outcomes()
    count = len(outcome)
    is_public = count >= ENOUGH
    context: dict[str, Any] = {
        "needed": ENOUGH_ANSWERS,
        "enough": ENOUGH,
        "enough_to_mend": measures.ENOUGH_OUTCOMES,
        "count": count,
        "is_early": not is_public,
        "diagram": None,
        "mended": [_mended(each) for each in outcomes.maps_in_force()],
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


def _mended(chance_map: ChanceMap) -> dict[str, Any]:
    found = measures.Recalibration(
        intercept=chance_map.intercept,
        slope=chance_map.slope,
        outcomes=chance_map.outcomes,
        gain=chance_map.gain,
        is_in_force=True,
    )
    told = found.applied(probability=np.array(_EXAMPLES))
    return {
        "code": chance_map.certification.code,
        "outcomes": chance_map.outcomes,
        "pairs": [
            {"modelled": whole(modelled), "told": whole(each)}
            for modelled, each in zip(_EXAMPLES, told, strict=True)
        ],
    }


def _group(group: measures.Group) -> dict[str, Any]:
    return {
        "x": round(100 * group.forecast, 2),
        "y": round(100 - 100 * group.came_true, 2),
        "low_y": round(100 - 100 * group.low, 2),
        "high_y": round(100 - 100 * group.high, 2),
        "said": whole(group.forecast),
        "passed": whole(group.came_true),
        "count": group.forecasts,
    }
