"""End a sitting: score what was saved, once, and freeze the report."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.db import transaction

from accounts.selectors import Learner
from questions.domain.responses import Response as Answer
from questions.domain.scoring import Rule, score
from questions.exams.domain import clock, feedback
from questions.exams.domain import report as reports
from questions.exams.domain.visibility import Feedback
from questions.exams.models import (
    KeyContact,
    Response,
    ScoreReport,
    Sitting,
    SittingItem,
)
from questions.exams.selectors import sittings
from questions.exams.signals import Cause, responses_scored
from questions.models import Blueprint

_CAUSES = {
    Sitting.Ending.SUBMITTED: ScoreReport.Cause.SUBMITTED,
    Sitting.Ending.EXPIRED: ScoreReport.Cause.EXPIRED,
    Sitting.Ending.CLOSED: ScoreReport.Cause.CLOSED,
}
_TEXT = {
    "right": KeyContact.Verdict.RIGHT,
    "wrong": KeyContact.Verdict.WRONG,
    "unanswered": KeyContact.Verdict.UNANSWERED,
    "shown": KeyContact.Verdict.SHOWN,
}


class HeldBack(Exception):
    """The result must wait for a mock exam under way; nothing was changed."""

    sentence = (
        "The mock exam you have under way asks some of these questions too. Your answers "
        "are saved; submit this once that exam has ended."
    )


@transaction.atomic
def finish(
    *, sitting_id: int, ending: Sitting.Ending, at: datetime.datetime
) -> Sitting:
    """End the sitting and score the answers saved; ended already, leave it as it is.

    The sitting is locked first and saves lock it too, so a submit that races a save,
    another submit or the deadline gives one result. After the deadline, whoever ends it,
    the end is the deadline.

    Raises:
        HeldBack: a mock exam of the same person asks some of its questions.
    """
    sitting = (
        Sitting.objects.select_for_update(of=("self",), no_key=True)
        .select_related("blueprint", "certification", "participant")
        .get(pk=sitting_id)
    )
    if sitting.status != clock.Status.RUNNING:
        return sitting
    if sittings.is_held_back(sitting=sitting, at=at):
        raise HeldBack
    sitting.ended_at = at
    sitting.ending = ending
    if sitting.deadline is not None and at >= sitting.deadline:
        sitting.ended_at = sitting.deadline
        if ending is not Sitting.Ending.SUBMITTED or sitting.phase(at) is (
            clock.Phase.DUE
        ):
            sitting.ending = Sitting.Ending.EXPIRED
    sitting.status = clock.Status.FINISHED
    sitting.save(update_fields=["status", "ended_at", "ending"])
    items = scored_items(sitting=sitting)
    unscored = [item for item in items if _is_to_score(sitting, item)]
    if unscored:
        _score(sitting, unscored, sitting.ended_at)
        responses_scored.send(
            Sitting, sitting=sitting, items=unscored, cause=Cause.SCORED, at=at
        )
    make_report(sitting=sitting, cause=_CAUSES[Sitting.Ending(sitting.ending)], at=at)
    return sitting


def _is_to_score(sitting: Sitting, item: SittingItem) -> bool:
    """Say whether the end scores the item: in practice, what was saved unchecked."""
    if sitting.feedback == Feedback.AT_END:
        return True
    return item.response.answered_at is None and bool(item.response.chosen)


def settle(*, sitting: Sitting, at: datetime.datetime) -> Sitting:
    """Return the sitting, scored now if its time and grace have run out.

    Called wherever a sitting is read, so that nothing depends on a worker. What is held
    back stays unscored until the mock exam that it waits for has ended.
    """
    if sitting.phase(at) is not clock.Phase.DUE:
        return sitting
    try:
        finish(sitting_id=sitting.pk, ending=Sitting.Ending.EXPIRED, at=at)
    except HeldBack:
        return sitting
    sitting.refresh_from_db(fields=["status", "ended_at", "ending"])
    return sitting


def close_own(*, learner: Learner, at: datetime.datetime) -> None:
    """Score those of a learner's sittings whose time and grace have run out."""
    _close(
        Sitting.objects.filter(
            participant__in=learner.ids,
            status=clock.Status.RUNNING,
            deadline__lte=at,
        ),
        at,
    )


