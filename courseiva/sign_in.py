"""What this house asks of django-allauth, which lets people in."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from accounts.selectors import erasure_of


class AccountAdapter(DefaultAccountAdapter):
    """Limits that can't be turned against an owner; the way back from erasing."""

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        # With the visitor's address in it: a stranger who guesses uses up tries of
        # that address only, and the owner gets in from another.
        usual = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{usual}:{ratelimit.get_ip(request)}"

    def set_password(self, user: User, password: str) -> None:
        """Set the password, and nothing that staff may have changed since it was read."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Lead whoever is about to be erased to where that can be undone."""
        if isinstance(request.user, User) and erasure_of(user=request.user):
            return reverse("erase_account")
        return str(super().get_login_redirect_url(request))


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets of second factors are encrypted in the database, with ``SECRET_KEY``."""

    def encrypt(self, text: str) -> str:
        """Return ``text`` as the database keeps it."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return what was encrypted, with this key or a former one."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def generate_authenticator_name(
        self,
        user: User,
        type: Authenticator.Type,  # noqa: A002  (the hook's name)
    ) -> str:
        """Return what a key is called until its owner says otherwise."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return f"Key {count + 1}"

    def _get_site_name(self) -> str:
        return str(settings.SITE_NAME)


def _cipher() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(key)) for key in keys])


def _derived(key: str) -> bytes:
    digest = hashlib.sha256(b"courseiva second factor" + key.encode()).digest()
    return base64.urlsafe_b64encode(digest)
