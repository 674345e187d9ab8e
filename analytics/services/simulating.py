"""Simulated people, who sit through the same services as everybody.

Moments lie in the past; everything else is as it would have been then. The same seed
gives the same answers to the same bank.
"""

from __future__ import annotations

import datetime
import uuid
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.db import transaction

from accounts.models import Participant, User
from accounts.selectors import Learner
from accounts.services import simulated
from analytics.domain import simulation, studying
from analytics.selectors import answers
from analytics.selectors.parameters import QuestionTable, question_table
from analytics.selectors.targets import version_on
from analytics.services import learners
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Enrolment, Sitting, SittingItem
from questions.exams.selectors import pool
from questions.exams.selectors.under_way import Owner
from questions.exams.services import enrolling, finishing, saving, starting
from questions.models import Blueprint, Certification, Option

WORLD: Final = simulation.World()
BEGINNER: Final = simulation.World(
    mean=-0.3, shared_deviation=0.1, gain=0.035, gain_spread=0.1
)
"""Somebody who does not know much at first and learns quickly."""

_DAY: Final = datetime.timedelta(days=1)
_DOMAIN: Final = "simulated.invalid"
"""As RFC 2606 keeps it: nobody's, for ever."""

_WEEKS_LEFT: Final = (2, 6)
_NARROW, _AGAIN = 0.05, 0.87
"""So many practices are of one domain, and so many of what was missed.

Two mock exams meet a good part of a bank, and something has to be left to meet.
"""


class NothingToStudy(Exception):
    """The certification has no blueprint, or no question in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What simulated people study for: how many days, up to which moment."""

    certification: Certification
    days: int
    until: datetime.datetime

    @property
    def start(self) -> datetime.datetime:
        """Return the moment before the first day."""
        return self.until - self.days * _DAY


@transaction.atomic
def add_person(*, plan: Plan, seed: int, number: int) -> bool:
    """Have a simulated person study, all of it or nothing; say if they are new.

    Raises:
        NothingToStudy: there are no questions.
    """
    email = f"{plan.certification.slug}-{seed}-{number}@{_DOMAIN}"
    if User.objects.filter(email=email).exists():
        return False
    user = simulated.new_person(email=email, name=f"Simulated {number}", at=plan.start)
    participant = simulated.participant_of(user=user, at=plan.start)
    _study(participant=participant, plan=plan, seed=(seed, number), world=WORLD)
    return True


def give_history(*, user: User, plan: Plan, seed: int) -> bool:
    """Have an account that never sat anything study, all of it or nothing.

    Say if it did. The account is not locked meanwhile, so that its owner can sign in.

    Raises:
        NothingToStudy: there are no questions.
    """
    sat = Sitting.objects.filter(participant__user=user)
    if sat.exists():
        return False
    participant = simulated.participant_of(user=user, at=plan.start)
    with transaction.atomic():
        Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)
        if sat.exists():
            return False
        _study(participant=participant, plan=plan, seed=(seed,), world=BEGINNER)
    return True


def _study(
    *,
    participant: Participant,
    plan: Plan,
    seed: tuple[int, ...],
    world: simulation.World,
) -> None:
    """Practise with gaps, sit mock exams, and have an exam some weeks ahead."""
    blueprint = version_on(
        versions=plan.certification.blueprints.order_by("-effective_from"),
        on=plan.until.date(),
    )
    table = question_table(blueprint=blueprint) if blueprint else None
    if blueprint is None or table is None or table.exam is None:
        raise NothingToStudy
    rng = np.random.default_rng(seed)
    student = _Student(
        participant=participant, blueprint=blueprint, table=table, world=world, rng=rng
    )
    live = int(table.is_live.sum())
    for day in studying.days_of_study(days=plan.days, questions=live, rng=rng):
        at = plan.until - day.ago * _DAY - datetime.timedelta(hours=day.hours)
        if day.questions is None:
            student.sit_mock(at=at)
        else:
            student.practise(length=day.questions, at=at)
    student.look_ahead(plan=plan, weeks=int(rng.integers(*_WEEKS_LEFT)))
    student.catch_up(at=plan.until)


