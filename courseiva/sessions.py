"""Sessions and the people behind them, looked up with one statement planned once.

Every request of a person who is signed in begins with this look-up. Putting its
statements together took Django longer than all else that saving an answer takes, and
PostgreSQL takes longer to plan them than to carry them out.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from typing import Any, Final

from allauth.account.auth_backends import AuthenticationBackend
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.selectors.prepared import Prepared

# Who, by the list of sessions, the session just read belongs to. It spares a statement
# and decides nothing: whose a session is stands in the session, which is signed.
_came_along: ContextVar[User | None] = ContextVar("came_along", default=None)


# What let people in before ``Backend`` did, in the same way. Django ends a session that
# names a backend which is not in force.
_FORMER_BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"


class SessionStore(db.SessionStore):
    """Sessions in the database, as Django keeps them."""

    def load(self) -> Any:
        """Return what the session holds; who signed in before 0.2.0 stays signed in."""
        held = super().load()
        if held.get(BACKEND_SESSION_KEY) == _FORMER_BACKEND:
            held[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        return held

    def _get_session_from_db(self) -> Any:
        at = timezone.now()  # noqa: TID251  (Django asks, and gives no time)
        key = str(self.session_key)
        _came_along.set(None)
        for data, expires, *person in _session().rows(key=key, at=at):
            if person[0] is not None:
                _came_along.set(_user(person))
            return self.model(session_key=key, session_data=data, expire_date=expires)
        self._session_key = None
        return None


class Backend(AuthenticationBackend):
    """Signing in as django-allauth does it."""

    def get_user(self, user_id: int) -> User | None:
        """Return the person of a session, if they may be signed in."""
        user, _ = _came_along.get(), _came_along.set(None)
        if user is None or user.pk != user_id:
            user = next(map(_user, _person().rows(id=user_id)), None)
        return user if user and self.user_can_authenticate(user) else None


@cache
def _names() -> list[str]:
    fields = User._meta.concrete_fields  # noqa: SLF001  (Django's public way to fields)
    return [str(field.attname) for field in fields]


def _user(row: Any) -> User:
    user: User = User.from_db(connection.alias, _names(), row)
    return user


@cache
def _session() -> Prepared:
    """Return the look-up of a session, with its person; columns are called as fields are."""
    columns = ", ".join(f"u.{name}" for name in _names())
    return Prepared(
        "courseiva_session",
        f"""
        SELECT s.session_data, s.expire_date, {columns}
          FROM django_session s
          LEFT JOIN usersessions_usersession l ON l.session_key = s.session_key
          LEFT JOIN accounts_user u ON u.id = l.user_id
         WHERE s.session_key = %(key)s AND s.expire_date > %(at)s
        """,  # noqa: S608  (names of fields)
        key="text",
        at="timestamptz",
    )


@cache
def _person() -> Prepared:
    """Return the look-up of a person whose session is not listed."""
    columns = ", ".join(_names())
    return Prepared(
        "courseiva_person",
        f"SELECT {columns} FROM accounts_user WHERE id = %(id)s",  # noqa: S608
        id="bigint",
    )
