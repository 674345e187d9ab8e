"""Load bank files: ``manage.py load_bank PATH [--dry-run]``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from questions.exams.services import offering
from questions.formats import yaml_bank
from questions.services import interchange

_MOST_SHOWN = 200


class Command(BaseCommand):
    """Read the files, say every problem with its place, or write all of it."""

    help = (
        "Load questions, scenarios, certifications, mock exams and people from files. "
        "Writes everything or, with any problem, nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the path and the manner."""
        parser.add_argument("path", type=Path, help="a folder, or one file")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="say what would happen, write nothing",
        )
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="write over words that somebody changed at the author desk",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load, and say what came of it."""
        path: Path = options["path"]
        if not path.exists():
            message = f"There is nothing at {path}."
            raise CommandError(message)
        console = Console(stderr=True, soft_wrap=True)
        read = yaml_bank.read_bank(path)
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task("Loading questions", total=None)
            report = interchange.load_bank(
                read=read,
                at=timezone.now(),
                is_dry_run=options["dry_run"],
                is_overwriting=options["overwrite"],
                progress=lambda done, total: bar.update(
                    task, completed=done, total=total
                ),
                also=offering.load_mock_exams,
            )
        for problem in report.problems[:_MOST_SHOWN]:
            self.stderr.write(str(problem))
        if report.problems:
            count = len(report.problems)
            noun = "problem" if count == 1 else "problems"
            message = f"{count} {noun}. Nothing was written."
            raise CommandError(message)
        for slug in report.left_alone:
            self.stderr.write(
                f"{slug}: changed at the author desk since; left alone "
                "(--overwrite writes over it)."
            )
        would = "Would be: " if options["dry_run"] else ""
        self.stdout.write(
            f"{would}{len(report.added)} added, {len(report.changed)} changed, "
            f"{len(report.unchanged)} unchanged, {len(report.left_alone)} left alone."
        )
