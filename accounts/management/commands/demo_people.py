"""People to try Courseiva as. Only in development: their passwords are public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts import services
from accounts.models import User

PASSWORD: Final = "practice makes"  # noqa: S105  (public, and refused in production)


@dataclass(frozen=True, kw_only=True)
class DemoPerson:
    """Who they are and what they may do."""

    name: str
    roles: tuple[str, ...] = ()
    is_superuser: bool = False

    @property
    def email(self) -> str:
        """Return the address they sign in with."""
        return f"{self.name}@example.org"

    @property
    def does(self) -> str:
        """Return what they are there for."""
        return "may do everything" if self.is_superuser else DOES[self.name]


DOES: Final = {
    "learner": "answers questions",
    "author": "writes questions",
    "reviewer": "approves them or sends them back",
    "editor": "publishes and retires them",
}
PEOPLE: Final = (
    DemoPerson(name="learner"),
    DemoPerson(name="author", roles=("author",)),
    DemoPerson(name="reviewer", roles=("reviewer",)),
    DemoPerson(name="editor", roles=("editor",)),
    DemoPerson(name="admin", is_superuser=True),
)


class Command(BaseCommand):
    """Make the demo people, or leave them as they are."""

    help = "Make a demo learner, author, reviewer, editor and superuser."

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        """Make whoever is missing, and say how to sign in."""
        if not settings.IS_DEVELOPMENT:
            message = "Demo people have public passwords: development mode only."
            raise CommandError(message)
        for person in PEOPLE:
            self._make(person)
            self.stdout.write(f"  {person.email:<22}{person.does}")
        self.stdout.write(f"  All of them sign in with the password: {PASSWORD}")

    def _make(self, person: DemoPerson) -> None:
        if User.objects.filter(email=person.email).exists():
            return
        user = User.objects.create_user(
            person.email,
            PASSWORD,
            display_name=f"Demo {person.name}",
            is_staff=bool(person.roles) or person.is_superuser,
            is_superuser=person.is_superuser,
        )
        user.groups.set(Group.objects.filter(name__in=person.roles))
        # Some mock exams ask for an address that was confirmed.
        EmailAddress.objects.create(
            user=user, email=user.email, verified=True, primary=True
        )
        services.participant_of_user(user=user, at=timezone.now())
