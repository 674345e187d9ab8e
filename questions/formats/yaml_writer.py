"""Records to canonical YAML, one document each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from questions.domain import items
from questions.domain.scoring import Rule
from questions.formats import records
from questions.formats.yaml_text import Bare, Value, write_fields

_TRUE = Bare("true")


def write_question(record: records.QuestionRecord) -> str:
    """Return the file of a question."""
    item = record.item
    names = _names(record.images)
    return write_fields(
        {
            "question": record.slug,
            "certification": record.certification,
            "title": item.title,
            "kind": items.kind_of(item),
            "choose": _choose(item),
            "difficulty": item.difficulty.value,
            "exposure": record.exposure.value,
            "provenance": record.provenance.value,
            "sources": record.sources,
            "objectives": dict(sorted(record.alignments.items())),
            "scenario": item.scenario.slug if item.scenario else "",
            "stem": item.stem,
            "exhibits": [_exhibit(exhibit, names) for exhibit in item.exhibits],
            "lead_in": item.lead_in,
            "options": [_option(option) for option in item.options],
            "trap": item.trap,
            "explanation": item.explanation,
            "references": [
                {"title": reference.title, "url": reference.url}
                for reference in item.references
            ],
            "enemies": sorted(record.enemies),
            "status": record.status.value,
            "author": record.author,
            "approved_by": record.approved_by,
            "approved_on": _day(record.approved_on),
        }
    )


def write_scenario(record: records.ScenarioRecord) -> str:
    """Return the file of a scenario."""
    names = _names(record.images)
    return write_fields(
        {
            "scenario": record.scenario.slug,
            "certification": record.certification,
            "title": record.scenario.title,
            "text": record.scenario.text,
            "exhibits": [_exhibit(each, names) for each in record.scenario.exhibits],
        }
    )


def write_certification(record: records.CertificationRecord) -> str:
    """Return the file of a certification."""
    return write_fields(
        {
            "certification": record.slug,
            "code": record.code,
            "name": record.name,
            "level": record.level,
            "vendor": {"slug": record.vendor_slug, "name": record.vendor_name},
            "guide": record.guide,
            "summary": record.summary,
            "blueprints": [_blueprint(blueprint) for blueprint in record.blueprints],
        }
    )


def write_mock_exam(record: records.MockExamRecord) -> str:
    """Return the file of a mock exam."""
    return write_fields(
        {
            "mock_exam": record.slug,
            "certification": record.certification,
            "blueprint": record.blueprint,
            "name": record.name,
            "description": record.description,
            "length": "" if record.questions else Bare(str(record.length)),
            "minutes": Bare(str(record.minutes)),
            "navigation": "" if record.navigation == "free" else record.navigation,
            "rule": "" if record.rule is Rule.EXACT_MATCH else record.rule.value,
            "mark": "" if record.mark is None else Bare(f"{record.mark.normalize():f}"),
            "questions": list(record.questions),
        }
    )


def write_people(people: Iterable[records.PersonRecord]) -> str:
    """Return the file of all people, by slug."""
    return "---\n".join(
        write_fields(
            {
                "person": person.slug,
                "name": person.name,
                "credentials": person.credentials,
                "byline": person.byline,
                "biography": person.biography,
            }
        )
        for person in sorted(people, key=lambda person: person.slug)
    )


def _names(images: Iterable[records.ImageFile]) -> dict[str, str]:
    return {image.sha256: image.name for image in images}


def _choose(item: items.Item) -> Value:
    return Bare(str(item.choose)) if isinstance(item, items.MultipleChoice) else ""


def _day(day: object) -> Value:
    return Bare(str(day)) if day else ""


def _option(option: items.Option) -> Mapping[str, Value]:
    return {
        "key": option.key,
        "correct": _TRUE if option.is_key else "",
        "pinned": _TRUE if option.is_pinned else "",
        "text": option.text,
        "rationale": option.rationale,
    }


def _exhibit(exhibit: items.Exhibit, names: Mapping[str, str]) -> Mapping[str, Value]:
    match exhibit:
        case items.CodeExhibit():
            return {
                "code": exhibit.text,
                "language": exhibit.language,
                "caption": exhibit.caption,
            }
        case items.ImageExhibit():
            return {
                "image": names[exhibit.sha256],
                "alt": exhibit.alt,
                "caption": exhibit.caption,
            }
        case _:
            assert_never(exhibit)


def _blueprint(blueprint: records.BlueprintRecord) -> Mapping[str, Value]:
    unscored = blueprint.unscored_questions
    return {
        "version": blueprint.version,
        "effective_from": _day(blueprint.effective_from),
        "effective_to": _day(blueprint.effective_to),
        "questions_min": Bare(str(blueprint.questions_min)),
        "questions_max": Bare(str(blueprint.questions_max)),
        "unscored_questions": Bare(str(unscored)) if unscored else "",
        "minutes": Bare(str(blueprint.minutes)),
        "item_kinds": list(blueprint.item_kinds),
        "scaled_score": _scale(blueprint.scale),
        "mark": Bare(f"{blueprint.mark.normalize():f}"),
        "mark_source": blueprint.mark_source,
        "terms_changed": blueprint.terms_changed,
        "domains": [
            {
                "code": domain.code,
                "name": domain.name,
                "weight": Bare(str(domain.weight)),
                "objectives": [
                    {"code": objective.code, "name": objective.name}
                    for objective in domain.objectives
                ],
            }
            for domain in blueprint.domains
        ],
    }


def _scale(scale: records.ScaleRecord | None) -> Value:
    if scale is None:
        return ""
    return {
        "min": Bare(str(scale.lowest)),
        "max": Bare(str(scale.highest)),
        "pass": Bare(str(scale.passing)),
    }