class _Student:
    """One simulated person at work."""

    def __init__(
        self,
        *,
        participant: Participant,
        blueprint: Blueprint,
        table: QuestionTable,
        world: simulation.World,
        rng: np.random.Generator,
    ) -> None:
        self._learner = Learner(user=participant.user, participants=(participant,))
        self._owner = Owner(user_id=participant.user_id)
        self._blueprint = blueprint
        self._table = table
        self._rng = rng
        self._person = simulation.Person(
            world=world, domains=len(table.domains), rng=rng
        )
        self._keys = _keys_of(blueprint.certification)

    def practise(self, *, length: int, at: datetime.datetime) -> None:
        """Practise some questions, explained at the end."""
        questions = self._questions(self._choice())
        if not questions:
            # Nothing was missed: what was met is practised again, or else anything.
            every = self._questions(pool.Choice())
            questions = [pk for pk in every if pk in self._person.met] or every
        if not questions:
            return
        sitting = starting.start_practice(
            terms=starting.PracticeTerms(
                blueprint=self._blueprint, length=length, feedback=Feedback.AT_END
            ),
            learner=self._learner,
            questions=questions,
            seed=self._seed(),
            at=at,
        )
        self._answer(sitting)

    def _choice(self) -> pool.Choice:
        luck = self._rng.random()
        number = int(self._rng.integers(len(self._table.domains)))
        if luck < _NARROW:
            return pool.Choice(domains=(self._table.domains[number].pk,))
        if luck < _NARROW + _AGAIN:
            return pool.Choice(standing=pool.Standing.MISSED)
        return pool.Choice()

    def _questions(self, choice: pool.Choice) -> list[int]:
        found = pool.practice_pool(
            blueprint=self._blueprint, choice=choice, learner=self._learner
        )
        return list(found.values_list("pk", flat=True))

    def sit_mock(self, *, at: datetime.datetime) -> None:
        """Sit the longest mock exam there is, if it is long enough."""
        length = starting.longest_mock(blueprint=self._blueprint, learner=self._learner)
        if length < starting.LEAST_IN_A_MOCK:
            return
        # The chance that is given as it begins rests on what is known by then.
        self.catch_up(at=at)
        started = starting.start_mock(
            terms=starting.standard_terms(blueprint=self._blueprint, length=length),
            learner=self._learner,
            seed=self._seed(),
            at=at,
        )
        self._answer(started.sitting)

    def look_ahead(self, *, plan: Plan, weeks: int) -> None:
        """Set a date for the exam, if there is none; the account is locked from here."""
        user = self._learner.user
        certification = plan.certification
        if user is None or Enrolment.objects.filter(
            user=user, certification=certification
        ):
            return
        enrolling.enrol(
            user=user,
            certification=certification,
            exam_date=plan.until.date() + weeks * 7 * _DAY,
            at=plan.start,
        )

    def catch_up(self, *, at: datetime.datetime) -> None:
        """Have what was answered worked in, as the worker would."""
        learners.update(
            user=self._owner.user_id or 0,
            certification=self._blueprint.certification_id,
            at=at,
        )

    def _answer(self, sitting: Sitting) -> None:
        """Answer one question after the other, as long as there is time, and submit."""
        at = sitting.started_at
        found = SittingItem.objects.filter(sitting=sitting).order_by("position")
        for item in found:
            seconds = studying.seconds_on_a_question(rng=self._rng)
            at += datetime.timedelta(seconds=seconds + 1)
            if sitting.deadline is not None and at >= sitting.deadline:
                break
            saving.save_response(
                owner=self._owner,
                public_id=sitting.public_id,
                position=item.position,
                work=saving.Work(
                    save_id=uuid.UUID(bytes=self._rng.bytes(16), version=4),
                    base_version=0,
                    chosen=self._chosen(item, at),
                    seconds=seconds,
                ),
                at=at,
            )
        finishing.submit(sitting=sitting, at=at)

    def _chosen(self, item: SittingItem, at: datetime.datetime) -> list[str]:
        keys = self._keys[item.revision_id]
        place = int(self._table.places_of([item.revision_id])[0])
        right = place >= 0 and self._person.answers_right(
            number=item.question_id,
            question=self._table.question_at(place),
            day=answers.day_of(at),
        )
        if right:
            return sorted(keys)
        # One key is missed, and the distractor that draws most takes its place.
        distractors = sorted(set(item.option_order) - keys)
        draws = self._rng.random(len(distractors)) / np.arange(1, len(distractors) + 1)
        wrong = distractors[int(draws.argmax())]
        return [*sorted(keys)[1:], wrong]

    def _seed(self) -> int:
        return int(self._rng.integers(2**31))


def _keys_of(certification: Certification) -> dict[int, frozenset[str]]:
    """Return the keys of every published revision."""
    found: dict[int, set[str]] = {}
    options = Option.objects.filter(
        revision__question__certification=certification,
        revision__published_at__isnull=False,
        is_key=True,
    )
    for revision, key in options.values_list("revision", "key"):
        found.setdefault(revision, set()).add(key)
    return {revision: frozenset(keys) for revision, keys in found.items()}
