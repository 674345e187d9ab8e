"""Which question to ask next, and why.

A question is worth what its answer would tell about the exam score: its information,
averaged over what is believed of the learner's ability in its domain, times how much
of the doubt about the score hangs on that domain. Seen questions tell of memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analytics.domain import irt, readiness
from analytics.domain.ability import NODE_WEIGHTS, NODES, Ability
from analytics.domain.arrays import Bools, Floats, Ints

_NEW_TO: Final = 3
"""Below so many first attempts, a domain is new to the learner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A question by its place in the arrays, with the numbers that speak for it.

    ``worth`` is the share of the variance of the expected score that its answer takes
    away on average. ``chance`` is the chance of a right answer. ``need`` is the share of
    the doubt that hangs on its domain, ``weight`` the domain's share of the exam, and
    ``is_new_domain`` says that the learner has hardly answered there.
    """

    question: int
    domain: int
    worth: float
    chance: float
    need: float
    weight: float
    is_new_domain: bool


def suggestions(
    *,
    ability: Ability,
    exam: readiness.Exam,
    questions: irt.Questions,
    domain: Ints,
    is_seen: Bools,
    most: int = 5,
) -> tuple[Suggestion, ...]:
    """Return up to ``most`` unseen questions, the most telling first.

    Ties go to the question that comes first in the arrays. To spread questions over
    learners, draw among several suggestions.
    """
    needs = domain_needs(ability=ability, exam=exam)
    held, chance = _expected(ability, questions, domain)
    spread = np.diagonal(ability.covariance)[domain]
    worth = needs[domain] * held * spread / (1.0 + held * spread)
    order = np.argsort(np.where(is_seen, np.inf, -worth), kind="stable")
    return tuple(
        Suggestion(
            question=int(q),
            domain=int(domain[q]),
            worth=float(worth[q]),
            chance=float(chance[q]),
            need=float(needs[domain[q]]),
            weight=float(exam.weights[domain[q]]),
            is_new_domain=ability.answers[domain[q]] < _NEW_TO,
        )
        for q in order[: min(most, int((~is_seen).sum()))]
    )


def domain_needs(*, ability: Ability, exam: readiness.Exam) -> Floats:
    """Return what share of the doubt about the score would go if a domain were known.

    Domains hang together, so that the shares may sum to more than 1.
    """
    slope = readiness.score_slopes(exam=exam, mean=ability.mean[None])[0]
    along = ability.covariance @ slope
    whole = float(slope @ along)
    own = np.diagonal(ability.covariance)
    return np.asarray(along**2 / np.maximum(own * whole, 1e-12), dtype=np.float64)


def _expected(
    ability: Ability, questions: irt.Questions, domain: Ints
) -> tuple[Floats, Floats]:
    """Return each question's expected information and chance, doubt included."""
    places = np.multiply.outer(ability.deviation, NODES) + ability.mean[:, None]
    right, told = irt.chance_and_information(
        questions=questions, ability=places[domain]
    )
    return told @ NODE_WEIGHTS, right @ NODE_WEIGHTS
