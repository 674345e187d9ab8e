"""API tokens: shown once, kept as a digest, used and revoked."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from django.db import connection

from accounts.models import ApiToken, User
from accounts.selectors.prepared import Prepared

PREFIX: Final = "cv_"
_BYTES: Final = 32
_SEEN_EVERY: Final = datetime.timedelta(minutes=5)
_MOST_LENGTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A token just made. ``secret`` is known here and nowhere else."""

    token: ApiToken
    secret: str


def digest(secret: str) -> str:
    """Return what is stored of a secret.

    One round of SHA-256 is enough: a secret has 256 random bits, so none is guessed.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_secret() -> str:
    """Return a secret that says what it is to scanners of leaked ones."""
    return PREFIX + secrets.token_urlsafe(_BYTES)


def make_token(
    *,
    user: User,
    name: str,
    scopes: Sequence[str],
    days: int | None,
    at: datetime.datetime,
) -> NewToken:
    """Make a token that ends after ``days``, or when it is revoked."""
    secret = new_secret()
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=digest(secret),
        hint=secret[-4:],
        scopes=sorted(scopes),
        made_at=at,
        expires_at=None if days is None else at + datetime.timedelta(days=days),
    )
    return NewToken(token=token, secret=secret)


class Bearer(NamedTuple):
    """A token in force, as it was found: what doors ask of it before all else."""

    pk: int
    scopes: list[str]
    used_at: datetime.datetime | None
    columns: tuple[Any, ...]

    def token(self) -> ApiToken:
        """Return the token with its person."""
        token_names, person_names = _names()
        many = len(token_names)
        token = ApiToken.from_db(connection.alias, token_names, self.columns[:many])
        token.user = User.from_db(connection.alias, person_names, self.columns[many:])
        return token


def find_token(*, secret: str, at: datetime.datetime) -> Bearer | None:
    """Return the token if it is in force, and note now and then that it was used."""
    if not secret.startswith(PREFIX) or len(secret) > _MOST_LENGTH:
        return None
    for pk, scopes, used_at, *columns in _in_force().rows(digest=digest(secret), at=at):
        if used_at is None or at - used_at > _SEEN_EVERY:
            ApiToken.objects.filter(pk=pk).update(used_at=at)
        return Bearer(pk, scopes, used_at, tuple(columns))
    return None


def use_token(*, secret: str, at: datetime.datetime) -> ApiToken | None:
    """Return the token with its person if it is in force, as ``find_token`` does."""
    found = find_token(secret=secret, at=at)
    return None if found is None else found.token()


@cache
def _names() -> tuple[list[str], list[str]]:
    """Return the columns of a token, and those of a person."""
    return tuple(  # type: ignore[return-value]
        [str(field.attname) for field in model._meta.concrete_fields]  # noqa: SLF001
        for model in (ApiToken, User)
    )


@cache
def _in_force() -> Prepared:
    """Return the look-up that every request with a token begins with."""
    token, person = _names()
    columns = ", ".join([f"t.{name}" for name in token] + [f"u.{n}" for n in person])
    return Prepared(
        "accounts_token",
        f"""
        SELECT t.id, t.scopes, t.used_at, {columns}
          FROM accounts_apitoken t
          JOIN accounts_user u ON u.id = t.user_id
         WHERE t.digest = %(digest)s AND t.revoked_at IS NULL AND u.is_active
           AND (t.expires_at IS NULL OR t.expires_at > %(at)s)
        """,  # noqa: S608  (names of columns, from the models)
        digest="text",
        at="timestamptz",
    )


def revoke_token(*, token: ApiToken, at: datetime.datetime) -> None:
    """End a token now. What was done with it stays."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at)
