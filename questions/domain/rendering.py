"""Markdown to the HTML that pages show: sanitised, without styles, ids or scripts.

Nothing here depends on the order in which a learner sees the options: placeholders
for letters stay in the HTML until ``fill_letters`` puts an order in.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final

import nh3
from markdown_it.renderer import RendererHTML

from questions.domain import highlighting, markdown, mathematics
from questions.domain.placeholders import OPTION_KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

RENDERER_VERSION: Final = 1
"""Raised whenever the same text gives other HTML, so that documents are rebuilt."""

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# Two noncharacters stand around the key of a placeholder while the HTML is made.
# A text can't hold them: they are replaced before anything else.
_OPEN: Final = "\ufdd0"
_CLOSE: Final = "\ufdd1"
_RESERVED: Final = str.maketrans({_OPEN: "\ufffd", _CLOSE: "\ufffd", "\x00": "\ufffd"})
_FILLABLE: Final = re.compile(r"\{\{option:(" + OPTION_KEY + r")\}\}")

_HTML_ELEMENTS: Final = frozenset(
    [
        "a",
        "b",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "figcaption",
        "figure",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_CLEANER: Final = nh3.Cleaner(
    tags=set(_HTML_ELEMENTS | mathematics.ELEMENTS),
    attributes={
        "a": {"href"},
        "div": {"aria-label"},
        "ol": {"start"},
        **{
            element: set(mathematics.ATTRIBUTES)
            for element in mathematics.ELEMENTS - {"math"}
        },
    },
    tag_attribute_values={
        "div": {"role": {"group"}, "tabindex": {"0"}},
        "math": {"display": {"block", "inline"}},
        "pre": {"tabindex": {"0"}},
        "th": {"scope": {"col"}},
    },
    allowed_classes={
        "code": {"code", "code-lines"},
        "div": {"table-wrap"},
        "figure": {"code"},
        "span": {"k", "s", "c"},
        "table": {"table", "table-sunk"},
        "td": {"n"},
        "th": {"n"},
    },
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener",
    strip_comments=True,
)


def render_block(text: str) -> str:
    """Return the HTML of a stem, trap, explanation, rationale or scenario."""
    if not markdown.is_parsed(text):
        return _finished(_plain_paragraph(text))
    tokens = markdown.parse_block(text.translate(_RESERVED))
    return _finished(_BLOCK_RENDERER.render(tokens, markdown.BLOCK.options, {}))


def render_inline(text: str) -> str:
    """Return the phrasing HTML of an option or a lead-in, fit for a label.

    Lines are kept; fenced code becomes ``<code class="code code-lines">``.
    """
    if not markdown.is_parsed(text):
        return _finished(escape(text.translate(_RESERVED), quote=False))
    tokens = markdown.parse_inline(text.translate(_RESERVED))
    html = _INLINE_RENDERER.render(tokens, markdown.INLINE.options, {})
    return _finished(html.removesuffix("<br>"))


def render_code(*, text: str, language: str, caption: str) -> str:
    """Return the figure of a code exhibit."""
    return _finished(_code_figure(text.translate(_RESERVED), language, caption))


def fill_letters(html: str, order: Sequence[str]) -> str:
    """Return ``html`` with each placeholder replaced by its letter in ``order``.

    ``order`` holds the options' keys as the learner sees them. An option that isn't
    among them is shown as a question mark.
    """
    letters = dict(zip(order, LETTERS, strict=False))

    def letter(match: re.Match[str]) -> str:
        return f'<b class="letter">{letters.get(match[1], "?")}</b>'

    return _FILLABLE.sub(letter, html)


def guard_literal(html: str) -> str:
    """Return ``html`` with what looks like a placeholder made safe from filling."""
    return html.replace("{{option:", "&#123;&#123;option:")


@lru_cache(maxsize=1024)  # checks, search and likeness each ask for the same texts
def plain_text(text: str, *, with_code: bool = True) -> str:
    """Return the words of a Markdown text on one line, for search and descriptions.

    Placeholders are left out; with ``with_code`` false, so is fenced code.
    """
    if not markdown.is_parsed(text):
        return " ".join(text.split())
    words = (
        _plain(token, with_code=with_code)
        for token in markdown.leaves(markdown.parse_block(text.translate(_RESERVED)))
    )
    return " ".join("".join(words).split())


def _plain(token: Token, *, with_code: bool) -> str:
    if token.type == "option_placeholder":
        return ""
    if token.type == "fence":
        return f" {token.content} " if with_code else " "
    if token.type in {"text", "text_special", "code_inline"}:
        return token.content
    if token.type.startswith("math_"):
        return token.content
    is_inside_a_word = token.type in {"em_open", "em_close", "strong_open"} or (
        token.type in {"strong_close", "link_open", "link_close"}
    )
    return "" if is_inside_a_word else " "


def _finished(html: str) -> str:
    """Return ``html`` sanitised, with its placeholders in their final form."""
    clean = guard_literal(_CLEANER.clean(html))
    return clean.replace(_OPEN, "{{option:").replace(_CLOSE, "}}")


def _plain_paragraph(text: str) -> str:
    return f"<p>{escape(text.translate(_RESERVED), quote=False)}</p>"


def _code_figure(text: str, language: str, caption: str) -> str:
    heading = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    code = highlighting.highlight(text=text.rstrip("\n"), language=language)
    # A parser drops the first line break of <pre>; this one is there to be dropped.
    return f'<figure class="code">{heading}<pre tabindex="0">\n{code}</pre></figure>'


class _Renderer(RendererHTML):
    """What differs from the library: no attributes but those of the site's styles."""

    def option_placeholder(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return f"{_OPEN}{tokens[idx].content}{_CLOSE}"

    def math_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return mathematics.to_mathml(latex=tokens[idx].content, is_display=False)

    def math_display(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return mathematics.to_mathml(latex=tokens[idx].content, is_display=True)

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return f'<a href="{escape(str(tokens[idx].attrGet("href") or ""))}">'

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        language, _, caption = tokens[idx].info.strip().partition(" ")
        return _code_figure(tokens[idx].content, language, caption.strip())


class _BlockRenderer(_Renderer):
    def math_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        html = mathematics.to_mathml(latex=tokens[idx].content, is_display=True)
        return f"<p>{html}</p>\n"

    # A heading inside a text would break the outline of the page it is shown on, at a
    # level that differs from page to page; a line in bold can't.
    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "<p><strong>"

    def heading_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</strong></p>\n"

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        label = escape(_table_label(tokens, idx))
        return (
            f'<div class="table-wrap" tabindex="0" role="group" aria-label="{label}">'
            '<table class="table table-sunk">\n'
        )

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</table></div>\n"

    def th_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return f'<th scope="col"{_numeric_class(tokens[idx])}>'

    def td_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return f"<td{_numeric_class(tokens[idx])}>"


class _InlineRenderer(_Renderer):
    def paragraph_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return ""

    def paragraph_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "<br>"

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        language = tokens[idx].info.strip().partition(" ")[0]
        text = tokens[idx].content.rstrip("\n")
        code = highlighting.highlight(text=text, language=language)
        return f'<code class="code code-lines">{code}</code>'


def _table_label(tokens: Sequence[Token], start: int) -> str:
    """Return a name for the table that begins at ``start``: its column headers."""
    headers = []
    for token in tokens[start:]:
        if token.type == "thead_close":
            break
        if token.type == "inline":
            words = "".join(
                leaf.content
                for leaf in markdown.leaves([token])
                if leaf.type != "option_placeholder"
            )
            headers.append(words.strip())
    return "Table: " + ", ".join(filter(None, headers)) if any(headers) else "Table"


def _numeric_class(token: Token) -> str:
    style = str(token.attrGet("style") or "")
    return ' class="n"' if style.endswith("right") else ""


_BLOCK_RENDERER: Final = _BlockRenderer()
_INLINE_RENDERER: Final = _InlineRenderer()
