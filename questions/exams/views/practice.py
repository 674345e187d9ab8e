"""Practice: choose what to practise, answer one by one, see how it went."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts import selectors as people
from accounts import services as participants
from questions import selectors as bank
from questions import seo
from questions.domain.responses import InvalidResponse, Response, complete
from questions.exams import forms, selectors, services
from questions.exams.domain import feedback
from questions.exams.models import KeyContact, PracticeItem, PracticeSet
from questions.models import Certification

_UNPROCESSABLE = 422
_CELL = 24
"""Width of one place of the strip, in its own units."""


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a learner choose what to practise, and start."""
    certification = get_object_or_404(
        Certification.objects.select_related("vendor"), slug=slug
    )
    blueprint = bank.blueprint_in_force(
        certification=certification, on=timezone.now().date()
    )
    if blueprint is None:
        message = "This certification has no blueprint yet."
        raise Http404(message)
    form = forms.PracticeForm(
        request.POST if request.method == "POST" else request.GET or None,
        blueprint=blueprint,
        user=request.user,
    )
    is_whole = form.is_valid()  # also narrows the count, whole or not
    if request.method == "POST" and is_whole:
        at = timezone.now()
        practice_set = services.start_practice(
            participant=participants.participant_for_request(request=request, at=at),
            certification=certification,
            questions=form.pool,
            length=form.cleaned_data["length"],
            seed=uuid.uuid4().int,
            at=at,
        )
        return redirect("practice_item", public_id=practice_set.public_id, position=1)
    context = {
        "certification": certification,
        "blueprint": blueprint,
        "form": form,
        "meta": seo.practice(certification),
    }
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "exams/_match.html", context)
    status = _UNPROCESSABLE if request.method == "POST" else 200
    return render(request, "exams/practice.html", context, status=status)


@require_safe
def practice_set(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Go on with a practice set, or sum it up when all of it is answered."""
    own, items = _own_set(request, public_id)
    for item in items:
        if _contact(item) is None:
            return redirect(
                "practice_item", public_id=public_id, position=item.position
            )
    right = sum(1 for item in items if _is_right(item))
    context = {
        "practice_set": own,
        "lines": [_line(item) for item in items],
        "right": right,
        "total": len(items),
        "missed": len(items) - right,
        "meta": seo.private("Practice, summed up"),
    }
    return render(request, "exams/practice_summary.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def practice_item(
    request: HttpRequest, public_id: uuid.UUID, position: int
) -> HttpResponse:
    """Show one item of a practice set; answered, show its answer."""
    own, items = _own_set(request, public_id)
    if not 1 <= position <= len(items):
        message = f"This set has questions 1 to {len(items)}."
        raise Http404(message)
    item = items[position - 1]
    document = item.revision.document
    contact = _contact(item)
    problem, chosen, status = "", frozenset[str](), 200
    if request.method == "POST" and contact is None:
        posted = request.POST
        chosen = frozenset(posted.getlist("answer"))
        try:
            response = (
                None
                if "show" in posted
                else complete(
                    feedback.answerable(document.open, document.keyed),
                    posted.getlist("answer"),
                )
            )
        except InvalidResponse as invalid:
            problem, status = invalid.sentence, _UNPROCESSABLE
        else:
            contact = services.answer_in_practice(
                item=item, response=response, at=timezone.now()
            )
            if not request.htmx:  # type: ignore[attr-defined]
                here = reverse("practice_item", args=[public_id, position])
                return redirect(f"{here}#verdict")
            _own, items = _own_set(request, public_id)
    reveal = None
    if contact is not None:
        given = None
        if contact.verdict != KeyContact.Verdict.SHOWN:
            given = Response(frozenset(contact.chosen))
            chosen = given.chosen
        reveal = feedback.reveal(document.open, document.keyed, given)
    context = {
        "practice_set": own,
        "item": document.open,
        "revision_id": item.revision_id,
        "choices": feedback.choices(document.open, chosen),
        "problem": problem,
        "reveal": reveal,
        "has_session": True,
        "action": reverse("practice_item", args=[public_id, position]),
        "next_address": _next_address(public_id, items, position),
        "is_last": all(_contact(each) for each in items),
        "position": position,
        "strip": _strip(items, position),
        "strip_width": len(items) * _CELL,
        "right": sum(1 for each in items if _is_right(each)),
        "total": len(items),
        "meta": seo.private(f"Question {position} of {len(items)}"),
    }
    template = (
        "exams/_question.html"
        if request.htmx  # type: ignore[attr-defined]
        else "exams/practice_item.html"
    )
    return render(request, template, context, status=status)


def _own_set(
    request: HttpRequest, public_id: uuid.UUID
) -> tuple[PracticeSet, list[PracticeItem]]:
    own = selectors.practice_set_of(
        participant=people.participant_of_request(request), public_id=public_id
    )
    if own is None:
        message = "There is no practice set of yours at this address."
        raise Http404(message)
    return own, selectors.practice_items(practice_set=own)


def _contact(item: PracticeItem) -> KeyContact | None:
    return getattr(item, "contact", None)


def _is_right(item: PracticeItem) -> bool:
    contact = _contact(item)
    return contact is not None and contact.verdict == KeyContact.Verdict.RIGHT


def _next_address(
    public_id: uuid.UUID, items: list[PracticeItem], position: int
) -> str:
    """Return where to go on: the next open item, wrapping round, or the summary."""
    later = [*items[position:], *items[: position - 1]]
    for item in later:
        if _contact(item) is None:
            return reverse("practice_item", args=[public_id, item.position])
    return reverse("practice_set", args=[public_id])


def _strip(items: list[PracticeItem], position: int) -> list[dict[str, Any]]:
    """Return the places of the strip: where each is drawn, and how it stands."""
    cells: list[dict[str, Any]] = []
    for item in items:
        contact = _contact(item)
        state = "rest" if contact is None else contact.verdict
        if item.position == position and contact is None:
            state = "now"
        middle = item.position * _CELL - _CELL // 2
        cells.append({"x": middle, "left": f"{middle - 2.6:.1f}", "state": state})
    return cells


def _line(item: PracticeItem) -> dict[str, Any]:
    contact = _contact(item)
    return {
        "position": item.position,
        "title": item.revision.title,
        "verdict": contact.verdict if contact else "",
        "address": reverse(
            "practice_item", args=[item.practice_set.public_id, item.position]
        ),
    }
