"""Vendors, certifications, blueprints and scenarios in the author desk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from accounts.admin import WritesWhatChanged
from questions.domain import items
from questions.models import (
    Blueprint,
    Certification,
    Domain,
    Objective,
    Scenario,
    Vendor,
)
from questions.services import authoring


@admin.register(Vendor)
class VendorAdmin(WritesWhatChanged):
    """Companies that certify."""

    list_display = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}


@admin.register(Certification)
class CertificationAdmin(WritesWhatChanged):
    """Credentials."""

    list_display = ("code", "name", "vendor", "level")
    list_select_related = ("vendor",)
    list_filter = ("vendor",)
    # An address without its scheme is a safe one, as it will be from Django 6 on.
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}


class DomainInline(TabularInline):
    """Domains of a blueprint version."""

    model = Domain
    extra = 0
    show_change_link = True


class _StaysInPlace(WritesWhatChanged):
    """Rows that never move to another parent: questions are aligned to both."""

    kept_fields: tuple[str, ...]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Fix the parent once it is chosen."""
        return () if obj is None else self.kept_fields


@admin.register(Blueprint)
class BlueprintAdmin(_StaysInPlace):
    """Versions of exam guides."""

    list_display = (
        "certification",
        "version",
        "effective_from",
        "effective_to",
        "minutes",
        "questions_max",
    )
    list_select_related = ("certification",)
    list_filter = ("certification",)
    inlines = (DomainInline,)
    kept_fields = ("certification",)


class ObjectiveInline(TabularInline):
    """Objectives of a domain."""

    model = Objective
    extra = 0
    prepopulated_fields = {"slug": ("name",)}


@admin.register(Domain)
class DomainAdmin(_StaysInPlace):
    """Sections of a blueprint version, with their objectives."""

    list_display = ("blueprint", "code", "name", "weight")
    list_select_related = ("blueprint__certification",)
    list_filter = ("blueprint",)
    inlines = (ObjectiveInline,)
    kept_fields = ("blueprint",)


class ScenarioForm(forms.ModelForm):  # type: ignore[type-arg]
    """A scenario's words: saving them makes its next revision."""

    title = forms.CharField(max_length=120, widget=UnfoldAdminTextInputWidget())
    text = forms.CharField(
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 14}),
        help_text="Markdown. Published questions keep the wording they were reviewed "
        "with: open and save each to take over the new one.",
    )

    class Meta:
        model = Scenario
        fields = ("slug", "certification")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        latest = self.instance.latest_revision
        if latest is not None:
            self.fields["title"].initial = latest.title
            self.fields["text"].initial = latest.text


@admin.register(Scenario)
class ScenarioAdmin(_StaysInPlace):
    """Case studies shared by several questions."""

    form = ScenarioForm
    list_display = ("slug", "certification", "shown_title")
    list_select_related = ("certification", "latest_revision")
    fields = ("slug", "certification", "title", "text")
    kept_fields = ("certification",)

    @admin.display(description="Title")
    def shown_title(self, scenario: Scenario) -> str:
        """Return the newest title."""
        return scenario.latest_revision.title if scenario.latest_revision else ""

    def save_model(
        self,
        request: HttpRequest,
        obj: Scenario,
        form: Any,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the identity, then the words as a revision."""
        super().save_model(request, obj, form, change)
        latest = obj.latest_revision
        authoring.store_scenario(
            certification=obj.certification,
            scenario=items.Scenario(
                slug=obj.slug,
                title=form.cleaned_data["title"],
                text=form.cleaned_data["text"].replace("\r\n", "\n").strip(),
                exhibits=latest.to_scenario().exhibits if latest else (),
            ),
            at=timezone.now(),
        )
