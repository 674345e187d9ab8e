"""What is wrong with an item? A list of problems, each with its mend.

The rules are those on which the item-writing literature agrees (Haladyna, Downing &
Rodriguez, *A Review of Multiple-Choice Item-Writing Guidelines*, 2002), as far as a
machine can see to them. ``BLOCKING`` keeps an item from being published; ``ADVICE`` is
for the author to weigh.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from questions.domain import (
    highlighting,
    items,
    option_checks,
    problem,
    rendering,
    text_checks,
    wording,
)
from questions.domain.problem import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Problem", "Severity", "blocking", "is_web_address", "problems"]

CODE_LENGTH: Final = 10_000
CAPTION_LENGTH: Final = 200
ALT_LENGTH: Final = 1_000

_COUNT_WORDS: Final = {"two": 2, "three": 3, "four": 4, "five": 5}
_ASKED_COUNT: Final = re.compile(
    r"\b(?:which|choose|select|pick)\s+(?:the\s+)?(two|three|four|five)\b(?!-)",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(r"\b(?:not|except|least)\b")


def problems(item: items.Item) -> list[Problem]:
    """Return everything wrong with ``item``, what blocks first; empty when all is well."""
    found = [
        *text_checks.text_problems(item),
        *option_checks.key_problems(item),
        *option_checks.option_problems(item),
        *_title_problems(item),
        *_reference_problems(item),
        *_exhibit_problems(item),
        *_advice(item),
    ]
    return sorted(found, key=lambda each: each.severity is Severity.ADVICE)


def blocking(found: list[Problem]) -> list[Problem]:
    """Return those of ``found`` that keep an item from being published."""
    return [each for each in found if each.severity is Severity.BLOCKING]


def _title_problems(item: items.Item) -> Iterator[Problem]:
    title = _words(item.title)
    for option in item.options:
        words = _words(option.text[: text_checks.OPTION_LENGTH])
        if option.is_key and words.strip() and words in title:
            yield Problem(
                code="title_tells",
                where="title",
                message=f"The title contains the right option “{option.key}”. Name the"
                " situation instead.",
            )
    if "\n" in item.title:
        yield Problem(
            code="title_form",
            where="title",
            message="The title has several lines. Write it on one.",
        )


def _reference_problems(item: items.Item) -> Iterator[Problem]:
    if not item.references:
        yield Problem(
            code="no_reference",
            where="references",
            message="There is no reference. Add a page, best the vendor's, that bears the"
            " explanation out.",
        )
    for place, reference in enumerate(item.references, start=1):
        if not reference.title.strip():
            yield Problem(
                code="text_missing",
                where=f"references.{place}.title",
                message=f"Reference {place} has no title. Write what the page is called.",
            )
        if not is_web_address(reference.url):
            yield Problem(
                code="reference_url",
                where=f"references.{place}.url",
                message=f"“{reference.url[:80]}” is no web address. Write it in full,"
                " beginning with https://.",
            )


def _words(text: str) -> str:
    words = re.findall(r"\w+", rendering.plain_text(text).casefold())
    return f" {' '.join(words)} "


def is_web_address(url: str) -> bool:
    """Say whether ``url`` has the form of a web address that a page may link to."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        is_port_fine = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return (
        parts.scheme in {"http", "https"}
        and re.fullmatch(r"[\w-]+(\.[\w-]+)+", host) is not None
        and is_port_fine
        and parts.username is None
        and not re.search(r"[\s<>\"\\^`{|}\x00-\x1f]", url)
    )


def _exhibit_problems(item: items.Item) -> Iterator[Problem]:
    own = [(f"exhibits.{place}", e) for place, e in enumerate(item.exhibits, start=1)]
    shared = item.scenario.exhibits if item.scenario is not None else ()
    own += [
        (f"scenario.exhibits.{place}", e) for place, e in enumerate(shared, start=1)
    ]
    for where, exhibit in own:
        if isinstance(exhibit, items.CodeExhibit):
            yield from _code_problems(exhibit, where)
        elif not exhibit.alt.strip():
            yield Problem(
                code="image_without_words",
                where=f"{where}.alt",
                message="The picture has no text alternative. Say in words what it shows,"
                " without saying what follows from it.",
            )
        if len(exhibit.caption) > CAPTION_LENGTH:
            yield Problem(
                code="text_too_long",
                where=f"{where}.caption",
                message=f"The caption has {len(exhibit.caption)} characters; at most"
                f" {CAPTION_LENGTH} are allowed.",
            )


def _code_problems(exhibit: items.CodeExhibit, where: str) -> Iterator[Problem]:
    if not exhibit.text.strip():
        yield Problem(
            code="text_missing",
            where=f"{where}.code",
            message="The exhibit has no code in it. Write it, or remove the exhibit.",
        )
    if len(exhibit.text) > CODE_LENGTH:
        yield Problem(
            code="text_too_long",
            where=f"{where}.code",
            message=f"The code has {len(exhibit.text):,} characters; at most"
            f" {CODE_LENGTH:,} are allowed. Show the part that matters.",
        )
    for name in wording.unprintable(exhibit.text):
        yield Problem(
            code="control_character",
            where=f"{where}.code",
            message=f"The code holds the character {name}, which no page can show."
            " Delete it.",
        )
    if not highlighting.is_known_language(exhibit.language):
        yield problem.advice(
            "language_unknown",
            f"{where}.language",
            f"“{exhibit.language}” isn't highlighted. Known are"
            f" {', '.join(sorted(highlighting.LANGUAGES))} and text.",
        )


def _advice(item: items.Item) -> Iterator[Problem]:
    if not item.lead_in.strip():
        yield problem.advice(
            "no_lead_in",
            "lead_in",
            "There is no lead-in. Put the question asked in a sentence of its own.",
        )
    asked = _ASKED_COUNT.search(item.lead_in)
    if asked and _COUNT_WORDS[asked[1].lower()] != items.choose_of(item):
        yield problem.advice(
            "count_disagrees",
            "lead_in",
            f"The lead-in says “{asked[0]}”, but {items.choose_of(item)} is to be chosen.",
        )
    negation = _NEGATION.search(item.lead_in)
    if negation:
        yield problem.advice(
            "negation_unmarked",
            "lead_in",
            f"The lead-in turns on “{negation[0]}”, which is easily read over. Ask it the"
            f" other way round, or write **{negation[0].upper()}**.",
        )
    yield from option_checks.tell_advice(item)
