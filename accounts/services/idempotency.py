"""Creating once, however often it is asked: the same key gets the same reply."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from accounts.models import IdempotentReply

KEPT: Final = datetime.timedelta(hours=24)
LONGEST: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a creating request is answered. ``is_replay`` says it was asked before."""

    status: int
    body: dict[str, Any]
    is_replay: bool = False


class KeyReused(Exception):
    """The key came before with another body."""


def once(
    *,
    caller: str,
    route: str,
    key: str,
    body: Any,
    at: datetime.datetime,
    create: Callable[[], Reply],
    secrets: tuple[str, ...] = (),
) -> Reply:
    """Create, and remember the reply under the key in the same transaction.

    A second request with the key waits for the first and gets its reply, without the
    fields named in ``secrets``. A failure keeps nothing, so it can be tried again.

    Raises:
        KeyReused: the key came before with another body.
    """
    digest = hashlib.sha256(
        json.dumps(body, sort_keys=True, default=str).encode("utf-8", "surrogatepass")
    ).hexdigest()
    with transaction.atomic():
        IdempotentReply.objects.filter(
            caller=caller, route=route, key=key, made_at__lt=at - KEPT
        ).delete()
        row, is_new = IdempotentReply.objects.select_for_update().get_or_create(
            caller=caller,
            route=route,
            key=key,
            defaults={"body_digest": digest, "made_at": at},
        )
        if row.body_digest != digest:
            raise KeyReused
        if not is_new:
            return Reply(status=row.status, body=row.body, is_replay=True)
        reply = create()
        row.status = reply.status
        row.body = {
            name: value for name, value in reply.body.items() if name not in secrets
        }
        row.save(update_fields=["status", "body"])
        return reply


def sweep(*, at: datetime.datetime) -> int:
    """Forget replies that are older than a day; return how many."""
    count, _ = IdempotentReply.objects.filter(made_at__lt=at - KEPT).delete()
    return count
