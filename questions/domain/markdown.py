"""The dialect of Markdown that the bank is written in.

CommonMark with tables and LaTeX, less everything by which characters that an author
typed could disappear or turn into something else: raw HTML, HTML entities, autolinks,
indented code, link definitions. ``<tag>``, ``&lt;`` and ``AT&T`` are shown as written.

Two parsers: ``BLOCK`` for texts of several paragraphs, and ``INLINE`` for options and
lead-ins, where ``1.``, ``-``, ``#`` and ``>`` at the start of a line are themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import link

from questions.domain.placeholders import PLACEHOLDER, is_option_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_SOURCE: Final = 20_000
"""Characters. A longer text isn't parsed."""

MAX_BRACKETS: Final = 1_000
"""Opening square brackets. The parser's time grows with their square."""

# Dollars as in pandoc: no space inside, and nothing of a word or number outside, so
# that "$5 and $6" and "$HOME:$PATH" stay money and variables. A single dollar never
# looks beyond the next one, which keeps the scan linear.
_MATH: Final = re.compile(
    r"\$\$(?P<display>(?:[^$\\]|\\.){1,2000}?)\$\$"
    r"|\$(?!\s)(?P<inline>(?:[^$\\\n]|\\.|\n(?!\s)){1,2000}?)(?<!\s)\$(?![0-9A-Za-z$])",
    re.DOTALL,
)
_NOWHERE: Final = re.compile(
    r"\]\(\s*(?:<\s*>\s*)?(?:\"[^\"]*\"|'[^']*'|\([^()]*\))?\s*\)"
)
_SAFE_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\s]+", re.IGNORECASE)


def is_parsed(text: str) -> bool:
    """Say whether ``text`` is read as Markdown, and not shown as it stands."""
    return len(text) <= MAX_SOURCE and text.count("[") <= MAX_BRACKETS


def parse_block(text: str) -> list[Token]:
    """Return the tokens of a text of paragraphs, lists, tables and code."""
    return BLOCK.parse(text)


def parse_inline(text: str) -> list[Token]:
    """Return the tokens of an option or a lead-in: paragraphs and fenced code only."""
    return INLINE.parse(text)


def leaves(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens that hold text, in reading order."""
    for token in tokens:
        if token.children is None:
            yield token
        else:
            yield from leaves(token.children)


def _placeholder(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # library's signature
    match = PLACEHOLDER.match(state.src, state.pos, state.posMax)
    if match is None or not is_option_key(match[1]):
        return False
    if not silent:
        token = state.push("option_placeholder", "", 0)
        token.content = match[1]
    state.pos = match.end()
    return True


def _link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # library's signature
    # A link to nowhere would show its words and lose its brackets: rows[0]().
    if state.src[state.pos] != "[":
        return False
    if _NOWHERE.search(state.src, state.pos):
        end = state.md.helpers.parseLinkLabel(state, state.pos, disableNested=True)
        if end >= 0 and _NOWHERE.match(state.src, end):
            return False
    return link(state, silent)


def _math_inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # library's signature
    if state.src[state.pos] != "$":
        return False
    if state.pos > 0 and state.src[state.pos - 1].isalnum():
        return False
    match = _MATH.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        is_display = match["display"] is not None
        token = state.push("math_display" if is_display else "math_inline", "", 0)
        token.content = (match["display"] if is_display else match["inline"]).strip()
    state.pos = match.end()
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  # library's signature
    first = _line(state, start)
    if not first.startswith("$$"):
        return False
    last = start
    content = first[2:]
    while not content.endswith("$$"):
        last += 1
        if last >= end or state.isEmpty(last) or state.sCount[last] < state.blkIndent:
            return False
        content += "\n" + _line(state, last)
    content = content[:-2].strip()
    if not content or "$$" in content:
        return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.content = content
        token.map = [start, last + 1]
    state.line = last + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start : state.eMarks[line]].strip()


def _is_safe_link(url: str) -> bool:
    return _SAFE_LINK.fullmatch(url) is not None


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False})
    parser.disable(
        [
            "entity",
            "html_inline",
            "html_block",
            "autolink",
            "image",
            "reference",
            "code",
        ]
    )
    parser.inline.ruler.before("escape", "option_placeholder", _placeholder)
    parser.inline.ruler.before("escape", "math", _math_inline)
    parser.inline.ruler.at("link", _link)
    parser.validateLink = _is_safe_link  # type: ignore[method-assign]
    return parser


def _block_parser() -> MarkdownIt:
    parser = _parser().enable("table")
    parser.block.ruler.before("fence", "math_block", _math_block)
    return parser


def _inline_parser() -> MarkdownIt:
    parser = _parser().disable(["blockquote", "heading", "hr", "lheading", "list"])
    parser.options["breaks"] = True
    return parser


BLOCK: Final = _block_parser()
INLINE: Final = _inline_parser()
