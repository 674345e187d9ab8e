"""The exam screen: one question at a time, each change saved at once."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from questions import seo
from questions.domain.responses import InvalidResponse
from questions.exams.domain import clock
from questions.exams.domain.visibility import Feedback
from questions.exams.forms.work import read_work
from questions.exams.models import Sitting
from questions.exams.screens import exam, exam_page
from questions.exams.screens.exam_page import Trouble
from questions.exams.selectors import sittings, under_way
from questions.exams.selectors.under_way import Place
from questions.exams.services import saving
from questions.exams.services.saving import (
    NoSuchItem,
    SittingClosed,
    StaleResponse,
)
from questions.exams.views import doors, practice
from questions.forms.numbers import number_in


@require_safe
def sitting(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Go on where the sitting stands, or to its report."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.phase(at) is clock.Phase.RUNNING:
        rows = under_way.state_rows(sitting=own)
        place = exam.where_to_go_on(sitting=own, rows=rows)
        return redirect("sitting_item", public_id=public_id, position=place)
    return _not_running(request, own, at)


@require_safe
def sitting_item(
    request: HttpRequest, public_id: uuid.UUID, position: int
) -> HttpResponse:
    """Show one question of a sitting that runs."""
    at = timezone.now()
    place = under_way.place_to_go_on_at(
        owner=doors.owner(request), public_id=public_id, position=position
    )
    own = place.sitting if place else None
    is_screen = own is not None and own.feedback != Feedback.AT_ONCE
    if own is None or not is_screen or own.phase(at) is not clock.Phase.RUNNING:
        own = doors.own_sitting(request, public_id, at)
    if own.feedback == Feedback.AT_ONCE:
        return practice.show_item(request, own, position, at)
    if own.phase(at) is not clock.Phase.RUNNING:
        return _not_running(request, own, at, position)
    if own.is_linear and position != own.reached:
        return _linear_place(own)
    return _screen(request, place, at)


def _screen(
    request: HttpRequest,
    place: Place | None,
    at: datetime.datetime,
    *,
    status: int = 200,
    trouble: Trouble | None = None,
) -> HttpResponse:
    if place is None or place.item is None:
        many = len(place.rows) if place else 0
        message = f"This exam has questions 1 to {many}."
        raise Http404(message)
    if place.sitting.feedback == Feedback.AT_ONCE:
        # Checked at once: its questions are on pages of their own, which never save so.
        sentence = trouble.problem if trouble else ""
        return _not_saved(request, place.sitting, sentence, status=status)
    reader = exam_page.Reader(
        user=request.user if isinstance(request.user, User) else None,
        token=get_token(request),
        notices=list(messages.get_messages(request)),
    )
    page = exam_page.page(
        place=place, item=place.item, reader=reader, at=at, trouble=trouble
    )
    return doors.private(HttpResponse(page, status=status))


def _linear_place(own: Sitting) -> HttpResponse:
    total = own.items.count()
    if own.reached > total:
        return redirect("sitting_review", public_id=own.public_id)
    return redirect("sitting_item", public_id=own.public_id, position=own.reached)


def _not_running(
    request: HttpRequest,
    own: Sitting,
    at: datetime.datetime,
    position: int | None = None,
) -> HttpResponse:
    """Lead to the report, or say why there is nothing to see now."""
    phase = own.phase(at)
    if phase is clock.Phase.FINISHED:
        if position is not None:
            return redirect(
                "sitting_answer", public_id=own.public_id, position=position
            )
        return redirect("sitting_report", public_id=own.public_id)
    return closed_page(request, own, at)


def closed_page(
    request: HttpRequest, own: Sitting, at: datetime.datetime
) -> HttpResponse:
    """Say that time is up and the report comes, or that the sitting is void."""
    is_void = own.status == clock.Status.VOID
    event = own.events.filter(kind="voided").first() if is_void else None
    is_held = not is_void and sittings.is_held_back(sitting=own, at=at)
    context = {
        "sitting": own,
        "is_void": is_void,
        "is_held": is_held,
        "reason": event.reason if event else "",
        "meta": seo.private("Void" if is_void else "Time is up"),
    }
    response = render(request, "exams/closing.html", context)
    if not (is_void or is_held) and own.deadline is not None:
        wait = int((own.deadline + own.grace - at).total_seconds()) + 1
        report = reverse("sitting_report", args=[own.public_id])
        response.headers["Refresh"] = f"{max(wait, 1)}; url={report}"
    return doors.private(response)


@require_safe
def sitting_items(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send all questions of a free sitting, without keys, for working offline."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.phase(at) is not clock.Phase.RUNNING:
        return doors.refusal(doors.CONFLICT, "not_running", "This sitting has ended.")
    if own.is_linear or own.feedback == Feedback.AT_ONCE:
        return doors.refusal(
            doors.CONFLICT, "one_at_a_time", "Its questions come one at a time."
        )
    context = {"questions": exam_page.all_items(sitting=own)}
    response = render(request, "exams/exam_items.html", context)
    # The form is frozen: what was read once stays true, for this person.
    response.headers["Cache-Control"] = "private, max-age=14400"
    return response


@require_safe
def sitting_state(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Tell a script the server's clock, a token, and what is saved."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    phase = own.phase(at)
    told: dict[str, Any] = {
        "phase": phase,
        "milliseconds_left": exam.milliseconds_left(sitting=own, at=at),
        "token": get_token(request),
    }
    if phase is clock.Phase.RUNNING:
        rows = under_way.state_rows(sitting=own)
        told["items"] = exam.state_of(rows)
    return doors.private(JsonResponse(told))


@require_POST
def save_response(
    request: HttpRequest, public_id: uuid.UUID, position: int
) -> HttpResponse:
    """Save the work on one item: the script's request and the form's are the same."""
    at = timezone.now()
    owner = doors.owner(request)
    try:
        work = read_work(posted=request.POST, at=at)
    except InvalidResponse as invalid:
        return _invalid(request, public_id, position, invalid)
    try:
        saved = saving.save_response(
            owner=owner, public_id=public_id, position=position, work=work, at=at
        )
    except NoSuchItem as missing:
        raise Http404(_MISSING) from missing
    except StaleResponse as stale:
        return _stale(request, public_id, position, work, stale)
    except InvalidResponse as invalid:
        return _invalid(request, public_id, position, invalid)
    except SittingClosed as closed:
        return _closed(request, public_id, position, work, closed)
    if doors.wants_json(request):
        return doors.private(JsonResponse(exam.saved_reply(saved)))
    return _go(request, public_id, position, at)


_MISSING = "There is no such question in a sitting of yours."


def _closed(
    request: HttpRequest,
    public_id: uuid.UUID,
    position: int,
    work: saving.Work,
    closed: SittingClosed,
) -> HttpResponse:
    code, sentence = closed.code, closed.sentence
    is_kept = code in {"time_is_up", "closed"} and saving.keep_late_answer(
        owner=doors.owner_of(request, "item__sitting__participant"),
        public_id=public_id,
        position=position,
        work=work,
        at=timezone.now(),
    )
    if is_kept:
        code = "late"
        sentence = (
            "Time was up when this answer arrived. It is kept and shown on the report, "
            "and does not count."
        )
    if doors.wants_json(request):
        return doors.refusal(doors.CONFLICT, code, sentence)
    own = doors.own_sitting(request, public_id, timezone.now())
    return _not_saved(request, own, sentence, status=doors.CONFLICT)


def _not_saved(
    request: HttpRequest, own: Sitting, sentence: str, *, status: int
) -> HttpResponse:
    context = {
        "sitting": own,
        "sentence": sentence,
        "meta": seo.private("Not saved"),
    }
    return doors.private(
        render(request, "exams/not_saved.html", context, status=status)
    )


def _stale(
    request: HttpRequest,
    public_id: uuid.UUID,
    position: int,
    work: saving.Work,
    stale: StaleResponse,
) -> HttpResponse:
    sentence = (
        "This answer was changed in another window or on another device after this "
        "page was loaded. Choose which one stands."
    )
    if doors.wants_json(request):
        return doors.refusal(
            doors.CONFLICT, "stale", sentence, stored=exam.stored(stale.stored)
        )
    at = timezone.now()
    place = under_way.place_to_go_on_at(
        owner=doors.owner(request), public_id=public_id, position=position
    )
    order = place.item.option_order if place and place.item else []
    trouble = exam_page.both(order=order, mine=work, stored=stale.stored, why=sentence)
    return _screen(request, place, at, status=doors.CONFLICT, trouble=trouble)


def _invalid(
    request: HttpRequest, public_id: uuid.UUID, position: int, invalid: InvalidResponse
) -> HttpResponse:
    status, sentence = doors.UNPROCESSABLE, invalid.sentence
    if doors.wants_json(request):
        return doors.refusal(status, invalid.code, sentence)
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    if own.phase(at) is not clock.Phase.RUNNING:
        return _not_running(request, own, at)
    if own.is_linear and position != own.reached:
        return _linear_place(own)
    place = under_way.place_to_go_on_at(
        owner=doors.owner(request), public_id=public_id, position=position
    )
    trouble = Trouble(problem=sentence)
    return _screen(request, place, at, status=status, trouble=trouble)


def _go(
    request: HttpRequest, public_id: uuid.UUID, position: int, at: datetime.datetime
) -> HttpResponse:
    """Go where the button pressed leads, after the work was saved."""
    wanted = request.POST.get("go", "")
    if wanted == "review":
        return redirect("sitting_review", public_id=public_id)
    if wanted == "next":
        own = doors.own_sitting(request, public_id, at)
        total = own.items.count()
        place = position + 1
        if own.is_linear:
            place = saving.go_on(sitting=own, leaving=position, at=at)
        if place > total:
            return redirect("sitting_review", public_id=public_id)
        return redirect("sitting_item", public_id=public_id, position=place)
    place = number_in(wanted) or position
    return redirect("sitting_item", public_id=public_id, position=max(place, 1))