def close_overdue(*, at: datetime.datetime) -> int:
    """Score all sittings whose time and grace have run out, each by itself.

    Returns how many. One that fails does not keep the others: its error is raised when
    all have been tried.
    """
    failures: list[Exception] = []
    done = 0
    for sitting_id in sittings.overdue(at=at):
        try:
            finish(sitting_id=sitting_id, ending=Sitting.Ending.EXPIRED, at=at)
        except HeldBack:
            continue
        except Exception as failure:  # noqa: BLE001  (raised below, together)
            failures.append(failure)
        else:
            done += 1
    if failures:
        message = f"{len(failures)} sittings could not be scored."
        raise ExceptionGroup(message, failures)
    return done


def close_days(*, before: datetime.date, at: datetime.datetime) -> int:
    """End the practice that collected answers of question pages on earlier days."""
    found = Sitting.objects.filter(
        status=clock.Status.RUNNING, daily_date__lt=before
    ).values_list("pk", flat=True)
    for sitting_id in found:
        finish(sitting_id=sitting_id, ending=Sitting.Ending.CLOSED, at=at)
    return len(found)


def _close(found: Iterable[Sitting], at: datetime.datetime) -> None:
    for sitting in found:
        settle(sitting=sitting, at=at)


def scored_items(*, sitting: Sitting) -> list[SittingItem]:
    """Return the items with everything that scoring and the report read."""
    return list(
        SittingItem.objects.filter(sitting=sitting)
        .select_related(
            "response",
            "revision__document",
            "graded_by__document",
            "domain",
            "question",
        )
        .order_by("position")
    )


def keyed_of(item: SittingItem) -> dict[str, Any]:
    """Return the keyed document whose key counts for the item."""
    graded_by = item.graded_by or item.revision
    keyed: dict[str, Any] = graded_by.document.keyed
    return keyed


def points_of(item: SittingItem) -> Fraction:
    """Return the share of the item that its response earns under its frozen rule."""
    response = item.response
    if response.was_shown or not response.chosen:
        return Fraction(0)
    answerable = feedback.answerable(item.revision.document.open, keyed_of(item))
    result = score(answerable, Answer(frozenset(response.chosen)), Rule(item.rule))
    return result.points


def _score(sitting: Sitting, items: list[SittingItem], at: datetime.datetime) -> None:
    """Score every response, and note that the keys were met.

    Not in practice with feedback at once: what was never answered there keeps its key.
    """
    for item in items:
        item.response.points = points_of(item)
        item.response.answered_at = at
    Response.objects.bulk_update(
        [item.response for item in items],
        ["points_numerator", "points_denominator", "answered_at"],
    )
    KeyContact.objects.bulk_create(
        KeyContact(
            participant_id=sitting.participant_id,
            question_id=item.question_id,
            item=item,
            verdict=_verdict(item.response),
            met_at=at,
        )
        for item in items
    )


def _verdict(response: Response) -> KeyContact.Verdict:
    state = reports.state_of(
        was_shown=response.was_shown,
        is_answered=bool(response.chosen),
        points=response.points or Fraction(0),
    )
    return _TEXT[state]


def make_report(
    *,
    sitting: Sitting,
    cause: ScoreReport.Cause,
    at: datetime.datetime,
    note: str = "",
) -> ScoreReport:
    """Build and keep the next report of a sitting from its scored responses."""
    items = scored_items(sitting=sitting)
    document = build_document(sitting=sitting, items=items)
    number = ScoreReport.objects.filter(sitting=sitting).count() + 1
    points = Fraction(*document["points"])
    return ScoreReport.objects.create(
        sitting=sitting,
        number=number,
        cause=cause,
        note=note,
        points_numerator=points.numerator,
        points_denominator=points.denominator,
        question_count=document["questions"],
        right_count=document["right"],
        is_passed=document["passed"],
        document=document,
        made_at=at,
    )


