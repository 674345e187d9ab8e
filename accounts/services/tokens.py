"""API tokens: shown once, kept as a digest, used and revoked."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from accounts.models import ApiToken, User
from accounts.selectors.tokens import token_in_force

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


def use_token(*, secret: str, at: datetime.datetime) -> ApiToken | None:
    """Return the token if it is in force, and note now and then that it was used."""
    if not may_be_secret(secret):
        return None
    token = token_in_force(digest=digest(secret), at=at)
    if token is not None:
        note_use(pk=token.pk, used_at=token.used_at, at=at)
    return token


def may_be_secret(text: str) -> bool:
    """Tell whether a secret can look so, before anybody is asked."""
    return text.startswith(PREFIX) and len(text) <= _MOST_LENGTH


def note_use(
    *, pk: int, used_at: datetime.datetime | None, at: datetime.datetime
) -> None:
    """Note that a token was used, unless that was noted some minutes ago."""
    if used_at is None or at - used_at > _SEEN_EVERY:
        ApiToken.objects.filter(pk=pk).update(used_at=at)


def revoke_token(*, token: ApiToken, at: datetime.datetime) -> None:
    """End a token now. What was done with it stays."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at)
