"""The words of a question: immutable revisions, and what is derived from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, Self, TypeVar, assert_never

from django.conf import settings
from django.db import models

from questions.domain import items
from questions.models.catalog import Certification
from questions.models.media import Image
from questions.models.question import Question


class Scenario(models.Model):
    """A case study's identity. Its words are in its revisions."""

    slug = models.SlugField(max_length=120, unique=True)
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="scenarios"
    )
    latest_revision = models.OneToOneField(
        "questions.ScenarioRevision",
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="latest_of",
    )

    class Meta:
        verbose_name = "scenario"

    def __str__(self) -> str:
        return self.slug


class _Placed(Protocol):
    position: int


Part = TypeVar("Part", bound=_Placed)


def _in_order(parts: Iterable[Part]) -> list[Part]:
    """Return prefetched or fetched parts in the author's order."""
    return sorted(parts, key=lambda part: part.position)


class ScenarioRevision(models.Model):
    """One wording of a case study. Never changed; a change is the next one."""

    scenario = models.ForeignKey(
        Scenario, on_delete=models.CASCADE, related_name="revisions"
    )
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    text = models.TextField()
    written_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "scenario revision"
        constraints = (
            models.UniqueConstraint(
                fields=["scenario", "number"], name="scenario_revisions_are_numbered"
            ),
        )

    def __str__(self) -> str:
        return f"{self.title} ({self.number})"

    def to_scenario(self) -> items.Scenario:
        """Return the value that the rules work on."""
        return items.Scenario(
            slug=self.scenario.slug,
            title=self.title,
            text=self.text,
            exhibits=tuple(
                exhibit.to_exhibit() for exhibit in _in_order(self.exhibits.all())
            ),
        )


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Revisions, with or without their parts."""

    def with_content(self) -> Self:
        """Fetch everything that ``to_item`` reads, in six queries for any number."""
        return self.select_related("scenario_revision__scenario").prefetch_related(
            "options",
            "references",
            models.Prefetch("exhibits", Exhibit.objects.select_related("image")),
            models.Prefetch(
                "scenario_revision__exhibits", Exhibit.objects.select_related("image")
            ),
        )


class Revision(models.Model):
    """One wording of a question, from the moment it was saved. Never changed.

    The database refuses any change to its words, and everything once it is published.
    """

    class Kind(models.TextChoices):
        SINGLE = "single", "One answer"
        MULTIPLE = "multiple", "Several answers"

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="revisions"
    )
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    choose = models.PositiveSmallIntegerField(default=1)
    title = models.CharField(max_length=120)
    stem = models.TextField()
    lead_in = models.TextField(blank=True)
    difficulty = models.CharField(
        max_length=10, choices=[(d.value, d.value.title()) for d in items.Difficulty]
    )
    trap = models.TextField(blank=True)
    explanation = models.TextField(blank=True)
    scenario_revision = models.ForeignKey(
        ScenarioRevision,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="revisions",
    )
    note = models.CharField(
        max_length=200, blank=True, help_text="What changed, in the writer's words."
    )
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="revisions",
    )
    written_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        verbose_name = "revision"
        constraints = (
            models.UniqueConstraint(
                fields=["question", "number"], name="revisions_are_numbered"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="single", choose=1)
                | models.Q(kind="multiple", choose__gte=1),
                name="revision_asks_for_a_number",
            ),
        )

    def __str__(self) -> str:
        return f"{self.title} (revision {self.number})"

    def to_item(self) -> items.Item:
        """Return the value that the rules work on.

        Reads its parts: fetch with ``with_content`` when there is more than one.
        """
        options = tuple(option.to_option() for option in _in_order(self.options.all()))
        references = tuple(
            ref.to_reference() for ref in _in_order(self.references.all())
        )
        exhibits = tuple(
            exhibit.to_exhibit() for exhibit in _in_order(self.exhibits.all())
        )
        scenario = None
        if self.scenario_revision is not None:
            scenario = self.scenario_revision.to_scenario()
        difficulty = items.Difficulty(self.difficulty)
        if self.kind == self.Kind.MULTIPLE:
            return items.MultipleChoice(
                title=self.title,
                stem=self.stem,
                lead_in=self.lead_in,
                options=options,
                choose=self.choose,
                difficulty=difficulty,
                trap=self.trap,
                explanation=self.explanation,
                references=references,
                exhibits=exhibits,
                scenario=scenario,
            )
        return items.SingleChoice(
            title=self.title,
            stem=self.stem,
            lead_in=self.lead_in,
            options=options,
            difficulty=difficulty,
            trap=self.trap,
            explanation=self.explanation,
            references=references,
            exhibits=exhibits,
            scenario=scenario,
        )


class Option(models.Model):
    """One choice of a revision, in the author's order."""

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="options"
    )
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)
    text = models.TextField()
    is_key = models.BooleanField()
    is_pinned = models.BooleanField(default=False)
    rationale = models.TextField(blank=True)

    class Meta:
        verbose_name = "option"
        constraints = (
            models.UniqueConstraint(
                fields=["revision", "key"], name="option_keys_differ"
            ),
            models.UniqueConstraint(
                fields=["revision", "position"], name="options_have_one_order"
            ),
        )

    def __str__(self) -> str:
        return self.key

    def to_option(self) -> items.Option:
        """Return the value that the rules work on."""
        return items.Option(
            key=self.key,
            text=self.text,
            is_key=self.is_key,
            rationale=self.rationale,
            is_pinned=self.is_pinned,
        )


