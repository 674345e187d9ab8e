"""The rows that hang on a revision, stored with it."""

from __future__ import annotations

from questions.domain import items
from questions.models import Exhibit, Option, Reference, Revision


def store_parts(*, revision: Revision, item: items.Item) -> None:
    """Store options, references and exhibits of ``item`` under a new revision."""
    Option.objects.bulk_create(
        Option(
            revision=revision,
            position=place,
            key=option.key,
            text=option.text,
            is_key=option.is_key,
            is_pinned=option.is_pinned,
            rationale=option.rationale,
        )
        for place, option in enumerate(item.options, start=1)
    )
    Reference.objects.bulk_create(
        Reference(
            revision=revision, position=place, title=reference.title, url=reference.url
        )
        for place, reference in enumerate(item.references, start=1)
    )
    exhibits: list[Exhibit] = []
    for place, value in enumerate(item.exhibits, start=1):
        exhibit = Exhibit.from_exhibit(value, position=place)
        exhibit.revision = revision
        exhibits.append(exhibit)
    Exhibit.objects.bulk_create(exhibits)
