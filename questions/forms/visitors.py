"""What visitors of the bank's pages send: a search, a problem report."""

from __future__ import annotations

from typing import Any

from django import forms

from questions.domain.items import Difficulty
from questions.models import Certification, ProblemReport, Revision
from questions.selectors import Wish


class SearchForm(forms.Form):
    """Words and filters. Anything that makes no sense is left out, never refused."""

    q = forms.CharField(label="Search for", required=False, max_length=200)
    certification = forms.ModelChoiceField(
        Certification.objects.order_by("code"),
        required=False,
        to_field_name="slug",
        empty_label="All exams",
    )
    domain = forms.IntegerField(required=False, min_value=1, max_value=2**31)
    objective = forms.IntegerField(required=False, min_value=1, max_value=2**31)
    kind = forms.ChoiceField(
        choices=[("", "One or several"), *Revision.Kind.choices], required=False
    )
    difficulty = forms.ChoiceField(
        choices=[
            ("", "Any difficulty"),
            *((level.value, level.value.capitalize()) for level in Difficulty),
        ],
        required=False,
    )

    def wish(self) -> Wish:
        """Return what is looked for, as far as it makes sense."""
        self.is_valid()
        cleaned: dict[str, Any] = self.cleaned_data
        certification = cleaned.get("certification")
        return Wish(
            words=cleaned.get("q") or self.data.get("q", "")[:200],
            certification=certification.slug if certification else "",
            domain=cleaned.get("domain"),
            objective=cleaned.get("objective"),
            kind=cleaned.get("kind", ""),
            difficulty=cleaned.get("difficulty", ""),
        )


class ProblemForm(forms.ModelForm[ProblemReport]):
    """What is wrong with a question."""

    class Meta:
        model = ProblemReport
        fields = ("kind", "text")
        labels = {"kind": "What is wrong?", "text": "Tell us more"}
        widgets = {"kind": forms.RadioSelect, "text": forms.Textarea({"rows": 5})}

    def clean(self) -> dict[str, Any]:
        """Ask for words where the kind alone says too little."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == ProblemReport.Kind.OTHER and not cleaned.get("text"):
            self.add_error("text", "Say in a sentence what is wrong.")
        return cleaned
