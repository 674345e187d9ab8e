"""What is known of learners: derived from the log, but for what they were told."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from analytics.models.calibration import CalibrationRun
from questions.exams.models import Enrolment, Sitting
from questions.models import Blueprint, Certification


class LearnerState(models.Model):
    """What the filter believes of one account under one blueprint version.

    ``run`` names the calibration whose parameters were used; none, the authors'
    difficulties. ``ability`` is the record of ``ability.to_record``. ``rows`` and
    ``through_at`` say how much of the log is in it: all rows of the account's
    participants in the certification logged up to then. ``domains`` are the blueprint's,
    by primary key in the order of the ability's numbers, and ``made_under`` is the
    ``QuestionTable``'s; empty, it says that all must be taken again from the log: a
    participant came, say. ``trend`` has a point per week
    (Monday to Sunday, UTC) with new evidence, as of its last answer: ``date``,
    ``expected``, ``low``, ``high``, ``probability``, ``first_attempts``. ``recent``
    holds the last first attempts and the ability before them, from which they are
    explained. ``moved`` says what a recalibration alone changed in what is shown:
    ``at``, ``before`` and ``after`` (``expected`` score and ``probability``).
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    blueprint = models.ForeignKey(Blueprint, on_delete=models.CASCADE, related_name="+")
    run = models.ForeignKey(
        CalibrationRun,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    domains = ArrayField(models.BigIntegerField(), default=list)
    made_under = models.TextField(blank=True, default="")
    ability = models.JSONField()
    first_attempts = models.PositiveIntegerField(default=0)
    trend = models.JSONField(default=list, blank=True)
    recent = models.JSONField(default=dict, blank=True)
    moved = models.JSONField(null=True, blank=True)
    rows = models.PositiveIntegerField(default=0)
    through_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = "learner state"
        constraints: ClassVar = [
            # The sweep reads all of them each minute, and from the index alone.
            models.UniqueConstraint(
                fields=["user", "blueprint"],
                include=["run", "domains", "made_under"],
                name="one_state_per_blueprint",
            ),
        ]

    def __str__(self) -> str:
        """Return the number of first attempts."""
        return f"{self.first_attempts} first attempts"


class LearnerFigures(models.Model):
    """One account's study figures in one certification, as ``figures.Figures`` has them.

    Days are those of ``time_zone``. ``rows`` and ``through_at`` as in the state.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    certification = models.ForeignKey(
        Certification, on_delete=models.CASCADE, related_name="+"
    )
    time_zone = models.CharField(max_length=64)
    figures = models.JSONField()
    rows = models.PositiveIntegerField(default=0)
    through_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = "learner figures"
        constraints: ClassVar = [
            # As with states.
            models.UniqueConstraint(
                fields=["user", "certification"],
                include=["time_zone"],
                name="one_row_of_figures",
            ),
        ]

    def __str__(self) -> str:
        """Return the number of rows behind them."""
        return f"{self.rows} answers"


class Forecast(models.Model):
    """What chance was given before a result was known, to be scored against it.

    Of a mock exam, made when it starts, for that very paper; or of a real exam, the
    last one before its date. Not derived: what was said stays as it was said.
    ``made_at`` is the moment it speaks of: the start of the mock, or of the exam's day.
    ``share_unseen`` is the share of a mock's questions never met before.
    ``exam_date`` is a real exam's, as told when it was made: told otherwise later, there
    is another for that day, and only the one whose day stands has the result.
    ``has_passed`` is empty until the result is known. No person is named: the sitting
    belongs to a participant, and an enrolment's forecast goes with the enrolment.
    """

    sitting = models.OneToOneField(
        Sitting, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    enrolment = models.ForeignKey(
        Enrolment, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    exam_date = models.DateField(null=True, blank=True)
    blueprint = models.ForeignKey(Blueprint, on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey(
        CalibrationRun,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    probability = models.FloatField()
    modelled = models.FloatField(
        null=True, help_text="The chance before it was mended, where it was."
    )
    expected = models.FloatField()
    questions = models.PositiveSmallIntegerField()
    needed = models.PositiveSmallIntegerField()
    first_attempts = models.PositiveIntegerField()
    is_enough = models.BooleanField(
        help_text="Whether the evidence sufficed for the chance to be shown."
    )
    share_unseen = models.FloatField(null=True, blank=True)
    is_simulated = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    has_passed = models.BooleanField(null=True, blank=True)

    class Meta:
        verbose_name = "forecast"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(
                    sitting__isnull=False,
                    enrolment__isnull=True,
                    exam_date__isnull=True,
                )
                | models.Q(
                    sitting__isnull=True,
                    enrolment__isnull=False,
                    exam_date__isnull=False,
                ),
                name="a_forecast_is_of_one_result",
            ),
            models.UniqueConstraint(
                fields=["enrolment", "exam_date"], name="one_forecast_of_an_exam"
            ),
            models.CheckConstraint(
                condition=models.Q(probability__gte=0, probability__lte=1),
                name="a_forecast_is_a_probability",
            ),
        ]

    def __str__(self) -> str:
        """Return the chance that was given."""
        return f"{self.probability:.2f}"


class ChanceMap(models.Model):
    """How chances of passing in one certification are mended, as results suggest.

    A row is there only while the map is in force. ``intercept``, ``slope``, ``outcomes``
    and ``gain`` as in ``measures.Recalibration``.
    """

    certification = models.OneToOneField(
        Certification, on_delete=models.CASCADE, related_name="+"
    )
    intercept = models.FloatField()
    slope = models.FloatField()
    outcomes = models.PositiveIntegerField()
    gain = models.FloatField()
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = "map of chances"
        verbose_name_plural = "maps of chances"

    def __str__(self) -> str:
        """Return how many results it rests on."""
        return f"{self.outcomes} results"
