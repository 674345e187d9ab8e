"""Write the bank to files: ``manage.py dump_bank PATH``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import Progress

from questions.exams.services import offering
from questions.formats import yaml_bank
from questions.services import export


class Command(BaseCommand):
    """Write every question, scenario, certification and person in canonical form."""

    help = "Write the bank as YAML files. Loading them again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the path."""
        parser.add_argument("path", type=Path, help="the folder to write under")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say how much."""
        path: Path = options["path"]
        console = Console(stderr=True, soft_wrap=True)
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task("Writing questions", total=None)
            count = export.dump_bank(
                path=path,
                progress=lambda done, total: bar.update(
                    task, completed=done, total=total
                ),
            )
        for record in offering.mock_exam_records():
            export.write_file(
                path=path / yaml_bank.mock_exam_path(record),
                text=yaml_bank.write_mock_exam(record),
            )
            count += 1
        self.stdout.write(f"{count} files under {path}.")
