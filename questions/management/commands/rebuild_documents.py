"""Render published questions anew: after the renderer was mended."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from questions.models import Question, Revision
from questions.services import documents


class Command(BaseCommand):
    """Rebuild every published document and search entry from the revisions."""

    help = "Render every published question and its search entry anew."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say how many documents changed."""
        published = Question.objects.filter(published_revision__isnull=False)
        changed = 0
        console = Console(stderr=True, soft_wrap=True)
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task("Rendering", total=published.count())
            for question in published.iterator():
                revision = (
                    Revision.objects.with_content()
                    .select_related("question__certification")
                    .get(published_of=question)
                )
                changed += documents.rebuild_document(
                    revision=revision, at=timezone.now()
                )
                documents.refresh_search(question=question, item=revision.to_item())
                bar.advance(task)
        self.stdout.write(f"{published.count()} rendered, {changed} changed.")
