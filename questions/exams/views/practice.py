"""Practice: choose what to practise, answer one by one, see why at once."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts import selectors as people
from accounts import services as participants
from questions import selectors as bank
from questions import seo
from questions.domain.responses import InvalidResponse
from questions.domain.responses import Response as Answer
from questions.exams.domain import clock, feedback, orders, visibility
from questions.exams.forms.practice import PracticeForm
from questions.exams.models import Sitting, SittingItem
from questions.exams.selectors import sittings
from questions.exams.services import finishing, starting
from questions.exams.services import practice as practising
from questions.exams.services.saving import NoSuchItem, SittingClosed
from questions.exams.views import doors
from questions.forms.numbers import number_in
from questions.models import Certification

_CELL = 24
"""Width of one place of the strip, in its own units."""


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a learner choose what to practise, and start."""
    at = timezone.now()
    certification = get_object_or_404(
        Certification.objects.select_related("vendor"), slug=slug
    )
    blueprint = bank.blueprint_in_force(certification=certification, on=at.date())
    if blueprint is None:
        message = "This certification has no blueprint yet."
        raise Http404(message)
    form = PracticeForm(
        request.POST if request.method == "POST" else request.GET or None,
        blueprint=blueprint,
        learner=people.learner_of_request(request),
        withheld=sittings.withheld_questions(request, at),
    )
    is_whole = form.is_valid()  # also narrows the count, whole or not
    if request.method == "POST" and is_whole:
        begun = starting.start_practice(
            terms=form.terms(),
            learner=participants.learner_for_request(request=request, at=at),
            questions=form.pool,
            seed=uuid.uuid4().int >> 66,
            at=at,
        )
        return redirect("sitting_item", public_id=begun.public_id, position=1)
    context = {
        "certification": certification,
        "blueprint": blueprint,
        "form": form,
        "meta": seo.practice(certification),
    }
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "exams/_match.html", context)
    status = doors.UNPROCESSABLE if request.method == "POST" else 200
    return render(request, "exams/practice.html", context, status=status)


@require_POST
def answer_item(
    request: HttpRequest, public_id: uuid.UUID, position: int
) -> HttpResponse:
    """Check an answer in practice, or show it, and show why in the same place."""
    at = timezone.now()
    own = doors.own_sitting(request, public_id, at)
    posted = request.POST
    chosen = None if "show" in posted else posted.getlist("answer")
    problem, status = "", 200
    try:
        practising.answer_item(
            owner=doors.owner_of(request, "item__sitting__participant"),
            public_id=public_id,
            position=position,
            answer=practising.Answer(
                chosen=chosen, seconds=number_in(posted.get("seconds", "")) or 0
            ),
            withheld=sittings.withheld_questions(request, at),
            at=at,
        )
    except NoSuchItem as missing:
        message = "There is no such question in a practice of yours."
        raise Http404(message) from missing
    except practising.KeyWithheld:
        problem, status = doors.WITHHELD, doors.CONFLICT
    except SittingClosed as closed:
        problem, status = closed.sentence, doors.CONFLICT
    except InvalidResponse as invalid:
        problem, status = invalid.sentence, doors.UNPROCESSABLE
    if not problem and not request.htmx:  # type: ignore[attr-defined]
        here = reverse("sitting_item", args=[public_id, position])
        return redirect(f"{here}#verdict")
    own.refresh_from_db(fields=["status", "ended_at", "ending"])
    return show_item(
        request,
        own,
        position,
        at,
        chosen=frozenset(chosen or ()),
        problem=problem,
        status=status,
    )


def show_item(
    request: HttpRequest,
    own: Sitting,
    position: int,
    at: datetime.datetime,
    *,
    chosen: frozenset[str] = frozenset(),
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show one item of a practice sitting; answered, show its answer."""
    item = sittings.item_at(sitting=own, position=position)
    if item is None:
        message = "This practice has no such question."
        raise Http404(message)
    items = sittings.items_of(sitting=own)
    sight = visibility.sight(
        phase=own.phase(at),
        feedback=own.feedback,
        is_answered=item.response.answered_at is not None,
        is_withheld=item.question_id in sittings.withheld_questions(request, at),
    )
    if not sight.question:
        return redirect("sitting", public_id=own.public_id)
    context = _item_context(own, items, item, sight, chosen)
    context["problem"] = problem
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "exams/_question.html", context, status=status)
    context["is_flagged"] = sittings.is_flagged(
        owner=people.owner_filter(request, "participant"),
        question_id=item.question_id,
    )
    response = render(request, "exams/practice_item.html", context, status=status)
    return doors.private(response)


def _item_context(
    own: Sitting,
    items: Sequence[SittingItem],
    item: SittingItem,
    sight: visibility.Sight,
    chosen: frozenset[str],
) -> dict[str, Any]:
    response = item.response
    opened = orders.arranged(item.revision.document.open, item.option_order)
    is_answered = response.answered_at is not None
    given = None
    if is_answered and not response.was_shown:
        given = Answer(frozenset(response.chosen))
        chosen = given.chosen
    reveal = (
        feedback.reveal(opened, finishing.keyed_of(item), given) if sight.key else None
    )
    return {
        "sitting": own,
        "item": opened,
        "question_slug": item.question.slug,
        "revision_id": item.revision_id,
        "choices": feedback.choices(opened, chosen),
        "reveal": reveal,
        "is_answered": is_answered,
        "is_running": own.status == clock.Status.RUNNING,
        "has_session": True,
        "action": reverse("answer_item", args=[own.public_id, item.position]),
        "next_address": _next_address(own, items, item.position),
        "is_last": all(each.response.answered_at for each in items),
        "position": item.position,
        "reason": item.reason,
        "strip": _strip(items, item.position),
        "strip_width": len(items) * _CELL,
        "right": sum(1 for each in items if each.response.is_right),
        "total": len(items),
        "meta": seo.private(f"Question {item.position} of {len(items)}"),
    }


def _next_address(own: Sitting, items: Sequence[SittingItem], position: int) -> str:
    """Return where to go on: the next open item, wrapping round, or the report."""
    later = [*items[position:], *items[: position - 1]]
    for item in later:
        if item.response.answered_at is None and own.status == clock.Status.RUNNING:
            return reverse("sitting_item", args=[own.public_id, item.position])
    return reverse("sitting", args=[own.public_id])


def _strip(items: Sequence[SittingItem], position: int) -> list[dict[str, Any]]:
    """Return the places of the strip: where each is drawn, and how it stands."""
    cells: list[dict[str, Any]] = []
    for item in items:
        middle = item.position * _CELL - _CELL // 2
        cells.append(
            {
                "x": middle,
                "left": f"{middle - 2.6:.1f}",
                "state": _cell_state(item, is_here=item.position == position),
            }
        )
    return cells


def _cell_state(item: SittingItem, *, is_here: bool) -> str:
    response = item.response
    if response.answered_at is None:
        return "now" if is_here else "rest"
    return "right" if response.is_right else "wrong"
