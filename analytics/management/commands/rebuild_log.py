"""Make the log of scored answers again: ``manage.py rebuild_log``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import Progress

from analytics.services import log


class Command(BaseCommand):
    """Throw the log away and derive it from sittings; the same rows come back."""

    help = "Make the log of scored answers again from sittings."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say how many rows there are."""
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("Reading sittings", total=None)
            count = log.rebuild(
                progress=lambda done, total: bar.update(
                    task, completed=done, total=total
                )
            )
        self.stdout.write(f"{count} answers in the log.")
