"""What people prepare for, and how the real exam went."""

from __future__ import annotations

import datetime
from typing import Final

from django.conf import settings
from django.db import models

from questions.models import Certification

EARLIEST_EXAM: Final = datetime.date(2000, 1, 1)
"""No exam that anybody prepares for here is as old."""


class Enrolment(models.Model):
    """A person prepares for an exam. The result they tell later is the ground truth.

    Of the person, not of a participant: it goes when the person is erased.
    """

    class Result(models.TextChoices):
        PASSED = "passed", "Passed"
        FAILED = "failed", "Not passed"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="enrolments"
    )
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="enrolments"
    )
    exam_date = models.DateField(null=True, blank=True)
    result = models.CharField(max_length=10, choices=Result.choices, blank=True)
    score = models.PositiveIntegerField(
        null=True, blank=True, help_text="As the vendor states it, such as 812."
    )
    resulted_at = models.DateTimeField(null=True, blank=True)
    enrolled_at = models.DateTimeField()

    class Meta:
        verbose_name = "enrolment"
        constraints = (
            # Who did not pass prepares again, for another date.
            models.UniqueConstraint(
                fields=["user", "certification"],
                condition=models.Q(result=""),
                name="one_open_enrolment_per_certification",
            ),
            models.CheckConstraint(
                condition=models.Q(result="", score__isnull=True)
                & models.Q(resulted_at__isnull=True)
                | ~models.Q(result="") & models.Q(resulted_at__isnull=False),
                name="a_result_was_told_at_a_moment",
            ),
            models.CheckConstraint(
                condition=models.Q(exam_date__gte=EARLIEST_EXAM),
                name="an_exam_is_of_this_century",
            ),
        )

    def __str__(self) -> str:
        return f"{self.certification.code}, {self.exam_date or 'no date'}"
