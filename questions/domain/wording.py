"""What may not, or should not, be said in the words of an item.

Each function looks at one text and yields what it finds as it was written, so that a
message can quote it. Code, formulas and addresses are left out: only prose is read.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from questions.domain import markdown, mathematics

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

OBJECT: Final = "\ufffc"
"""Stands in prose for what isn't prose: code, a formula, a placeholder."""

ABSOLUTE_WORDS: Final = re.compile(
    r"\b(?:always|never|every|none|impossible|completely|entirely|absolutely"
    r"|guarantees?|guaranteed|under no circumstances|in all cases)\b",
    re.IGNORECASE,
)

# What may follow a letter that names an option: not "-tree", "/B test", "++", "'s".
_ENDS: Final = r"(?![\w'’+#/-]|\.\w|\s+(?i:test|experiment))"
_LETTERS: Final = (
    r"\(?[A-H]\)?(?:(?:\s*[,/&]\s*|\s+(?:and|or|nor)\s+|,\s*(?:and|or)\s+)\(?[A-H]\)?)*"
)
_VERDICT: Final = (
    r"(?:correct|right|wrong|incorrect|true|false|best|better|invalid|valid"
    r"|eliminated|ruled out|(?:the|a) (?:\w+ )?(?:answer|key|distractor|choice|option)s?)"
)
_LETTER_REFERENCES: Final = re.compile(
    # (B), but not f(B) or (A/B test)
    r"(?<![\w)\]])\([A-H]\)"
    # option C, choices A and C, answer (b)
    rf"|\b(?i:options?|answers?|choices?|distractors?|alternatives?)\s+(?:{_LETTERS}"
    rf"|\([a-h]\)){_ENDS}"
    # Answer: B; the correct answer is B
    rf"|\b(?i:answers?|correct (?:option|choice|one)s?)\s*(?::|\bis\b|\bare\b)\s*"
    rf"{_LETTERS}{_ENDS}"
    # B is correct; A and C are wrong: at the start of a clause, so not "plan B is wrong"
    rf"|(?:(?<=[.;:!?,(–—]\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bso\s)|(?<=\bthat\s)"
    rf"|(?<=\bbecause\s)|(?<=\bwhile\s)|(?<=\bonly\s)|^)"
    rf"{_LETTERS}\s+(?:is|are|was|were|isn[’']t|aren[’']t|would be|can[’']t be)\s+"
    rf"(?:(?:not|also|only|therefore|clearly|both)\s+)*{_VERDICT}\b",
    re.MULTILINE,
)
_CATCH_ALL: Final = re.compile(
    r"(?:all|none|any|both|neither|either|two|some|each)(?: of)?"
    r" (?:the |these |those )?(?:above|(?:other |given |listed )?(?:options|answers"
    r"|choices)|these|those|others)\b",
    re.IGNORECASE,
)
_LETTERS_ONLY: Final = re.compile(
    r"(?:both |either |neither )?[A-H](?:(?:,| and| or| nor|, and|, or) ?[A-H])+"
    r"(?: only| are (?:both )?correct)?\.?",
    re.IGNORECASE,
)
_MALFORMED_PLACEHOLDER: Final = re.compile(
    r"\{\{?\s*options?\s*[:.=][^}\n]{0,60}\}?\}?", re.IGNORECASE
)
_NONCHARACTER: Final = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_MARKDOWN_IMAGE: Final = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_UNREAD_LINK: Final = re.compile(
    r"(?<![\w\])])\[[^\]\n]+\]\(\s*([a-z][a-z0-9+.-]*:|/)[^)\n]*\)", re.IGNORECASE
)


def prose(tokens: Sequence[Token]) -> str:
    """Return the words of parsed Markdown, one line a block."""
    return "".join(_prose(token) for token in markdown.leaves(tokens)).strip()


def letter_references(text: str) -> Iterator[str]:
    """Yield what names an option by its letter, as in “option C”."""
    for match in _LETTER_REFERENCES.finditer(text):
        yield match[0].strip()


def is_catch_all(text: str) -> bool:
    """Say whether an option speaks of the others: “All of the above”."""
    words = " ".join(text.split())
    return bool(_CATCH_ALL.match(words) or _LETTERS_ONLY.fullmatch(words))


def malformed_placeholders(text: str) -> Iterator[str]:
    """Yield what was meant as a placeholder but isn't one: ``{{ option:A }}``."""
    for match in _MALFORMED_PLACEHOLDER.finditer(text):
        yield match[0]


def markdown_images(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield pictures written in Markdown, which aren't shown."""
    for match in _MARKDOWN_IMAGE.finditer(prose(tokens)):
        yield match[0]
    parts = list(markdown.leaves(tokens))
    for part, following in pairwise(parts):
        if following.type == "link_open" and part.content.endswith("!"):
            yield f"![…]({following.attrGet('href')})"


def unread_links(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield links to anything but the web or mail, which are shown as text."""
    for match in _UNREAD_LINK.finditer(prose(tokens)):
        if not match.string[: match.start()].endswith("!"):
            yield match[0]


def unreadable_formulas(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield formulas that aren't LaTeX as the renderer knows it."""
    for token in markdown.leaves(tokens):
        if token.type.startswith("math_") and mathematics.to_mathml(
            latex=token.content, is_display=False
        ).startswith("<code>"):
            yield token.content


def lost_cells(tokens: Sequence[Token], text: str) -> Iterator[str]:
    """Yield the rows of tables that have more cells than columns: those aren't shown."""
    lines = text.replace("\r\n", "\n").split("\n")
    columns = 0
    for token in tokens:
        if token.type == "table_open":
            columns = 0
        elif token.type == "th_open":
            columns += 1
        elif token.type == "tr_open" and columns and token.map:
            row = lines[token.map[0]].strip(" >\t")
            if len(_CELL_END.findall(row.strip("|"))) + 1 > columns:
                yield row


def lost_underscores(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield words such as ``__init__``, shown in bold without their underscores."""
    parts = list(markdown.leaves(tokens))
    for part, following in pairwise(parts):
        if part.type == "strong_open" and part.markup == "__":
            yield f"__{following.content}__"


def has_open_fence(tokens: Sequence[Token], text: str) -> bool:
    """Say whether a block of code that begins in ``text`` never ends."""
    lines = text.replace("\r\n", "\n").split("\n")
    return any(
        token.type == "fence" and token.map is not None and _is_open(token, lines)
        for token in tokens
    )


def unprintable(text: str) -> Iterator[str]:
    """Yield the names of characters that no text may hold: controls and the like."""
    for character in sorted(set(text)):
        category = unicodedata.category(character)
        is_control = category == "Cc" and character not in "\t\n"
        if is_control or category == "Cs" or _NONCHARACTER.match(character):
            yield f"U+{ord(character):04X}"


def _is_open(fence: Token, lines: Sequence[str]) -> bool:
    start, end = fence.map or [0, 0]
    closing = lines[end - 1].lstrip(" >\t").rstrip() if end <= len(lines) else ""
    return (
        end - 1 <= start
        or not closing.startswith(fence.markup)
        or bool(closing.strip(fence.markup[0]))
    )


def _prose(token: Token) -> str:
    if token.type in {"text", "text_special"}:
        return token.content
    if token.type in {"code_inline", "option_placeholder"} or (
        token.type.startswith("math_")
    ):
        return OBJECT
    if token.type == "fence":
        return f"{OBJECT}\n"
    is_break = token.type in {"softbreak", "hardbreak"}
    is_block_end = token.block and token.nesting == -1
    return "\n" if is_block_end else " " if is_break else ""
