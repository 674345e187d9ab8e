"""Mock exams as they are offered."""

from __future__ import annotations

from django.db import models

from questions.domain.scoring import Rule
from questions.models import Blueprint, Certification, Question

RULES = (
    (Rule.EXACT_MATCH.value, "All or nothing"),
    (Rule.RIGHT_MINUS_WRONG.value, "Right minus wrong"),
)


class Navigation(models.TextChoices):
    """Whether a sitting can go back."""

    FREE = "free", "Free: go back and change answers"
    LINEAR = "linear", "Linear: each question once, no way back"


class MockExam(models.Model):
    """A mock exam besides the standard one, which follows from the blueprint alone.

    With rows in ``MockExamItem`` it is a fixed form, the same for everybody; without,
    it is drawn for each sitting.
    """

    slug = models.SlugField(max_length=120, unique=True)
    certification = models.ForeignKey(
        Certification, on_delete=models.PROTECT, related_name="mock_exams"
    )
    blueprint = models.ForeignKey(
        Blueprint, on_delete=models.PROTECT, related_name="mock_exams"
    )
    name = models.CharField(max_length=120)
    description = models.CharField(max_length=300, blank=True)
    length = models.PositiveSmallIntegerField(help_text="Questions asked.")
    minutes = models.PositiveSmallIntegerField()
    navigation = models.CharField(
        max_length=10, choices=Navigation.choices, default=Navigation.FREE
    )
    rule = models.CharField(max_length=20, choices=RULES, default=Rule.EXACT_MATCH)
    mark = models.DecimalField(
        max_digits=5,
        decimal_places=4,
        null=True,
        blank=True,
        help_text="The share right that passes, if it is not the blueprint's.",
    )
    is_open = models.BooleanField("offered to learners", default=True)

    class Meta:
        verbose_name = "mock exam"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(length__gt=0, minutes__gt=0),
                name="mock_exam_asks_and_has_time",
            ),
            models.CheckConstraint(
                condition=models.Q(mark__isnull=True)
                | models.Q(mark__gt=0, mark__lte=1),
                name="mock_exam_mark_is_a_share",
            ),
        )

    def __str__(self) -> str:
        return self.name


class MockExamItem(models.Model):
    """A place in a fixed form."""

    mock_exam = models.ForeignKey(
        MockExam, on_delete=models.CASCADE, related_name="items"
    )
    position = models.PositiveSmallIntegerField()
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = "question of a fixed form"
        verbose_name_plural = "questions of a fixed form"
        constraints = (
            models.UniqueConstraint(
                fields=["mock_exam", "position"], name="one_question_per_place"
            ),
            models.UniqueConstraint(
                fields=["mock_exam", "question"], name="one_place_per_question"
            ),
        )

    def __str__(self) -> str:
        return f"{self.position} of {self.mock_exam_id}"
