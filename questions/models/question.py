"""A question's identity, apart from its words."""

from __future__ import annotations

import secrets
from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.urls import reverse

from accounts.models import AuthorProfile
from questions.domain.items import Exposure, Provenance
from questions.domain.lifecycle import Status
from questions.models.blueprint import Blueprint, Domain, Objective
from questions.models.catalog import Certification

EXPOSURES = (
    (Exposure.PUBLIC.value, "Public"),
    (Exposure.MEMBERS.value, "Members only"),
    (Exposure.MOCK_ONLY.value, "Mock exams only"),
)
PROVENANCES = (
    (Provenance.HUMAN.value, "Written by people"),
    (Provenance.AI_ASSISTED.value, "Written with AI assistance"),
)
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_public_id() -> str:
    """Return an id that says nothing about order or number: 59 bits in 12 letters."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


def readable_exposures(*, is_member: bool) -> tuple[Exposure, ...]:
    """Return the exposures of questions that have a page for who asks."""
    if is_member:
        return (Exposure.PUBLIC, Exposure.MEMBERS)
    return (Exposure.PUBLIC,)


class QuestionQuerySet(models.QuerySet["Question"]):
    """Questions, by who may meet them."""

    def live(self) -> Self:
        """Return those that learners can meet in one way or another."""
        return self.filter(published_revision__isnull=False, retired_at__isnull=True)

    def public(self) -> Self:
        """Return those with a page that anyone may read."""
        return self.live().filter(exposure=Exposure.PUBLIC)

    def readable_by(self, user: object) -> Self:
        """Return those with a page that ``user``, perhaps nobody, may read."""
        is_member = bool(getattr(user, "is_authenticated", False))
        return self.live().filter(exposure__in=readable_exposures(is_member=is_member))


class Question(models.Model):
    """What stays when the words change: identity, standing and place in the bank.

    ``status`` is that of ``latest_revision``; learners meet ``published_revision``
    until ``retired_at``. So a question can be live and in review at once.
    """

    public_id = models.CharField(
        max_length=12, unique=True, default=new_public_id, editable=False
    )
    slug = models.SlugField(max_length=120, unique=True)
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="questions"
    )
    author = models.ForeignKey(
        AuthorProfile, on_delete=models.PROTECT, related_name="questions"
    )
    provenance = models.CharField(
        max_length=20,
        choices=PROVENANCES,
    )
    sources = models.TextField(blank=True, help_text="What it was written from.")
    exposure = models.CharField(
        max_length=20,
        choices=EXPOSURES,
        default=Exposure.PUBLIC,
    )
    status = models.CharField(
        max_length=20,
        choices=[
            (Status.DRAFT, "Draft"),
            (Status.IN_REVIEW, "In review"),
            (Status.APPROVED, "Approved"),
            (Status.PUBLISHED, "Published"),
            (Status.RETIRED, "Retired"),
        ],
        default=Status.DRAFT,
    )
    latest_revision = models.OneToOneField(
        "questions.Revision",
        on_delete=models.RESTRICT,  # a draft and its revisions go together
        null=True,
        blank=True,
        related_name="latest_of",
    )
    published_revision = models.OneToOneField(
        "questions.Revision",
        on_delete=models.RESTRICT,  # a draft and its revisions go together
        null=True,
        blank=True,
        related_name="published_of",
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField(
        help_text="When the page last changed for its readers."
    )
    review_due_date = models.DateField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    enemies = models.ManyToManyField(
        "self", blank=True, help_text="Never in one exam with these."
    )
    search_vector = SearchVectorField(null=True, editable=False)
    bands = ArrayField(
        models.BigIntegerField(),
        default=list,
        blank=True,
        editable=False,
        help_text="Bands of the text's MinHash: near-duplicates share one.",
    )

    objects = QuestionQuerySet.as_manager()

    class Meta:
        verbose_name = "question"
        permissions = (
            ("author_question", "Can write questions and submit them"),
            ("review_question", "Can approve questions or send them back"),
            ("publish_question", "Can publish, retire and restore questions"),
            ("export_question", "Can export questions"),
        )
        constraints = (
            models.CheckConstraint(
                condition=~models.Q(status=Status.PUBLISHED)
                | models.Q(
                    published_revision__isnull=False,
                    published_revision=models.F("latest_revision"),
                ),
                name="published_question_shows_its_latest_revision",
            ),
            models.CheckConstraint(
                condition=~models.Q(status=Status.RETIRED)
                | models.Q(retired_at__isnull=False),
                name="retired_question_says_since_when",
            ),
        )
        indexes = (
            models.Index(
                fields=["certification", "id"],
                condition=models.Q(
                    published_revision__isnull=False,
                    retired_at__isnull=True,
                    exposure=Exposure.PUBLIC,
                ),
                name="public_questions_in_order",
            ),
            models.Index(fields=["status", "changed_at"], name="questions_by_status"),
            GinIndex(fields=["search_vector"], name="questions_search"),
            GinIndex(fields=["bands"], name="questions_bands"),
        )

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("question", args=[self.slug])

    @property
    def is_live(self) -> bool:
        """Whether learners can meet it in one way or another."""
        return self.published_revision_id is not None and self.retired_at is None


class Alignment(models.Model):
    """Where a question stands in one blueprint version. One row each.

    ``objective`` is empty where the guide has none. Moving the bank to a new version
    means adding rows, never rewriting questions.
    """

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="alignments"
    )
    blueprint = models.ForeignKey(
        Blueprint, on_delete=models.PROTECT, related_name="alignments"
    )
    domain = models.ForeignKey(
        Domain, on_delete=models.PROTECT, related_name="alignments"
    )
    objective = models.ForeignKey(
        Objective,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="alignments",
    )

    class Meta:
        verbose_name = "alignment"
        constraints = (
            models.UniqueConstraint(
                fields=["question", "blueprint"], name="one_alignment_per_blueprint"
            ),
        )
        indexes = (
            models.Index(
                fields=["objective", "question"], name="questions_of_an_objective"
            ),
            models.Index(fields=["domain", "question"], name="questions_of_a_domain"),
        )

    def __str__(self) -> str:
        return f"{self.blueprint}: {self.objective or self.domain}"


class FormerSlug(models.Model):
    """An address that a question had before. It redirects for ever."""

    slug = models.SlugField(max_length=120, primary_key=True)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="former_slugs"
    )

    class Meta:
        verbose_name = "former slug"

    def __str__(self) -> str:
        return self.slug


class SearchWord(models.Model):
    """A word that some published question contains: what a typo is corrected to."""

    word = models.CharField(max_length=60, primary_key=True)

    class Meta:
        verbose_name = "search word"
        indexes = (
            GinIndex(
                fields=["word"],
                name="search_words_by_trigram",
                opclasses=["gin_trgm_ops"],
            ),
        )

    def __str__(self) -> str:
        return self.word


class ProblemReport(models.Model):
    """What a reader says is wrong with a question, with where they were."""

    class Kind(models.TextChoices):
        WRONG_KEY = "wrong_key", "The answer is wrong"
        UNCLEAR = "unclear", "The question is unclear"
        OUTDATED = "outdated", "It is out of date"
        TYPO = "typo", "A spelling or display mistake"
        OTHER = "other", "Something else"

    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="problem_reports"
    )
    revision = models.ForeignKey(
        "questions.Revision", on_delete=models.PROTECT, related_name="problem_reports"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    text = models.TextField(max_length=2000, blank=True)
    chosen = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="problem_reports",
    )
    address_hash = models.CharField(
        max_length=64,
        blank=True,
        help_text="A keyed digest of the sender's address, to limit floods.",
    )
    user_agent = models.CharField(max_length=200, blank=True)
    reported_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolution = models.TextField(blank=True)

    class Meta:
        verbose_name = "problem report"
        indexes = (
            models.Index(
                fields=["address_hash", "reported_at"], name="reports_by_address"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.question}"
