"""Questions as the API serves them: stored documents, never with a key."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import (
    Exists,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast

from accounts import permissions
from accounts.models import User
from questions.domain.items import Exposure
from questions.models import Alignment, Question
from questions.selectors.search import prefix_query


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """What a list of questions is narrowed to. Empty parts do not narrow."""

    certification: str = ""
    blueprint: str = ""
    domain: str = ""
    objective: str = ""
    kind: str = ""
    difficulty: str = ""
    changed_since: datetime.datetime | None = None
    search: str = ""


def questions_for(*, user: object, narrowing: Narrowing) -> QuerySet[Question]:
    """Return the questions that ``user`` may read and that fit, with their documents.

    A search adds ``rank``, a whole number: the better a question fits, the higher.
    """
    found: QuerySet[Question] = Question.objects.readable_by(user).select_related(
        "certification", "published_revision__document"
    )
    found = found.defer(
        "search_vector",
        "bands",
        "published_revision__stem",
        "published_revision__explanation",
        "published_revision__trap",
        "published_revision__document__keyed",
    )
    if narrowing.certification:
        found = found.filter(certification__slug=narrowing.certification)
    if narrowing.kind:
        found = found.filter(published_revision__kind=narrowing.kind)
    if narrowing.difficulty:
        found = found.filter(published_revision__difficulty=narrowing.difficulty)
    if narrowing.changed_since is not None:
        found = found.filter(changed_at__gte=narrowing.changed_since)
    found = _placed(found, narrowing)
    return _ranked(found, narrowing.search) if narrowing.search else found


def _placed(found: QuerySet[Question], narrowing: Narrowing) -> QuerySet[Question]:
    places = {
        "blueprint__version": narrowing.blueprint,
        "domain__code": narrowing.domain,
        "objective__code": narrowing.objective,
    }
    wanted = {name: value for name, value in places.items() if value}
    if not wanted:
        return found
    # Not a join: a question stands in several versions, and is listed once.
    return found.filter(
        Exists(Alignment.objects.filter(question=OuterRef("pk"), **wanted))
    )


def _ranked(found: QuerySet[Question], text: str) -> QuerySet[Question]:
    query: SearchQuery | None = prefix_query(text)
    if query is None:
        return found.none().annotate(rank=Value(0))
    rank = SearchRank(F("search_vector"), query)
    return found.filter(search_vector=query).annotate(
        rank=Cast(rank * 1_000_000, IntegerField())
    )


def question_for(*, public_id: str, user: object) -> Question | None:
    """Return one question that ``user`` may read, in one query."""
    return (
        questions_for(user=user, narrowing=Narrowing())
        .filter(public_id=public_id)
        .first()
    )


def question_to_edit(*, public_id: str, user: User) -> Question | None:
    """Return a live question whose key ``user`` may read: authors their own.

    Editors may read all; nobody those kept for mock exams.
    """
    found = Question.objects.live().exclude(exposure=Exposure.MOCK_ONLY)
    if not permissions.may_publish(user):
        if not permissions.may_author(user):
            return None
        found = found.filter(author__user=user)
    return (
        found.filter(public_id=public_id)
        .select_related("certification", "published_revision__document")
        .first()
    )


def etag_of(question: Question) -> str:
    """Return a name of what is served of the question now."""
    revision = question.published_revision
    checksum = revision.document.checksum if revision else ""
    return f"{checksum[:24]}-{question.exposure}-{int(question.changed_at.timestamp())}"


def shown(question: Question) -> dict[str, Any]:
    """Return the question as clients get it, without its key."""
    revision = question.published_revision
    opened: dict[str, Any] = revision.document.open if revision else {}
    return {
        "id": question.public_id,
        "slug": question.slug,
        "certification": question.certification.slug,
        "revision": revision.number if revision else 0,
        "title": opened["title"],
        "kind": opened["kind"],
        "choose": opened["choose"],
        "difficulty": opened["difficulty"],
        "exposure": question.exposure,
        "scenario": opened["scenario"],
        "stem_html": opened["stem_html"],
        "exhibits_html": opened["exhibits_html"],
        "lead_in_html": opened["lead_in_html"],
        "options": [
            {"key": option["key"], "html": option["html"]}
            for option in opened["options"]
        ],
        "changed_at": question.changed_at,
    }


def exported(*, user: object, after: int) -> Iterator[Question]:
    """Yield all questions that ``user`` may read, after an id, in constant memory."""
    found = questions_for(user=user, narrowing=Narrowing()).filter(pk__gt=after)
    return found.order_by("pk").iterator(chunk_size=500)
