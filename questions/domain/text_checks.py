"""What is wrong with the texts of an item, each by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from questions.domain import items, markdown, problem, rendering, wording
from questions.domain.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

TITLE_LENGTH: Final = 90
STEM_LENGTH: Final = 6_000
LEAD_IN_LENGTH: Final = 600
OPTION_LENGTH: Final = 1_000
RATIONALE_LENGTH: Final = 3_000
TRAP_LENGTH: Final = 3_000
EXPLANATION_LENGTH: Final = 8_000
SCENARIO_LENGTH: Final = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """One text of an item. ``is_markdown`` texts are rendered, others shown as typed."""

    where: str
    name: str
    text: str
    limit: int
    is_required: bool = True
    is_markdown: bool = True
    is_inline: bool = False


def _texts(item: items.Item) -> Iterator[_Text]:
    yield _Text(
        where="title",
        name="title",
        text=item.title,
        limit=TITLE_LENGTH,
        is_markdown=False,
    )
    yield _Text(where="stem", name="stem", text=item.stem, limit=STEM_LENGTH)
    yield _Text(
        where="lead_in",
        name="lead-in",
        text=item.lead_in,
        limit=LEAD_IN_LENGTH,
        is_required=False,
        is_inline=True,
    )
    for option in item.options:
        yield _Text(
            where=f"options.{option.key}.text",
            name=f"option “{option.key}”",
            text=option.text,
            limit=OPTION_LENGTH,
            is_inline=True,
        )
        yield _Text(
            where=f"options.{option.key}.rationale",
            name=f"rationale of “{option.key}”",
            text=option.rationale,
            limit=RATIONALE_LENGTH,
        )
    yield _Text(where="trap", name="trap", text=item.trap, limit=TRAP_LENGTH)
    yield _Text(
        where="explanation",
        name="explanation",
        text=item.explanation,
        limit=EXPLANATION_LENGTH,
    )
    if item.scenario is not None:
        yield _Text(
            where="scenario",
            name="scenario",
            text=item.scenario.text,
            limit=SCENARIO_LENGTH,
        )


def text_problems(item: items.Item) -> Iterator[Problem]:
    """Yield what is wrong with the texts of ``item``, each by itself."""
    for text in _texts(item):
        if text.text.strip():
            yield from _text_problems(item, text)
        elif text.is_required:
            yield Problem(
                code="text_missing",
                where=text.where,
                message=f"The {text.name} is missing. Write it.",
            )


def _text_problems(item: items.Item, text: _Text) -> Iterator[Problem]:
    if len(text.text) > text.limit:
        yield Problem(
            code="text_too_long",
            where=text.where,
            message=(
                f"The {text.name} has {len(text.text):,} characters; at most"
                f" {text.limit:,} are allowed. Shorten it."
            ),
        )
        return
    for name in wording.unprintable(text.text):
        yield Problem(
            code="control_character",
            where=text.where,
            message=f"The {text.name} holds the character {name}, which no page can show."
            " Delete it.",
        )
    if not text.is_markdown:
        yield from _wording_problems(item, text, text.text)
        return
    if not markdown.is_parsed(text.text):
        yield Problem(
            code="too_many_brackets",
            where=text.where,
            message=f"The {text.name} has more than {markdown.MAX_BRACKETS:,} “[” and"
            " isn't read as Markdown. Shorten it.",
        )
        return
    parse = markdown.parse_inline if text.is_inline else markdown.parse_block
    tokens = parse(text.text)
    yield from _wording_problems(item, text, wording.prose(tokens))
    yield from _placeholder_problems(item, text, tokens)
    yield from _markup_problems(text, tokens)


def _placeholder_problems(
    item: items.Item, text: _Text, tokens: Sequence[Token]
) -> Iterator[Problem]:
    keys = {option.key for option in item.options}
    for token in markdown.leaves(tokens):
        if token.type == "option_placeholder" and token.content not in keys:
            yield Problem(
                code="placeholder_unknown",
                where=text.where,
                message=(
                    f"“{{{{option:{token.content}}}}}” names no option of this question."
                    f" Its options are {', '.join(sorted(keys))}."
                ),
            )


def _markup_problems(text: _Text, tokens: Sequence[Token]) -> Iterator[Problem]:
    for quote in wording.markdown_images(tokens):
        yield Problem(
            code="image_in_text",
            where=text.where,
            message=f"“{quote}” isn't shown. Add the picture as an exhibit, with words"
            " for those who can't see it.",
        )
    for quote in wording.unread_links(tokens):
        yield Problem(
            code="link_refused",
            where=text.where,
            message=f"“{quote}” isn't shown as a link. Link to an address that begins"
            " with https://, or put the text in backquotes.",
        )
    if wording.has_open_fence(tokens, text.text):
        yield Problem(
            code="fence_open",
            where=text.where,
            message=f"A block of code in the {text.name} never ends. Close it with a line"
            " of ```.",
        )
    for quote in wording.lost_cells(tokens, text.text):
        yield Problem(
            code="cells_lost",
            where=text.where,
            message=f"The table row “{quote[:80]}” has more cells than the table has"
            " columns. Add a column, or write \\| for a stroke that belongs to the text.",
        )
    for quote in wording.lost_underscores(tokens):
        yield problem.advice(
            "underscores_lost",
            text.where,
            f"“{quote}” is shown in bold, without its underscores. Put it in backquotes,"
            " or write ** for bold.",
        )
    for quote in wording.unreadable_formulas(tokens):
        yield problem.advice(
            "formula_unread",
            text.where,
            f"“${quote}$” isn't LaTeX that can be shown as a formula, and is shown as"
            " written. Mend it, or write \\$ for a dollar sign.",
        )


def _wording_problems(item: items.Item, text: _Text, prose: str) -> Iterator[Problem]:
    for quote in dict.fromkeys(wording.letter_references(prose)):
        yield Problem(
            code="letter_reference",
            where=text.where,
            message=(
                f"“{quote}” names an option by its letter, which differs from learner to"
                f" learner. Write {_suggestion(item, quote)} instead."
            ),
        )
    for quote in dict.fromkeys(wording.malformed_placeholders(prose)):
        yield Problem(
            code="placeholder_malformed",
            where=text.where,
            message=(
                f"“{quote}” can't be filled in here."
                + (
                    " Write {{option:KEY}} with the key of an option: lower-case, no"
                    " spaces."
                    if text.is_markdown
                    else f" The {text.name} can't speak of an option."
                )
            ),
        )


def _suggestion(item: items.Item, quote: str) -> str:
    """Return the placeholders that a reference by letter probably means."""
    letters = re.findall(r"\b[A-H]\b|(?<=\()[a-h](?=\))", quote)
    places = [rendering.LETTERS.index(letter.upper()) for letter in letters]
    keys = [item.options[place].key for place in places if place < len(item.options)]
    return " and ".join(f"{{{{option:{key}}}}}" for key in keys or ["KEY"])
