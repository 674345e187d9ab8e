"""What calibration found: runs, estimates per revision, statistics per mode and form.

Everything here is derived from the log. A run that fails leaves the last good one in
force; runs are kept, so that drift between them can be shown.
"""

from __future__ import annotations

from typing import ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.db import models

from analytics.domain.ctt import Concern
from questions.exams.models import MockExam, Sitting
from questions.models import Certification, Revision

STAGES: Final = ("read", "fit", "filter", "measure", "write", "compare")
"""A run's steps, in their order."""


class CalibrationRun(models.Model):
    """One calibration of a certification's bank, from all answers logged up to a mark.

    ``through`` and ``rows`` are the mark: the highest log id, and how many rows lay up
    to it. The same mark is not calibrated twice. ``stages`` is how many seconds each
    of ``STAGES`` took. ``cohort`` holds the quantiles (0 to 100 %) of learners' expected scores
    under the blueprint in force, where there are enough learners to compare with.
    """

    class Status(models.TextChoices):
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        FAILED = "failed", "Failed"

    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="calibration_runs"
    )
    status = models.CharField(max_length=10, choices=Status.choices)
    is_in_force = models.BooleanField(default=False)
    through = models.BigIntegerField()
    rows = models.BigIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    code_version = models.CharField(max_length=40)
    learners = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(
        default=0, help_text="First attempts that it rests on."
    )
    revisions = models.PositiveIntegerField(default=0)
    nodes = models.PositiveSmallIntegerField(default=0)
    steps = models.PositiveSmallIntegerField(default=0)
    has_converged = models.BooleanField(null=True, blank=True)
    log_likelihood = models.FloatField(null=True, blank=True)
    stages = models.JSONField(default=dict, blank=True)
    cohort = ArrayField(models.FloatField(), default=list, blank=True)
    cohort_learners = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        verbose_name = "calibration run"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["certification"],
                condition=models.Q(is_in_force=True),
                name="one_run_in_force_per_certification",
            ),
            models.CheckConstraint(
                condition=models.Q(status="running", finished_at__isnull=True)
                | (~models.Q(status="running") & models.Q(finished_at__isnull=False)),
                name="a_run_ends_when_it_stops_running",
            ),
            models.CheckConstraint(
                condition=models.Q(is_in_force=False) | models.Q(status="finished"),
                name="only_a_finished_run_is_in_force",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["certification", "-started_at"], name="runs_of_a_certification"
            ),
        ]

    def __str__(self) -> str:
        """Return the certification and the moment."""
        return f"{self.certification.code}, {self.started_at:%Y-%m-%d %H:%M}"


class ItemEstimate(models.Model):
    """What one run found of one revision: how hard and how telling it is, in logits."""

    run = models.ForeignKey(
        CalibrationRun, on_delete=models.CASCADE, related_name="estimates"
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    attempts = models.PositiveIntegerField()
    slope = models.FloatField()
    slope_error = models.FloatField(null=True, blank=True)
    difficulty = models.FloatField()
    difficulty_error = models.FloatField(null=True, blank=True)
    guess = models.FloatField()
    is_runaway = models.BooleanField(default=False)

    class Meta:
        verbose_name = "item estimate"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "revision"], name="one_estimate_per_run_and_revision"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["revision", "run"], name="estimates_of_a_revision"),
        ]

    def __str__(self) -> str:
        """Return slope and difficulty."""
        return f"a {self.slope:.2f}, b {self.difficulty:.2f}"


class ItemStatistic(models.Model):
    """How one revision did in one mode, first attempts only, as one run found it.

    ``mode`` is empty for all modes together. Shares and facility are between 0 and 1.
    ``options`` has an entry per option in the author's order: ``key``, ``is_key``,
    ``chosen``, ``share``, ``mean_ability``, ``correlation``. ``curves`` has an entry
    per group of ability: ``attempts``, ``ability``, ``shares`` in the order of the
    options. What is undefined is null, never NaN.
    """

    run = models.ForeignKey(
        CalibrationRun, on_delete=models.CASCADE, related_name="statistics"
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    mode = models.CharField(
        max_length=10, choices=Sitting.Mode.choices, blank=True, default=""
    )
    attempts = models.PositiveIntegerField()
    omitted = models.PositiveIntegerField(default=0)
    facility = models.FloatField(null=True, blank=True)
    discrimination = models.FloatField(
        null=True,
        blank=True,
        help_text="Correlation of full marks with the ability before the answer.",
    )
    efficiency = models.FloatField(null=True, blank=True)
    median_seconds = models.FloatField(null=True, blank=True)
    options = models.JSONField(default=list, blank=True)
    curves = models.JSONField(default=list, blank=True)
    concerns = ArrayField(
        models.CharField(
            max_length=30,
            choices=[(each.value, each.value.replace("_", " ")) for each in Concern],
        ),
        default=list,
        blank=True,
    )

    class Meta:
        verbose_name = "item statistic"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "revision", "mode"],
                name="one_statistic_per_run_revision_and_mode",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["revision", "run"], name="statistics_of_a_revision"),
        ]

    def __str__(self) -> str:
        """Return the mode and the number of attempts."""
        return f"{self.get_mode_display() or 'All'}, {self.attempts}"


class FormStatistic(models.Model):
    """How a fixed mock exam did, as one run found it: first sittings, finished ones.

    ``figures`` are the fields of ``ctt.FormStatistics``; ``questions`` has an entry per
    place of the form: ``revision`` and the fields of ``ctt.QuestionStatistics``.
    """

    run = models.ForeignKey(
        CalibrationRun, on_delete=models.CASCADE, related_name="forms"
    )
    mock_exam = models.ForeignKey(MockExam, on_delete=models.PROTECT, related_name="+")
    attempts = models.PositiveIntegerField()
    figures = models.JSONField(default=dict, blank=True)
    questions = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = "form statistic"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "mock_exam"], name="one_statistic_per_run_and_form"
            ),
        ]

    def __str__(self) -> str:
        """Return the number of attempts."""
        return f"{self.attempts} attempts"
