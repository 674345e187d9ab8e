"""Mock exams beside the standard one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from unfold.admin import TabularInline

from accounts.admin import WritesWhatChanged
from questions.exams.models import MockExam, MockExamItem


class FixedFormset(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    """The questions of a fixed form: all of one certification, no two enemies."""

    def clean(self) -> None:
        """Refuse questions that can't stand in this exam together."""
        super().clean()
        rows = [
            form.cleaned_data["question"]
            for form in self.forms
            if form.cleaned_data.get("question") and not form.cleaned_data.get("DELETE")
        ]
        exam: MockExam = self.instance
        for question in rows:
            if question.certification_id != exam.certification_id:
                message = f"{question} belongs to another certification."
                raise ValidationError(message)
            enemies = set(question.enemies.all()) & set(rows)
            if enemies:
                message = f"{question} and {min(map(str, enemies))} are enemies."
                raise ValidationError(message)


class MockExamItemInline(TabularInline):
    """Rows make the exam a fixed form; none, and it is drawn for each sitting."""

    model = MockExamItem
    formset = FixedFormset
    fields = ("position", "question")
    autocomplete_fields = ("question",)
    ordering = ("position",)
    extra = 0


class MockExamForm(forms.ModelForm):  # type: ignore[type-arg]
    """A blueprint version must be one of the certification's."""

    class Meta:
        model = MockExam
        fields = (
            "name",
            "slug",
            "description",
            "certification",
            "blueprint",
            "length",
            "minutes",
            "navigation",
            "rule",
            "mark",
            "is_open",
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a blueprint of another certification."""
        cleaned = super().clean() or {}
        blueprint, certification = (
            cleaned.get("blueprint"),
            cleaned.get("certification"),
        )
        if blueprint and certification and blueprint.certification != certification:
            self.add_error("blueprint", "This version is of another certification.")
        return cleaned


@admin.register(MockExam)
class MockExamAdmin(WritesWhatChanged):
    """Fixed forms, and exams with rules of their own."""

    form = MockExamForm
    list_display = ("name", "certification", "length", "minutes", "is_open")
    list_filter = ("certification", "is_open")
    list_select_related = ("certification",)
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MockExamItemInline,)
