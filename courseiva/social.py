"""Signing in with an account elsewhere, for houses that ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from courseiva.env import Misconfigured


@dataclass(frozen=True, kw_only=True)
class Provider:
    """Somebody who vouches for people; ``origin`` is where our form leads."""

    name: str
    origin: str
    scope: tuple[str, ...]
    client_id: str
    secret: str


@dataclass(frozen=True, kw_only=True)
class SocialSettings:
    """Settings of Django and django-allauth for the providers in use."""

    providers: tuple[Provider, ...]

    @property
    def apps(self) -> tuple[str, ...]:
        """The apps to install."""
        return tuple(
            f"allauth.socialaccount.providers.{each.name}" for each in self.providers
        )

    @property
    def by_name(self) -> dict[str, dict[str, Any]]:
        """What django-allauth is told of each."""
        return {
            each.name: {
                "APPS": [{"client_id": each.client_id, "secret": each.secret}],
                "SCOPE": list(each.scope),
                "OAUTH_PKCE_ENABLED": True,
            }
            for each in self.providers
        }

    @property
    def origins(self) -> tuple[str, ...]:
        """Where our forms may lead."""
        return tuple(each.origin for each in self.providers)


def provider(
    *, name: str, origin: str, scope: tuple[str, ...], client_id: str, secret: str
) -> tuple[Provider, ...]:
    """Return the provider if its client is named, or nobody.

    Raises:
        Misconfigured: a client is named without its secret.
    """
    if not client_id:
        return ()
    if not secret:
        raise Misconfigured(
            name=f"{name.upper()}_CLIENT_ID",
            problem="is set without a secret",
            mend=f"set {name.upper()}_CLIENT_SECRET too, or neither",
        )
    return (
        Provider(
            name=name, origin=origin, scope=scope, client_id=client_id, secret=secret
        ),
    )
