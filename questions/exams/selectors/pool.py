"""Questions that a learner could be asked, and how they stand for this learner."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.selectors import Learner
from questions.domain import similarity
from questions.domain.items import Exposure
from questions.exams.domain.assembly import KNOWN, MISSED, Candidate
from questions.exams.models import QuestionFlag, SittingItem
from questions.models import Alignment, Blueprint, Certification, Question, Revision


class Standing(StrEnum):
    """Which questions to practise, by how they stand for the learner."""

    ALL = "all"
    UNSEEN = "unseen"
    MISSED = "missed"
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a learner wants to practise. Empty parts do not narrow."""

    domains: tuple[int, ...] = ()
    objectives: tuple[int, ...] = ()
    difficulties: tuple[str, ...] = ()
    standing: Standing = Standing.ALL


# The last draw of each question decides. What was drawn and never scored counts as
# missed: it was seen, and nobody knows more.
_STANDINGS = """
SELECT DISTINCT ON (item.question_id) item.question_id,
       COALESCE(response.points_numerator = response.points_denominator
                AND NOT response.was_shown, FALSE)
  FROM exams_sittingitem item
  JOIN exams_sitting sitting ON sitting.id = item.sitting_id
  JOIN exams_response response ON response.item_id = item.id
 WHERE sitting.participant_id = ANY(%s) AND sitting.certification_id = %s
 ORDER BY item.question_id, (response.points_denominator IS NULL), item.id DESC
"""

_CANDIDATES = """
SELECT q.id, alignment.domain_id, COALESCE(alignment.objective_id, 0),
       revision.difficulty, COALESCE(scenario.scenario_id, 0),
       CASE q.exposure WHEN 'mock_only' THEN 0 WHEN 'members' THEN 1 ELSE 2 END
  FROM questions_alignment alignment
  JOIN questions_question q ON q.id = alignment.question_id
  JOIN questions_revision revision ON revision.id = q.published_revision_id
  LEFT JOIN questions_scenariorevision scenario
    ON scenario.id = revision.scenario_revision_id
 WHERE alignment.blueprint_id = %s AND q.retired_at IS NULL AND q.exposure = ANY(%s)
 ORDER BY q.id
"""

_ENEMIES = """
SELECT pair.from_question_id, pair.to_question_id
  FROM questions_question_enemies pair
  JOIN questions_question q ON q.id = pair.from_question_id
 WHERE q.certification_id = %s
"""


def standings(*, learner: Learner, certification: Certification) -> dict[int, int]:
    """Return MISSED or KNOWN for each question that the learner was ever given."""
    if not learner.ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_STANDINGS, [list(learner.ids), certification.pk])
        return {
            question: KNOWN if is_right else MISSED
            for question, is_right in cursor.fetchall()
        }


def candidates(
    *,
    blueprint: Blueprint,
    exposures: Collection[Exposure],
    standing: Mapping[int, int],
) -> list[Candidate]:
    """Return the questions of ``exposures`` that a mock exam could ask, by id."""
    with connection.cursor() as cursor:
        cursor.execute(_CANDIDATES, [blueprint.pk, [each.value for each in exposures]])
        rows = cursor.fetchall()
    return [
        Candidate(
            question=question,
            domain=domain,
            objective=objective,
            difficulty=difficulty,
            scenario=scenario,
            reserve=reserve,
            standing=standing.get(question, 0),
        )
        for question, domain, objective, difficulty, scenario, reserve in rows
    ]


def enemies(*, certification: Certification) -> dict[int, set[int]]:
    """Return for each question those declared never to share an exam with it."""
    found: dict[int, set[int]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(_ENEMIES, [certification.pk])
        for one, other in cursor.fetchall():
            found[one].add(other)
            found[other].add(one)
    return dict(found)


def near_duplicates(*, questions: Collection[int]) -> list[tuple[int, int]]:
    """Return the pairs among ``questions`` that ask nearly the same thing.

    Pairs that share a band of their text are looked at word by word; there are hardly
    ever any, so this is one query as a rule.
    """
    bands = dict(Question.objects.filter(pk__in=questions).values_list("pk", "bands"))
    first: dict[int, int] = {}
    pairs = set()
    for question in sorted(bands):
        for band in bands[question]:
            other = first.setdefault(band, question)
            if other != question:
                pairs.add((other, question))
    if not pairs:
        return []
    suspects = {question for pair in pairs for question in pair}
    prints = {
        revision.question_id: similarity.fingerprint(revision.to_item())
        for revision in Revision.objects.filter(published_of__in=suspects)
        .select_related("question")
        .with_content()
    }
    return [
        (one, other)
        for one, other in sorted(pairs)
        if similarity.is_near_duplicate(prints[one], prints[other])
    ]


def domain_counts(found: Collection[Candidate]) -> Counter[int]:
    """Return how many candidates each domain has."""
    return Counter(candidate.domain for candidate in found)


def unseen_by_objective(*, user: User, blueprint: Blueprint) -> dict[int, int]:
    """Return how many questions of each objective an account could still meet, new.

    As ``practice_pool`` counts them: given in no sitting, and open to practice.
    """
    given = SittingItem.objects.filter(
        sitting__participant__user=user, question=OuterRef("pk")
    )
    return dict(
        Question.objects.readable_by(user)
        .filter(~Exists(given), alignments__blueprint=blueprint)
        .order_by()
        .values("alignments__objective")
        .annotate(count=Count("pk"))
        .values_list("alignments__objective", "count")
    )


def practice_pool(
    *,
    blueprint: Blueprint,
    choice: Choice,
    learner: Learner,
    withheld: Collection[int] = (),
) -> QuerySet[Question]:
    """Return the questions that the learner could practise and that fit ``choice``.

    Mock-only questions are never practised, and ``withheld`` ones, which are in a mock
    exam under way, not now.
    """
    pool = Question.objects.readable_by(learner.user).exclude(pk__in=withheld)
    places = Q()
    if choice.domains:
        places |= Q(alignments__domain__in=choice.domains)
    if choice.objectives:
        places |= Q(alignments__objective__in=choice.objectives)
    if choice.difficulties:
        pool = pool.filter(published_revision__difficulty__in=choice.difficulties)
    return _standing(pool, blueprint, choice.standing, learner).filter(
        places, alignments__blueprint=blueprint
    )


def practice_counts(
    *, blueprint: Blueprint, learner: Learner, withheld: Collection[int] = ()
) -> tuple[Counter[int], Counter[int]]:
    """Return how many questions the learner could practise, by domain and by objective."""
    every = practice_pool(
        blueprint=blueprint, choice=Choice(), learner=learner, withheld=withheld
    )
    domains: Counter[int] = Counter()
    objectives: Counter[int] = Counter()
    counted = (
        Alignment.objects.filter(blueprint=blueprint, question__in=every)
        .values_list("domain", "objective")
        .annotate(count=Count("pk"))
    )
    for domain, objective, count in counted:
        domains[domain] += count
        if objective is not None:
            objectives[objective] += count
    return domains, objectives


def _standing(
    pool: QuerySet[Question],
    blueprint: Blueprint,
    standing: Standing,
    learner: Learner,
) -> QuerySet[Question]:
    if standing is Standing.ALL:
        return pool
    if standing is Standing.FLAGGED:
        flags = QuestionFlag.objects.filter(participant__in=learner.ids)
        return pool.filter(pk__in=flags.values("question"))
    known = standings(learner=learner, certification=blueprint.certification)
    if standing is Standing.UNSEEN:
        return pool.exclude(pk__in=list(known))
    return pool.filter(pk__in=[key for key, each in known.items() if each == MISSED])
