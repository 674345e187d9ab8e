"""What somebody should practise next, and why."""

from __future__ import annotations

import datetime
import random
from collections.abc import Collection
from typing import Final

import numpy as np

from accounts.selectors import Learner
from analytics.domain import ability, nextitem
from analytics.domain.ability import POPULATION
from analytics.domain.nextitem import Suggestion
from analytics.selectors import answers, learners
from analytics.selectors.learners import LearnerReadiness
from questions.exams.models import Sitting
from questions.exams.selectors import pool
from questions.exams.services import practice, starting
from questions.models import Certification

USUAL_LENGTH: Final = 10
AMONG: Final = 5
"""Each question is drawn among so many that tell most."""


def choose_next(
    *,
    learner: Learner,
    found: LearnerReadiness,
    withheld: Collection[int],
    most: int,
    seed: int,
    at: datetime.datetime,
) -> dict[int, str]:
    """Return up to ``most`` questions by id, in order, each with why in a sentence.

    Only what may be practised and was never given before, ``withheld`` ones aside. The
    same seed chooses the same.
    """
    table = found.table
    unseen = pool.practice_pool(
        blueprint=found.blueprint,
        choice=pool.Choice(standing=pool.Standing.UNSEEN),
        learner=learner,
        withheld=withheld,
    ).values_list("pk", flat=True)
    places = np.flatnonzero(table.is_live & np.isin(table.question, list(unseen)))
    if table.exam is None or not len(places):
        return {}
    chosen = nextitem.choose(
        ability=ability.on_day(
            ability=found.known, population=POPULATION, day=answers.day_of(at)
        ),
        exam=table.exam,
        questions=table.parameters(places),
        domain=table.domain[places],
        is_seen=np.zeros(len(places), dtype=bool),
        most=most,
        among=AMONG,
        rng=random.Random(seed),  # noqa: S311  (a draw, not a secret)
    )
    return {
        int(table.question[places[each.question]]): reason(
            suggestion=each, domain=table.domains[each.domain].name
        )
        for each in chosen
    }


def reason(*, suggestion: Suggestion, domain: str) -> str:
    """Return why a question of a domain was chosen, as learners read it."""
    weight = f"{domain}, {100 * suggestion.weight:.0f}% of the exam"
    if suggestion.is_new_domain:
        return f"Little is known of you in {weight}: an answer tells much."
    need = f"{100 * suggestion.need:.0f}%"
    return f"New to you, and {need} of the doubt about your score hangs on {weight}."


def start(
    *,
    learner: Learner,
    certification: Certification,
    withheld: Collection[int],
    length: int,
    seed: int,
    at: datetime.datetime,
) -> Sitting:
    """Begin practice of questions chosen for an account.

    Raises:
        NothingMatches: there are no questions, or none that it was not given before.
    """
    if learner.user is None:
        message = "Choosing rests on what is known of an account."
        raise ValueError(message)
    found = learners.readiness_of(user=learner.user, certification=certification, at=at)
    if found is None:
        raise starting.NothingMatches
    return practice.start_chosen(
        terms=starting.PracticeTerms(blueprint=found.blueprint, length=length),
        learner=learner,
        reasons=choose_next(
            learner=learner,
            found=found,
            withheld=withheld,
            most=length,
            seed=seed,
            at=at,
        ),
        seed=seed,
        at=at,
    )
