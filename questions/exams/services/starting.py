"""Start a sitting: draw a form, freeze it, set the clock."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from django.conf import settings
from django.db import transaction

from accounts.models import Participant
from accounts.selectors import Learner, has_verified_address
from questions.domain.items import Exposure
from questions.domain.scoring import Rule
from questions.exams.domain import assembly, clock, orders
from questions.exams.domain.visibility import Feedback
from questions.exams.models import (
    MockExam,
    Navigation,
    Response,
    Sitting,
    SittingItem,
)
from questions.exams.selectors import pool, sittings
from questions.exams.services import finishing
from questions.exams.signals import mock_started
from questions.models import Alignment, Blueprint, Certification, Revision

LEAST_IN_A_MOCK = 5
LEAST_FOR_MOCK_ONLY = 20
"""Shorter mocks would spend the questions kept unseen for too little."""
MOST_IN_A_SET = 50
_DAY = datetime.timedelta(days=1)
_TRIES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a mock exam is about to be: everything its instructions say."""

    blueprint: Blueprint
    length: int
    minutes: int
    mark: Fraction
    navigation: str = Navigation.FREE
    rule: Rule = Rule.EXACT_MATCH
    mock_exam: MockExam | None = None

    @property
    def certification(self) -> Certification:
        """The certification it is for."""
        return self.blueprint.certification


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A sitting, and whether it was begun now or ran already."""

    sitting: Sitting
    is_new: bool


class MockRefused(Exception):
    """This learner can't begin this mock exam now. ``sentence`` says why."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class NothingMatches(ValueError):
    """No question fits what the learner chose to practise."""


def standard_terms(*, blueprint: Blueprint, length: int | None = None) -> Terms:
    """Return the terms of the standard mock, full or of another length.

    Full length is the guide's maximum, and minutes scale with length.
    """
    full = blueprint.questions_max
    asked = full if length is None else length
    return Terms(
        blueprint=blueprint,
        length=asked,
        minutes=clock.minutes_for(
            length=asked, full_length=full, full_minutes=blueprint.minutes
        ),
        mark=blueprint.mark,
    )


def terms_of_exam(*, mock_exam: MockExam) -> Terms:
    """Return the terms of a defined mock exam.

    A question of a fixed form that was retired is left out, and its time with it.
    """
    length = mock_exam.length
    fixed = len(fixed_questions(mock_exam=mock_exam))
    if fixed or mock_exam.items.exists():
        length = fixed
    return Terms(
        blueprint=mock_exam.blueprint,
        length=length,
        minutes=clock.minutes_for(
            length=length, full_length=mock_exam.length, full_minutes=mock_exam.minutes
        ),
        mark=mock_exam.blueprint.mark
        if mock_exam.mark is None
        else Fraction(mock_exam.mark),
        navigation=mock_exam.navigation,
        rule=Rule(mock_exam.rule),
        mock_exam=mock_exam,
    )


def fixed_questions(*, mock_exam: MockExam) -> list[int]:
    """Return the live questions of a fixed form, in order."""
    return list(
        mock_exam.items.filter(
            question__retired_at=None, question__published_revision__isnull=False
        )
        .order_by("position")
        .values_list("question", flat=True)
    )


def longest_mock(*, blueprint: Blueprint, learner: Learner) -> int:
    """Return the length of the longest mock that can be drawn for this learner now.

    Never more than the guide's maximum; 0 if the domains can't fill any.
    """
    found = pool.candidates(
        blueprint=blueprint,
        exposures=exposures_for(learner=learner, length=blueprint.questions_max),
        standing={},
    )
    return assembly.longest(
        available=pool.domain_counts(found),
        weights=_weights(blueprint),
        most=blueprint.questions_max,
    )


def exposures_for(*, learner: Learner, length: int) -> tuple[Exposure, ...]:
    """Return which questions a mock of this length may ask this learner."""
    if learner.user is None:
        return (Exposure.PUBLIC,)
    if length >= LEAST_FOR_MOCK_ONLY and has_verified_address(learner.user):
        return (Exposure.MOCK_ONLY, Exposure.MEMBERS, Exposure.PUBLIC)
    return (Exposure.MEMBERS, Exposure.PUBLIC)


