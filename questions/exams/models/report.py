"""What a finished sitting came to."""

from __future__ import annotations

from fractions import Fraction

from django.db import models

from questions.exams.models.sitting import Sitting


class ScoreReport(models.Model):
    """A result, frozen when it was made. The database refuses to change it.

    The highest ``number`` counts; the others are what it was before, with the cause of
    each. ``document`` is what ``domain.report`` built: the same figures for the page,
    the file and the API, whatever happens to questions and blueprint later.
    """

    class Cause(models.TextChoices):
        SUBMITTED = "submitted", "Submitted"
        EXPIRED = "expired", "Time ran out"
        CLOSED = "closed", "Closed"
        LATE_ACCEPTED = "late_accepted", "Late answers accepted"
        REGRADED = "regraded", "A wrong key was corrected"

    sitting = models.ForeignKey(
        Sitting, on_delete=models.PROTECT, related_name="reports"
    )
    number = models.PositiveSmallIntegerField()
    cause = models.CharField(max_length=20, choices=Cause.choices)
    note = models.CharField(max_length=300, blank=True)
    points_numerator = models.PositiveIntegerField()
    points_denominator = models.PositiveIntegerField()
    question_count = models.PositiveSmallIntegerField()
    right_count = models.PositiveSmallIntegerField()
    is_passed = models.BooleanField(null=True, blank=True)
    document = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = "score report"
        constraints = (
            models.UniqueConstraint(
                fields=["sitting", "number"], name="reports_are_numbered"
            ),
        )

    def __str__(self) -> str:
        return f"Report {self.number} of {self.sitting_id}"

    @property
    def points(self) -> Fraction:
        """The points earned, exactly; each question is worth one."""
        return Fraction(self.points_numerator, self.points_denominator)
