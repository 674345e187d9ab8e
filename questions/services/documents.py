"""What is derived from a published revision: its document, its search entry.

All of it can be rebuilt from the rows; nothing here is the only copy of anything.
"""

from __future__ import annotations

import datetime
import re

from django.contrib.postgres.search import SearchVector
from django.db import connection, models, transaction
from django.db.models import Value

from questions.domain import document, items, rendering, similarity
from questions.models import (
    Certification,
    PublishedDocument,
    Question,
    Revision,
)
from questions.services import locks

_WORD = re.compile(r"[^\W\d_]{4,40}")
_LEARN = """
INSERT INTO questions_searchword (word) SELECT unnest(%s) ON CONFLICT DO NOTHING
"""


def store_document(
    *, revision: Revision, item: items.Item, at: datetime.datetime
) -> PublishedDocument:
    """Render ``item``, the words of ``revision``, and keep the result beside it."""
    built = document.build_document(item)
    stored, _ = PublishedDocument.objects.update_or_create(
        revision=revision,
        defaults={
            "open": built.open,
            "keyed": built.keyed,
            "served": document.served_text(built.open),
            "renderer_version": rendering.RENDERER_VERSION,
            "checksum": document.checksum(built),
            "rendered_at": at,
        },
    )
    return stored


def refresh_search(*, question: Question, item: items.Item) -> None:
    """Make the question findable by its open words: never by those of its key."""
    places = question.alignments.select_related("domain", "objective")
    about = " ".join(
        f"{place.domain.name} {place.objective.name if place.objective else ''}"
        for place in places
    )
    body = " ".join(
        rendering.plain_text(text)
        for text in (
            item.stem,
            item.scenario.text if item.scenario else "",
            *(e.text for e in item.exhibits if isinstance(e, items.CodeExhibit)),
        )
    )
    choices = " ".join(rendering.plain_text(option.text) for option in item.options)
    lead_in = rendering.plain_text(item.lead_in)
    Question.objects.filter(pk=question.pk).update(
        search_vector=SearchVector(Value(item.title), config="english", weight="A")
        + SearchVector(Value(lead_in), config="english", weight="B")
        + SearchVector(Value(body), config="english", weight="B")
        + SearchVector(Value(choices), config="english", weight="C")
        + SearchVector(Value(about), config="english", weight="D"),
        bands=similarity.bands(item),
    )
    learn_words(f"{item.title} {lead_in} {body} {choices} {about}")


def learn_words(text: str) -> None:
    """Add the words of ``text`` to those that a mistyped search is corrected to."""
    words = {word.lower() for word in _WORD.findall(text)}
    # A hundred and fifty rows of one column for each question, nearly all known: they
    # are not worth an object each.
    with connection.cursor() as cursor:
        cursor.execute(_LEARN, [sorted(words)])


def touch_bank(certification: Certification) -> None:
    """Say that learners can notice a change in this certification's bank."""
    Certification.objects.filter(pk=certification.pk).update(
        bank_version=models.F("bank_version") + 1
    )


def rebuild_document(*, revision: Revision, at: datetime.datetime) -> bool:
    """Render a published revision anew; tell whether that changed its document."""
    before = PublishedDocument.objects.filter(revision=revision).values_list(
        "checksum", flat=True
    )
    known = set(before)
    with transaction.atomic():
        locks.lock_question(revision.question)
        stored = store_document(revision=revision, item=revision.to_item(), at=at)
        changed = stored.checksum not in known
        if changed:
            Question.objects.filter(published_revision=revision).update(changed_at=at)
            touch_bank(revision.question.certification)
    return changed
