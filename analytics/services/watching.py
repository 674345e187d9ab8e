"""Whether what learners are told comes true: watched each night, and mended."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from analytics.domain import measures
from analytics.domain.measures import Group
from analytics.models import ChanceMap
from analytics.selectors.outcomes import modelled_outcomes, outcomes
from questions.models import Certification

LEAST: Final = 50
"""Outcomes from which a tenth of the scale is judged; fewer tell more of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look found. ``off`` names tenths of the scale, from 0.

    A tenth is off where the share that passed lies outside what would come of nine in ten
    right forecasts. ``again`` are those that were off at the last look too: once in ten
    looks a tenth is off by chance alone.
    """

    outcomes: int
    off: tuple[int, ...]
    again: tuple[Group, ...]

    @property
    def said(self) -> str:
        """Return the finding in a sentence or two."""
        if self.again:
            return "; ".join(_told(group) for group in self.again) + " twice running."
        if self.off:
            return f"Off in {len(self.off)} of ten steps, which may be chance: not twice running."
        return f"{self.outcomes} outcomes; no step of enough of them is off."


def look(*, off_before: Collection[int]) -> Look:
    """Hold all that was said against what came of it."""
    probability, outcome = outcomes()
    groups = measures.reliability(probability=probability, outcome=outcome)
    off = {
        group.step: group
        for group in groups
        if group.is_off and group.forecasts >= LEAST
    }
    return Look(
        outcomes=len(outcome),
        off=tuple(off),
        again=tuple(group for step, group in off.items() if step in off_before),
    )


def mend(*, certification: Certification, at: datetime.datetime) -> ChanceMap | None:
    """Fit anew how chances are to be mended; return the map, if one is in force now.

    It is one only where it lowers log-loss on results that it had not seen.
    """
    modelled, outcome = modelled_outcomes(certification=certification)
    found = measures.recalibrated(probability=modelled, outcome=outcome)
    if not found.is_in_force:
        ChanceMap.objects.filter(certification=certification).delete()
        return None
    made, _ = ChanceMap.objects.update_or_create(
        certification=certification,
        defaults={
            "intercept": found.intercept,
            "slope": found.slope,
            "outcomes": found.outcomes,
            "gain": found.gain,
            "made_at": at,
        },
    )
    return made


def _told(group: Group) -> str:
    return (
        f"said about {100 * group.forecast:.0f}%, passed "
        f"{100 * group.came_true:.0f}% of {group.forecasts} (between "
        f"{100 * group.low:.0f} and {100 * group.high:.0f}% would be chance)"
    )
