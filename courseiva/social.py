"""Signing in with an account elsewhere, for houses that ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from courseiva.env import Misconfigured

ORIGINS: Final = {
    "google": "https://accounts.google.com",
    "github": "https://github.com",
}
# The address alone.
_SCOPES: Final = {"google": ["email"], "github": ["user:email"]}


@dataclass(frozen=True, kw_only=True)
class Client:
    """What a provider knows this site by; without a name it is not asked."""

    name: str = ""
    secret: str = ""


@dataclass(frozen=True, kw_only=True)
class SocialSettings:
    """Settings of Django and django-allauth for the providers whose client is named.

    Raises:
        Misconfigured: a client is named without its secret.
    """

    google: Client
    github: Client

    def __post_init__(self) -> None:
        """Refuse a name without a secret."""
        for provider, client in self._clients.items():
            if not client.secret:
                raise Misconfigured(
                    name=f"{provider.upper()}_CLIENT_ID",
                    problem="is set without a secret",
                    mend=f"set {provider.upper()}_CLIENT_SECRET too, or neither",
                )

    @property
    def _clients(self) -> dict[str, Client]:
        every = {"google": self.google, "github": self.github}
        return {provider: client for provider, client in every.items() if client.name}

    @property
    def apps(self) -> tuple[str, ...]:
        """The apps to install."""
        return tuple(
            f"allauth.socialaccount.providers.{provider}" for provider in self._clients
        )

    @property
    def by_name(self) -> dict[str, dict[str, Any]]:
        """What django-allauth is told of each."""
        return {
            provider: {
                "APPS": [{"client_id": client.name, "secret": client.secret}],
                "SCOPE": _SCOPES[provider],
                "OAUTH_PKCE_ENABLED": True,
            }
            for provider, client in self._clients.items()
        }

    @property
    def origins(self) -> tuple[str, ...]:
        """Where our forms may lead."""
        return tuple(ORIGINS[provider] for provider in self._clients)
