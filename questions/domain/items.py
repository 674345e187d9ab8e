"""What an item is: frozen values that every rule, reader and writer works on.

The words are those of the item-writing literature (Haladyna & Rodriguez,
*Developing and Validating Test Items*, 2013; NBME, *Item-Writing Guide*, 2021):
an item has a stem, which may end in a lead-in (the question asked), and options,
of which the keys are right and the distractors are not.

Texts are Markdown as ``rendering`` understands it. Texts that speak of an option
name its key, ``{{option:KEY}}``; the letter is filled in from the order that the
learner sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Difficulty(StrEnum):
    """The author's estimate of how hard an item is for a prepared candidate."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Exposure(StrEnum):
    """Who may meet an item: anyone, members, or members inside a mock exam."""

    PUBLIC = "public"
    MEMBERS = "members"
    MOCK_ONLY = "mock_only"


class Provenance(StrEnum):
    """Who wrote the words."""

    HUMAN = "human"
    AI_ASSISTED = "ai_assisted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice. ``key`` names it for ever; its letter depends on the order shown."""

    key: str
    text: str
    is_key: bool
    rationale: str = ""
    is_pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Where a learner can read more."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeExhibit:
    """Code, configuration or terminal output, shown as it is."""

    text: str
    language: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageExhibit:
    """A picture. ``sha256`` is the hex digest of its bytes, and its address."""

    sha256: str
    alt: str
    caption: str = ""
    width: int = 0
    height: int = 0


Exhibit: TypeAlias = CodeExhibit | ImageExhibit


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A case study shared by several items and shown beside each."""

    slug: str
    title: str
    text: str
    exhibits: tuple[Exhibit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleChoice:
    """An item with exactly one key."""

    title: str
    stem: str
    options: tuple[Option, ...]
    lead_in: str = ""
    difficulty: Difficulty = Difficulty.MEDIUM
    trap: str = ""
    explanation: str = ""
    references: tuple[Reference, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    scenario: Scenario | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleChoice:
    """An item that says how many options to choose; all its keys, and no other."""

    title: str
    stem: str
    options: tuple[Option, ...]
    choose: int
    lead_in: str = ""
    difficulty: Difficulty = Difficulty.MEDIUM
    trap: str = ""
    explanation: str = ""
    references: tuple[Reference, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    scenario: Scenario | None = None


Item: TypeAlias = SingleChoice | MultipleChoice


def choose_of(item: Item) -> int:
    """Return how many options a complete response chooses."""
    return item.choose if isinstance(item, MultipleChoice) else 1


def kind_of(item: Item) -> str:
    """Return the item's kind as the bank stores it: ``single`` or ``multiple``."""
    return "multiple" if isinstance(item, MultipleChoice) else "single"


def keys_of(item: Item) -> frozenset[str]:
    """Return the keys of the options that are right."""
    return frozenset(option.key for option in item.options if option.is_key)
