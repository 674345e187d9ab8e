"""A copy of everything about a person: asked for, built, thrown away."""

from __future__ import annotations

import datetime
import tempfile
from typing import Final

from django.db import IntegrityError, transaction

from accounts.formats.archive import write_archive
from accounts.models import PersonalExport, User
from accounts.selectors.personal import all_records

KEPT_FOR: Final = datetime.timedelta(days=7)
_IN_MEMORY: Final = 8_000_000


def ask_for_export(*, user: User, at: datetime.datetime) -> PersonalExport:
    """Return the export that is to be built; one at a time, however often asked."""
    try:
        with transaction.atomic():
            return PersonalExport.objects.create(user=user, asked_at=at)
    except IntegrityError:
        return PersonalExport.objects.get(user=user, built_at=None)


def build_export(*, export_id: int, at: datetime.datetime) -> bool:
    """Build it, unless that was done or it is gone; say whether it is built now.

    How many of its tables are done is written as it goes. Building it twice at once
    does no harm: both copies are true.
    """
    waiting = PersonalExport.objects.filter(pk=export_id, built_at=None)
    export = waiting.select_related("user").first()
    if export is None:
        return False
    tables = all_records(user=export.user)
    waiting.update(parts_total=len(tables), parts_done=0)
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        write_archive(
            tables=tables,
            into=file,
            title=f"Everything kept about {export.user.email}, {at:%Y-%m-%d %H:%M} UTC",
            after_each=lambda done: _note_progress(export_id, done),
        )
        file.seek(0)
        built = waiting.update(
            content=file.read(), built_at=at, expires_at=at + KEPT_FOR
        )
    return bool(built)


def waiting_exports(*, before: datetime.datetime) -> list[int]:
    """Return the ids of exports asked for before that moment and not built."""
    found = PersonalExport.objects.filter(built_at=None, asked_at__lt=before)
    return list(found.order_by("pk").values_list("pk", flat=True))


def sweep_exports(*, at: datetime.datetime) -> int:
    """Throw away exports that have expired; return how many."""
    gone, _ = PersonalExport.objects.filter(expires_at__lte=at).delete()
    return gone


def _note_progress(export_id: int, done: int) -> None:
    PersonalExport.objects.filter(pk=export_id).update(parts_done=done)
