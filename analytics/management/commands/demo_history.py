"""Give the demo learner ninety days of work, so that there is something to look at."""

from __future__ import annotations

import argparse
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.management.commands import demo_people
from accounts.models import User
from analytics import tasks
from questions.exams.models import Sitting
from questions.models import Certification

_EMAIL: Final = demo_people.PEOPLE[0].email


class Command(BaseCommand):
    """Nothing is done where the demo learner has done anything already."""

    help = "Give the demo learner ninety days of simulated practice and two mock exams."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take who does it."""
        parser.add_argument(
            "--later", action="store_true", help="Have the worker do it."
        )

    def handle(self, *args: Any, later: bool, **options: Any) -> None:
        """Have the demo learner study for the first certification, and say so."""
        if not settings.IS_DEVELOPMENT:
            message = "Nobody is simulated among real people: development mode only."
            raise CommandError(message)
        user = User.objects.filter(email=_EMAIL).first()
        certification = Certification.objects.order_by("pk").first()
        if user is None:
            said = f"There is no {_EMAIL}; manage.py demo_people makes them."
        elif certification is None:
            said = "There is no certification to study for yet."
        elif Sitting.objects.filter(participant__user=user).exists():
            if later:  # each start asks: no news
                return
            said = "The learner has a history already; nothing was added."
        elif later:
            tasks.give_history.delay(user.pk, certification.pk)
            said = "The learner's last ninety days are being written."
        else:
            tasks.give_history(user.pk, certification.pk)
            said = "The learner's last ninety days are written."
        self.stdout.write(f"  {said}")
