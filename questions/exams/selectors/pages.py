"""Pages kept for anonymous visitors."""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connection

from questions.domain.items import Exposure


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage:
    """What is known of a question page before anything of it is read.

    ``stamp`` names what the page should show now; ``gzipped`` is the page kept under
    that stamp, if one is.
    """

    question_id: int
    exposure: Exposure
    is_retired: bool
    stamp: str
    gzipped: bytes | None

    @property
    def may_be_sent(self) -> bool:
        """Whether anybody may read the page as it stands."""
        return self.exposure is Exposure.PUBLIC and not self.is_retired


KEPT = """
SELECT q.id, q.exposure, q.retired_at IS NOT NULL,
       c.bank_version || '.' || %(edition)s, page.gzipped
  FROM questions_question q
  JOIN questions_certification c ON c.id = q.certification_id
  LEFT JOIN exams_renderedpage page
    ON page.question_id = q.id
   AND page.stamp = c.bank_version || '.' || %(edition)s
 WHERE q.slug = %(slug)s AND q.published_revision_id IS NOT NULL
"""


def kept_page(*, slug: str, edition: str, on: datetime.date) -> KeptPage | None:
    """Return the page kept for anonymous visitors, if it shows the truth.

    Whatever readers can notice of a bank raises its ``bank_version``. ``edition`` names
    the templates and settings that shape a page; the day ``on`` decides which blueprint
    version it names, so that each page is made anew at most once a day.
    """
    named = f"{edition}.{on.isoformat()}"
    with connection.cursor() as cursor:
        cursor.execute(KEPT, {"slug": slug, "edition": named})
        row = cursor.fetchone()
    if row is None:
        return None
    question_id, exposure, is_retired, stamp, gzipped = row
    return KeptPage(
        question_id=question_id,
        exposure=Exposure(exposure),
        is_retired=is_retired,
        stamp=stamp,
        gzipped=None if gzipped is None else bytes(gzipped),
    )


@cache
def edition() -> str:
    """Return a name that changes whenever a kept page would look different.

    Read once a process: templates and settings change with a deployment.
    """
    digest = hashlib.sha256(
        repr((settings.VERSION, settings.EXPLANATION_FOR_CRAWLERS)).encode()
    )
    digest.update(repr((settings.SITE_URL, settings.SELF_APPROVAL)).encode())
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        digest.update(path.read_bytes())
    manifest = Path(str(settings.STATIC_ROOT)) / "staticfiles.json"
    if manifest.exists():
        digest.update(manifest.read_bytes())
    return digest.hexdigest()[:16]
