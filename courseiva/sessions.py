"""Sessions and the people behind them, looked up with statements written out.

Every request of a person who is signed in begins with these two look-ups. Putting their
statements together took Django longer than all else that saving an answer takes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

from accounts.models import User

_SESSION = """
SELECT session_data, expire_date FROM django_session
 WHERE session_key = %s AND expire_date > %s
"""


class SessionStore(db.SessionStore):
    """Sessions in the database, as Django keeps them."""

    def _get_session_from_db(self) -> Any:
        at = timezone.now()  # noqa: TID251  (Django asks, and gives no time)
        with connection.cursor() as cursor:
            cursor.execute(_SESSION, [self.session_key, at])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        key = str(self.session_key)
        return self.model(session_key=key, session_data=row[0], expire_date=row[1])


class Backend(AuthenticationBackend):
    """Signing in as django-allauth does it."""

    def get_user(self, user_id: int) -> User | None:
        """Return the person of a session, if they may be signed in."""
        statement, names = _person()
        with connection.cursor() as cursor:
            cursor.execute(statement, [user_id])
            row = cursor.fetchone()
        if row is None:
            return None
        user: User = User.from_db(connection.alias, names, row)
        return user if self.user_can_authenticate(user) else None


@cache
def _person() -> tuple[str, list[str]]:
    """Return the statement for a person, and the names of what it returns."""
    fields = User._meta.concrete_fields  # noqa: SLF001  (Django's public way to fields)
    columns = ", ".join(str(field.column) for field in fields)
    statement = f"SELECT {columns} FROM accounts_user WHERE id = %s"  # noqa: S608
    return statement, [field.attname for field in fields]
