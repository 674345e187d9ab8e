"""Answering: whose key was met, and the practice sets in which it happens.

Thin on purpose: the sitting engine replaces the practice set, and keeps the contacts.
"""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import reverse

from accounts.models import Participant
from questions.models import Certification, Question, Revision


class PracticeSet(models.Model):
    """Some questions that a participant practises one after the other."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="practice_sets"
    )
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="+"
    )
    started_at = models.DateTimeField()

    class Meta:
        verbose_name = "practice set"

    def __str__(self) -> str:
        return f"{self.certification.code}, {self.started_at:%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        return reverse("practice_set", args=[self.public_id])


class PracticeItem(models.Model):
    """A place in a practice set, and the revision that stands there."""

    practice_set = models.ForeignKey(
        PracticeSet, on_delete=models.CASCADE, related_name="items"
    )
    position = models.PositiveSmallIntegerField()
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = "practice item"
        constraints = (
            models.UniqueConstraint(
                fields=["practice_set", "position"], name="one_item_per_place"
            ),
        )

    def __str__(self) -> str:
        return f"{self.position} of {self.practice_set_id}"


class KeyContact(models.Model):
    """One meeting of a participant with the key of a question.

    By answering, or by asking to see the answer (``chosen`` is then empty). Later
    answers to the question are no first attempts.
    """

    class Verdict(models.TextChoices):
        RIGHT = "right", "Right"
        WRONG = "wrong", "Wrong"
        SHOWN = "shown", "Answer shown"

    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="key_contacts"
    )
    question = models.ForeignKey(
        Question, on_delete=models.PROTECT, related_name="key_contacts"
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    practice_item = models.OneToOneField(
        PracticeItem,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contact",
    )
    chosen = ArrayField(models.CharField(max_length=40), default=list)
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    met_at = models.DateTimeField()

    class Meta:
        verbose_name = "key contact"
        indexes = (
            models.Index(
                fields=["participant", "question", "met_at"], name="contacts_in_order"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.question_id}"


class RenderedPage(models.Model):
    """A question page as an anonymous visitor gets it, compressed, ready to send.

    Nothing but a copy: ``stamp`` names the document, the state of the bank and the
    templates it was made from, and a page with another stamp is made anew.
    """

    question = models.OneToOneField(
        Question, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    stamp = models.CharField(max_length=120)
    gzipped = models.BinaryField()

    class Meta:
        verbose_name = "rendered page"

    def __str__(self) -> str:
        return f"Page of {self.question_id}"
