"""Keep what readers say is wrong with a question."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from accounts.models import User
from questions.models import ProblemReport, Revision

WINDOW = datetime.timedelta(hours=1)
MOST_PER_WINDOW = 5
"""Reports from one address within the window. Signed-in people have no limit here."""


class TooManyReports(Exception):
    """This address has sent as many reports as it may for now."""


def address_hash(address: str) -> str:
    """Return a keyed digest of an address: it tells floods apart, and nobody."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, address.encode(), hashlib.sha256).hexdigest()


@transaction.atomic
def report_problem(
    *,
    revision: Revision,
    kind: str,
    text: str,
    chosen: Sequence[str],
    by: User | None,
    address: str,
    user_agent: str,
    at: datetime.datetime,
) -> ProblemReport:
    """Store a report with the revision it is about and where it came from.

    Raises:
        TooManyReports: an anonymous sender has reached the limit of the hour.
    """
    sender = address_hash(address)
    if by is None:
        recent = ProblemReport.objects.filter(
            address_hash=sender, reported_by=None, reported_at__gt=at - WINDOW
        )
        if recent.count() >= MOST_PER_WINDOW:
            raise TooManyReports
    return ProblemReport.objects.create(
        question_id=revision.question_id,
        revision=revision,
        kind=kind,
        text=text,
        chosen=list(chosen)[:10],
        reported_by=by,
        address_hash=sender,
        user_agent=user_agent[:200],
        reported_at=at,
    )


def resolve_report(
    *, report: ProblemReport, resolution: str, at: datetime.datetime
) -> None:
    """Say what came of a report."""
    report.resolved_at = at
    report.resolution = resolution
    report.save(update_fields=["resolved_at", "resolution"])