def draw_form(*, terms: Terms, learner: Learner, seed: int) -> list[int]:
    """Return the question ids of a form for this learner, in order.

    Near-duplicates are found among what was drawn and kept apart by drawing again.

    Raises:
        assembly.Shortage: some domain has too few questions.
        MockRefused: nothing is left of a fixed form.
    """
    if terms.mock_exam is not None and terms.mock_exam.items.exists():
        fixed = fixed_questions(mock_exam=terms.mock_exam)
        if not fixed:
            raise MockRefused(
                "no_questions",
                "The questions of this exam have all been retired. Choose another.",
            )
        return fixed
    candidates = pool.candidates(
        blueprint=terms.blueprint,
        exposures=exposures_for(learner=learner, length=terms.length),
        standing=pool.standings(learner=learner, certification=terms.certification),
    )
    enemies = pool.enemies(certification=terms.certification)
    form: list[int] = []
    for _ in range(_TRIES):
        form = assembly.assemble(
            candidates=candidates,
            weights=_weights(terms.blueprint),
            length=terms.length,
            seed=seed,
            enemies=enemies,
        )
        pairs = pool.near_duplicates(questions=form)
        if not pairs:
            break
        for one, other in pairs:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)
    return form


def check_may_begin(*, terms: Terms, learner: Learner, at: datetime.datetime) -> None:
    """Refuse a mock that this learner can't begin now.

    Raises:
        MockRefused: with the reason.
    """
    if learner.user is None and sittings.mocks_begun(learner=learner):
        raise MockRefused(
            "account_needed",
            "You have taken the mock exam that is open without an account. An account "
            "is free, and the work on this device can come with you.",
        )
    most: int = settings.MOCKS_PER_DAY
    if sittings.mocks_begun(learner=learner, since=at - _DAY) >= most:
        raise MockRefused(
            "daily_limit",
            f"You have begun {most} mock exams within a day, which is the limit here. "
            "Go through their answers meanwhile; tomorrow there is another.",
        )
    is_fixed = terms.mock_exam is not None and terms.mock_exam.items.exists()
    if is_fixed and not has_verified_address(learner.user):
        raise MockRefused(
            "verified_account_needed",
            "This exam asks questions that are kept for members. Confirm your email "
            "address first; the standard mock is open to you now.",
        )


