"""Every scored answer, once for each time it was scored."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models

from accounts.models import Participant
from questions.exams.models import SittingItem
from questions.exams.signals import Cause
from questions.models import Question, Revision


class ResponseLog(models.Model):
    """One scored answer. Rows are only added; the database refuses anything else.

    Scored again (a regrade, a late answer accepted) or voided, an answer gets another
    row with the next ``number``; the highest counts. First attempt or repeat, and the
    domain, are derived where they are needed. Nothing refers to a row, and rows lie in
    the order of ``logged_at``, so the table can be partitioned by month.
    """

    # Of participant and item, the indexes below begin with them.
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="+")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    item = models.ForeignKey(
        SittingItem, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    cause = models.CharField(
        max_length=20,
        choices=[(cause.value, cause.value.replace("_", " ")) for cause in Cause],
    )
    mode = models.CharField(max_length=10)
    position = models.PositiveSmallIntegerField()
    chosen = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    was_shown = models.BooleanField(default=False)
    points_numerator = models.SmallIntegerField()
    points_denominator = models.SmallIntegerField()
    seconds = models.PositiveIntegerField()
    answered_at = models.DateTimeField()
    logged_at = models.DateTimeField()

    class Meta:
        verbose_name = "logged answer"
        indexes = (
            models.Index(
                fields=["participant", "logged_at"], name="log_of_a_participant"
            ),
            models.Index(
                fields=["participant", "question"], name="log_of_who_met_what"
            ),
            models.Index(fields=["item", "number"], name="log_of_an_item"),
            BrinIndex(fields=["logged_at"], name="log_by_time"),
        )

    def __str__(self) -> str:
        """Return what happened to which answer."""
        return f"{self.cause}: {self.item_id}, {self.number}"
