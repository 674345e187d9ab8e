"""Questions as the API serves them: stored documents, never with a key."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

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
from accounts.selectors.prepared import Prepared
from accounts.selectors.tokens import IN_FORCE
from questions.domain import document
from questions.domain.items import Exposure
from questions.models import Alignment, PublishedDocument, Question
from questions.models.question import readable_exposures
from questions.selectors.search import prefix_query

EXPORTED_AT_ONCE: Final = 500
"""Questions of an export that are in memory together."""


class Stored(NamedTuple):
    """A question as it lies in the database, ready to be served. Nothing of its key."""

    pk: int
    public_id: str
    slug: str
    certification: str
    revision: int
    exposure: str
    changed_at: datetime.datetime
    checksum: str
    served: str

    @property
    def etag(self) -> str:
        """Return a name of what is served of the question now."""
        # A certification that is renamed changes no question, and yet what is served.
        changed = int(self.changed_at.timestamp() * 1_000_000)
        return f"{self.checksum[:24]}-{self.certification}-{self.exposure}-{changed}"

    @property
    def text(self) -> str:
        """Return the question as programs get it: a JSON object, without its key."""
        changed_at = self.changed_at.isoformat().removesuffix("+00:00")
        served = self.served or _made_now(self)
        # What is joined here are ids, slugs and moments: nothing that JSON would escape.
        return (
            f'{{"id":"{self.public_id}","slug":"{self.slug}",'
            f'"certification":"{self.certification}","revision":{self.revision},'
            f'"exposure":"{self.exposure}","changed_at":"{changed_at}Z",{served[1:]}'
        )


def _made_now(row: Stored) -> str:
    """Return what an older version, which knew of no such text, left out of a row."""
    opened = PublishedDocument.objects.values_list("open", flat=True).get(
        revision__question=row.pk, revision__number=row.revision
    )
    return document.served_text(opened)


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
    """Return the questions that ``user`` may read and that fit.

    A search adds ``rank``, a whole number: the better a question fits, the higher.
    """
    found: QuerySet[Question] = Question.objects.readable_by(user)
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


def question_for(*, public_id: str, is_member: bool) -> Stored | None:
    """Return one question that a visitor or a member may read, in one statement."""
    for row in _ONE.rows(
        public_id=public_id, exposures=_exposures(is_member=is_member)
    ):
        return Stored._make(row)
    return None


class Grant(NamedTuple):
    """A question that the person of a token may read, and what to ask of the token."""

    token_pk: int
    scopes: list[str]
    used_at: datetime.datetime | None
    question: Stored


def question_by_token(
    *, public_id: str, digest: str, at: datetime.datetime
) -> Grant | None:
    """Return a question if the token is in force and its person may read it.

    One statement of the same two parts that ``token_in_force`` and ``question_for`` are.
    """
    for pk, scopes, used_at, *row in _BY_TOKEN.rows(
        public_id=public_id, exposures=_exposures(is_member=True), digest=digest, at=at
    ):
        return Grant(pk, scopes, used_at, Stored._make(row))
    return None


def _exposures(*, is_member: bool) -> list[str]:
    return [each.value for each in readable_exposures(is_member=is_member)]


# The rule is that of Question.objects.readable_by; a published revision has a document.
_READABLE: Final = """
    SELECT q.id, q.public_id, q.slug, c.slug AS certification, r.number, q.exposure,
           q.changed_at, d.checksum, d.served
      FROM questions_question q
      JOIN questions_certification c ON c.id = q.certification_id
      JOIN questions_revision r ON r.id = q.published_revision_id
      JOIN questions_publisheddocument d ON d.revision_id = r.id
     WHERE q.public_id = %(public_id)s
       AND q.retired_at IS NULL
       AND q.exposure = ANY(%(exposures)s)
"""
_ONE: Final = Prepared(
    "questions_served", _READABLE, public_id="text", exposures="text[]"
)
_BY_TOKEN: Final = Prepared(
    "questions_by_token",
    f"SELECT token.*, question.*"  # noqa: S608  (statements of ours)
    f"  FROM (SELECT t.id, t.scopes, t.used_at {IN_FORCE}) token,"
    f"       ({_READABLE}) question",
    public_id="text",
    exposures="text[]",
    digest="text",
    at="timestamptz",
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


def stored(found: QuerySet[Question], *also: str) -> QuerySet[Any, tuple[Any, ...]]:
    """Return rows for ``Stored``, with what else is named, of questions found."""
    return found.values_list(*_STORED, *also)


_STORED: Final = (
    "pk",
    "public_id",
    "slug",
    "certification__slug",
    "published_revision__number",
    "exposure",
    "changed_at",
    "published_revision__document__checksum",
    "published_revision__document__served",
)


def exported(*, user: object, after: int) -> Iterator[Stored]:
    """Yield all questions that ``user`` may read, after an id, in constant memory.

    By key and not by a cursor in the database, which would be somebody else's behind a
    pooler that shares connections between transactions.
    """
    found = stored(questions_for(user=user, narrowing=Narrowing()).order_by("pk"))
    while rows := list(found.filter(pk__gt=after)[:EXPORTED_AT_ONCE]):
        yield from map(Stored._make, rows)
        after = rows[-1][0]
