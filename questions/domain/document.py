"""The published document: what pages and the API serve of an item, made once.

Two halves, so that one can't slip into the other: ``open`` is what anyone who may
meet the item sees before answering, ``keyed`` what they see after.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, TypedDict, assert_never

from questions.domain import items, rendering

if TYPE_CHECKING:
    from collections.abc import Iterable

DESCRIPTION_LENGTH: Final = 155
"""Characters of a description that search engines show."""


class OptionView(TypedDict):
    """An option before the answer: nothing here tells whether it is right."""

    key: str
    html: str
    is_pinned: bool


class ScenarioView(TypedDict):
    """A case study beside the item."""

    slug: str
    title: str
    html: str


class ReferenceView(TypedDict):
    """Where to read more."""

    title: str
    url: str


class OpenView(TypedDict):
    """What is shown before the answer. Titles and the description are plain text."""

    title: str
    kind: str
    choose: int
    difficulty: str
    stem_html: str
    exhibits_html: str
    lead_in_html: str
    scenario: ScenarioView | None
    options: list[OptionView]
    description: str


class KeyedView(TypedDict):
    """What is shown after the answer. ``keys`` are in the author's order."""

    keys: list[str]
    trap_html: str
    explanation_html: str
    rationales: dict[str, str]
    references: list[ReferenceView]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Both halves; each is JSON as it stands."""

    open: OpenView
    keyed: KeyedView


def build_document(item: items.Item) -> Document:
    """Return the document of ``item``, with placeholders for letters still in it."""
    return Document(open=_open_view(item), keyed=_keyed_view(item))


def served_text(opened: OpenView) -> str:
    """Return what programs get of the open half, as ready JSON: an object.

    Pinning is for whoever orders options, the description for search engines.
    """
    served: dict[str, object] = {name: opened.get(name) for name in _SERVED}
    if (scenario := opened["scenario"]) is not None:
        served["scenario"] = {n: scenario.get(n) for n in ("slug", "title", "html")}
    served["options"] = [
        {"key": option["key"], "html": option["html"]} for option in opened["options"]
    ]
    text = json.dumps(served, ensure_ascii=False, separators=(",", ":"))
    # Line ends to JavaScript, which once read such text as its own.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_SERVED: Final = (
    "title",
    "kind",
    "choose",
    "difficulty",
    "scenario",
    "stem_html",
    "exhibits_html",
    "lead_in_html",
    "options",
)


def checksum(document: Document) -> str:
    """Return a SHA-256 in hex of the document and of the renderer's version."""
    content = json.dumps(
        [rendering.RENDERER_VERSION, document.open, document.keyed],
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
    )
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def render_exhibits(exhibits: Iterable[items.Exhibit]) -> str:
    """Return the figures of ``exhibits``, in order."""
    return "".join(_exhibit(exhibit) for exhibit in exhibits)


def describe(item: items.Item) -> str:
    """Return the beginning of the stem and lead-in as plain text, cut at a word."""
    stem = rendering.plain_text(item.stem, with_code=False)
    lead_in = rendering.plain_text(item.lead_in, with_code=False)
    words = f"{stem} {lead_in}".strip()
    if len(words) <= DESCRIPTION_LENGTH:
        return words
    head = words[: DESCRIPTION_LENGTH - 1]
    whole_words = head.rpartition(" ")[0] or head
    return whole_words.rstrip(" ,;:.–-") + "…"


def _open_view(item: items.Item) -> OpenView:
    return {
        "title": item.title,
        "kind": items.kind_of(item),
        "choose": items.choose_of(item),
        "difficulty": item.difficulty.value,
        "stem_html": rendering.render_block(item.stem),
        "exhibits_html": render_exhibits(item.exhibits),
        "lead_in_html": rendering.render_inline(item.lead_in),
        "scenario": _scenario_view(item.scenario),
        "options": [
            {
                "key": option.key,
                "html": rendering.render_inline(option.text),
                "is_pinned": option.is_pinned,
            }
            for option in item.options
        ],
        "description": describe(item),
    }


def _keyed_view(item: items.Item) -> KeyedView:
    return {
        "keys": [option.key for option in item.options if option.is_key],
        "trap_html": rendering.render_block(item.trap),
        "explanation_html": rendering.render_block(item.explanation),
        "rationales": {
            option.key: rendering.render_block(option.rationale)
            for option in item.options
        },
        "references": [
            {"title": reference.title, "url": reference.url}
            for reference in item.references
        ],
    }


def _scenario_view(scenario: items.Scenario | None) -> ScenarioView | None:
    if scenario is None:
        return None
    html = rendering.render_block(scenario.text) + render_exhibits(scenario.exhibits)
    return {"slug": scenario.slug, "title": scenario.title, "html": html}


def _exhibit(exhibit: items.Exhibit) -> str:
    match exhibit:
        case items.CodeExhibit():
            return rendering.render_code(
                text=exhibit.text, language=exhibit.language, caption=exhibit.caption
            )
        case items.ImageExhibit():
            return _image(exhibit)
        case _:
            assert_never(exhibit)


def _image(image: items.ImageExhibit) -> str:
    size = (
        f' width="{image.width:d}" height="{image.height:d}"'
        if image.width > 0 and image.height > 0
        else ""
    )
    caption = (
        f"<figcaption>{escape(image.caption)}</figcaption>" if image.caption else ""
    )
    html = (
        f'<figure class="exhibit"><img src="/media/{escape(image.sha256)}"'
        f' alt="{escape(image.alt)}"{size} loading="lazy">{caption}</figure>'
    )
    return rendering.guard_literal(html)
