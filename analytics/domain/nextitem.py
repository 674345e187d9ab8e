"""Which questions to ask next, and why.

A question is worth what its answer would tell about the exam score: its information,
averaged over what is believed of the learner's ability in its domain, times how much
of the doubt about the score hangs on that domain. Seen questions tell of memory.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
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
    away on average, after those before it. The others are as of now: ``chance`` is that
    of a right answer, ``need`` the share of the doubt that hangs on its domain,
    ``weight`` the domain's share of the exam, and ``is_new_domain`` says that the
    learner has hardly answered there.
    """

    question: int
    domain: int
    worth: float
    chance: float
    need: float
    weight: float
    is_new_domain: bool


def choose(
    *,
    ability: Ability,
    exam: readiness.Exam,
    questions: irt.Questions,
    domain: Ints,
    is_seen: Bools,
    most: int,
    among: int,
    rng: random.Random,
) -> tuple[Suggestion, ...]:
    """Return up to ``most`` unseen questions to ask one after another.

    Each is drawn among the ``among`` most telling after those before it, which spreads
    questions over learners. What an answer takes of the doubt on average is taken away
    before the next is looked for, so that one domain doesn't get every place.
    """
    needs = domain_needs(ability=ability, exam=exam)
    held, chance = _expected(ability, questions, domain)
    is_left = ~is_seen
    found: list[Suggestion] = []
    for _ in range(min(most, int(is_left.sum()))):
        worth = _worth(ability, exam, held, domain)
        q = _drawn(np.where(is_left, worth, -1.0), min(among, int(is_left.sum())), rng)
        d = int(domain[q])
        found.append(
            Suggestion(
                question=q,
                domain=d,
                worth=float(worth[q]),
                chance=float(chance[q]),
                need=float(needs[d]),
                weight=float(exam.weights[d]),
                is_new_domain=ability.answers[d] < _NEW_TO,
            )
        )
        is_left[q] = False
        ability = _as_if_answered(ability, d, float(held[q]))
    return tuple(found)


def _worth(
    ability: Ability, exam: readiness.Exam, held: Floats, domain: Ints
) -> Floats:
    needs = domain_needs(ability=ability, exam=exam)[domain]
    told = held * np.diagonal(ability.covariance)[domain]
    return np.asarray(needs * told / (1.0 + told), dtype=np.float64)


def _drawn(worth: Floats, among: int, rng: random.Random) -> int:
    best = np.argpartition(-worth, among - 1)[:among]
    return int(np.sort(best)[rng.randrange(among)])


def _as_if_answered(ability: Ability, domain: int, held: float) -> Ability:
    """Return the ability with the doubt that is left after an answer, on average."""
    along = ability.covariance[:, domain]
    less = held / (1.0 + held * float(along[domain]))
    return replace(
        ability, covariance=ability.covariance - less * np.outer(along, along)
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
