"""Questions in the author desk: the list, and what is done to many."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from unfold.decorators import display

from accounts import permissions
from questions import selectors
from questions.admin import filters
from questions.admin.pages import DONE, QuestionPages, make_move, person
from questions.domain.lifecycle import Move, MoveRefused, Status
from questions.models import Certification, Question
from questions.services import export, review

_STATUS_COLORS = {
    Status.DRAFT: "info",
    Status.IN_REVIEW: "warning",
    Status.APPROVED: "success",
    Status.PUBLISHED: "success",
    Status.RETIRED: "danger",
}


@admin.register(Question)
class QuestionAdmin(QuestionPages):
    """The list of questions, and the way into the editor."""

    list_display = (
        "shown_title",
        "shown_exam",
        "shown_status",
        "exposure",
        "shown_objective",
        "author",
        "shown_marks",
        "waiting_since",
    )
    list_filter = (
        "status",
        "certification",
        filters.DomainFilter,
        "exposure",
        "latest_revision__difficulty",
        "latest_revision__kind",
        filters.LacksRationaleFilter,
        filters.ReviewDueFilter,
        filters.ModifiedSinceApprovalFilter,
        ("author", admin.RelatedOnlyFieldListFilter),
    )
    search_fields = (
        "slug",
        "public_id",
        "latest_revision__title",
        "latest_revision__stem",
        "latest_revision__lead_in",
    )
    search_help_text = "Words of the title, stem, lead-in or address"
    ordering = ("-latest_revision__written_at",)
    list_per_page = 50
    show_full_result_count = False
    actions = (
        "submit_chosen",
        "approve_chosen",
        "publish_chosen",
        "retire_chosen",
        "export_chosen",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        """Fetch what a line shows, in a fixed number of queries."""
        return (
            selectors.with_marks(super().get_queryset(request))
            .select_related("certification", "author", "latest_revision")
            .prefetch_related("alignments__blueprint", "alignments__objective")
            .prefetch_related("alignments__domain")
        )

    @admin.display(description="Title", ordering="latest_revision__title")
    def shown_title(self, question: Question) -> str:
        """Return the newest title."""
        return question.latest_revision.title if question.latest_revision else "(empty)"

    @admin.display(description="Exam", ordering="certification__code")
    def shown_exam(self, question: Question) -> str:
        """Return the exam's short name."""
        return question.certification.code

    @display(  # type: ignore[untyped-decorator]
        description="Status", ordering="status", label=_STATUS_COLORS
    )
    def shown_status(self, question: Question) -> tuple[str, str]:
        """Return the status of the newest revision, and whether an older one is live."""
        text = question.get_status_display()
        if question.is_live and question.status != Status.PUBLISHED:
            text += ", live"
        return question.status, text

    @admin.display(description="Objective")
    def shown_objective(self, question: Question) -> str:
        """Return where it stands in the newest blueprint that it is aligned to."""
        places = sorted(
            question.alignments.all(),
            key=lambda place: place.blueprint.effective_from,
            reverse=True,
        )
        if not places:
            return "none"
        place = places[0]
        code = place.objective.code if place.objective else place.domain.code
        return f"{code} ({place.blueprint.version})"

    @admin.display(description="To do")
    def shown_marks(self, question: Question) -> str:
        """Name what wants attention."""
        marks = []
        if getattr(question, "is_modified_since_approval", False):
            marks.append("modified since approval")
        if getattr(question, "lacks_rationale", False):
            marks.append("rationale missing")
        due = question.review_due_date
        if due is not None and due <= timezone.now().date():
            marks.append("review due")
        return ", ".join(marks)

    @admin.display(description="Last written", ordering="latest_revision__written_at")
    def waiting_since(self, question: Question) -> Any:
        """Return when the newest revision was written."""
        return question.latest_revision and question.latest_revision.written_at

    def has_delete_permission(
        self, request: HttpRequest, obj: Question | None = None
    ) -> bool:
        """Allow deleting only what was never published: the rest is retired."""
        if obj is None:
            return False
        was_published = obj.revisions.filter(published_at__isnull=False).exists()
        return not was_published and super().has_delete_permission(request, obj)

    def get_urls(self) -> list[Any]:
        """Add the export of a whole certification."""
        wrap = self.admin_site.admin_view
        name = "questions_question_export"
        return [path("export/", wrap(self.export_view), name=name), *super().get_urls()]

    # -- what is done to many -------------------------------------------------------

    @admin.action(description="Submit for review")
    def submit_chosen(self, request: HttpRequest, chosen: QuerySet[Question]) -> None:
        """Submit each that can be."""
        self._move_all(request, chosen, Move.SUBMIT)

    @admin.action(description="Approve")
    def approve_chosen(self, request: HttpRequest, chosen: QuerySet[Question]) -> None:
        """Approve each that can be."""
        self._move_all(request, chosen, Move.APPROVE)

    @admin.action(description="Publish")
    def publish_chosen(self, request: HttpRequest, chosen: QuerySet[Question]) -> None:
        """Publish each that can be."""
        self._move_all(request, chosen, Move.PUBLISH)

    @admin.action(description="Retire")
    def retire_chosen(self, request: HttpRequest, chosen: QuerySet[Question]) -> None:
        """Retire each that can be."""
        self._move_all(request, chosen, Move.RETIRE)

    @admin.action(description="Export as YAML")
    def export_chosen(
        self, request: HttpRequest, chosen: QuerySet[Question]
    ) -> HttpResponse | None:
        """Send the bank files of the chosen questions, keys and all."""
        if not permissions.may_export(person(request)):
            self.message_user(request, "Only an editor can export.", messages.ERROR)
            return None
        text = export.export_text(questions=chosen)
        response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
        response.headers["Content-Disposition"] = (
            'attachment; filename="questions.yaml"'
        )
        return response

    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Send the bank files of one certification."""
        certification = get_object_or_404(
            Certification, slug=request.GET.get("certification", "")
        )
        questions = Question.objects.filter(certification=certification)
        response = self.export_chosen(request, questions)
        return response or redirect("admin:questions_question_changelist")

    def _move_all(
        self, request: HttpRequest, chosen: QuerySet[Question], move: Move
    ) -> None:
        """Make the move with each question; say which it was refused for, and why."""
        done = 0
        for question in chosen:
            try:
                make_move(question, move, by=person(request))
            except (MoveRefused, review.NotPublishable) as refused:
                self.message_user(request, f"{question}: {refused}", messages.ERROR)
            else:
                done += 1
        if done:
            noun = "question is" if done == 1 else "questions are"
            self.message_user(request, f"{done} {noun} {DONE[move]}.")
