"""How the work in the background went."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class JobRun(models.Model):
    """One run of a job that works figures out: when, how long, with what result."""

    name = models.CharField(max_length=60)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    is_good = models.BooleanField(null=True, blank=True)
    said = models.TextField(blank=True, help_text="The result in a sentence.")
    found = models.JSONField(
        default=dict, blank=True, help_text="What the next run of the job must know."
    )

    class Meta:
        verbose_name = "job run"
        indexes: ClassVar = [
            models.Index(fields=["name", "-started_at"], name="runs_of_a_job"),
        ]

    def __str__(self) -> str:
        """Return the name and the moment."""
        return f"{self.name}, {self.started_at:%Y-%m-%d %H:%M}"
