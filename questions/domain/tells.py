"""What could let a learner tell the key without knowing the subject, as figures.

Each share stands beside what chance would give, and beside how many items it is about:
a bank whose keys are the longest option in 30 % of the items is no worse than chance if
every fourth option is a key and options are of many lengths.

The cues are those of Millman, Bishop & Ebel (*An Analysis of Test-Wiseness*, 1965) that a
machine can see: length, position, words shared with the stem, absolute words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from questions.domain import items, rendering, wording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_WORD: Final = re.compile(r"[^\W_]{4,}")
_COMMON: Final = frozenset(
    [
        "about",
        "after",
        "also",
        "because",
        "been",
        "before",
        "between",
        "both",
        "does",
        "each",
        "from",
        "have",
        "into",
        "more",
        "most",
        "only",
        "other",
        "over",
        "same",
        "should",
        "such",
        "than",
        "that",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "through",
        "under",
        "until",
        "when",
        "where",
        "which",
        "while",
        "will",
        "with",
        "would",
        "your",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question with what is said of it in the bank, as the report counts it."""

    item: items.Item
    domain: str
    objective: str
    exposure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many questions there are of each sort, each mapping in order of its keys."""

    n: int
    by_domain: Mapping[str, int]
    by_objective: Mapping[str, int]
    by_kind: Mapping[str, int]
    by_difficulty: Mapping[str, int]
    by_exposure: Mapping[str, int]
    with_exhibit: int
    with_scenario: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """How often a cue points at a key, of ``n`` items in which it points anywhere.

    A cue that points at two options of which one is a key counts as half a hit.

    ``expected`` is how often it would if it pointed blindly; ``p_value`` is the
    probability of at least as many hits then (normal approximation, one-sided).
    """

    n: int
    hits: float
    expected: float
    p_value: float | None

    @property
    def share(self) -> float | None:
        """Hits among the items, or nothing where there are none."""
        return self.hits / self.n if self.n else None

    @property
    def chance(self) -> float | None:
        """What the share would be by chance, or nothing where there are no items."""
        return self.expected / self.n if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """How often each place in the author's order holds a key, in ``n`` items.

    ``expected`` allows for items of different lengths. ``p_value`` is that of Pearson's
    chi-square test of an even spread, approximate where items have several keys;
    nothing where too little is there to test.
    """

    n: int
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    chi_square: float | None
    degrees: int
    p_value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Options with an absolute word, among the keys and among the distractors."""

    keys: int
    absolute_keys: int
    distractors: int
    absolute_distractors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Mean lengths in characters of plain text, or nothing where there is none."""

    stem: float | None
    key: float | None
    distractor: float | None
    rationale: float | None
    explanation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All the figures of a bank."""

    counts: Counts
    longest: Cue
    shortest: Cue
    overlap: Cue
    positions: Positions
    wording: Wording
    lengths: Lengths


def report(rows: Sequence[Row]) -> Report:
    """Return the figures of a bank."""
    bank = [row.item for row in rows]
    return Report(
        counts=count(rows),
        longest=cue(bank, score=_length),
        shortest=cue(bank, score=lambda _, option: -len(_plain(option.text))),
        overlap=cue(bank, score=_overlap),
        positions=positions(bank),
        wording=absolute_words(bank),
        lengths=mean_lengths(bank),
    )


def count(rows: Sequence[Row]) -> Counts:
    """Return how many questions there are of each sort."""
    bank = [row.item for row in rows]
    return Counts(
        n=len(rows),
        by_domain=_tally(row.domain for row in rows),
        by_objective=_tally(row.objective for row in rows),
        by_kind=_tally(items.kind_of(item) for item in bank),
        by_difficulty=_tally(item.difficulty.value for item in bank),
        by_exposure=_tally(row.exposure for row in rows),
        with_exhibit=sum(bool(item.exhibits) for item in bank),
        with_scenario=sum(item.scenario is not None for item in bank),
    )