@transaction.atomic
def start_mock(
    *, terms: Terms, learner: Learner, seed: int, at: datetime.datetime
) -> Started:
    """Begin a mock exam, or return the one that runs already.

    The participant is locked, so two starts at once give one sitting.

    Raises:
        MockRefused: this learner can't begin it now.
        assembly.Shortage: the bank can't fill it.
    """
    participant = _lock(learner)
    finishing.close_own(learner=learner, at=at)
    running = Sitting.objects.filter(
        participant__in=learner.ids,
        certification=terms.certification,
        mode=Sitting.Mode.MOCK,
        status=clock.Status.RUNNING,
    ).first()
    if running is not None:
        return Started(sitting=running, is_new=False)
    check_may_begin(terms=terms, learner=learner, at=at)
    form = draw_form(terms=terms, learner=learner, seed=seed)
    sitting = Sitting.objects.create(
        participant=participant,
        certification=terms.certification,
        blueprint=terms.blueprint,
        mock_exam=terms.mock_exam,
        mode=Sitting.Mode.MOCK,
        feedback=Feedback.AT_END,
        navigation=terms.navigation,
        rule=terms.rule,
        seed=seed,
        mark_numerator=terms.mark.numerator,
        mark_denominator=terms.mark.denominator,
        started_at=at,
        minutes=terms.minutes,
        time_allowance=learner.time_allowance,
        deadline=clock.deadline_of(
            start=at, minutes=terms.minutes, allowance=learner.time_allowance
        ),
        grace_seconds=settings.MOCK_GRACE_SECONDS,
    )
    items = add_items(sitting=sitting, questions=form)
    mock_started.send(Sitting, sitting=sitting, items=items, at=at)
    return Started(sitting=sitting, is_new=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTerms:
    """How a learner wants to practise. ``minutes`` is nothing without a clock."""

    blueprint: Blueprint
    length: int
    feedback: Feedback = Feedback.AT_ONCE
    minutes: int | None = None


@transaction.atomic
def start_practice(
    *,
    terms: PracticeTerms,
    learner: Learner,
    questions: Sequence[int],
    seed: int,
    at: datetime.datetime,
) -> Sitting:
    """Draw from ``questions`` (ids), those never given before first, and begin.

    A shorter pool gives a shorter sitting; the same seed gives the same one.

    Raises:
        NothingMatches: there is no question to draw from.
    """
    if not questions:
        raise NothingMatches
    sitting = new_practice(terms=terms, learner=learner, seed=seed, at=at)
    known = pool.standings(learner=learner, certification=sitting.certification)
    drawn = sorted(questions)
    random.Random(seed).shuffle(drawn)  # noqa: S311  (a draw, not a secret)
    drawn.sort(key=lambda question: known.get(question, 0))
    add_items(sitting=sitting, questions=drawn[: min(terms.length, MOST_IN_A_SET)])
    return sitting


def new_practice(
    *, terms: PracticeTerms, learner: Learner, seed: int, at: datetime.datetime
) -> Sitting:
    """Begin a practice that has no questions yet. The participant is locked."""
    participant = _lock(learner)
    deadline = terms.minutes and clock.deadline_of(
        start=at, minutes=terms.minutes, allowance=learner.time_allowance
    )
    return Sitting.objects.create(
        participant=participant,
        certification=terms.blueprint.certification,
        blueprint=terms.blueprint,
        mode=Sitting.Mode.PRACTICE,
        feedback=terms.feedback,
        seed=seed,
        started_at=at,
        minutes=terms.minutes,
        time_allowance=learner.time_allowance,
        deadline=deadline or None,
        grace_seconds=settings.MOCK_GRACE_SECONDS if deadline else 0,
    )


def add_items(
    *,
    sitting: Sitting,
    questions: Sequence[int],
    after: int = 0,
    reasons: Mapping[int, str] = MappingProxyType({}),
) -> list[SittingItem]:
    """Freeze the published revisions of ``questions`` as the sitting's next items.

    ``reasons`` says why a question is among them, where it was chosen for somebody. The
    order of the options is drawn for each question by itself, so that it can be
    drawn again whatever else the form holds.
    """
    revisions = {
        revision.question_id: revision
        for revision in Revision.objects.filter(published_of__in=questions)
        .select_related("document")
        .defer("document__keyed")
    }
    domains = dict(
        Alignment.objects.filter(
            blueprint=sitting.blueprint, question__in=questions
        ).values_list("question", "domain")
    )
    made = SittingItem.objects.bulk_create(
        SittingItem(
            sitting=sitting,
            position=position,
            question_id=question,
            revision=revisions[question],
            domain_id=domains.get(question),
            option_order=_option_order(sitting, revisions[question]),
            choose=revisions[question].choose,
            rule=sitting.rule,
            reason=reasons.get(question, ""),
        )
        for position, question in enumerate(
            (each for each in questions if each in revisions), start=after + 1
        )
    )
    Response.objects.bulk_create(Response(item=item) for item in made)
    return made


def _option_order(sitting: Sitting, revision: Revision) -> list[str]:
    # A question page shows the author's order, and its answer is kept as it was shown.
    if sitting.daily_date is not None:
        return orders.author_order(revision.document.open)
    rng = random.Random(f"{sitting.seed}:{revision.question_id}")  # noqa: S311
    return orders.draw_order(opened=revision.document.open, rng=rng)


def _lock(learner: Learner) -> Participant:
    """Lock the participant that new work belongs to, and return it."""
    participant = learner.participant
    if participant is None:
        message = "A sitting belongs to a participant: make one first."
        raise ValueError(message)
    return Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)


def _weights(blueprint: Blueprint) -> dict[int, int]:
    return dict(blueprint.domains.order_by("pk").values_list("pk", "weight"))
