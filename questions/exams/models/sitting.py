"""One participant, one run: sittings, their items and what was answered."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal
from fractions import Fraction

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import reverse

from accounts.models import Participant
from questions.domain import items
from questions.domain.scoring import Rule
from questions.exams.domain import clock, feedback
from questions.exams.domain.visibility import Feedback
from questions.exams.models.definition import RULES, MockExam, Navigation
from questions.models import Blueprint, Certification, Domain, Question, Revision

STATUSES = (
    (clock.Status.RUNNING.value, "Running"),
    (clock.Status.FINISHED.value, "Finished"),
    (clock.Status.VOID.value, "Void"),
)
FEEDBACKS = (
    (Feedback.AT_ONCE.value, "After each answer"),
    (Feedback.AT_END.value, "At the end"),
)


class Sitting(models.Model):
    """One participant's run through some questions: practice, mock exam or review.

    Everything that decides the result is copied here at the start and stays: rule,
    mark, minutes, allowance, deadline. ``daily_date`` marks the practice sitting that
    collects what is answered on question pages in one day.
    """

    class Mode(models.TextChoices):
        PRACTICE = "practice", "Practice"
        MOCK = "mock", "Mock exam"
        REVIEW = "review", "Review"

    class Ending(models.TextChoices):
        SUBMITTED = "submitted", "Submitted"
        EXPIRED = "expired", "Time ran out"
        CLOSED = "closed", "Closed"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="sittings"
    )
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="sittings"
    )
    blueprint = models.ForeignKey(
        Blueprint, on_delete=models.PROTECT, related_name="sittings"
    )
    mock_exam = models.ForeignKey(
        MockExam,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="sittings",
    )
    mode = models.CharField(max_length=10, choices=Mode.choices)
    feedback = models.CharField(max_length=10, choices=FEEDBACKS)
    navigation = models.CharField(
        max_length=10, choices=Navigation.choices, default=Navigation.FREE
    )
    rule = models.CharField(max_length=20, choices=RULES, default=Rule.EXACT_MATCH)
    seed = models.BigIntegerField(help_text="Draws the same form from the same pool.")
    daily_date = models.DateField(null=True, blank=True)
    status = models.CharField(
        max_length=10, choices=STATUSES, default=clock.Status.RUNNING
    )
    mark_numerator = models.PositiveIntegerField(null=True, blank=True)
    mark_denominator = models.PositiveIntegerField(null=True, blank=True)
    started_at = models.DateTimeField()
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    time_allowance = models.DecimalField(
        max_digits=3, decimal_places=2, default=Decimal(1)
    )
    deadline = models.DateTimeField(null=True, blank=True)
    grace_seconds = models.PositiveSmallIntegerField(default=0)
    reached = models.PositiveSmallIntegerField(
        default=1, help_text="Where a linear sitting stands."
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=10, choices=Ending.choices, blank=True)
    report_seen_at = models.DateTimeField(null=True, blank=True)
    token_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        db_index=True,
        help_text="Of the secret of who began it over the API without an account.",
    )

    class Meta:
        verbose_name = "sitting"
        permissions = (("conduct_sitting", "Can extend, void and regrade sittings"),)
        constraints = (
            models.UniqueConstraint(
                fields=["participant", "certification"],
                condition=models.Q(mode="mock", status="running"),
                name="one_running_mock_per_certification",
            ),
            models.UniqueConstraint(
                fields=["participant", "certification", "daily_date"],
                name="one_daily_practice",
            ),
            models.CheckConstraint(
                condition=models.Q(status="running", ended_at__isnull=True)
                | models.Q(ended_at__isnull=False) & ~models.Q(status="running"),
                name="a_sitting_ends_when_it_stops_running",
            ),
            models.CheckConstraint(
                condition=~models.Q(mode="mock") | models.Q(deadline__isnull=False),
                name="a_mock_has_a_deadline",
            ),
        )
        indexes = (
            models.Index(
                fields=["participant", "-started_at"], name="sittings_of_a_participant"
            ),
            models.Index(
                fields=["deadline"],
                condition=models.Q(status="running", deadline__isnull=False),
                name="sittings_against_the_clock",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_mode_display()}, {self.started_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("sitting", args=[self.public_id])

    @property
    def mark(self) -> Fraction | None:
        """The share right that passes, exactly; practice has none."""
        if self.mark_numerator is None or self.mark_denominator is None:
            return None
        return Fraction(self.mark_numerator, self.mark_denominator)

    @property
    def grace(self) -> datetime.timedelta:
        """How long after the deadline answers on their way are taken."""
        return datetime.timedelta(seconds=self.grace_seconds)

    @property
    def is_mock(self) -> bool:
        """Whether this is a mock exam."""
        return self.mode == self.Mode.MOCK

    @property
    def is_linear(self) -> bool:
        """Whether there is no way back."""
        return self.navigation == Navigation.LINEAR

    def phase(self, at: datetime.datetime) -> clock.Phase:
        """Return what the sitting is at the moment ``at``."""
        return clock.phase_of(
            status=self.status, deadline=self.deadline, grace=self.grace, at=at
        )


class SittingItem(models.Model):
    """A place in a sitting: the exact revision, its frozen options and rule.

    ``graded_by`` is the revision whose key counts, where an editor regraded a wrong
    key on purpose; otherwise the revision's own does. ``reason`` is what the learner
    was told of why this question was chosen for them, where it was. ``choose`` is how
    many options the revision asks for, copied as every page of an exam tells it of all
    items; it is missing where an earlier version of this code drew the form.
    """

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="items")
    position = models.PositiveSmallIntegerField()
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="sitting_items"
    )
    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="sitting_items"
    )
    domain = models.ForeignKey(
        Domain, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    option_order = ArrayField(models.CharField(max_length=40))
    choose = models.PositiveSmallIntegerField(null=True, blank=True)
    rule = models.CharField(max_length=20, choices=RULES, default=Rule.EXACT_MATCH)
    graded_by = models.ForeignKey(
        Revision, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True, default="", db_default="")

    class Meta:
        verbose_name = "sitting item"
        constraints = (
            models.UniqueConstraint(
                fields=["sitting", "position"], name="one_item_per_position"
            ),
        )

    def __str__(self) -> str:
        return f"{self.position} of {self.sitting_id}"

    def answerable(self) -> items.Item:
        """Return as much of the item as parsing a response needs; no key is in it."""
        return feedback.unkeyed(
            kind=self.revision.kind,
            choose=self.revision.choose,
            keys=self.option_order,
        )


class Response(models.Model):
    """What a participant did with one item. Made with it, so that a save is an update.

    ``version`` counts the saves; ``recent_saves`` are marks of the last ones, in
    order, with the moment of each. ``points`` are written when the item is scored, and
    with them ``answered_at``. ``was_shown`` says that the answer was asked for.
    """

    item = models.OneToOneField(
        SittingItem,
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="response",
    )
    chosen = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    struck = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    is_flagged = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    seconds = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    recent_saves = ArrayField(models.UUIDField(), default=list, blank=True)
    recent_saved_at = ArrayField(models.DateTimeField(), default=list, blank=True)
    was_shown = models.BooleanField(default=False)
    answered_at = models.DateTimeField(null=True, blank=True)
    points_numerator = models.SmallIntegerField(null=True, blank=True)
    points_denominator = models.SmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = "response"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(
                    points_numerator__isnull=True, points_denominator__isnull=True
                )
                | models.Q(
                    points_numerator__gte=0,
                    points_denominator__gt=0,
                    points_numerator__lte=models.F("points_denominator"),
                ),
                name="points_are_a_share",
            ),
        )

    def __str__(self) -> str:
        return f"Response to {self.item_id}, version {self.version}"

    @property
    def points(self) -> Fraction | None:
        """The share of the item earned, exactly; nothing before it is scored."""
        if self.points_numerator is None or self.points_denominator is None:
            return None
        return Fraction(self.points_numerator, self.points_denominator)

    @points.setter
    def points(self, points: Fraction) -> None:
        self.points_numerator = points.numerator
        self.points_denominator = points.denominator

    @property
    def is_right(self) -> bool:
        """Whether full marks were earned."""
        return self.points == 1 and not self.was_shown

    @property
    def is_answered(self) -> bool:
        """Whether anything is chosen."""
        return bool(self.chosen)


class LateAnswer(models.Model):
    """An answer that arrived after the grace: kept, and not counted.

    Staff may accept it with a reason; the sitting is then scored again.
    """

    response = models.ForeignKey(
        Response, on_delete=models.PROTECT, related_name="late_answers"
    )
    save_id = models.UUIDField(unique=True)
    chosen = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    received_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "late answer"

    def __str__(self) -> str:
        return f"Late answer to {self.response_id}"


class SittingEvent(models.Model):
    """What staff did with a sitting, and why. Never changed."""

    class Kind(models.TextChoices):
        EXTENDED = "extended", "Time added"
        VOIDED = "voided", "Voided"
        GRANTED = "granted", "Another sitting granted"
        LATE_ACCEPTED = "late_accepted", "Late answers accepted"
        REGRADED = "regraded", "Regraded"

    sitting = models.ForeignKey(
        Sitting, on_delete=models.PROTECT, related_name="events"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    item = models.ForeignKey(
        SittingItem,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="events",
    )
    before = models.JSONField(
        default=dict, blank=True, help_text="What stood before: chosen and points."
    )
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    happened_at = models.DateTimeField()

    class Meta:
        verbose_name = "sitting event"

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.happened_at:%Y-%m-%d}"
