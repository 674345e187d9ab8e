"""What people say of the exams they prepare for."""

from __future__ import annotations

from django import forms

from questions.exams.models import Enrolment
from questions.models import Certification


class EnrolmentForm(forms.Form):
    """A certification to prepare for, and when the exam is, if that is known."""

    certification = forms.ModelChoiceField(
        Certification.objects.order_by("code"), label="Exam", empty_label="Choose one"
    )
    exam_date = forms.DateField(
        label="Date of the exam",
        required=False,
        widget=forms.DateInput({"type": "date"}),
        help_text="Leave it empty while you don’t know.",
    )


class ResultForm(forms.Form):
    """How the real exam went."""

    result = forms.ChoiceField(label="How did it go?", choices=Enrolment.Result.choices)
    exam_date = forms.DateField(
        label="Date of the exam", widget=forms.DateInput({"type": "date"})
    )
    score = forms.IntegerField(
        label="Score",
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="As the vendor states it. Leave it empty if none was stated.",
    )
