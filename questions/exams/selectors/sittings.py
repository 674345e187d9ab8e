"""A learner's sittings, and what of a question must be withheld while one runs."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Iterable

from django.conf import settings
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest

from accounts.selectors import Learner, owner_filter, participant_of_session
from questions.exams.domain import clock
from questions.exams.domain.visibility import Feedback
from questions.exams.models import (
    KeyContact,
    QuestionFlag,
    ScoreReport,
    Sitting,
    SittingItem,
)
from questions.models import Certification, Image


def sitting_of(*, owner: Q, public_id: uuid.UUID) -> Sitting | None:
    """Return the sitting if ``owner`` (a filter on sittings) has it.

    Another person's sitting is not found, as if it had never been.
    """
    return (
        Sitting.objects.filter(owner, public_id=public_id)
        .select_related("certification__vendor", "blueprint", "mock_exam")
        .first()
    )


def items_of(*, sitting: Sitting) -> list[SittingItem]:
    """Return the items in order with their responses, in one query; no documents."""
    return list(
        SittingItem.objects.filter(sitting=sitting)
        .select_related("response", "revision", "domain", "question")
        .order_by("position")
    )


def items_with_documents(*, sitting: Sitting) -> list[SittingItem]:
    """Return the items in order with responses and open documents, in one query.

    Without the keyed half: what is not read can't leak.
    """
    return list(
        SittingItem.objects.filter(sitting=sitting)
        .select_related("response", "revision__document", "domain", "question")
        .defer("revision__document__keyed")
        .order_by("position")
    )


def beginnings(
    *, sitting: Sitting, positions: Collection[int]
) -> dict[int, tuple[str, list[str]]]:
    """Return how the questions at ``positions`` begin, and their option orders."""
    found = SittingItem.objects.filter(sitting=sitting, position__in=positions)
    rows = found.values_list(
        "position", "revision__document__open__description", "option_order"
    )
    return {position: (begins, order) for position, begins, order in rows}


def item_at(*, sitting: Sitting, position: int) -> SittingItem | None:
    """Return one item with response and document, or nothing out of range."""
    return (
        SittingItem.objects.filter(sitting=sitting, position=position)
        .select_related(
            "response",
            "revision__document",
            "domain",
            "question",
            "graded_by__document",
        )
        .first()
    )


def report_of(*, sitting: Sitting) -> ScoreReport | None:
    """Return the report that counts."""
    return ScoreReport.objects.filter(sitting=sitting).order_by("-number").first()


def reports_of(*, sitting: Sitting) -> list[ScoreReport]:
    """Return all reports, the first one first."""
    return list(ScoreReport.objects.filter(sitting=sitting).order_by("number"))


def running_mocks(*, owner: Q, at: datetime.datetime) -> list[Sitting]:
    """Return the mock exams that ``owner`` has under way, in one query."""
    running = Sitting.objects.filter(
        owner, mode=Sitting.Mode.MOCK, status=clock.Status.RUNNING
    ).select_related("certification")
    return [sitting for sitting in running if not is_over(sitting, at)]


def is_held_back(*, sitting: Sitting, at: datetime.datetime) -> bool:
    """Say whether a result must wait for a mock exam of the same person.

    Practice that is explained at its end would tell, by its score alone, what a mock
    exam under way asks too.
    """
    if sitting.is_mock or sitting.feedback != Feedback.AT_END:
        return False
    whose = sitting.participant
    owner = Q(participant=whose)
    if whose.user_id is not None:
        owner |= Q(participant__user=whose.user_id)
    mocks = running_mocks(owner=owner, at=at)
    asked = SittingItem.objects.filter(sitting=sitting).values("question")
    return bool(mocks) and (
        SittingItem.objects.filter(sitting__in=mocks, question__in=asked).exists()
    )


def running_mocks_of_request(
    request: HttpRequest, at: datetime.datetime
) -> list[Sitting]:
    """Return the mock exams under way of who asks, looked up once a request.

    A visitor without a session has none, and costs no query.
    """
    found: list[Sitting] | None = getattr(request, "running_mocks", None)
    if found is None:
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        owner = owner_filter(request, "participant") if has_session else None
        found = running_mocks(owner=owner, at=at) if owner else []
        request.running_mocks = found  # type: ignore[attr-defined]
    return found


def note_running_mocks(
    request: HttpRequest, found: Iterable[Sitting], at: datetime.datetime
) -> None:
    """Spare the look-up of ``running_mocks_of_request``: all under way are in ``found``."""
    request.running_mocks = [  # type: ignore[attr-defined]
        each
        for each in found
        if each.is_mock
        and each.status == clock.Status.RUNNING
        and not is_over(each, at)
    ]


def is_over(sitting: Sitting, at: datetime.datetime) -> bool:
    """Say whether the time for answers has gone, scored or not."""
    return sitting.phase(at) not in {clock.Phase.RUNNING, clock.Phase.CLOSING}


def _unclaimed_mocks(request: HttpRequest, at: datetime.datetime) -> list[Sitting]:
    if not request.user.is_authenticated:
        return []
    visitor = participant_of_session(request)
    return running_mocks(owner=Q(participant=visitor), at=at) if visitor else []


def withheld_questions(request: HttpRequest, at: datetime.datetime) -> frozenset[int]:
    """Return the questions whose keys who asks may see nowhere now.

    They are in a mock exam that this learner has under way, or that was begun on this
    device before signing in and may be theirs.
    """
    running = running_mocks_of_request(request, at) + _unclaimed_mocks(request, at)
    if not running:
        return frozenset()
    return frozenset(
        SittingItem.objects.filter(sitting__in=running).values_list(
            "question", flat=True
        )
    )


def history(*, learner: Learner) -> QuerySet[Sitting]:
    """Return all sittings, the newest first, each with counts and its last result.

    ``item_count``, ``answered_count``; ``right_count``, ``question_count`` and
    ``is_passed`` of the report that counts. None ever disappears.
    """
    last = ScoreReport.objects.filter(sitting=OuterRef("pk")).order_by("-number")
    return (
        Sitting.objects.filter(participant__in=learner.ids)
        .select_related("certification", "mock_exam")
        .annotate(
            item_count=Count("items"),
            answered_count=Count(
                "items",
                filter=~Q(items__response__chosen=[])
                | Q(items__response__was_shown=True),
            ),
            right_count=Subquery(last.values("right_count")[:1]),
            question_count=Subquery(last.values("question_count")[:1]),
            is_passed=Subquery(last.values("is_passed")[:1]),
        )
        .order_by("-started_at", "-pk")
    )


def former_reports(*, sitting: Sitting, learner: Learner) -> list[ScoreReport]:
    """Return the results of earlier mock exams for the same certification.

    At most five, the latest last; of each the report that counts.
    """
    last = ScoreReport.objects.filter(sitting=OuterRef("sitting")).order_by("-number")
    found = (
        ScoreReport.objects.filter(
            sitting__participant__in=learner.ids,
            sitting__certification=sitting.certification_id,
            sitting__mode=sitting.mode,
            sitting__status=clock.Status.FINISHED,
            sitting__started_at__lt=sitting.started_at,
        )
        .filter(number=Subquery(last.values("number")[:1]))
        .select_related("sitting")
        .order_by("-sitting__started_at")[:5]
    )
    return list(found)[::-1]


def first_contact(*, owner: Q | None, question_id: int) -> KeyContact | None:
    """Return the first meeting of ``owner`` (a filter) with the key of a question."""
    if owner is None:
        return None
    return (
        KeyContact.objects.filter(owner, question=question_id)
        .order_by("met_at", "pk")
        .first()
    )


def is_flagged(*, owner: Q | None, question_id: int) -> bool:
    """Say whether ``owner`` (a filter) wants to practise the question later."""
    return (
        owner is not None
        and QuestionFlag.objects.filter(owner, question=question_id).exists()
    )


def mocks_begun(
    *,
    learner: Learner,
    since: datetime.datetime | None = None,
    certification: Certification | None = None,
) -> int:
    """Return how many mock exams the learner began, those voided by staff aside."""
    begun = Sitting.objects.filter(
        participant__in=learner.ids, mode=Sitting.Mode.MOCK
    ).exclude(status=clock.Status.VOID)
    if since is not None:
        begun = begun.filter(started_at__gt=since)
    if certification is not None:
        begun = begun.filter(certification=certification)
    return begun.count()


def overdue(*, at: datetime.datetime) -> Iterable[int]:
    """Return the ids of sittings whose deadline has passed and that are not scored."""
    running = Sitting.objects.filter(
        status=clock.Status.RUNNING, deadline__lte=at
    ).only("pk", "deadline", "grace_seconds", "status")
    return [
        sitting.pk for sitting in running.order_by("deadline") if is_over(sitting, at)
    ]


def image_in_a_sitting(*, learner: Learner, sha256: str) -> Image | None:
    """Return a picture of a revision that the learner was given in a sitting.

    Whatever became of the question since: the sitting shows it as it was.
    """
    if not learner.ids:
        return None
    given = SittingItem.objects.filter(sitting__participant__in=learner.ids)
    return (
        Image.objects.filter(sha256=sha256)
        .filter(
            Q(exhibits__revision__in=given.values("revision"))
            | Q(
                exhibits__scenario_revision__in=given.exclude(
                    revision__scenario_revision=None
                ).values("revision__scenario_revision")
            )
        )
        .first()
    )
