"""What the list of questions is narrowed by, beside its columns."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from questions.forms.numbers import number_in
from questions.models import Domain, Question


class _YesFilter(admin.SimpleListFilter):
    """A filter that is on or off: ``narrow`` holds what questions have to fit."""

    narrow: dict[str, Any]
    answer = "Yes"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer one choice besides all."""
        return [("yes", self.answer)]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Question]
    ) -> QuerySet[Question]:
        """Narrow if it is on."""
        return queryset.filter(**self.narrow) if self.value() == "yes" else queryset


class LacksRationaleFilter(_YesFilter):
    """Questions of which an option does not say why."""

    title = "missing rationale"
    parameter_name = "lacks_rationale"
    narrow = {"lacks_rationale": True}


class ModifiedSinceApprovalFilter(_YesFilter):
    """Questions whose approval is of an older wording."""

    title = "modified since approval"
    parameter_name = "modified"
    narrow = {"is_modified_since_approval": True}


class ReviewDueFilter(_YesFilter):
    """Questions that somebody should read again."""

    title = "review due"
    parameter_name = "review_due"

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Question]
    ) -> QuerySet[Question]:
        """Narrow to those due by today."""
        self.narrow = {"review_due_date__lte": timezone.now().date()}
        return super().queryset(request, queryset)


class DomainFilter(admin.SimpleListFilter):
    """Questions by domain, in any blueprint version."""

    title = "domain"
    parameter_name = "domain"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer the domains of every version, newest first."""
        domains = Domain.objects.select_related("blueprint__certification").order_by(
            "blueprint__certification__code", "-blueprint__effective_from", "code"
        )
        return [(str(d.pk), f"{d.blueprint}: {d.code} {d.name}") for d in domains]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Question]
    ) -> QuerySet[Question]:
        """Narrow to the chosen domain."""
        domain = number_in(self.value() or "")
        return (
            queryset if domain is None else queryset.filter(alignments__domain=domain)
        )
