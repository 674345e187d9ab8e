"""What a blueprint version asks, as the filter and readiness need it.

Read once a process for each state of the bank: the bank's version, the calibration in
force and the blueprint itself name that state, and one query tells it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from django.db import connection

from analytics.domain import irt, readiness
from analytics.domain.ability import Question
from analytics.domain.arrays import Bools, Floats, Ints
from questions.domain import blueprint as rules
from questions.domain import items
from questions.models import Blueprint

STANDS_IN: Final = {
    items.Difficulty.EASY.value: -1.0,
    items.Difficulty.MEDIUM.value: 0.0,
    items.Difficulty.HARD.value: 1.0,
}
"""Difficulty in logits by the author's estimate, where there is no calibration."""

_MOST_KEPT: Final = 32

_PLACES = """
SELECT d.id, d.code, d.name, d.weight, o.id, o.code, o.name, o.slug
  FROM questions_domain d
  LEFT JOIN questions_objective o ON o.domain_id = d.id
 WHERE d.blueprint_id = %s
 ORDER BY d.id, o.id
"""

_STATE = """
SELECT c.bank_version, run.id,
       array_agg(d.id ORDER BY d.id), array_agg(d.weight ORDER BY d.id)
  FROM questions_blueprint b
  JOIN questions_certification c ON c.id = b.certification_id
  LEFT JOIN questions_domain d ON d.blueprint_id = b.id
  LEFT JOIN analytics_calibrationrun run
    ON run.certification_id = c.id AND run.is_in_force
 WHERE b.id = %s
 GROUP BY c.bank_version, run.id
"""

# What was ever published of each question that is aligned; answers name revisions.
_QUESTIONS = """
SELECT r.id, a.question_id, a.domain_id, COALESCE(a.objective_id, 0),
       r.difficulty, r.choose,
       (SELECT count(*) FROM questions_option o WHERE o.revision_id = r.id),
       p.slope, p.difficulty, p.guess,
       r.id = q.published_revision_id AND q.retired_at IS NULL,
       q.exposure <> 'mock_only'
  FROM questions_alignment a
  JOIN questions_question q ON q.id = a.question_id
  JOIN questions_revision r ON r.question_id = q.id AND r.published_at IS NOT NULL
  LEFT JOIN questions_itemparameters p ON p.revision_id = r.id AND %(has_run)s
 WHERE a.blueprint_id = %(blueprint)s
 ORDER BY r.id
"""


class DomainPlace(NamedTuple):
    """A domain of the version, as pages name it; ``weight`` as published."""

    pk: int
    code: str
    name: str
    weight: int


class ObjectivePlace(NamedTuple):
    """An objective of the version; ``domain`` is the number of its domain."""

    pk: int
    code: str
    name: str
    slug: str
    domain: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionTable:
    """The questions of a blueprint version under the calibration in force, if any.

    ``domains`` are in the order of the numbers that the filter uses. The arrays have an
    entry per published revision, in the order of ``revision``. ``made_under`` names what
    this was made of but for calibration and domains; ``objective`` is 0 where
    there is none. ``is_live`` says that learners can meet this revision now, and
    ``is_open`` that practice may ask it, too. ``exam`` is the exam at full length, or
    nothing if no question is live. ``measured`` is how many of the live ones have
    parameters from the calibration; the others stand as their authors judge them.
    """

    blueprint: int
    run: int | None
    made_under: str
    domains: tuple[DomainPlace, ...]
    objectives: tuple[ObjectivePlace, ...]
    revision: Ints
    question: Ints
    domain: Ints
    objective: Ints
    slope: Floats
    difficulty: Floats
    guess: Floats
    is_live: Bools
    is_open: Bools
    measured: int
    exam: readiness.Exam | None

    def places_of(self, revisions: Sequence[int]) -> Ints:
        """Return the places of revisions in the arrays; -1 where one has none."""
        wanted = np.asarray(revisions, dtype=np.int64)
        if not len(self.revision):
            return np.full(len(wanted), -1)
        place = np.searchsorted(self.revision, wanted)
        place = np.minimum(place, len(self.revision) - 1)
        return np.where(self.revision[place] == wanted, place, -1)

    def parameters(self, places: Ints) -> irt.Questions:
        """Return the parameters of the questions at some places."""
        slope = self.slope[places]
        return irt.Questions(
            slope=slope,
            easiness=-slope * self.difficulty[places],
            guess=self.guess[places],
        )

    def question_at(self, place: int) -> Question:
        """Return one question as the filter takes it."""
        return Question(
            domain=int(self.domain[place]),
            slope=float(self.slope[place]),
            difficulty=float(self.difficulty[place]),
            guess=float(self.guess[place]),
        )


