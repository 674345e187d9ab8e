"""Problem reports in the author desk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Case, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from questions.models import ProblemReport
from questions.services import reports


@admin.register(ProblemReport)
class ProblemReportAdmin(ModelAdmin):
    """What readers say is wrong, wrong keys first."""

    list_display = ("reported_at", "kind", "shown_question", "text", "resolved_at")
    list_filter = (("resolved_at", admin.EmptyFieldListFilter), "kind")
    list_select_related = ("question", "revision", "reported_by")
    ordering = (
        Case(When(kind=ProblemReport.Kind.WRONG_KEY, then=0), default=1),
        "-reported_at",
    )
    search_fields = ("question__slug", "text")
    readonly_fields = (
        "shown_question",
        "kind",
        "text",
        "revision",
        "reported_by",
        "reported_at",
        "user_agent",
        "resolved_at",
    )
    fields = (*readonly_fields, "resolution")

    @admin.display(description="Question")
    def shown_question(self, report: ProblemReport) -> SafeString:
        """Link to the question's editor."""
        address = reverse("admin:questions_question_change", args=[report.question_id])
        return format_html('<a href="{}">{}</a>', address, report.question)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Readers write reports, on the question's page."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: reports are part of a question's history."""
        return False

    def save_model(
        self,
        request: HttpRequest,
        obj: ProblemReport,
        form: forms.ModelForm[ProblemReport],
        change: bool,  # noqa: FBT001
    ) -> None:
        """Resolve the report by saying what came of it."""
        reports.resolve_report(
            report=obj, resolution=form.cleaned_data["resolution"], at=timezone.now()
        )
