"""Between the desk's forms and the domain's values, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.utils.text import slugify

from questions.domain import items
from questions.forms.desk import WordsForm
from questions.models import Alignment, Image, Question, Revision, Scenario

_OPTION_KEY = re.compile(r"[a-z][a-z0-9-]{0,39}")
_NEW_ROWS = 4


def settings_initial(question: Question) -> dict[str, Any]:
    """Return what the settings form shows of a stored question."""
    initial: dict[str, Any] = {
        "slug": question.slug,
        "author": question.author_id,
        "exposure": question.exposure,
        "provenance": question.provenance,
        "sources": question.sources,
        "review_due_date": question.review_due_date,
        "enemies": ", ".join(
            question.enemies.order_by("slug").values_list("slug", flat=True)
        ),
    }
    for place in question.alignments.all():
        initial[f"place_{place.blueprint_id}"] = _place_value(place)
    return initial


def words_initial(revision: Revision) -> dict[str, Any]:
    """Return what the words form shows of a revision."""
    return {
        "base": revision.number,
        "title": revision.title,
        "stem": revision.stem,
        "lead_in": revision.lead_in,
        "kind": revision.kind,
        "choose": revision.choose,
        "difficulty": revision.difficulty,
        "scenario": revision.scenario_revision
        and revision.scenario_revision.scenario_id,
        "trap": revision.trap,
        "explanation": revision.explanation,
    }


def parts_initial(item: items.Item) -> dict[str, list[dict[str, Any]]]:
    """Return what the formsets show of an item."""
    return {
        "options": [
            {
                "key": option.key,
                "text": option.text,
                "rationale": option.rationale,
                "is_key": option.is_key,
                "is_pinned": option.is_pinned,
            }
            for option in item.options
        ],
        "references": [{"title": ref.title, "url": ref.url} for ref in item.references],
        "exhibits": [_exhibit_initial(exhibit) for exhibit in item.exhibits],
    }


def blank_parts() -> dict[str, list[dict[str, Any]]]:
    """Return what the formsets show of a question that has no words yet."""
    return {
        "options": [{} for _ in range(_NEW_ROWS)],
        "references": [{}],
        "exhibits": [],
    }


def _exhibit_initial(exhibit: items.Exhibit) -> dict[str, Any]:
    if isinstance(exhibit, items.CodeExhibit):
        return {
            "text": exhibit.text,
            "language": exhibit.language,
            "caption": exhibit.caption,
        }
    return {"sha256": exhibit.sha256, "alt": exhibit.alt, "caption": exhibit.caption}


def compose(
    words: WordsForm,
    options: Iterable[dict[str, Any]],
    references: Iterable[dict[str, Any]],
    exhibits: Iterable[dict[str, Any]],
) -> items.Item:
    """Return the item that the valid forms describe, parts in their order."""
    cleaned = words.cleaned_data
    scenario: Scenario | None = cleaned.get("scenario")
    latest = scenario.latest_revision if scenario else None
    shared: dict[str, Any] = {
        "title": cleaned["title"].strip(),
        "stem": _text(cleaned["stem"]),
        "lead_in": _text(cleaned["lead_in"]),
        "difficulty": items.Difficulty(cleaned["difficulty"]),
        "trap": _text(cleaned["trap"]),
        "explanation": _text(cleaned["explanation"]),
        "options": _options(options),
        "references": tuple(
            items.Reference(title=ref["title"], url=ref["url"]) for ref in references
        ),
        "exhibits": tuple(_exhibit(exhibit) for exhibit in exhibits),
        "scenario": latest.to_scenario() if latest else None,
    }
    if cleaned["kind"] == Revision.Kind.MULTIPLE:
        return items.MultipleChoice(choose=cleaned["choose"], **shared)
    return items.SingleChoice(**shared)


def _text(typed: str) -> str:
    """Return a text as it is stored: browsers send CRLF, and ends are noise."""
    return typed.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()


def _options(rows: Iterable[dict[str, Any]]) -> tuple[items.Option, ...]:
    rows = list(rows)
    # Keys typed further down are taken too, when one is made from a text above.
    taken = {row["key"] for row in rows if row["key"]}
    options: list[items.Option] = []
    for row in rows:
        key = row["key"] or _key_for(row["text"], taken)
        taken.add(key)
        options.append(
            items.Option(
                key=key,
                text=_text(row["text"]),
                is_key=row["is_key"],
                is_pinned=row["is_pinned"],
                rationale=_text(row["rationale"]),
            )
        )
    return tuple(options)


def _key_for(text: str, taken: set[str]) -> str:
    """Return a key made from the first words of an option; it stays when they change."""
    words = [word for word in slugify(text).replace("_", "-").split("-") if word]
    stem = "-".join(words[:3])[:30].strip("-")
    if not _OPTION_KEY.fullmatch(stem):
        stem = f"option-{stem}".rstrip("-")[:30]
    key, number = stem, 1
    while key in taken:
        number += 1
        key = f"{stem}-{number}"
    return key


def _exhibit(row: dict[str, Any]) -> items.Exhibit:
    if row.get("sha256"):
        image = Image.objects.defer("content").get(sha256=row["sha256"])
        return items.ImageExhibit(
            sha256=image.sha256,
            alt=row["alt"],
            caption=row["caption"],
            width=image.width,
            height=image.height,
        )
    return items.CodeExhibit(
        text=row["text"].replace("\r\n", "\n").strip("\n"),
        language=row["language"],
        caption=row["caption"],
    )


def _place_value(place: Alignment) -> str:
    if place.objective_id is None:
        return f"domain-{place.domain_id}"
    return f"objective-{place.objective_id}"
