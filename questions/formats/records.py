"""The records of a bank file: an item, and what is said of it beside its words."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, TypeAlias

from questions.domain import items
from questions.domain.lifecycle import Status
from questions.domain.scoring import Rule

SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
IMAGE_NAME: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.(?:png|jpe?g|webp|svg)", re.IGNORECASE
)

_ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}

NAME_LENGTH: Final = 120
SLUG_LENGTH: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a record was read: for messages, never for comparing.

    ``lines`` has the line of each field by its path, as ``checks`` names places.
    """

    file: str = ""
    line: int = 0
    lines: Mapping[str, int] = field(default_factory=dict)

    def line_of(self, where: str) -> int:
        """Return the line of the field ``where``, or of the nearest thing around it."""
        path = where
        while path and path not in self.lines:
            path = path.rpartition(".")[0]
        return self.lines.get(path, self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFile:
    """A picture that an exhibit shows, under the name it has beside the YAML."""

    name: str
    sha256: str
    content: bytes = field(default=b"", compare=False, repr=False)


def image_name(*, name: str, sha256: str, media_type: str) -> str:
    """Return ``name`` if a bank file may use it, else one made from the digest."""
    if IMAGE_NAME.fullmatch(name):
        return name
    ending = _ENDINGS.get(media_type, "png")
    return f"{sha256[:16]}.{ending}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRecord:
    """One question as a file has it.

    ``alignments`` maps a blueprint version to the code of an objective, or of a domain
    where the guide has none. ``item.scenario`` is whole, whichever file it came from.
    """

    slug: str
    certification: str
    item: items.Item
    exposure: items.Exposure = items.Exposure.PUBLIC
    provenance: items.Provenance = items.Provenance.HUMAN
    sources: str = ""
    alignments: Mapping[str, str] = field(default_factory=dict)
    images: tuple[ImageFile, ...] = ()
    status: Status = Status.DRAFT
    author: str = ""
    approved_by: str = ""
    approved_on: datetime.date | None = None
    enemies: tuple[str, ...] = ()
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRecord:
    """One case study as a file has it."""

    certification: str
    scenario: items.Scenario
    images: tuple[ImageFile, ...] = ()
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)

    @property
    def slug(self) -> str:
        """The scenario's name for ever."""
        return self.scenario.slug


def _latin_words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore")
    return re.findall(r"[a-z0-9]+", plain.decode().lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveRecord:
    """One objective of a guide."""

    code: str
    name: str

    @property
    def slug(self) -> str:
        """Its address: the first words of its name, or its code in other scripts."""
        words = _latin_words(self.name) or ["objective", *_latin_words(self.code)]
        slug = "-".join(words)
        if len(slug) <= SLUG_LENGTH:
            return slug
        cut = slug[:SLUG_LENGTH]
        return cut.rpartition("-")[0] or cut


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRecord:
    """One domain of a guide. ``weight`` is in per cent, as published."""

    code: str
    name: str
    weight: int
    objectives: tuple[ObjectiveRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRecord:
    """The scale on which the vendor reports: lowest, highest and passing score."""

    lowest: int
    highest: int
    passing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintRecord:
    """One version of an exam guide. ``mark`` is the share right that passes."""

    version: str
    effective_from: datetime.date
    effective_to: datetime.date | None = None
    questions_min: int
    questions_max: int
    unscored_questions: int = 0
    minutes: int
    item_kinds: tuple[str, ...] = ("single",)
    scale: ScaleRecord | None = None
    mark: Decimal
    mark_source: str
    terms_changed: str = ""
    domains: tuple[DomainRecord, ...]

    @property
    def codes(self) -> frozenset[str]:
        """The codes that a question can be aligned to."""
        own = {domain.code for domain in self.domains}
        return frozenset(own | {o.code for d in self.domains for o in d.objectives})


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificationRecord:
    """A certification, its vendor, and the versions of its guide."""

    slug: str
    code: str
    name: str
    level: str
    vendor_slug: str
    vendor_name: str
    guide: str
    summary: str = ""
    blueprints: tuple[BlueprintRecord, ...]
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    """An author or reviewer as readers see them."""

    slug: str
    name: str
    credentials: str = ""
    byline: str = ""
    biography: str = ""
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MockExamRecord:
    """A mock exam with rules or questions of its own.

    With ``questions`` (slugs, in order) it is a fixed form, and ``length`` is their
    number; without, it is drawn for each sitting.
    """

    slug: str
    certification: str
    blueprint: str
    name: str
    length: int
    minutes: int
    description: str = ""
    navigation: str = "free"
    rule: Rule = Rule.EXACT_MATCH
    mark: Decimal | None = None
    questions: tuple[str, ...] = ()
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)


BankRecord: TypeAlias = (
    QuestionRecord
    | ScenarioRecord
    | CertificationRecord
    | PersonRecord
    | MockExamRecord
)