class Reference(models.Model):
    """Where a revision sends its readers."""

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="references"
    )
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    url = models.URLField(max_length=500)

    class Meta:
        verbose_name = "reference"

    def __str__(self) -> str:
        return self.title

    def to_reference(self) -> items.Reference:
        """Return the value that the rules work on."""
        return items.Reference(title=self.title, url=self.url)


class Exhibit(models.Model):
    """Code or a picture, shown with a revision or a scenario revision."""

    class Kind(models.TextChoices):
        CODE = "code", "Code or output"
        IMAGE = "image", "Image"

    revision = models.ForeignKey(
        Revision,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="exhibits",
    )
    scenario_revision = models.ForeignKey(
        ScenarioRevision,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="exhibits",
    )
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    text = models.TextField(blank=True)
    language = models.CharField(max_length=30, blank=True)
    image = models.ForeignKey(
        Image,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="exhibits",
    )
    alt = models.TextField(blank=True)
    caption = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = "exhibit"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(
                    revision__isnull=False, scenario_revision__isnull=True
                )
                | models.Q(revision__isnull=True, scenario_revision__isnull=False),
                name="exhibit_has_one_home",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="code", image__isnull=True)
                | models.Q(kind="image", image__isnull=False),
                name="exhibit_is_code_or_image",
            ),
        )

    def __str__(self) -> str:
        return self.caption or self.get_kind_display()

    def to_exhibit(self) -> items.Exhibit:
        """Return the value that the rules work on."""
        if self.image is not None:
            return items.ImageExhibit(
                sha256=self.image.sha256,
                alt=self.alt,
                caption=self.caption,
                width=self.image.width,
                height=self.image.height,
            )
        return items.CodeExhibit(
            text=self.text, language=self.language, caption=self.caption
        )

    @classmethod
    def from_exhibit(cls, exhibit: items.Exhibit, *, position: int) -> Self:
        """Return an unsaved row for ``exhibit``; its home is the caller's to set."""
        match exhibit:
            case items.CodeExhibit():
                return cls(
                    position=position,
                    kind=cls.Kind.CODE,
                    text=exhibit.text,
                    language=exhibit.language,
                    caption=exhibit.caption,
                )
            case items.ImageExhibit():
                return cls(
                    position=position,
                    kind=cls.Kind.IMAGE,
                    image_id=exhibit.sha256,
                    alt=exhibit.alt,
                    caption=exhibit.caption,
                )
            case _:
                assert_never(exhibit)


class PublishedDocument(models.Model):
    """What pages and the API serve of a published revision: rendered once.

    Derived from the revision by ``domain.document`` and replaced whenever the
    renderer is mended; so no trigger guards it. ``open`` holds no hint of the key, and
    ``served`` is what programs get of it, as JSON that is ready to be sent: empty in a
    row that an older version wrote, and then made as it is asked for.
    """

    revision = models.OneToOneField(
        Revision, on_delete=models.CASCADE, primary_key=True, related_name="document"
    )
    open = models.JSONField()
    keyed = models.JSONField()
    served = models.TextField(blank=True, db_default="")
    renderer_version = models.PositiveIntegerField()
    checksum = models.CharField(max_length=64)
    rendered_at = models.DateTimeField()

    class Meta:
        verbose_name = "published document"

    def __str__(self) -> str:
        return f"Document of {self.revision_id}"
