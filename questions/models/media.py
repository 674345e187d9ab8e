"""Pictures that exhibits show."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse


class Image(models.Model):
    """The bytes of one picture, named by their digest. Never changed; shared.

    In Postgres, so that a backup of the bank is a backup of all of it, and a revision
    can't lose its picture.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    media_type = models.CharField(max_length=40)
    content = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    file_name = models.CharField(
        max_length=120, help_text="What the file was called where it came from."
    )
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    added_at = models.DateTimeField()

    class Meta:
        verbose_name = "image"

    def __str__(self) -> str:
        return self.file_name

    def get_absolute_url(self) -> str:
        return reverse("image", args=[self.sha256])
