"""Pages kept for anonymous visitors."""

from __future__ import annotations

from questions.exams.models import RenderedPage


def keep_page(*, question_id: int, stamp: str, gzipped: bytes) -> None:
    """Keep a rendered page for the next anonymous visitor, in one statement."""
    RenderedPage.objects.bulk_create(
        [RenderedPage(question_id=question_id, stamp=stamp, gzipped=gzipped)],
        update_conflicts=True,
        unique_fields=["question"],
        update_fields=["stamp", "gzipped"],
    )
