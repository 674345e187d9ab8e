"""Which mock exam to take."""

from __future__ import annotations

from typing import Any, Final

from django import forms

from questions.exams.models import MockExam
from questions.exams.services import starting
from questions.models import Blueprint

FULL: Final = "full"
HALF: Final = "half"
OWN: Final = "own"


class MockForm(forms.Form):
    """Full length, half, an own length, or one of the exams that are offered."""

    exam = forms.CharField(required=False, max_length=120)
    length = forms.IntegerField(
        required=False,
        error_messages={"invalid": "Write a whole number, such as 20."},
    )

    def __init__(
        self, sent: Any = None, *, blueprint: Blueprint, offered: list[MockExam]
    ) -> None:
        super().__init__(sent)
        self.blueprint = blueprint
        self.offered = {exam.slug: exam for exam in offered}

    @property
    def most(self) -> int:
        """The longest mock: the guide's maximum."""
        return self.blueprint.questions_max

    @property
    def least(self) -> int:
        """The shortest mock."""
        return min(starting.LEAST_IN_A_MOCK, self.most)

    @property
    def half(self) -> int:
        """The length of half an exam."""
        return (self.most + 1) // 2

    def clean(self) -> dict[str, Any]:
        """Refuse an exam that is not offered and a length out of range."""
        cleaned = super().clean() or {}
        exam = cleaned.get("exam") or FULL
        if exam == OWN and "length" not in self.errors:
            length = cleaned.get("length")
            if length is None or not self.least <= length <= self.most:
                self.add_error(
                    "length", f"Choose a number from {self.least} to {self.most}."
                )
        elif exam not in {FULL, HALF, OWN} and exam not in self.offered:
            self.add_error("exam", "This exam is not offered. Choose another.")
        return cleaned

    def terms(self) -> starting.Terms:
        """Return the terms of what was chosen."""
        exam = self.cleaned_data.get("exam") or FULL
        if exam in self.offered:
            return starting.terms_of_exam(mock_exam=self.offered[exam])
        length = {FULL: self.most, HALF: self.half}.get(exam)
        return starting.standard_terms(
            blueprint=self.blueprint, length=length or self.cleaned_data["length"]
        )
