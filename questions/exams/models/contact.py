"""Whose key was met, and what is set aside for later."""

from __future__ import annotations

from django.db import models

from accounts.models import Participant
from questions.exams.models.sitting import SittingItem
from questions.models import Question


class KeyContact(models.Model):
    """One meeting of a participant with the key of a question.

    By an answer that was checked, by asking to see the answer, or by the end of a mock
    exam. Later answers to the question are no first attempts.
    """

    class Verdict(models.TextChoices):
        RIGHT = "right", "Right"
        WRONG = "wrong", "Wrong"
        UNANSWERED = "unanswered", "Not answered"
        SHOWN = "shown", "Answer shown"

    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="key_contacts"
    )
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="key_contacts"
    )
    item = models.OneToOneField(
        SittingItem, on_delete=models.PROTECT, related_name="contact"
    )
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    met_at = models.DateTimeField()

    class Meta:
        verbose_name = "key contact"
        indexes = (
            models.Index(
                fields=["participant", "question", "met_at"], name="contacts_in_order"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.question_id}"


class QuestionFlag(models.Model):
    """A question that a participant wants to practise later.

    Apart from the flag in a sitting, which is for going back before the end.
    """

    participant = models.ForeignKey(
        Participant, on_delete=models.CASCADE, related_name="question_flags"
    )
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="flags"
    )
    flagged_at = models.DateTimeField()

    class Meta:
        verbose_name = "question flag"
        constraints = (
            models.UniqueConstraint(
                fields=["participant", "question"], name="one_flag_per_question"
            ),
        )

    def __str__(self) -> str:
        return f"Flag on {self.question_id}"
