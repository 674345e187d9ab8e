"""Who read a revision, and what happened to a question."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models import AuthorProfile
from questions.models.question import Question
from questions.models.revision import Revision


class Review(models.Model):
    """A verdict on one revision by somebody who did not write it."""

    class Verdict(models.TextChoices):
        APPROVED = "approved", "Approved"
        SENT_BACK = "sent_back", "Sent back"

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="reviews"
    )
    reviewer = models.ForeignKey(
        AuthorProfile, on_delete=models.PROTECT, related_name="reviews"
    )
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    comment = models.TextField(blank=True)
    reviewed_at = models.DateTimeField()

    class Meta:
        verbose_name = "review"

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} by {self.reviewer}"


class QuestionEvent(models.Model):
    """One thing done to a question: who, what, when. Rows are only added."""

    class Kind(models.TextChoices):
        CREATED = "created", "Created"
        REVISED = "revised", "Revised"
        SETTINGS_CHANGED = "settings_changed", "Settings changed"
        SUBMIT = "submit", "Submitted for review"
        WITHDRAW = "withdraw", "Withdrawn from review"
        APPROVE = "approve", "Approved"
        SEND_BACK = "send_back", "Sent back"
        PUBLISH = "publish", "Published"
        RETIRE = "retire", "Retired"
        RESTORE = "restore", "Restored to a draft"

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="events"
    )
    revision = models.ForeignKey(
        Revision,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="events",
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="question_events",
        help_text="Empty for what an import recorded.",
    )
    note = models.TextField(blank=True)
    happened_at = models.DateTimeField()

    class Meta:
        verbose_name = "event"
        indexes = (
            models.Index(
                fields=["question", "happened_at"], name="events_of_a_question"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.question}"
