"""How much a response is worth.

Exact match is the rule of certification exams; right minus wrong is the usual
partial-credit rule for "choose N" items (Ripkey, Case & Swanson, 1996). Under both,
choosing everything earns nothing more than it should.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from questions.domain.items import Item, keys_of
from questions.domain.responses import Response


class Rule(StrEnum):
    """How the options chosen turn into points."""

    EXACT_MATCH = "exact_match"
    RIGHT_MINUS_WRONG = "right_minus_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Points earned, as an exact share of one item.

    ``hits`` is the number of keys chosen, ``keys`` the number there are, and
    ``slips`` the number of distractors chosen.
    """

    points: Fraction
    hits: int
    keys: int
    slips: int

    @property
    def is_full(self) -> bool:
        """Tell whether the response is fully right."""
        return self.points == 1


def score(item: Item, response: Response, rule: Rule = Rule.EXACT_MATCH) -> Score:
    """Return the score of ``response``, between 0 and 1."""
    keys = keys_of(item)
    hits = len(response.chosen & keys)
    slips = len(response.chosen - keys)
    if rule is Rule.EXACT_MATCH:
        points = Fraction(int(bool(keys) and response.chosen == keys))
    else:
        points = (
            max(Fraction(hits - slips, len(keys)), Fraction(0)) if keys else Fraction(0)
        )
    return Score(points=points, hits=hits, keys=len(keys), slips=slips)
