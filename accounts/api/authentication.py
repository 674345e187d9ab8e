"""Who asks: by token, or by the session of the site."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from accounts.api.problems import Problem
from accounts.models import ApiToken, User
from accounts.services import tokens


def secret_of(header: str) -> str | None:
    """Return the secret in a header ``Authorization``, or None if it has another kind."""
    kind, _, secret = header.partition(" ")
    return secret.strip() if kind.casefold() == "bearer" else None


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer TOKEN``."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the person and the token, in one query."""
        secret = secret_of(request.META.get("HTTP_AUTHORIZATION", ""))
        if secret is None:
            return None
        token = tokens.use_token(secret=secret, at=timezone.now())
        if token is None:
            raise Problem(
                status_code=401,
                code="invalid_token",
                sentence="This token is unknown, expired or revoked. Make another "
                "under Account, API tokens.",
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in a 401."""
        return 'Bearer realm="api"'


class Session(SessionAuthentication):
    """Whoever is signed in to the site; changes need the CSRF token, as on pages."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Return the person of the session, if there is one."""
        return super().authenticate(request)
