"""Who certifies, and for what."""

from __future__ import annotations

from django.db import models
from django.urls import reverse


class Vendor(models.Model):
    """A company that certifies people. One row a vendor."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)

    class Meta:
        verbose_name = "vendor"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("vendor", args=[self.slug])


class Certification(models.Model):
    """A credential that one exam earns. One row a certification.

    ``bank_version`` counts what learners can notice: it rises with each question
    published, retired or realigned, and so names the state that a cached page shows.
    """

    class Level(models.TextChoices):
        FOUNDATIONAL = "foundational", "Foundational"
        ASSOCIATE = "associate", "Associate"
        PROFESSIONAL = "professional", "Professional"
        SPECIALTY = "specialty", "Specialty"

    vendor = models.ForeignKey(
        Vendor, on_delete=models.PROTECT, related_name="certifications"
    )
    code = models.CharField(max_length=20, help_text="As the vendor writes it: PMLE.")
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=160)
    level = models.CharField(max_length=20, choices=Level.choices)
    summary = models.TextField(
        blank=True,
        help_text="Two sentences for someone who wonders whether to take it.",
    )
    guide_url = models.URLField(max_length=300)
    bank_version = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = "certification"

    def __str__(self) -> str:
        return f"{self.code}: {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("certification", args=[self.slug])
