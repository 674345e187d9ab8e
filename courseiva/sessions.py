"""Sessions and the people behind them, looked up with statements planned once.

Every request of a person who is signed in begins with these two look-ups. Putting their
statements together took Django longer than all else that saving an answer takes, and
PostgreSQL takes longer to plan them than to carry them out.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.selectors.prepared import Prepared

_SESSION = Prepared(
    "courseiva_session",
    """
    SELECT session_data, expire_date FROM django_session
     WHERE session_key = %(key)s AND expire_date > %(at)s
    """,
    key="text",
    at="timestamptz",
)


class SessionStore(db.SessionStore):
    """Sessions in the database, as Django keeps them."""

    def _get_session_from_db(self) -> Any:
        at = timezone.now()  # noqa: TID251  (Django asks, and gives no time)
        key = str(self.session_key)
        for data, expires in _SESSION.rows(key=key, at=at):
            return self.model(session_key=key, session_data=data, expire_date=expires)
        self._session_key = None
        return None


class Backend(AuthenticationBackend):
    """Signing in as django-allauth does it."""

    def get_user(self, user_id: int) -> User | None:
        """Return the person of a session, if they may be signed in."""
        for row in _person().rows(id=user_id):
            user: User = User.from_db(connection.alias, _names(), row)
            return user if self.user_can_authenticate(user) else None
        return None


@cache
def _names() -> list[str]:
    fields = User._meta.concrete_fields  # noqa: SLF001  (Django's public way to fields)
    return [str(field.attname) for field in fields]


@cache
def _person() -> Prepared:
    """Return the look-up of a person; columns are called as fields are."""
    columns = ", ".join(_names())
    return Prepared(
        "courseiva_person",
        f"SELECT {columns} FROM accounts_user WHERE id = %(id)s",  # noqa: S608
        id="bigint",
    )
