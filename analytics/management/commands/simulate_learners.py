"""Have people who do not exist study: ``manage.py simulate_learners 20 --seed 1``."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from analytics.services import simulating
from questions.models import Certification


class Command(BaseCommand):
    """They sit through the services, on days that have passed, and are marked."""

    help = "Add simulated people with weeks of practice and two mock exams each."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take how many, which draw, how long, and what for."""
        parser.add_argument("people", type=int, help="How many.")
        parser.add_argument(
            "--seed", type=int, required=True, help="The same seed, the same answers."
        )
        parser.add_argument("--days", type=int, default=90, help="Up to today.")
        parser.add_argument(
            "--certification", default="", help="Such as PMLE; else the first."
        )

    def handle(
        self,
        *args: Any,
        people: int,
        seed: int,
        days: int,
        certification: str,
        **options: Any,
    ) -> None:
        """Add those of this seed who are not there yet, and say how many."""
        if not settings.IS_DEVELOPMENT:
            message = "Nobody is simulated among real people: development mode only."
            raise CommandError(message)
        if people < 1 or days < 1 or seed < 0:
            message = "People and days are 1 at least, and a seed is 0 at least."
            raise CommandError(message)
        plan = simulating.Plan(
            certification=_certification(certification), days=days, until=timezone.now()
        )
        added = 0
        try:
            for number in range(1, people + 1):
                is_new = simulating.add_person(plan=plan, seed=seed, number=number)
                added += is_new
                how = "added" if is_new else "there already"
                self.stderr.write(f"{number} of {people}: {how}")
        except simulating.NothingToStudy:
            message = f"{plan.certification.code} has nothing to study yet."
            raise CommandError(message) from None
        self.stdout.write(
            f"{added} simulated people added; {people - added} of seed {seed} were "
            "there already. Another seed makes others."
        )


def _certification(code: str) -> Certification:
    found = Certification.objects.order_by("pk")
    if code:
        found = found.filter(code__iexact=code)
    first = found.first()
    if first is None:
        message = f"There is no certification {code}.".replace(" .", ".")
        raise CommandError(message)
    return first
