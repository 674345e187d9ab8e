"""The author desk's preview: a question exactly as a learner will see it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from accounts import permissions
from questions.admin import editor as editing
from questions.domain import document, items
from questions.domain.responses import Response
from questions.exams.domain import feedback
from questions.forms.numbers import number_in
from questions.models import Certification, Question

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox"
)


@require_http_methods(["GET", "POST"])
def preview_question(request: HttpRequest) -> HttpResponse:
    """Show what is stored, or what stands in the editor, before and after the answer.

    Nothing is saved. The page runs no scripts, whatever was written.
    """
    if not permissions.asks_to_enter_desk(request):
        raise PermissionDenied
    context: dict[str, Any]
    if request.method == "POST":
        context = _written(request)
    else:
        question = get_object_or_404(
            Question.objects.select_related("latest_revision"),
            pk=number_in(request.GET.get("question", "")) or 0,
        )
        latest = question.latest_revision
        context = _shown(latest.to_item()) if latest else {"note": "No words yet."}
    response = render(request, "exams/preview.html", context)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


def _written(request: HttpRequest) -> dict[str, Any]:
    certification = get_object_or_404(
        Certification, slug=request.POST.get("certification", "")
    )
    editor = editing.read_editor(
        request=request, question=None, certification=certification
    )
    if not editor.has_valid_words():
        return {"note": editing.first_error(editor)}
    return _shown(editor.item())


def _shown(item: items.Item) -> dict[str, Any]:
    built = document.build_document(item)
    opened, keyed = dict(built.open), dict(built.keyed)
    keys = frozenset(built.keyed["keys"])
    can_be_answered = 0 < len(keys) <= built.open["choose"]
    return {
        "item": opened,
        "choices": feedback.choices(opened, frozenset()),
        "reveal": feedback.reveal(opened, keyed, Response(keys))
        if can_be_answered
        else None,
        "note": "" if can_be_answered else "Mark the right options to see the answer.",
    }
