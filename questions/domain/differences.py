"""What changed between two wordings of an item, word by word."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from questions.domain import items

_PIECE = re.compile(r"\s+|[^\W_]+|.", re.DOTALL)
_MOST_PIECES = 4_000
"""Longer texts are compared by line: difflib is quadratic."""


class Change(StrEnum):
    """What happened to a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text, and what happened to it."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One part of an item that is not as it was."""

    part: str
    pieces: tuple[Piece, ...]


def differences(before: items.Item, after: items.Item) -> list[Difference]:
    """List the parts that differ, in reading order, with the words that changed."""
    old, new = dict(_parts(before)), dict(_parts(after))
    names = [*old, *(name for name in new if name not in old)]
    return [
        Difference(part=name, pieces=compare(old.get(name, ""), new.get(name, "")))
        for name in names
        if old.get(name, "") != new.get(name, "")
    ]


def compare(before: str, after: str) -> tuple[Piece, ...]:
    """Return ``after`` woven into ``before``: what stayed, went and came."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    if max(len(old), len(new)) > _MOST_PIECES:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    pieces: list[Piece] = []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(Piece(Change.SAME, "".join(old[old_from:old_to])))
            continue
        if old_to > old_from:
            pieces.append(Piece(Change.REMOVED, "".join(old[old_from:old_to])))
        if new_to > new_from:
            pieces.append(Piece(Change.ADDED, "".join(new[new_from:new_to])))
    return tuple(pieces)


def _parts(item: items.Item) -> Iterator[tuple[str, str]]:
    yield "Title", item.title
    yield "Kind", f"choose {items.choose_of(item)}"
    yield "Difficulty", item.difficulty.value
    if item.scenario:
        yield "Scenario", f"{item.scenario.title}\n\n{item.scenario.text}"
    yield "Stem", item.stem
    for place, exhibit in enumerate(item.exhibits, start=1):
        yield f"Exhibit {place}", _exhibit(exhibit)
    yield "Lead-in", item.lead_in
    yield "Order of options", ", ".join(option.key for option in item.options)
    for option in item.options:
        yield f"Option {option.key}", option.text
        yield f"Option {option.key}: key or distractor", _standing(option)
        yield f"Option {option.key}: rationale", option.rationale
    yield "Trap", item.trap
    yield "Explanation", item.explanation
    yield "References", "\n".join(f"{ref.title} {ref.url}" for ref in item.references)


def _standing(option: items.Option) -> str:
    return ("key" if option.is_key else "distractor") + (
        ", pinned" if option.is_pinned else ""
    )


def _exhibit(exhibit: items.Exhibit) -> str:
    if isinstance(exhibit, items.CodeExhibit):
        return f"{exhibit.caption}\n{exhibit.language}\n{exhibit.text}"
    return f"{exhibit.caption}\n{exhibit.alt}\n{exhibit.sha256}"
