"""One YAML document to one certification or person."""

from __future__ import annotations

import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from questions.domain.scoring import Rule
from questions.formats import records
from questions.formats.yaml_fields import FieldReader, Notes

if TYPE_CHECKING:
    from questions.formats.yaml_tree import Fields

LABEL_LENGTH: Final = 200
VERSION_LENGTH: Final = 20
CODE_LENGTH: Final = 10
MAX_MINUTES: Final = 1_440
MAX_QUESTIONS: Final = 1_000
MAX_SCORE: Final = 10_000
PER_CENT: Final = 100

_NO_DAY: Final = datetime.date(1970, 1, 1)


class Level(StrEnum):
    """How far a certification goes, in the vendors' terms."""

    FOUNDATIONAL = "foundational"
    ASSOCIATE = "associate"
    PROFESSIONAL = "professional"
    SPECIALTY = "specialty"


class Navigation(StrEnum):
    """Whether a sitting of a mock exam can go back."""

    FREE = "free"
    LINEAR = "linear"


class MarkSource(StrEnum):
    """Who says at which mark one passes."""

    VENDOR = "vendor"
    OURS = "ours"


def read_certification(fields: Fields, *, notes: Notes) -> records.CertificationRecord:
    """Return the certification; problems are in ``notes``."""
    read = FieldReader(fields, path="", notes=notes)
    vendor = read.one("vendor", is_required=True)
    record = records.CertificationRecord(
        slug=read.slug("certification", is_required=True, limit=60),
        code=read.code("code", limit=VERSION_LENGTH),
        name=read.line("name", is_required=True, limit=160),
        level=read.choice("level", Level, default=None).value,
        vendor_slug=vendor.slug("slug", is_required=True, limit=60) if vendor else "",
        vendor_name=(
            vendor.line("name", is_required=True, limit=records.NAME_LENGTH)
            if vendor
            else ""
        ),
        guide=read.address("guide", limit=300),
        summary=read.text("summary"),
        blueprints=tuple(
            _blueprint(each) for each in read.each("blueprints", is_required=True)
        ),
        origin=notes.origin(),
    )
    versions = [blueprint.version for blueprint in record.blueprints]
    if len(set(versions)) < len(versions):
        read.note("blueprints", "Two of them have the same version. Rename one.")
    if vendor:
        vendor.finish()
    read.finish()
    return record


def read_person(fields: Fields, *, notes: Notes) -> records.PersonRecord:
    """Return the person; problems are in ``notes``."""
    read = FieldReader(fields, path="", notes=notes)
    record = records.PersonRecord(
        slug=read.slug("person", is_required=True, limit=80),
        name=read.line("name", is_required=True, limit=records.NAME_LENGTH),
        credentials=read.line("credentials", limit=LABEL_LENGTH),
        byline=read.line("byline", limit=LABEL_LENGTH),
        biography=read.text("biography"),
        origin=notes.origin(),
    )
    read.finish()
    return record


def read_mock_exam(fields: Fields, *, notes: Notes) -> records.MockExamRecord:
    """Return the mock exam; problems are in ``notes``."""
    read = FieldReader(fields, path="", notes=notes)
    slugs = read.texts("questions")
    for slug in slugs:
        read.check_slug("questions", slug)
    if len(set(slugs)) < len(slugs):
        read.note("questions", "A question stands there twice. Remove one.")
    length = len(slugs)
    if not slugs:
        length = read.number("length", default=None, lowest=1, highest=MAX_QUESTIONS)
    elif read.has("length"):
        read.note("length", "A fixed form is as long as its questions. Remove it.")
    record = records.MockExamRecord(
        slug=read.slug("mock_exam", is_required=True),
        certification=read.slug("certification", is_required=True),
        blueprint=read.code("blueprint", limit=VERSION_LENGTH),
        name=read.line("name", is_required=True, limit=records.NAME_LENGTH),
        description=read.line("description", limit=300),
        length=length,
        minutes=read.number("minutes", default=None, lowest=1, highest=MAX_MINUTES),
        navigation=read.choice("navigation", Navigation, default=Navigation.FREE).value,
        rule=read.choice("rule", Rule, default=Rule.EXACT_MATCH),
        mark=read.share("mark") if read.has("mark") else None,
        questions=tuple(slugs),
        origin=notes.origin(),
    )
    read.finish()
    return record


def _blueprint(read: FieldReader) -> records.BlueprintRecord:
    blueprint = records.BlueprintRecord(
        version=read.code("version", limit=VERSION_LENGTH),
        effective_from=read.date("effective_from", is_required=True) or _NO_DAY,
        effective_to=read.date("effective_to"),
        questions_min=read.number(
            "questions_min", default=None, lowest=1, highest=MAX_QUESTIONS
        ),
        questions_max=read.number(
            "questions_max", default=None, lowest=1, highest=MAX_QUESTIONS
        ),
        unscored_questions=read.number(
            "unscored_questions", default=0, lowest=0, highest=MAX_QUESTIONS
        ),
        minutes=read.number("minutes", default=None, lowest=1, highest=MAX_MINUTES),
        item_kinds=tuple(read.texts("item_kinds")) or ("single",),
        scale=_scale(read.one("scaled_score")),
        mark=read.share("mark"),
        mark_source=read.choice("mark_source", MarkSource, default=None).value,
        terms_changed=read.text("terms_changed"),
        domains=tuple(_domain(each) for each in read.each("domains", is_required=True)),
    )
    _check_blueprint(read, blueprint)
    return blueprint


def _check_blueprint(read: FieldReader, blueprint: records.BlueprintRecord) -> None:
    if blueprint.questions_max < blueprint.questions_min:
        read.note("questions_max", "It is less than questions_min. Exchange the two.")
    if (
        blueprint.effective_to is not None
        and blueprint.effective_to < blueprint.effective_from
    ):
        read.note("effective_to", "It lies before effective_from. Exchange the two.")
    slugs = [each.slug for domain in blueprint.domains for each in domain.objectives]
    for slug in sorted({slug for slug in slugs if slug and slugs.count(slug) > 1}):
        read.note("domains", f"Two objectives have the address “{slug}”. Rename one.")
    codes = [domain.code for domain in blueprint.domains]
    codes += [each.code for domain in blueprint.domains for each in domain.objectives]
    for code in sorted({code for code in codes if codes.count(code) > 1}):
        read.note("domains", f"The code “{code}” stands here twice. Rename one.")


def _scale(read: FieldReader | None) -> records.ScaleRecord | None:
    if read is None:
        return None
    numbers = {
        name: read.number(name, default=None, lowest=0, highest=MAX_SCORE)
        for name in ("min", "max", "pass")
    }
    if not numbers["min"] <= numbers["pass"] <= numbers["max"] > numbers["min"]:
        read.note("pass", "It must lie between min and max, and max above min.")
    read.finish()
    return records.ScaleRecord(
        lowest=numbers["min"], highest=numbers["max"], passing=numbers["pass"]
    )


def _domain(read: FieldReader) -> records.DomainRecord:
    return records.DomainRecord(
        code=read.code("code", limit=CODE_LENGTH),
        name=read.line("name", is_required=True, limit=LABEL_LENGTH),
        weight=read.number("weight", default=None, lowest=0, highest=PER_CENT),
        objectives=tuple(
            records.ObjectiveRecord(
                code=each.code("code", limit=CODE_LENGTH),
                name=each.line("name", is_required=True, limit=250),
            )
            for each in read.each("objectives")
        ),
    )