_kept: Final[dict[int, tuple[tuple[Any, ...], QuestionTable]]] = {}


def question_table(*, blueprint: Blueprint) -> QuestionTable:
    """Return the table as it is now: one query if nothing has changed, else four.

    Asked again if a calibration came into force while it was read.
    """
    state = _state_of(blueprint)
    kept = _kept.get(blueprint.pk)
    if kept is not None and kept[0] == state:
        return kept[1]
    table = _read(blueprint, state)
    while (later := _state_of(blueprint)) != state:
        state = later
        table = _read(blueprint, state)
    if len(_kept) >= _MOST_KEPT:
        del _kept[next(iter(_kept))]
    _kept[blueprint.pk] = (state, table)
    return table


def full_exam(
    *, weights: Sequence[int], length: int, mark: Fraction
) -> tuple[list[int], int]:
    """Return how many questions each domain gets, and how many right pass, exactly."""
    counts = rules.quotas(dict(enumerate(weights)), length)
    return [counts[d] for d in range(len(weights))], math.ceil(mark * length)


def _state_of(blueprint: Blueprint) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [blueprint.pk])
        version, run, domains, weights = cursor.fetchone()
    return (
        version,
        run,
        tuple(domains),
        tuple(weights),
        blueprint.questions_max,
        blueprint.mark,
    )


def _named(state: tuple[Any, ...]) -> str:
    """Return a state of the bank in a line, without calibration and domains."""
    version, _, _, weights, length, mark = state
    return f"bank {version}, weights {weights}, {length} questions, mark {mark}"


def _read(blueprint: Blueprint, state: tuple[Any, ...]) -> QuestionTable:
    _, run, _, weights, length, mark = state
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, [blueprint.pk])
        places = cursor.fetchall()
        asked = {"blueprint": blueprint.pk, "has_run": run is not None}
        cursor.execute(_QUESTIONS, asked)
        rows = cursor.fetchall()
    by_pk = {place[0]: DomainPlace._make(place[:4]) for place in places}
    number = {pk: n for n, pk in enumerate(by_pk)}
    columns = list(zip(*rows, strict=True)) or [()] * 12
    domain = np.array([number[pk] for pk in columns[2]], dtype=np.int64)
    parameters = np.array([_parameters(row) for row in rows]).reshape(len(rows), 3)
    slope, difficulty, guess = parameters.T
    is_live = np.array(columns[10], dtype=bool)
    exam = None
    if is_live.any():
        counts, needed = full_exam(weights=weights, length=length, mark=mark)
        exam = readiness.exam(
            counts=counts,
            needed=needed,
            questions=irt.Questions(
                slope=slope[is_live],
                easiness=(-slope * difficulty)[is_live],
                guess=guess[is_live],
            ),
            domain=domain[is_live],
        )
    return QuestionTable(
        blueprint=blueprint.pk,
        run=run,
        made_under=_named(state),
        domains=tuple(by_pk.values()),
        objectives=tuple(
            ObjectivePlace._make((*place[4:], number[place[0]]))
            for place in places
            if place[4] is not None
        ),
        revision=np.array(columns[0], dtype=np.int64),
        question=np.array(columns[1], dtype=np.int64),
        domain=domain,
        objective=np.array(columns[3], dtype=np.int64),
        slope=slope,
        difficulty=difficulty,
        guess=guess,
        is_live=is_live,
        is_open=np.array(columns[11], dtype=bool),
        measured=sum(row[7] is not None and row[10] for row in rows),
        exam=exam,
    )


def _parameters(row: Sequence[Any]) -> tuple[float, float, float]:
    """Return slope, difficulty and guess: calibrated, or as the author sees it."""
    estimate, choose, options = row[4:7]
    slope, difficulty, guess = row[7:10]
    if slope is not None:
        return slope, difficulty, guess
    ways = math.comb(options, choose)
    return 1.0, STANDS_IN[estimate], 1.0 / ways if ways else 0.0
