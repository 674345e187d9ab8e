"""Pages kept for anonymous visitors."""

from __future__ import annotations

from django.db import models

from questions.models import Question


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
