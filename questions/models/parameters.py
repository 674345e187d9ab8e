"""What calibration currently says about a revision."""

from __future__ import annotations

from django.db import models

from questions.models.revision import Revision


class ItemParameters(models.Model):
    """How hard and how telling a revision is, in logits: P = c + (1-c) / (1+e^-a(θ-b)).

    Written by calibration alone, which sits above the bank: ``run`` is its number.
    A revision without a row has not been calibrated; its author's difficulty stands in.
    """

    revision = models.OneToOneField(
        Revision, on_delete=models.CASCADE, related_name="parameters"
    )
    slope = models.FloatField()
    difficulty = models.FloatField()
    guess = models.FloatField()
    slope_error = models.FloatField(null=True, blank=True)
    difficulty_error = models.FloatField(null=True, blank=True)
    attempts = models.PositiveIntegerField()
    run = models.BigIntegerField()
    recorded_at = models.DateTimeField()

    class Meta:
        verbose_name = "item parameters"
        verbose_name_plural = "item parameters"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(slope__gt=0), name="a_slope_is_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(guess__gte=0, guess__lt=1),
                name="a_guess_is_a_chance",
            ),
        )

    def __str__(self) -> str:
        """Return slope and difficulty."""
        return f"a {self.slope:.2f}, b {self.difficulty:.2f}"
