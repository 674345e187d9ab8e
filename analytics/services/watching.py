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

LATELY: Final = datetime.timedelta(days=180)
"""How far back a look goes: what was wrong and has been mended is an alarm no longer."""

RARE: Final = 0.001
"""A share that right forecasts would bring so rarely is not put down to chance.

Looks share nearly all of their outcomes, so what is off by chance one night is off the
next. Of ten tenths, one in ten is out of nine in ten's band at any time: by that, right
forecasts would raise an alarm within the year nearly always. By this, one year in six.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look found. ``off`` names tenths of the scale, from 0.

    A tenth is off where the share that passed is ``RARE`` if forecasts are right.
    ``again`` are those that were off at the last look too.
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
            return f"Off in {len(self.off)} of ten steps, not yet twice running."
        return f"{self.outcomes} outcomes; no step of enough of them is off."


def look(*, off_before: Collection[int], at: datetime.datetime) -> Look:
    """Hold what was said lately against what came of it."""
    probability, outcome = outcomes(since=at - LATELY)
    groups = measures.reliability(probability=probability, outcome=outcome)
    off = {
        group.step: group
        for group in groups
        if group.chance < RARE and group.forecasts >= LEAST
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
