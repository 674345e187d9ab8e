"""Full-text search over the open words of the bank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.postgres.search import SearchQuery, SearchRank, TrigramSimilarity
from django.db.models import F, QuerySet

from questions.models import Question, SearchWord

CANDIDATES = 500
"""How many hits are ranked. Beyond that a search is too wide to be read anyway."""

PAGE_SIZE = 20
_MOST_WORDS = 12
_LONGEST_WORD = 40
_SHORTEST_CORRECTED = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody looks for. Empty parts do not narrow."""

    words: str = ""
    certification: str = ""
    domain: int | None = None
    objective: int | None = None
    kind: str = ""
    difficulty: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One page of results.

    ``corrected`` are the words searched for instead of mistyped ones; ``is_loose`` says
    that no question has all the words and these have some; ``is_capped`` that there are
    more than ``count``.
    """

    questions: list[Question] = field(default_factory=list)
    count: int = 0
    is_capped: bool = False
    corrected: str = ""
    is_loose: bool = False
    page: int = 1
    pages: int = 1


def search(*, wish: Wish, user: object, page: int = 1) -> Found:
    """Return the questions that ``user`` may read and that fit ``wish``, best first.

    The last part of a word may be missing; a mistyped word is corrected to one that
    the bank has.
    """
    words = _words(wish.words)
    pool = _narrowed(Question.objects.readable_by(user), wish)
    if not words:
        if wish.words.strip():
            return Found()
        return _page(pool, None, page=page)
    found = _page(pool, _query(words, "&"), page=page)
    if found.count:
        return found
    corrected = [_correct(word) for word in words]
    if corrected != words:
        found = _page(
            pool, _query(corrected, "&"), page=page, corrected=" ".join(corrected)
        )
        if found.count:
            return found
    if len(words) == 1:
        return Found()
    return _page(
        pool,
        _query(corrected, "|"),
        page=page,
        is_loose=True,
        corrected=" ".join(corrected) if corrected != words else "",
    )


def prefix_query(text: str) -> SearchQuery | None:
    """Return what finds the questions that have all words of ``text``, or nothing.

    The last part of each word may be missing.
    """
    words = _words(text)
    return _query(words, "&") if words else None


def _words(text: str) -> list[str]:
    words = [word.lower()[:_LONGEST_WORD] for word in _WORD.findall(text)]
    return list(dict.fromkeys(words))[:_MOST_WORDS]


def _query(words: Sequence[str], operator: str) -> SearchQuery:
    """Each word as a prefix. Words hold letters, digits and underscores only."""
    terms = f" {operator} ".join(f"'{word}':*" for word in words)
    return SearchQuery(terms, search_type="raw", config="english")


def _correct(word: str) -> str:
    """Return the bank's word most like ``word``, or ``word`` itself."""
    if len(word) < _SHORTEST_CORRECTED:
        return word
    if SearchWord.objects.filter(word__startswith=word).exists():
        return word
    likest = (
        SearchWord.objects.filter(word__trigram_similar=word)
        .annotate(likeness=TrigramSimilarity("word", word))
        .order_by("-likeness", "word")
        .first()
    )
    return likest.word if likest else word


def _narrowed(questions: QuerySet[Question], wish: Wish) -> QuerySet[Question]:
    if wish.certification:
        questions = questions.filter(certification__slug=wish.certification)
    if wish.objective is not None:
        questions = questions.filter(alignments__objective=wish.objective)
    elif wish.domain is not None:
        questions = questions.filter(alignments__domain=wish.domain)
    if wish.kind:
        questions = questions.filter(published_revision__kind=wish.kind)
    if wish.difficulty:
        questions = questions.filter(published_revision__difficulty=wish.difficulty)
    return questions


def _page(
    pool: QuerySet[Question],
    query: SearchQuery | None,
    *,
    page: int,
    corrected: str = "",
    is_loose: bool = False,
) -> Found:
    hits = pool if query is None else pool.filter(search_vector=query)
    ids = list(hits.values_list("pk", flat=True)[: CANDIDATES + 1])
    count = min(len(ids), CANDIDATES)
    pages = max(1, -(-count // PAGE_SIZE))
    page = min(max(page, 1), pages)
    chosen = Question.objects.filter(pk__in=ids[:CANDIDATES])
    if query is None:
        chosen = chosen.order_by("pk")
    else:
        rank = SearchRank(F("search_vector"), query)
        chosen = chosen.annotate(rank=rank).order_by("-rank", "pk")
    start = (page - 1) * PAGE_SIZE
    return Found(
        questions=list(
            chosen.select_related("certification").annotate(
                title=F("published_revision__title"),
                difficulty=F("published_revision__difficulty"),
                kind=F("published_revision__kind"),
                description=F("published_revision__document__open__description"),
            )[start : start + PAGE_SIZE]
        ),
        count=count,
        is_capped=len(ids) > CANDIDATES,
        corrected=corrected,
        is_loose=is_loose,
        page=page,
        pages=pages,
    )
