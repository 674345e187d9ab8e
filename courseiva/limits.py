"""How often the API may be asked. Apart, as the framework loads it first."""

from __future__ import annotations

import sys
import threading
import time
from functools import cache
from typing import Any, Final, NamedTuple

import redis
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.models import ApiToken

_WINDOW: Final = 60
_PAUSE: Final = 5


class Use(NamedTuple):
    """One request as it was counted."""

    used: int
    most: int
    left_seconds: float

    @property
    def is_within(self) -> bool:
        """Whether it may be answered."""
        return self.used <= self.most

    @property
    def headers(self) -> dict[str, str]:
        """Return what the client is told of the limit."""
        remaining = max(self.most - self.used, 0)
        wait = int(self.left_seconds) + 1
        return {
            "RateLimit-Policy": f'"minute";q={self.most};w={_WINDOW}',
            "RateLimit": f'"minute";r={remaining};t={wait}',
        }


class Limit(BaseThrottle):
    """So many requests a minute, by token or by address: one counter.

    Open while Valkey is away: the limit guards against floods, not against use. After a
    failure it isn't asked for some seconds, so that a server that hangs costs one wait.
    """

    asks_again_at = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request, unless it was; say whether it is within the limit."""
        plain: HttpRequest = request._request  # noqa: SLF001  (DRF's own name for it)
        use: Use | None = getattr(plain, "limit_use", None)
        if use is None:
            use = count(who=_who(request), now=time.time())
        self.left_seconds = use.left_seconds
        plain.limit_headers = use.headers  # type: ignore[attr-defined]
        return use.is_within

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return self.left_seconds + 1


def count(*, who: str, now: float) -> Use:
    """Count a request of ``who``: a token, a person or an address."""
    start = int(now // _WINDOW) * _WINDOW
    is_known = who.startswith(("t", "u"))
    return Use(
        used=_counted(f"api:{who}:{start}", now),
        most=settings.API_TOKEN_RATE if is_known else settings.API_ADDRESS_RATE,
        left_seconds=start + _WINDOW - now,
    )


def of_token(pk: int) -> str:
    """Return by what name requests with a token are counted."""
    return f"t{pk}"


def _who(request: Request) -> str:
    if isinstance(request.auth, ApiToken):
        return of_token(request.auth.pk)
    if request.user.is_authenticated:
        return f"u{request.user.pk}"
    address = get_adapter().get_client_ip(request._request)  # noqa: SLF001
    return f"a{address}"


def _counted(key: str, now: float) -> int:
    if now < Limit.asks_again_at:
        return 0
    try:
        used = int(_ask("INCR", key))
        if used == 1:
            # A counter whose first request ends here would stay: one key of no use.
            _ask("EXPIRE", key, 2 * _WINDOW)
    except redis.RedisError:
        Limit.asks_again_at = now + _PAUSE
        return 0
    return used


def _ask(*command: str | int) -> Any:
    """Send one command on the connection that this thread keeps, and return the reply.

    Taking a connection from a pool and giving it back takes longer than counting. One
    that was cut, as by a restart, is made anew; what was sent on it may count twice.
    """
    connection = _kept.connection or _pool().make_connection()
    _kept.connection = None
    try:
        reply = _exchange(connection, command)
    except redis.ConnectionError:
        reply = _exchange(connection, command)
    _kept.connection = connection  # only now: a late reply would answer the next one
    return reply


def _exchange(connection: Any, command: tuple[str | int, ...]) -> Any:
    try:
        connection.send_command(*command)
        return connection.read_response()
    except redis.RedisError:
        connection.disconnect()
        raise


class _Kept(threading.local):
    """One connection a thread."""

    connection: Any = None


_kept: Final = _Kept()


@cache
def _pool() -> redis.ConnectionPool:
    caches: dict[str, Any] = settings.CACHES
    return redis.ConnectionPool.from_url(
        settings.REDIS_URL,
        db=caches["default"]["OPTIONS"].get("db"),
        # Nothing is given back, so what the pool counts is what there ever was: threads
        # that ended, and one for each try while the server is away.
        max_connections=sys.maxsize,
        socket_timeout=0.5,
        socket_connect_timeout=0.5,
    )
