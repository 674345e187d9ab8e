"""People who sit a mock exam: accounts, sessions, tokens and drawn forms, all real."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import Client
from django.utils import timezone

from accounts.models import Participant, User
from accounts.selectors import Learner
from questions.exams.models import Sitting
from questions.exams.services import starting
from questions.models import Blueprint

CERTIFICATION = "pmle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A place in a sitting as its owner may know it: what can be chosen, how many."""

    options: tuple[str, ...]
    choose: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """A signed-in person with a running mock exam, and what their browser holds."""

    user_id: int
    sitting: str
    cookie: str
    token: str
    items: tuple[Item, ...]


def seat(*, count: int) -> list[Sitter]:
    """Make ``count`` people and let each begin the full mock exam.

    Their forms are drawn as always, and their tokens come from the site.
    """
    at = timezone.now()
    blueprint = Blueprint.objects.filter(
        certification__slug=CERTIFICATION, effective_from__lte=at
    ).latest("effective_from")
    terms = starting.standard_terms(blueprint=blueprint)
    # One for all: setting up what every request passes takes longer than a request.
    client = Client(headers={"host": "localhost"})
    seated = [
        _seat(person, terms=terms, seed=number, client=client)
        for number, person in enumerate(_people(count, at))
    ]
    with connection.cursor() as cursor:
        for table in ("exams_response", "exams_sittingitem", "exams_sitting"):
            cursor.execute(f"VACUUM ANALYZE {table}")
        for table in ("django_session", "usersessions_usersession"):
            cursor.execute(f"VACUUM ANALYZE {table}")
    print(
        f"{count:,} sitters, each in a mock exam of {len(seated[0].items)} questions "
        f"out of {blueprint.certification.questions.count()}"
    )
    return seated


def _people(count: int, at: datetime.datetime) -> Iterator[Learner]:
    users = User.objects.bulk_create(
        User(email=f"sitter-{number}@example.org", password=secrets.token_hex(16))
        for number in range(count)
    )
    own = Participant.objects.bulk_create(
        Participant(user=user, created_at=at) for user in users
    )
    for user, participant in zip(users, own, strict=True):
        yield Learner(user=user, participants=(participant,))


def _seat(
    person: Learner, *, terms: starting.Terms, seed: int, client: Client
) -> Sitter:
    started = starting.start_mock(
        terms=terms, learner=person, seed=seed, at=timezone.now()
    )
    session = _signed_in(person)
    client.cookies.clear()
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    address = f"/sittings/{started.sitting.public_id}/state/"
    token = client.get(address).json()["token"]
    secret = client.cookies[settings.CSRF_COOKIE_NAME].value
    assert len(secret) == CSRF_SECRET_LENGTH
    assert person.user is not None
    return Sitter(
        user_id=person.user.pk,
        sitting=str(started.sitting.public_id),
        cookie=f"{settings.SESSION_COOKIE_NAME}={session}; "
        f"{settings.CSRF_COOKIE_NAME}={secret}",
        token=token,
        items=_items(started.sitting),
    )


def _items(sitting: Sitting) -> tuple[Item, ...]:
    found = sitting.items.order_by("position").values_list(
        "option_order", "revision__choose"
    )
    return tuple(
        Item(options=tuple(order), choose=choose or 1) for order, choose in found
    )


def _signed_in(person: Learner) -> str:
    """Return the key of a session as signing in leaves it, listed as the person's."""
    assert person.user is not None
    session = SessionStore()
    session[SESSION_KEY] = str(person.user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.user.get_session_auth_hash()
    session.create()
    UserSession.objects.create(
        user=person.user,
        session_key=session.session_key,
        ip="127.0.0.1",
        user_agent="wrk",
    )
    return str(session.session_key)
