"""The log of scored answers: added to as they are scored, and made again from sittings.

The log holds nothing that sittings don't: ``rebuild`` gives the same rows in the same
order, which a test asserts. So it can be thrown away and mended.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count

from analytics.models import ResponseLog
from questions.exams.domain.visibility import Feedback
from questions.exams.models import ScoreReport, Sitting, SittingEvent, SittingItem
from questions.exams.signals import Cause

_BATCH: Final = 2_000
Progress = Callable[[int, int], None]


def append(
    *,
    sitting: Sitting,
    items: Sequence[SittingItem],
    cause: Cause,
    at: datetime.datetime,
) -> None:
    """Add a row for each answer that was scored, in the transaction that scores it."""
    before: dict[int, int] = {}
    if cause is not Cause.SCORED:
        counted = (
            ResponseLog.objects.filter(item__in=[item.pk for item in items])
            .values("item")
            .annotate(count=Count("pk"))
        )
        before = {row["item"]: row["count"] for row in counted}
    ResponseLog.objects.bulk_create(
        row_of(
            sitting=sitting,
            item=item,
            cause=cause,
            number=before.get(item.pk, 0) + 1,
            at=at,
        )
        for item in items
    )


def row_of(
    *,
    sitting: Sitting,
    item: SittingItem,
    cause: Cause,
    number: int,
    at: datetime.datetime,
    stood: dict[str, Any] | None = None,
) -> ResponseLog:
    """Return the row of an answer as it stands, or as it ``stood`` before a change."""
    response = item.response
    points = response.points
    answered_at = response.answered_at
    if points is None or answered_at is None:
        message = f"The answer to {item} is not scored."
        raise ValueError(message)
    numerator, denominator = points.numerator, points.denominator
    chosen = response.chosen
    if stood:
        chosen, (numerator, denominator) = stood["chosen"], stood["points"]
    return ResponseLog(
        participant_id=sitting.participant_id,
        question_id=item.question_id,
        revision_id=item.revision_id,
        item_id=item.pk,
        number=number,
        cause=cause,
        mode=sitting.mode,
        position=item.position,
        chosen=chosen,
        was_shown=response.was_shown,
        points_numerator=numerator,
        points_denominator=denominator,
        seconds=response.seconds,
        answered_at=answered_at,
        logged_at=at,
    )


@transaction.atomic
def rebuild(*, progress: Progress = lambda _done, _total: None) -> int:
    """Throw the log away and make it again from sittings; return the number of rows.

    Nobody can score meanwhile: the log is locked, and scoring writes to it.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE analytics_responselog IN EXCLUSIVE MODE")
        cursor.execute("TRUNCATE analytics_responselog RESTART IDENTITY")
    total = Sitting.objects.count()
    rows: list[ResponseLog] = []
    for done, sitting in enumerate(_sittings(), start=1):
        rows += rows_of(sitting)
        if done % _BATCH == 0:
            progress(done, total)
    # In the order in which they were logged, as the log itself has them.
    rows.sort(key=lambda row: (row.logged_at, row.item_id, row.number))
    ResponseLog.objects.bulk_create(rows, batch_size=_BATCH)
    progress(total, total)
    return len(rows)


def _sittings() -> Iterator[Sitting]:
    return Sitting.objects.order_by("pk").iterator(chunk_size=_BATCH)


def rows_of(sitting: Sitting) -> list[ResponseLog]:
    """Return all rows that the log has of a sitting, from the sitting alone."""
    items = [
        item
        for item in SittingItem.objects.filter(sitting=sitting)
        .select_related("response")
        .order_by("position")
        if item.response.answered_at is not None
    ]
    if not items:
        return []
    scored_at = _scored_at(sitting)
    events: dict[int, list[SittingEvent]] = {}
    for event in sitting.events.exclude(before={}).order_by("happened_at", "pk"):
        events.setdefault(event.item_id or 0, []).append(event)
    voided = sitting.events.filter(kind=SittingEvent.Kind.VOIDED).first()
    rows: list[ResponseLog] = []
    for item in items:
        rows += _history(sitting, item, events.get(item.pk, []), scored_at)
        if voided is not None:
            number = len(events.get(item.pk, [])) + 2
            rows.append(
                row_of(
                    sitting=sitting,
                    item=item,
                    cause=Cause.VOIDED,
                    number=number,
                    at=voided.happened_at,
                )
            )
    return rows


def _scored_at(sitting: Sitting) -> datetime.datetime | None:
    """Return when all answers of a sitting were scored together, if they were."""
    if sitting.feedback == Feedback.AT_ONCE:
        return None
    first = ScoreReport.objects.filter(sitting=sitting, number=1).first()
    return first.made_at if first else None


def _history(
    sitting: Sitting,
    item: SittingItem,
    events: Iterable[SittingEvent],
    scored_at: datetime.datetime | None,
) -> list[ResponseLog]:
    """Return the rows of one answer: as first scored, then after each event.

    An event keeps what stood before it, so each row but the last is told by the event
    that follows.
    """
    changes = list(events)
    moments = [
        scored_at or item.response.answered_at,
        *(e.happened_at for e in changes),
    ]
    causes = [Cause.SCORED, *(Cause(event.kind) for event in changes)]
    stood = [*(event.before for event in changes), None]
    return [
        row_of(
            sitting=sitting,
            item=item,
            cause=cause,
            number=number,
            at=moment or sitting.started_at,
            stood=before,
        )
        for number, (moment, cause, before) in enumerate(
            zip(moments, causes, stood, strict=True), start=1
        )
    ]
