"""Reads across the bank's tables, by who asks: the desk, a page, a search."""

from questions.selectors.desk import (
    CoverageLine,
    coverage,
    problems_of,
    review_queue,
    twins_of,
    unaligned,
    with_marks,
    wrote_in,
)

__all__ = [
    "CoverageLine",
    "coverage",
    "problems_of",
    "review_queue",
    "twins_of",
    "unaligned",
    "with_marks",
    "wrote_in",
]