def build_document(*, sitting: Sitting, items: list[SittingItem]) -> dict[str, Any]:
    """Return the report of the sitting as it stands, without keeping it.

    What the first report said of the exam (pace, scale, whose mark, names of domains)
    later ones say too: a blueprint that was edited since changes no result.
    """
    first = ScoreReport.objects.filter(sitting=sitting, number=1).first()
    terms = reports.terms_of(first.document) if first else _terms(sitting, items)
    ended_at = sitting.ended_at or sitting.started_at
    allowed = sitting.deadline and int(
        (sitting.deadline - sitting.started_at).total_seconds()
    )
    return reports.build(
        items=[_result(item, terms) for item in items],
        mark=None
        if sitting.mark is None
        else reports.Mark(share=sitting.mark, source=terms.source),
        scale=terms.scale,
        timing=reports.Timing(
            allowed=allowed or None,
            used=max(int((ended_at - sitting.started_at).total_seconds()), 0),
            pace=terms.pace,
        ),
        unscored=terms.unscored,
    )


def _terms(sitting: Sitting, items: list[SittingItem]) -> reports.Terms:
    """Return what the blueprint says of the exam as the sitting ends."""
    domains = {item.position: item.domain for item in items}
    return reports.Terms(
        pace=_pace(sitting, sitting.blueprint),
        source=_source(sitting),
        scale=_scale(sitting),
        unscored=sitting.blueprint.unscored_questions if sitting.is_mock else 0,
        domains={
            position: (domain.code, domain.name) if domain else ("", "Elsewhere")
            for position, domain in domains.items()
        },
    )


def _pace(sitting: Sitting, blueprint: Blueprint) -> Fraction:
    """Return the seconds that the exam gives a question, with this allowance."""
    pace = Fraction(60 * blueprint.minutes, blueprint.questions_max)
    return pace * Fraction(sitting.time_allowance)


def _source(sitting: Sitting) -> str:
    """Return whose mark it is: one that differs from the blueprint's is ours."""
    blueprint = sitting.blueprint
    is_theirs = sitting.mark == blueprint.mark
    return blueprint.mark_source if is_theirs else Blueprint.MarkSource.OURS


def _scale(sitting: Sitting) -> reports.Scale | None:
    blueprint = sitting.blueprint
    lowest, highest = blueprint.scale_min, blueprint.scale_max
    passing = blueprint.scale_pass
    if not sitting.is_mock or sitting.mark != blueprint.mark:
        return None
    if lowest is None or highest is None or passing is None:
        return None
    return reports.Scale(lowest=lowest, highest=highest, passing=passing)


def _result(item: SittingItem, terms: reports.Terms) -> reports.ItemResult:
    code, name = terms.domains[item.position]
    response = item.response
    letters = feedback.letters_of(item.option_order)
    keys = set(keyed_of(item)["keys"])
    chosen = set(response.chosen)
    is_met = response.answered_at is not None
    return reports.ItemResult(
        position=item.position,
        question=item.question.public_id,
        title=item.revision.title,
        domain=code,
        domain_name=name,
        difficulty=item.revision.difficulty,
        chosen=[letters[key] for key in item.option_order if key in chosen],
        # A key that was never met is in no report either.
        keys=[letters[key] for key in item.option_order if is_met and key in keys],
        points=response.points or Fraction(0),
        seconds=response.seconds,
        is_flagged=response.is_flagged,
        was_shown=response.was_shown,
        is_incomplete=0 < len(chosen) < item.revision.choose,
    )


def submit(*, sitting: Sitting, at: datetime.datetime) -> Sitting:
    """End a sitting because its owner says so. Again is the same as once."""
    is_at_end = sitting.feedback == Feedback.AT_END
    ending = Sitting.Ending.SUBMITTED if is_at_end else Sitting.Ending.CLOSED
    return finish(sitting_id=sitting.pk, ending=ending, at=at)
