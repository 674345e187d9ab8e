"""Which token a request may be answered by."""

from __future__ import annotations

import datetime
from functools import cache
from typing import Final

from django.db import connection

from accounts.models import ApiToken, User
from accounts.selectors.prepared import Prepared

IN_FORCE: Final = """
  FROM accounts_apitoken t
  JOIN accounts_user u ON u.id = t.user_id
 WHERE t.digest = %(digest)s AND t.revoked_at IS NULL AND u.is_active
   AND (t.expires_at IS NULL OR t.expires_at > %(at)s)
"""
"""The rule, as the end of a statement about a token ``t`` and its person ``u``."""


def token_in_force(*, digest: str, at: datetime.datetime) -> ApiToken | None:
    """Return the token with its person, in one statement."""
    statement, token_names, person_names = _look_up()
    for row in statement.rows(digest=digest, at=at):
        many = len(token_names)
        token: ApiToken = ApiToken.from_db(connection.alias, token_names, row[:many])
        token.user = User.from_db(connection.alias, person_names, row[many:])
        return token
    return None


@cache
def _look_up() -> tuple[Prepared, list[str], list[str]]:
    """Return what every request with a token begins with, and what it returns."""
    token, person = (
        [str(field.attname) for field in model._meta.concrete_fields]  # noqa: SLF001
        for model in (ApiToken, User)
    )
    columns = ", ".join([f"t.{name}" for name in token] + [f"u.{n}" for n in person])
    statement = f"SELECT {columns} {IN_FORCE}"
    return (
        Prepared("accounts_token", statement, digest="text", at="timestamptz"),
        token,
        person,
    )
