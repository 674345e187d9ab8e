"""Near-duplicates: two items that ask nearly the same thing in nearly the same words.

What counts is the situation, the question asked and the code shown, not the options:
the same stem with other options is still the same question to a learner.

Word shingles and their Jaccard index decide (Broder, *On the resemblance and
containment of documents*, 1997); bands of a MinHash signature find the few candidates
worth comparing among many through an index (Leskovec, Rajaraman & Ullman, *Mining of
Massive Datasets*, chapter 3). With 30 bands of 3 rows, two items whose index is 0.5 share
a band with a probability of 98 %, at 0.7 always, at 0.1 in 3 cases of 100.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from questions.domain import items, rendering

if TYPE_CHECKING:
    from collections.abc import Iterable

Fingerprint: TypeAlias = frozenset[int]
"""Hashes of the word shingles of an item, each of 60 bits."""

Id = TypeVar("Id")

NEAR: Final = 0.5
"""The Jaccard index from which two items are near-duplicates."""

SHINGLE: Final = 3
BANDS: Final = 30
ROWS: Final = 3

_WORD: Final = re.compile(r"\w+")
_PRIME: Final = (1 << 61) - 1


def fingerprint(item: items.Item) -> Fingerprint:
    """Return what ``is_near_duplicate`` compares: shingles of stem, lead-in and code.

    A scenario is left out: its questions share it and are not duplicates for that.
    """
    texts = [
        rendering.plain_text(item.stem),
        rendering.plain_text(item.lead_in),
        *(e.text for e in item.exhibits if isinstance(e, items.CodeExhibit)),
        *(
            f"image {e.sha256}"
            for e in item.exhibits
            if isinstance(e, items.ImageExhibit)
        ),
    ]
    words = _WORD.findall(" ".join(texts).casefold())
    if len(words) < SHINGLE:
        return frozenset({_hash(" ".join(words))})
    return frozenset(
        _hash(" ".join(words[start : start + SHINGLE]))
        for start in range(len(words) - SHINGLE + 1)
    )


def resemblance(one: Fingerprint, other: Fingerprint) -> float:
    """Return the Jaccard index of two fingerprints, from 0 to 1."""
    return len(one & other) / (len(one | other) or 1)


def is_near_duplicate(one: Fingerprint, other: Fingerprint) -> bool:
    """Say whether two items ask nearly the same thing in nearly the same words."""
    return resemblance(one, other) >= NEAR


def near_duplicates(
    item: items.Item, others: Iterable[tuple[Id, Fingerprint]]
) -> list[tuple[Id, float]]:
    """Return those of ``others`` that are near-duplicates of ``item``, nearest first."""
    own = fingerprint(item)
    found = [(name, resemblance(own, other)) for name, other in others]
    near = [(name, share) for name, share in found if share >= NEAR]
    return sorted(near, key=lambda pair: -pair[1])


@lru_cache(maxsize=8)  # publishing asks twice: for twins, and to store them
def bands(item: items.Item) -> list[int]:
    """Return ``BANDS`` signed 64-bit numbers: near-duplicates share at least one.

    For an array column with an inverted index: candidates are the rows that overlap.
    """
    shingles = list(fingerprint(item))
    # A list, not a generator: nine thousand products for each item, so it tells.
    signature = [
        min([(factor * shingle + offset) % _PRIME for shingle in shingles])
        for factor, offset in _permutations()
    ]
    return [
        _signed(_digest(f"{start}:{signature[start : start + ROWS]}"))
        for start in range(0, BANDS * ROWS, ROWS)
    ]


@cache
def _permutations() -> tuple[tuple[int, int], ...]:
    """Return the hash functions of the signature: fixed, as they are stored."""
    return tuple(
        (_digest(f"factor {row}") % (_PRIME - 1) + 1, _digest(f"offset {row}") % _PRIME)
        for row in range(BANDS * ROWS)
    )


def _hash(text: str) -> int:
    return _digest(text) >> 4


def _digest(text: str) -> int:
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "big")


def _signed(number: int) -> int:
    return number - (1 << 63)
