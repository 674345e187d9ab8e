"""What staff say when they do something with a sitting."""

from __future__ import annotations

from typing import Any

from django import forms

from questions.exams.services.conducting import MOST_MINUTES, Regrade
from questions.models import Question, Revision


class ReasonForm(forms.Form):
    """Why: kept with what was done."""

    reason = forms.CharField(
        max_length=300,
        error_messages={"required": "Say why: the reason is kept, and shown."},
        widget=forms.TextInput(attrs={"size": 60}),
    )


class ExtendForm(ReasonForm):
    """How many minutes, and why."""

    minutes = forms.IntegerField(min_value=1, max_value=MOST_MINUTES, initial=10)
    field_order = ("minutes", "reason")


class RegradeForm(forms.Form):
    """Which revision had a wrong key, and which one has it right."""

    question = forms.SlugField(
        max_length=120, help_text="The question's slug, as in its address."
    )
    wrong = forms.IntegerField(min_value=1, label="Revision with the wrong key")
    corrected = forms.IntegerField(min_value=1, label="Revision with the right key")
    only_if_improves = forms.BooleanField(
        required=False,
        initial=True,
        label="Only where the learner gains",
    )
    reason = forms.CharField(
        max_length=200, required=False, widget=forms.TextInput(attrs={"size": 60})
    )

    def __init__(self, posted: Any = None, *, question: str | None = None) -> None:
        super().__init__(posted, initial={"question": question or ""})
        self.revisions: dict[str, Revision] = {}

    def clean(self) -> dict[str, Any]:
        """Find both revisions."""
        cleaned = super().clean() or {}
        question = Question.objects.filter(slug=cleaned.get("question", "")).first()
        if question is None:
            self.add_error("question", "There is no question with this slug.")
            return cleaned
        found = {
            revision.number: revision
            for revision in question.revisions.select_related(
                "document"
            ).prefetch_related("options")
        }
        for name in ("wrong", "corrected"):
            number = cleaned.get(name)
            if number is None:
                continue
            if number not in found:
                self.add_error(name, f"It has no revision {number}.")
            else:
                self.revisions[name] = found[number]
        return cleaned

    def has_reason(self) -> bool:
        """Ask for a reason before anything is changed."""
        if self.cleaned_data["reason"].strip():
            return True
        self.add_error("reason", "Say why: the reason is kept, and shown.")
        return False

    def regrade(self) -> Regrade:
        """Return the regrade that is asked for."""
        return Regrade(
            wrong=self.revisions["wrong"],
            corrected=self.revisions["corrected"],
            reason=self.cleaned_data["reason"].strip(),
            only_if_improves=self.cleaned_data["only_if_improves"],
        )
