"""One YAML document to one question or scenario."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from questions.domain import images, items
from questions.domain.lifecycle import Status
from questions.domain.placeholders import OPTION_KEY_LENGTH, is_option_key
from questions.formats import records
from questions.formats.yaml_fields import FieldReader, Notes

if TYPE_CHECKING:
    from questions.formats.yaml_tree import Fields

ImageLoader = Callable[[str], bytes]
"""Returns the bytes of a picture by its name; raises ``ImageMissing``."""

URL_LENGTH: Final = 500
TITLE_LENGTH: Final = 120
LABEL_LENGTH: Final = 200
LANGUAGE_LENGTH: Final = 30
MAX_CHOOSE: Final = 20
IMAGE_NAME_LENGTH: Final = 110


class ImageMissing(LookupError):
    """There is no picture of this name. ``reason`` says where it was looked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Kind(StrEnum):
    """The kinds of questions."""

    SINGLE = "single"
    MULTIPLE = "multiple"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a document is read among: scenarios by slug, and pictures by name."""

    scenarios: Mapping[str, items.Scenario]
    load_image: ImageLoader


def read_question(
    fields: Fields, *, notes: Notes, around: Surroundings
) -> records.QuestionRecord:
    """Return the question; problems are in ``notes``."""
    read = FieldReader(fields, path="", notes=notes)
    pictures: dict[str, records.ImageFile] = {}
    record = records.QuestionRecord(
        slug=read.slug("question", is_required=True),
        certification=read.slug("certification", is_required=True),
        item=_item(read, notes, around, pictures),
        exposure=read.choice("exposure", items.Exposure, default=items.Exposure.PUBLIC),
        provenance=read.choice("provenance", items.Provenance, default=None),
        sources=read.text("sources"),
        alignments={
            version: code.text for version, code in read.pairs("objectives").items()
        },
        images=tuple(pictures.values()),
        status=read.choice("status", Status, default=Status.DRAFT),
        author=read.slug("author", is_required=True),
        approved_by=read.slug("approved_by"),
        approved_on=read.date("approved_on"),
        enemies=_enemies(read),
        origin=notes.origin(),
    )
    _check_approval(read, record)
    read.finish()
    return record


def read_scenario(
    fields: Fields, *, notes: Notes, around: Surroundings
) -> records.ScenarioRecord:
    """Return the scenario; problems are in ``notes``."""
    read = FieldReader(fields, path="", notes=notes)
    pictures: dict[str, records.ImageFile] = {}
    record = records.ScenarioRecord(
        certification=read.slug("certification", is_required=True),
        scenario=items.Scenario(
            slug=read.slug("scenario", is_required=True),
            title=read.line("title", is_required=True, limit=TITLE_LENGTH),
            text=read.text("text", is_required=True),
            exhibits=_exhibits(read, around, pictures),
        ),
        images=tuple(pictures.values()),
        origin=notes.origin(),
    )
    read.finish()
    return record


def _item(
    read: FieldReader,
    notes: Notes,
    around: Surroundings,
    pictures: dict[str, records.ImageFile],
) -> items.Item:
    kind = read.choice("kind", Kind, default=None)
    choose = read.number("choose", default=1, lowest=1, highest=MAX_CHOOSE)
    title = read.line("title", is_required=True, limit=TITLE_LENGTH)
    stem = read.text("stem")
    options = _options(read, notes)
    lead_in = read.text("lead_in")
    difficulty = read.choice(
        "difficulty", items.Difficulty, default=items.Difficulty.MEDIUM
    )
    trap = read.text("trap")
    explanation = read.text("explanation")
    references = tuple(
        items.Reference(
            title=each.line("title", is_required=True, limit=LABEL_LENGTH),
            url=each.address("url", limit=URL_LENGTH),
        )
        for each in read.each("references")
    )
    exhibits = _exhibits(read, around, pictures)
    scenario = _scenario(read, around)
    if kind is Kind.SINGLE:
        if read.has("choose"):
            read.note(
                "choose", "A question of kind “single” has no “choose”. Remove it."
            )
        return items.SingleChoice(
            title=title,
            stem=stem,
            options=options,
            lead_in=lead_in,
            difficulty=difficulty,
            trap=trap,
            explanation=explanation,
            references=references,
            exhibits=exhibits,
            scenario=scenario,
        )
    if not read.has("choose"):
        read.note("choose", "Say how many to choose: “choose: 2”.")
    return items.MultipleChoice(
        title=title,
        stem=stem,
        options=options,
        choose=choose,
        lead_in=lead_in,
        difficulty=difficulty,
        trap=trap,
        explanation=explanation,
        references=references,
        exhibits=exhibits,
        scenario=scenario,
    )


def _options(read: FieldReader, notes: Notes) -> tuple[items.Option, ...]:
    options: dict[str, items.Option] = {}
    for each in read.each("options"):
        key = each.line("key", is_required=True, limit=OPTION_KEY_LENGTH)
        if key and not is_option_key(key):
            each.note(
                "key",
                f"“{key}” can't be the key of an option. Use lower-case words joined by"
                " hyphens: peak-minimum.",
            )
        elif key in options:
            first = notes.lines.get(f"options.{key}", 0)
            each.note(
                "key",
                f"The option on line {first} has the key “{key}” too. Rename one.",
            )
        else:
            each.under(f"options.{key}")
        options[key] = items.Option(
            key=key,
            text=each.text("text"),
            is_key=each.flag("correct"),
            rationale=each.text("rationale"),
            is_pinned=each.flag("pinned"),
        )
    return tuple(options.values())


def _exhibits(
    read: FieldReader, around: Surroundings, pictures: dict[str, records.ImageFile]
) -> tuple[items.Exhibit, ...]:
    exhibits: list[items.Exhibit] = []
    for each in read.each("exhibits"):
        if each.has("image"):
            exhibits.append(_image(each, around, pictures))
        else:
            exhibits.append(
                items.CodeExhibit(
                    text=each.text("code"),
                    language=each.line("language", limit=LANGUAGE_LENGTH),
                    caption=each.line("caption", limit=LABEL_LENGTH),
                )
            )
    return tuple(exhibits)


def _image(
    read: FieldReader, around: Surroundings, pictures: dict[str, records.ImageFile]
) -> items.ImageExhibit:
    name = read.line("image", is_required=True, limit=IMAGE_NAME_LENGTH)
    alt = read.text("alt")
    caption = read.line("caption", limit=LABEL_LENGTH)
    facts = images.ImageFacts(media_type="", width=0, height=0)
    digest = ""
    if not records.IMAGE_NAME.fullmatch(name):
        read.note(
            "image",
            f"“{name}” can't be the name of a picture. Give a file in the folder images:"
            " letters, digits, hyphens, and .png, .jpg, .webp or .svg.",
        )
    else:
        try:
            content = around.load_image(name)
            facts = images.inspect_image(content)
        except (ImageMissing, images.ImageRefused) as error:
            read.note("image", f"{name}: {error.reason}")
        else:
            digest = hashlib.sha256(content).hexdigest()
            pictures[name] = records.ImageFile(
                name=name, sha256=digest, content=content
            )
    return items.ImageExhibit(
        sha256=digest, alt=alt, caption=caption, width=facts.width, height=facts.height
    )


def _scenario(read: FieldReader, around: Surroundings) -> items.Scenario | None:
    slug = read.slug("scenario")
    if not slug:
        return None
    scenario = around.scenarios.get(slug)
    if scenario is None:
        read.note(
            "scenario",
            f"There is no scenario “{slug}”. Write it in scenarios/{slug}.yaml.",
        )
    return scenario


def _enemies(read: FieldReader) -> tuple[str, ...]:
    slugs = read.texts("enemies")
    for slug in slugs:
        read.check_slug("enemies", slug)
    return tuple(sorted(set(slugs)))


def _check_approval(read: FieldReader, record: records.QuestionRecord) -> None:
    needs_approval = record.status in {Status.APPROVED, Status.PUBLISHED}
    if needs_approval and not record.approved_by:
        read.note(
            "status",
            f"A question that is {record.status.value} says by whom it was approved. Add"
            " approved_by and approved_on, or give it the status draft.",
        )
    if record.approved_by and record.approved_on is None:
        read.note("approved_by", "Add the day: “approved_on: 2026-11-30”.")
