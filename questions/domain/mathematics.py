"""LaTeX to MathML, without exceptions: what can't be read is shown as written."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from latex2mathml.converter import convert_to_element

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_LATEX: Final = 2_000
MAX_BRACES: Final = 40

ELEMENTS: Final = frozenset(
    [
        "math",
        "menclose",
        "mfrac",
        "mi",
        "mmultiscripts",
        "mn",
        "mo",
        "mover",
        "mpadded",
        "mphantom",
        "mprescripts",
        "mroot",
        "mrow",
        "ms",
        "mspace",
        "msqrt",
        "mstyle",
        "msub",
        "msubsup",
        "msup",
        "mtable",
        "mtd",
        "mtext",
        "mtr",
        "munder",
        "munderover",
        "none",
    ]
)
ATTRIBUTES: Final = frozenset(
    [
        "accent",
        "accentunder",
        "columnalign",
        "columnlines",
        "columnspacing",
        "depth",
        "displaystyle",
        "fence",
        "form",
        "height",
        "largeop",
        "linethickness",
        "lspace",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "notation",
        "rowlines",
        "rowspacing",
        "rspace",
        "scriptlevel",
        "separator",
        "stretchy",
        "symmetric",
        "voffset",
        "width",
    ]
)
_NUMERIC_ENTITY: Final = re.compile(r"&#x([0-9A-Fa-f]{1,6});")


def to_mathml(*, latex: str, is_display: bool) -> str:
    """Return MathML for ``latex``, or its source in ``<code>`` if it can't be read."""
    if len(latex) > MAX_LATEX or latex.count("{") > MAX_BRACES:
        return _source(latex, is_display=is_display)
    display = "block" if is_display else "inline"
    try:
        return _serialized(convert_to_element(latex, display=display))
    except Exception:  # noqa: BLE001  # the converter raises whatever its code meets
        return _source(latex, is_display=is_display)


def _source(latex: str, *, is_display: bool) -> str:
    mark = "$$" if is_display else "$"
    return f"<code>{escape(mark + latex + mark, quote=False)}</code>"


def _serialized(element: Element) -> str:
    # The converter's own writer leaves "<" in \text{…} unescaped.
    children = "".join(_serialized(child) for child in element)
    content = _text(element.text) + children
    if element.tag == "math":
        return f'<math display="{element.get("display", "inline")}">{content}</math>'
    if element.tag not in ELEMENTS:
        return content + _text(element.tail)
    attributes = "".join(
        f' {name}="{escape(value)}"'
        for name, value in element.attrib.items()
        if name in ATTRIBUTES
    )
    tag = element.tag
    return f"<{tag}{attributes}>{content}</{tag}>{_text(element.tail)}"


def _text(text: str | None) -> str:
    decoded = _NUMERIC_ENTITY.sub(_character, text or "")
    return escape(decoded, quote=False)


def _character(match: re.Match[str]) -> str:
    try:
        character = chr(int(match[1], 16))
    except ValueError:
        return ""
    return character if character.isprintable() or character.isspace() else ""
