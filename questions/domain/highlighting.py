"""Code to HTML: three classes only, for weight, accent and italics.

``k`` is a keyword or a name that structures the text, ``s`` a string, ``c`` a
comment or a prompt. Colour carries no meaning here, so three are enough.
"""

from __future__ import annotations

from functools import cache
from html import escape
from itertools import groupby
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

MAX_HIGHLIGHTED: Final = 20_000
"""Longer code is shown without highlighting: lexers are not all linear."""

LANGUAGES: Final[dict[str, str]] = {
    "bash": "bash",
    "c": "c",
    "console": "console",
    "cpp": "cpp",
    "csharp": "csharp",
    "css": "css",
    "diff": "diff",
    "docker": "docker",
    "dockerfile": "docker",
    "go": "go",
    "hcl": "terraform",
    "html": "html",
    "http": "http",
    "ini": "ini",
    "java": "java",
    "javascript": "javascript",
    "js": "javascript",
    "json": "json",
    "kotlin": "kotlin",
    "makefile": "make",
    "nginx": "nginx",
    "php": "php",
    "powershell": "powershell",
    "protobuf": "protobuf",
    "py": "python",
    "python": "python",
    "r": "r",
    "ruby": "ruby",
    "rust": "rust",
    "scala": "scala",
    "sh": "bash",
    "shell": "bash",
    "sql": "sql",
    "terraform": "terraform",
    "toml": "toml",
    "ts": "typescript",
    "typescript": "typescript",
    "xml": "xml",
    "yaml": "yaml",
}
"""Language as an author writes it → name of the lexer."""

PLAIN_LANGUAGES: Final = frozenset({"", "text", "txt", "plain", "csv", "log"})


_CLASSES: Final = (
    ("Token.Comment", "c"),
    ("Token.Generic.Prompt", "c"),
    ("Token.Literal.String", "s"),
    ("Token.Keyword", "k"),
    ("Token.Operator.Word", "k"),
    ("Token.Name.Tag", "k"),
)


def is_known_language(language: str) -> bool:
    """Say whether ``language`` is highlighted, or known to need no highlighting."""
    return language.lower() in LANGUAGES or language.lower() in PLAIN_LANGUAGES


def highlight(*, text: str, language: str) -> str:
    """Return ``text`` as escaped HTML with ``<span class="k|s|c">`` around tokens.

    An unknown language, or a text too long, is escaped and nothing else.
    """
    lexer_name = LANGUAGES.get(language.lower())
    if lexer_name is None or len(text) > MAX_HIGHLIGHTED:
        return escape(text, quote=False)
    tokens = _lexer(lexer_name).get_tokens(text)
    parts = []
    for css_class, run in groupby(tokens, key=lambda token: _class_of(token[0])):
        words = escape("".join(value for _, value in run), quote=False)
        parts.append(
            f'<span class="{css_class}">{words}</span>' if css_class else words
        )
    return "".join(parts)


@cache
def _lexer(name: str) -> Lexer:
    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


def _class_of(token_type: object) -> str:
    name = str(token_type)
    return next((css for kind, css in _CLASSES if name.startswith(kind)), "")
