"""The default cache: in Valkey, but for what keeps strangers out of accounts."""

from __future__ import annotations

from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.redis import RedisCache

# Made by accounts/migrations/0004.
TABLE: Final = "accounts_limit"
# Past this, rows that have run out are thrown away first.
_MOST_ROWS: Final = 200_000
_PREFIX: Final = "allauth"


class LimitsInPostgres(RedisCache):
    """Django's cache in Valkey; what django-allauth keeps goes to PostgreSQL.

    Its limits on signing in, and the codes that were used already, must hold while
    Valkey is away or has just lost everything. They are few, and hashing a password
    takes far longer than the row (docs/decisions/0031).
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Prepare both."""
        super().__init__(server, params)
        kept = {key: value for key, value in params.items() if key != "OPTIONS"}
        self._kept = DatabaseCache(
            TABLE, {**kept, "OPTIONS": {"MAX_ENTRIES": _MOST_ROWS}}
        )

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is kept under ``key``."""
        if _is_for_postgres(key):
            return self._kept.get(key, default, version)
        return super().get(key, default, version)

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Keep ``value`` under ``key``."""
        if _is_for_postgres(key):
            self._kept.set(key, value, timeout, version)
        else:
            super().set(key, value, timeout, version)

    def add(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Keep ``value`` unless something is kept already; say whether it was not."""
        if _is_for_postgres(key):
            return bool(self._kept.add(key, value, timeout, version))
        return bool(super().add(key, value, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget what is kept under ``key``."""
        if _is_for_postgres(key):
            return bool(self._kept.delete(key, version))
        return bool(super().delete(key, version))

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        super().clear()


def _is_for_postgres(key: str) -> bool:
    return key.startswith(_PREFIX)
