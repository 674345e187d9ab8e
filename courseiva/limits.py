"""How often the API may be asked. Apart, as the framework loads it first."""

from __future__ import annotations

import time
from functools import cache
from typing import Any, Final

import redis
from allauth.account.adapter import get_adapter
from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.models import ApiToken

_WINDOW: Final = 60
_PAUSE: Final = 5


@cache
def _valkey() -> redis.Redis:
    caches: dict[str, Any] = settings.CACHES
    return redis.Redis.from_url(
        settings.REDIS_URL,
        db=caches["default"]["OPTIONS"].get("db"),
        socket_timeout=0.5,
        socket_connect_timeout=0.5,
    )


class Limit(BaseThrottle):
    """So many requests a minute, by token or by address: one counter, one round trip.

    Open while Valkey is away: the limit guards against floods, not against use. After a
    failure it isn't asked for some seconds, so that a server that hangs costs one wait.
    """

    asks_again_at = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request; say whether it is within the limit."""
        now = time.time()
        who, most = self._who(request)
        start = int(now // _WINDOW) * _WINDOW
        self.left_seconds = start + _WINDOW - now
        used = self._count(f"api:{who}:{start}", now)
        remaining = max(most - used, 0)
        wait = int(self.left_seconds) + 1
        request._request.limit_headers = {  # type: ignore[attr-defined]  # noqa: SLF001
            "RateLimit-Policy": f'"minute";q={most};w={_WINDOW}',
            "RateLimit": f'"minute";r={remaining};t={wait}',
        }
        return used <= most

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return self.left_seconds + 1

    def _who(self, request: Request) -> tuple[str, int]:
        if isinstance(request.auth, ApiToken):
            return f"t{request.auth.pk}", settings.API_TOKEN_RATE
        if request.user.is_authenticated:
            return f"u{request.user.pk}", settings.API_TOKEN_RATE
        address = get_adapter().get_client_ip(request._request)  # noqa: SLF001
        return f"a{address}", settings.API_ADDRESS_RATE

    def _count(self, key: str, now: float) -> int:
        if now < Limit.asks_again_at:
            return 0
        try:
            counter = _valkey().pipeline(transaction=False)
            counter.incr(key)
            counter.expire(key, 2 * _WINDOW)
            return int(counter.execute()[0])
        except redis.RedisError:
            Limit.asks_again_at = now + _PAUSE
            return 0
