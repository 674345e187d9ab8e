"""What is believed of questions before their answers, and what all of them show of each.

While learners are placed the priors are weak, and say nothing of the scale: a lognormal
one on the slope, a normal one on the easiness. Once they are placed, the questions have
shown how far slopes and difficulties lie apart, and where each objective stands; by that
each question is settled, so that one with few answers leans on the others. Under a prior
on difficulties before that, all questions together would pull the scale in, each by too
little to notice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analytics.domain import irt
from analytics.domain.arrays import Floats, Ints

_PSEUDO: Final = 5.0
"""So many questions' worth the spreads of ``Priors`` count beside those of the bank."""

_LEAST: Final = 1e-6
"""Information that is as good as none."""

Moments = tuple[Floats, Floats, Floats, Floats, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class Priors:
    """Standard deviations of log slope and easiness; of difficulty, and in an objective.

    Those of log slope and difficulty are where the bank's own spreads start from, and
    hold where it has few questions.
    """

    slope: float = 0.5
    easiness: float = 2.0
    difficulty: float = 2.0
    within_objective: float = 0.82


WEAK: Final = Priors()
"""What is believed unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prior:
    """Log slopes lie around 0, and difficulties around ``centre``.

    Without a centre it is easiness that lies around 0.
    """

    slope: float
    spread: float
    centre: Floats | None = None

    def information(
        self, questions: irt.Questions, *, share: float = 1.0
    ) -> tuple[Floats, Floats, Floats]:
        """Return aa, ad, dd in log slope (a) and easiness (d), per question.

        ``share`` is each question's part in the slope: less than 1 if it is a common one.
        """
        a, b = questions.slope, questions.difficulty
        flat, sure = np.ones(len(a)), self.spread**-2
        slope = flat * share * self.slope**-2
        if self.centre is None:
            return slope, 0.0 * flat, flat * sure
        return slope + sure * b**2, sure * b / a, sure / a**2

    def gradient(
        self, questions: irt.Questions, *, share: float = 1.0
    ) -> tuple[Floats, Floats]:
        """Return by how much the log of the prior rises with log slope and easiness."""
        a, b = questions.slope, questions.difficulty
        slope = -share * np.log(a) * self.slope**-2
        if self.centre is None:
            return slope, -questions.easiness * self.spread**-2
        pull = (b - self.centre) * self.spread**-2
        return slope + pull * b, pull / a


def shown(
    *,
    priors: Priors,
    questions: irt.Questions,
    moments: Moments,
    objectives: Ints | None,
    has_one_slope: bool,
) -> Prior:
    """Return the prior that questions show, placed under the weak one.

    ``moments`` are theirs, from ``precision.moments``. Each counts by what its answers
    say, so that the many with few don't drag the mean of an objective towards the weak
    prior. Spreads are one step of EM: those of what is found and of the doubt about it.
    """
    _, _, h_aa, h_ad, h_dd = moments
    told = np.maximum(questions.slope**2 * h_dd, _LEAST)
    # As it would stand without the weak prior.
    freed = 1.0 + 1.0 / (priors.easiness**2 * np.maximum(h_dd, _LEAST))
    own = questions.difficulty * freed
    centre, spread = np.zeros(len(own)), priors.difficulty
    if objectives is not None:
        spread = priors.within_objective
        say = 1.0 / (spread**2 + 1.0 / told)
        size = int(objectives.max(initial=-1)) + 1
        total = np.bincount(objectives, weights=say, minlength=size)
        pulled = np.bincount(objectives, weights=say * own, minlength=size)
        centre = (pulled / (total + priors.difficulty**-2))[objectives]
    sure = told + spread**-2
    slope = priors.slope
    if not has_one_slope:
        known = h_aa - h_ad**2 / np.maximum(h_dd, _LEAST) + slope**-2
        slope = _spread(slope, np.log(questions.slope), 1.0 / known)
    return Prior(
        slope=slope,
        spread=_spread(spread, (own - centre) * told / sure, 1.0 / sure),
        centre=centre,
    )


def _spread(before: float, away: Floats, doubt: Floats) -> float:
    """Return a spread from distances and the doubt about each, and from that before."""
    total = _PSEUDO * before**2 + float((away**2 + doubt).sum())
    return float(np.sqrt(total / (_PSEUDO + len(away))))
