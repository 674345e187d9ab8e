"""Make all that is known of learners again: ``manage.py rebuild_analytics``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from analytics.services import catching_up


class Command(BaseCommand):
    """Derive learners' states and figures from the log; the same ones come back."""

    help = "Make all that is known of learners again from the log."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say of how many."""
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("Reading the log", total=None)
            count = catching_up.rebuild(
                at=timezone.now(),
                progress=lambda done, total: bar.update(
                    task, completed=done, total=total
                ),
            )
        self.stdout.write(f"{count} learners worked out from the log.")