def cue(
    bank: Iterable[items.Item], *, score: Callable[[items.Item, items.Option], float]
) -> Cue:
    """Return how often the option with the highest score is a key.

    Where several share the highest score, the cue picks one of them blindly, and the
    item counts only if that means anything: not if all options score the same.
    """
    hits = Fraction(0)
    chances: list[Fraction] = []
    for item in bank:
        scores = [score(item, option) for option in item.options]
        if not scores or max(scores) == min(scores):
            continue
        best = [
            option
            for option, own in zip(item.options, scores, strict=True)
            if own == max(scores)
        ]
        hits += Fraction(sum(option.is_key for option in best), len(best))
        chances.append(Fraction(len(items.keys_of(item)), len(item.options)))
    expected = float(sum(chances))
    variance = float(sum(chance * (1 - chance) for chance in chances))
    p_value = (
        _upper_tail((float(hits) - 0.5 - expected) / math.sqrt(variance))
        if variance
        else None
    )
    return Cue(n=len(chances), hits=float(hits), expected=expected, p_value=p_value)


def positions(bank: Sequence[items.Item]) -> Positions:
    """Return how evenly the keys are spread over the places.

    Pinned options are left out: they stand where they stand for another reason.
    """
    width = max((len(item.options) for item in bank), default=0)
    counts = [0] * width
    expected = [Fraction(0)] * width
    for item in bank:
        free = [
            (place, option)
            for place, option in enumerate(item.options)
            if not option.is_pinned
        ]
        keys = sum(option.is_key for _, option in free)
        for place, option in free:
            counts[place] += option.is_key
            expected[place] += Fraction(keys, len(free))
    used = [(c, e) for c, e in zip(counts, expected, strict=True) if e]
    degrees = max(len(used) - 1, 0)
    chi_square = float(sum((c - e) ** 2 / e for c, e in used)) if degrees else None
    return Positions(
        n=len(bank),
        counts=tuple(counts),
        expected=tuple(float(share) for share in expected),
        chi_square=chi_square,
        degrees=degrees,
        p_value=None if chi_square is None else chi_square_tail(chi_square, degrees),
    )


def absolute_words(bank: Iterable[items.Item]) -> Wording:
    """Return how many options hold a word such as “always”."""
    tally = Counter(
        (option.is_key, bool(wording.ABSOLUTE_WORDS.search(_plain(option.text))))
        for item in bank
        for option in item.options
    )
    return Wording(
        keys=tally[True, True] + tally[True, False],
        absolute_keys=tally[True, True],
        distractors=tally[False, True] + tally[False, False],
        absolute_distractors=tally[False, True],
    )


def mean_lengths(bank: Sequence[items.Item]) -> Lengths:
    """Return the mean lengths of the texts that are there."""
    options = [option for item in bank for option in item.options]
    return Lengths(
        stem=_mean(item.stem for item in bank),
        key=_mean(option.text for option in options if option.is_key),
        distractor=_mean(option.text for option in options if not option.is_key),
        rationale=_mean(option.rationale for option in options),
        explanation=_mean(item.explanation for item in bank),
    )


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the probability that chi-square with ``degrees`` exceeds ``value``.

    The regularised upper incomplete gamma function at whole and half arguments, by its
    recurrence (Abramowitz & Stegun, 26.4.4 and 26.4.5).
    """
    half = value / 2
    if degrees % 2:
        total = math.erfc(math.sqrt(half))
        term = math.sqrt(half / math.pi) * 2 * math.exp(-half)
        begin = 3
    else:
        total = term = math.exp(-half)
        term *= half
        begin = 4
    for step in range(begin, degrees + 1, 2):
        total += term
        term *= value / step
    return min(max(total, 0.0), 1.0)


def _tally(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _length(_: items.Item, option: items.Option) -> float:
    return len(_plain(option.text))


def _overlap(item: items.Item, option: items.Option) -> float:
    asked = _content_words(f"{item.stem}\n\n{item.lead_in}")
    return len(asked & _content_words(option.text))


def _content_words(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(_plain(text))}
    return {word.removesuffix("s") for word in words - _COMMON}


def _plain(text: str) -> str:
    return rendering.plain_text(text)


def _mean(texts: Iterable[str]) -> float | None:
    lengths = [len(_plain(text)) for text in texts if text]
    return sum(lengths) / len(lengths) if lengths else None


def _upper_tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2
