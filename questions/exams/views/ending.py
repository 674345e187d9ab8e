"""The end of a sitting: look it over, submit, read the report, go through the answers."""

from __future__ import annotations

import datetime
import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts import selectors as people
from accounts import services as participants
from questions import seo
from questions.exams.domain import clock
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Sitting, SittingItem
from questions.exams.screens import exam, lines, review, sheet, table
from questions.exams.screens import report as reporting
from questions.exams.selectors import sittings, under_way
from questions.exams.services import finishing, practice, starting
from questions.exams.views import doors
from questions.exams.views.sitting import closed_page


@require_safe
def sitting_review(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """List what is unanswered and flagged, before the end."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.feedback == Feedback.AT_ONCE or own.phase(at) is not clock.Phase.RUNNING:
        return redirect("sitting", public_id=public_id)
    rows = under_way.state_rows(sitting=own)
    context = {
        "sitting": own,
        "total": len(rows),
        "sheet": sheet.links(rows, sitting=own),
        "counts": exam.counts(rows),
        "back": exam.where_to_go_on(sitting=own, rows=rows),
        "lists": review.open_lists(sitting=own, rows=rows),
        "saved": exam.saved_words(exam.last_saved(rows)),
        "clock": exam.clock_text(clock.time_left(deadline=own.deadline, at=at)),
        "clock_at": exam.clock_at(at),
        "minutes_left": review.minutes_left(sitting=own, at=at),
        "state": {
            "milliseconds_left": exam.milliseconds_left(sitting=own, at=at),
            "is_linear": own.is_linear,
            "position": None,
            "items": exam.state_of(rows),
        },
        "meta": seo.private("Before you submit"),
    }
    return doors.private(render(request, "exams/review.html", context))


@require_POST
def submit(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """End the sitting; ended already, lead to what it came to."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.status == clock.Status.RUNNING:
        try:
            own = finishing.submit(sitting=own, at=at)
        except finishing.HeldBack as held:
            messages.info(request, held.sentence)
            return redirect("sitting", public_id=public_id)
    if own.status == clock.Status.VOID:
        return redirect("sitting", public_id=public_id)
    return redirect("sitting_report", public_id=public_id)


def _finished(
    request: HttpRequest, public_id: uuid.UUID, at: datetime.datetime
) -> Sitting | HttpResponse:
    """Return the sitting if its report may be read, else what to show instead."""
    own = doors.own_sitting(request, public_id, at)
    phase = own.phase(at)
    if phase is clock.Phase.RUNNING:
        return redirect("sitting", public_id=public_id)
    if phase is not clock.Phase.FINISHED:
        return closed_page(request, own, at)
    if own.report_seen_at is None:
        own.report_seen_at = at
        own.save(update_fields=["report_seen_at"])
    return own


@require_safe
def report(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show what the sitting came to."""
    at = timezone.now()
    own = _finished(request, public_id, at)
    if isinstance(own, HttpResponse):
        return own
    learner = people.learner_of_request(request)
    context = reporting.report_page(
        sitting=own,
        learner=learner,
        shown=request.GET.get("show", ""),
        withheld=sittings.withheld_questions(request, at),
    )
    context["meta"] = seo.private(context["headline"])
    return doors.private(render(request, "exams/report.html", context))


@require_safe
def answer(request: HttpRequest, public_id: uuid.UUID, position: int) -> HttpResponse:
    """Show one question of a finished sitting with the key and every reason."""
    at = timezone.now()
    own = _finished(request, public_id, at)
    if isinstance(own, HttpResponse):
        return own
    item = sittings.item_at(sitting=own, position=position)
    if item is None:
        message = "There is no question at this place."
        raise Http404(message)
    context = reporting.answer_page(
        sitting=own,
        item=item,
        shown=request.GET.get("show", ""),
        withheld=sittings.withheld_questions(request, at),
        learner=people.learner_of_request(request),
    )
    context["meta"] = seo.private(f"Question {position}, answered")
    return doors.private(render(request, "exams/answer.html", context))


@require_safe
def report_csv(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send the report as a file for a spreadsheet."""
    at = timezone.now()
    own = _finished(request, public_id, at)
    if isinstance(own, HttpResponse):
        return own
    text = table.csv_of(sitting=own, withheld=sittings.withheld_questions(request, at))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    name = f"{own.certification.slug}-{own.started_at:%Y-%m-%d}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return doors.private(response)


@require_POST
def keep_flags(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Set aside for practice what was flagged in the sitting."""
    at = timezone.now()
    own = _finished(request, public_id, at)
    if isinstance(own, HttpResponse):
        return own
    flagged = SittingItem.objects.filter(sitting=own, response__is_flagged=True)
    practice.keep_flags(
        learner=people.learner_of_request(request),
        questions=list(flagged.values_list("question", flat=True)),
        at=at,
    )
    return redirect("sitting_report", public_id=public_id)


@require_POST
def practise(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Begin to practise what was missed, or one domain of it."""
    at = timezone.now()
    own = _finished(request, public_id, at)
    if isinstance(own, HttpResponse):
        return own
    wanted = lines.questions_to_practise(
        sitting=own, domain=request.POST.get("domain", "")
    )
    withheld = sittings.withheld_questions(request, at)
    try:
        begun = practice.practise_again(
            sitting=own,
            learner=participants.learner_for_request(request=request, at=at),
            questions=[question for question in wanted if question not in withheld],
            seed=uuid.uuid4().int >> 66,
            at=at,
        )
    except starting.NothingMatches:
        return redirect("sitting_report", public_id=public_id)
    return redirect("sitting_item", public_id=begun.public_id, position=1)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Ask, then end a practice that is not to go on."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.is_mock or own.phase(at) is not clock.Phase.RUNNING:
        return redirect("sitting", public_id=public_id)
    if request.method == "POST":
        try:
            finishing.submit(sitting=own, at=at)
        except finishing.HeldBack as held:
            messages.info(request, held.sentence)
        return redirect("my_sittings")
    rows = under_way.state_rows(sitting=own)
    context = {
        "sitting": own,
        "counts": exam.counts(rows),
        "total": len(rows),
        "meta": seo.private("Close this practice"),
    }
    return doors.private(render(request, "exams/close.html", context))
