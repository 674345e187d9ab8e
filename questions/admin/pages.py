"""The editor's pages in the author desk, and the moves made from them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from accounts import permissions
from accounts.models import User
from questions import selectors
from questions.admin import editor as editing
from questions.domain import checks, images
from questions.domain.differences import differences
from questions.domain.lifecycle import Move, MoveRefused, Status
from questions.forms.numbers import number_in
from questions.models import Blueprint, Certification, Question, QuestionEvent
from questions.services import authoring, review

_LABELS = {
    Move.SUBMIT: "Submit for review",
    Move.WITHDRAW: "Withdraw from review",
    Move.APPROVE: "Approve",
    Move.SEND_BACK: "Send back",
    Move.PUBLISH: "Publish",
    Move.RETIRE: "Retire",
    Move.RESTORE: "Restore as a draft",
}
DONE = {
    Move.SUBMIT: "submitted for review",
    Move.WITHDRAW: "withdrawn from review",
    Move.APPROVE: "approved",
    Move.SEND_BACK: "sent back to its author",
    Move.PUBLISH: "published",
    Move.RETIRE: "retired",
    Move.RESTORE: "a draft again",
}
_COMMENTED = {Move.APPROVE, Move.SEND_BACK, Move.RETIRE}


class QuestionPages(ModelAdmin):
    """The pages of one question; the list is ``QuestionAdmin``'s."""

    def get_urls(self) -> list[Any]:
        """Add the editor's own addresses to the admin's."""
        wrap = self.admin_site.admin_view
        own = [
            path("queue/", wrap(self.queue_view), name="questions_question_queue"),
            path(
                "coverage/",
                wrap(self.coverage_view),
                name="questions_question_coverage",
            ),
            path(
                "problems/",
                wrap(self.problems_view),
                name="questions_question_problems",
            ),
            path(
                "<int:pk>/move/<str:move>/",
                wrap(require_POST(self.move_view)),
                name="questions_question_move",
            ),
        ]
        return [*own, *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponseBase:
        """Write a new question; choose the certification first if there are several."""
        if not permissions.may_author(person(request)):
            raise PermissionDenied
        slug = request.GET.get("certification") or request.POST.get("certification")
        certifications = Certification.objects.order_by("code")
        if slug:
            certification = get_object_or_404(certifications, slug=slug)
        elif certifications.count() == 1:
            certification = certifications[0]
        else:
            context = {
                **self.admin_site.each_context(request),
                "title": "Which exam is the question for?",
                "certifications": certifications,
                "opts": self.opts,
            }
            return render(request, "admin/questions/choose_certification.html", context)
        return self._edit(request, question=None, certification=certification)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponseBase:
        """Write in a question, or read it with what can be done."""
        question = self._question(request, object_id)
        return self._edit(
            request, question=question, certification=question.certification
        )

    def _question(self, request: HttpRequest, object_id: str) -> Question:
        if not self.has_view_permission(request):
            raise PermissionDenied
        question = (
            Question.objects.filter(pk=number_in(object_id) or 0)
            .select_related(
                "certification",
                "author",
                "latest_revision__scenario_revision",
                "published_revision",
            )
            .first()
        )
        if question is None:
            message = "There is no such question."
            raise Http404(message)
        return question

    def _edit(
        self,
        request: HttpRequest,
        *,
        question: Question | None,
        certification: Certification,
    ) -> HttpResponseBase:
        user = person(request)
        may_write = permissions.may_author(user) or permissions.may_publish(user)
        if request.method != "POST":
            editor = editing.open_editor(
                question=question, certification=certification, user=user
            )
            return self._show(request, editor, may_write=may_write)
        if not may_write:
            raise PermissionDenied
        wants_rows = "_more" in request.POST
        editor = editing.read_editor(
            request=request,
            question=question,
            certification=certification,
            more_rows=int(wants_rows),
        )
        if wants_rows:
            return self._show(request, editor, may_write=True)
        return self._save(request, editor, user)

    def _save(
        self, request: HttpRequest, editor: editing.Editor, user: User
    ) -> HttpResponseBase:
        """Save and go on editing; on trouble show everything as it was sent."""
        if not editor.is_valid():
            return self._show(request, editor, may_write=True, status=422)
        try:
            saved = editing.save(editor=editor, by=user, at=timezone.now())
        except (authoring.SlugTaken, authoring.HandedAway) as refused:
            is_slug = isinstance(refused, authoring.SlugTaken)
            editor.settings.add_error("slug" if is_slug else "author", str(refused))
            return self._show(request, editor, may_write=True, status=422)
        except images.ImageRefused as refused:
            editor.words.add_error(None, f"The picture was not taken: {refused}")
            return self._show(request, editor, may_write=True, status=422)
        except authoring.StaleDraft as stale:
            changed = differences(stale.latest.to_item(), editor.item())
            posted = request.POST.copy()
            posted["base"] = str(stale.latest.number)
            editor.words.data = posted
            return self._show(
                request,
                editor,
                may_write=True,
                status=409,
                stale=stale.latest,
                stale_differences=changed,
            )
        number = saved.latest_revision.number if saved.latest_revision else 0
        self.message_user(request, f"Saved. The latest revision is {number}.")
        if "_submit" in request.POST:
            return self._make_move(request, saved, Move.SUBMIT)
        return redirect("admin:questions_question_change", saved.pk)

    def _show(
        self,
        request: HttpRequest,
        editor: editing.Editor,
        *,
        may_write: bool,
        status: int = 200,
        **more: Any,
    ) -> HttpResponse:
        question = editor.question
        latest = question.latest_revision if question else None
        context = {
            **self.admin_site.each_context(request),
            "title": latest.title
            if latest
            else f"New {editor.certification.code} question",
            "opts": self.opts,
            "editor": editor,
            "question": question,
            "latest": latest,
            "may_write": may_write,
            "problems": selectors.problems_of(question=question, item=latest.to_item())
            if question and latest
            else [],
            "moves": self._moves(request, question) if question else [],
            "reviews": latest.reviews.select_related("reviewer").order_by(
                "-reviewed_at"
            )
            if latest
            else [],
            "has_errors": status == 422,  # noqa: PLR2004
            **more,
        }
        return TemplateResponse(
            request, "admin/questions/editor.html", context, status=status
        )

    def _moves(self, request: HttpRequest, question: Question) -> list[dict[str, Any]]:
        return [
            {
                "name": found.move.value,
                "label": _LABELS[found.move],
                "refusal": found.refusal,
                "has_comment": found.move in _COMMENTED,
                "needs_comment": found.move is Move.SEND_BACK,
            }
            for found in review.open_moves(question=question, by=person(request))
        ]

    def move_view(self, request: HttpRequest, pk: int, move: str) -> HttpResponseBase:
        """Submit, approve, send back, publish, retire: what the button says."""
        question = self._question(request, str(pk))
        if move not in set(Move):
            message = "There is no such move."
            raise Http404(message)
        return self._make_move(request, question, Move(move))

    def _make_move(
        self, request: HttpRequest, question: Question, move: Move
    ) -> HttpResponseBase:
        try:
            make_move(
                question,
                move,
                by=person(request),
                comment=request.POST.get("comment", ""),
                read=number_in(request.POST.get("revision", "")),
            )
        except MoveRefused as refused:
            self.message_user(request, refused.reason, messages.ERROR)
        except review.NotPublishable as refused:
            for problem in refused.problems:
                self.message_user(
                    request, f"{problem.where}: {problem.message}", messages.ERROR
                )
        else:
            self.message_user(request, f"The question is {DONE[move]}.")
        return redirect("admin:questions_question_change", question.pk)

    def problems_view(self, request: HttpRequest) -> HttpResponse:
        """List what is wrong with the words as they stand in the editor, unsaved."""
        question = None
        if request.GET.get("question", "").isdecimal():
            question = self._question(request, request.GET["question"])
        certification = get_object_or_404(
            Certification, slug=request.GET.get("certification", "")
        )
        editor = editing.read_editor(
            request=request, question=question, certification=certification
        )
        context: dict[str, Any] = {"problems": [], "note": "", "question": question}
        if not editor.has_valid_words():
            context["note"] = editing.first_error(editor)
        elif question is None:
            context["problems"] = checks.problems(editor.item())
        else:
            context["problems"] = selectors.problems_of(
                question=question, item=editor.item()
            )
        return render(request, "admin/questions/_problems.html", context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponseBase:
        """Show what was done, and what changed between two revisions."""
        question = self._question(request, object_id)
        revisions = list(
            question.revisions.select_related("written_by").order_by("-number")
        )
        numbers = {str(revision.number): revision for revision in revisions}
        after = numbers.get(request.GET.get("to", "")) or (
            revisions[0] if revisions else None
        )
        before = numbers.get(request.GET.get("from", ""))
        if before is None and after is not None:
            before = numbers.get(str(after.number - 1))
        context = {
            **self.admin_site.each_context(request),
            "title": f"History of {question}",
            "opts": self.opts,
            "question": question,
            "revisions": revisions,
            "before": before,
            "after": after,
            "differences": differences(before.to_item(), after.to_item())
            if before and after
            else [],
            "events": QuestionEvent.objects.filter(question=question)
            .select_related("by", "revision")
            .order_by("-happened_at", "-pk"),
        }
        return render(request, "admin/questions/history.html", context)

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """List what waits for a reviewer, longest first, and what for an editor."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": "Review queue",
            "opts": self.opts,
            "waiting": selectors.review_queue(status=Status.IN_REVIEW),
            "approved": selectors.review_queue(status=Status.APPROVED),
        }
        return render(request, "admin/questions/queue.html", context)

    def coverage_view(self, request: HttpRequest) -> HttpResponse:
        """Compare what is published with what the blueprint weighs."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        blueprints = list(
            Blueprint.objects.select_related("certification").order_by(
                "certification__code", "-effective_from"
            )
        )
        asked = request.GET.get("blueprint", "")
        chosen = next((b for b in blueprints if str(b.pk) == asked), None)
        chosen = chosen or (blueprints[0] if blueprints else None)
        context = {
            **self.admin_site.each_context(request),
            "title": "Coverage",
            "opts": self.opts,
            "blueprints": blueprints,
            "blueprint": chosen,
            "lines": selectors.coverage(blueprint=chosen) if chosen else [],
            "unaligned": selectors.unaligned(blueprint=chosen)[:200] if chosen else [],
        }
        return render(request, "admin/questions/coverage.html", context)


def make_move(
    question: Question,
    move: Move,
    *,
    by: User,
    comment: str = "",
    read: int | None = None,
) -> None:
    """Make the move now.

    Raises:
        MoveRefused: it is not open, or not to ``by``.
        NotPublishable: it would publish, and the item has problems that block.
    """
    at = timezone.now()
    latest = question.latest_revision
    revision = read if read is not None else latest.number if latest else 0
    match move:
        case Move.SUBMIT:
            review.submit_question(question=question, by=by, at=at)
        case Move.WITHDRAW:
            review.withdraw_question(question=question, by=by, at=at)
        case Move.APPROVE:
            review.approve_question(
                question=question, revision=revision, by=by, at=at, comment=comment
            )
        case Move.SEND_BACK:
            review.send_back_question(question=question, by=by, at=at, comment=comment)
        case Move.PUBLISH:
            review.publish_question(question=question, revision=revision, by=by, at=at)
        case Move.RETIRE:
            review.retire_question(question=question, by=by, at=at, reason=comment)
        case Move.RESTORE:
            review.restore_question(question=question, by=by, at=at)


def person(request: HttpRequest) -> User:
    """Return who asks."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
