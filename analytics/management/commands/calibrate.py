"""Calibrate one bank now: ``manage.py calibrate CODE``."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analytics import tasks
from questions.models import Certification


class Command(BaseCommand):
    """What beat does every night, for one certification and while you watch."""

    help = "Calibrate the questions of a certification from all answers so far."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the certification's code."""
        parser.add_argument("code", help="The certification, such as PMLE.")

    def handle(self, *args: Any, code: str, **options: Any) -> None:
        """Calibrate, and say each stage and the result."""
        certification = Certification.objects.filter(code__iexact=code).first()
        if certification is None:
            message = f"There is no certification {code}."
            raise CommandError(message)
        self.stdout.write(
            tasks.calibrate_bank(certification=certification, progress=self._tell)
        )

    def _tell(self, stage: str) -> None:
        self.stderr.write(f"{stage} …")
