"""What an exam covers: versions of its guide, their domains and objectives."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from questions.domain import blueprint as rules
from questions.models.catalog import Certification

_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class BlueprintQuerySet(models.QuerySet["Blueprint"]):
    """Blueprints, by the day on which they are in force."""

    def in_force(self, *, on: datetime.date) -> Self:
        """Return the versions that an exam taken ``on`` this day follows."""
        return self.filter(effective_from__lte=on).filter(
            models.Q(effective_to__isnull=True) | models.Q(effective_to__gte=on)
        )


class Blueprint(models.Model):
    """One version of an exam guide. Versions replace each other; rows stay."""

    class MarkSource(models.TextChoices):
        VENDOR = "vendor", "The vendor's"
        OURS = "ours", "Ours; the vendor publishes none"

    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="blueprints"
    )
    version = models.CharField(max_length=20)
    effective_from = models.DateField()
    effective_to = models.DateField(null=True, blank=True)
    questions_min = models.PositiveSmallIntegerField()
    questions_max = models.PositiveSmallIntegerField()
    unscored_questions = models.PositiveSmallIntegerField(default=0)
    minutes = models.PositiveSmallIntegerField()
    item_kinds = ArrayField(models.CharField(max_length=20))
    scale_min = models.PositiveSmallIntegerField(null=True, blank=True)
    scale_max = models.PositiveSmallIntegerField(null=True, blank=True)
    scale_pass = models.PositiveSmallIntegerField(null=True, blank=True)
    published_mark = models.DecimalField(
        max_digits=5,
        decimal_places=4,
        help_text="The share right that passes, between 0 and 1.",
    )
    mark_source = models.CharField(max_length=10, choices=MarkSource.choices)
    terms_changed = models.TextField(
        blank=True, help_text="Names that this version gives to things known before."
    )

    objects = BlueprintQuerySet.as_manager()

    class Meta:
        verbose_name = "blueprint version"
        constraints = (
            models.UniqueConstraint(
                fields=["certification", "version"], name="one_blueprint_per_version"
            ),
            models.CheckConstraint(
                condition=models.Q(questions_min__lte=models.F("questions_max")),
                name="blueprint_question_range_is_a_range",
            ),
            models.CheckConstraint(
                condition=models.Q(published_mark__gt=0, published_mark__lte=1),
                name="blueprint_mark_is_a_share",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    scale_min__isnull=True,
                    scale_max__isnull=True,
                    scale_pass__isnull=True,
                )
                | models.Q(
                    scale_min__lt=models.F("scale_max"),
                    scale_pass__gte=models.F("scale_min"),
                    scale_pass__lte=models.F("scale_max"),
                ),
                name="blueprint_scale_is_whole_or_absent",
            ),
        )

    def __str__(self) -> str:
        return f"{self.certification.code} {self.version}"

    def clean(self) -> None:
        """Refuse a version that can't stand in an address, and dates in reverse."""
        if not _VERSION.fullmatch(self.version):
            raise ValidationError(
                {
                    "version": "It becomes part of addresses: begin with a letter or "
                    "digit, go on with letters, digits, dots, hyphens."
                }
            )
        starts: datetime.date | None = getattr(self, "effective_from", None)
        ends = self.effective_to
        # Either is none here if what was typed is no date.
        if starts is not None and ends is not None and ends < starts:
            raise ValidationError({"effective_to": "It lies before the start."})

    @property
    def mark(self) -> Fraction:
        """The share right that passes, exactly.

        A scaled mark becomes a share by the linear map, so that no rounding decides
        between pass and fail.
        """
        if self.scale_pass is None or self.scale_min is None or self.scale_max is None:
            return Fraction(self.published_mark)
        return rules.share_from_scale(
            mark=self.scale_pass, lowest=self.scale_min, highest=self.scale_max
        )


class Domain(models.Model):
    """A section of a blueprint version, with its weight as published: approximate."""

    blueprint = models.ForeignKey(
        Blueprint, on_delete=models.PROTECT, related_name="domains"
    )
    code = models.CharField(max_length=10)
    name = models.CharField(max_length=200)
    weight = models.PositiveSmallIntegerField(
        help_text="Per cent, as published. Weights need not total 100."
    )

    class Meta:
        verbose_name = "domain"
        constraints = (
            models.UniqueConstraint(
                fields=["blueprint", "code"], name="one_domain_per_code"
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.name}"


class Objective(models.Model):
    """What a candidate must be able to do; the finest line of a guide we align to."""

    domain = models.ForeignKey(
        Domain, on_delete=models.PROTECT, related_name="objectives"
    )
    code = models.CharField(max_length=10)
    slug = models.SlugField(max_length=120)
    name = models.CharField(max_length=250)

    class Meta:
        verbose_name = "objective"
        constraints = (
            models.UniqueConstraint(
                fields=["domain", "code"], name="one_objective_per_code"
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    def get_absolute_url(self) -> str:
        blueprint = self.domain.blueprint
        return reverse(
            "objective",
            args=[blueprint.certification.slug, blueprint.version, self.slug],
        )

    def clean(self) -> None:
        """Refuse an address that another objective of the version has."""
        twins = Objective.objects.filter(
            slug=self.slug, domain__blueprint__domains=self.domain_id
        )
        if self.domain_id and twins.exclude(pk=self.pk).exists():
            raise ValidationError(
                {"slug": "Another objective of this version has this address."}
            )
