"""Values to YAML text in one canonical way, pleasant to read and to compare.

A text of several lines is a literal block, a long one of one line a folded block, a
short one plain or in quotes. Reading gives back exactly the text written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import yaml

WIDTH: Final = 88
STEP: Final = "  "

# What the two YAML readers in use agree to take as it is. Line separators and the byte
# order mark are left out: some readers take them for the end of a line.
_PRINTABLE: Final = re.compile(
    "[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    "\U00010000-\U0010ffff]*"
)
_PLAIN_START: Final = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`.=<~]")
_LOOKS_NUMERIC: Final = re.compile(r"[-+.\d][\d_.,:eExXoO+\-/]*")
_FOLD: Final = re.compile(r"(?<=[^ \t]) (?=[^ \t])")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(frozen=True, slots=True)
class Bare:
    """A number, a day, true: written without quotes whatever it looks like."""

    text: str


Value: TypeAlias = "str | Bare | Sequence[Value] | Mapping[str, Value]"


def write_fields(fields: Mapping[str, Value]) -> str:
    """Return a document of fields, in the order given; empty values are left out."""
    return "\n".join(_fields(fields, "")) + "\n"


def _fields(fields: Mapping[str, Value], indent: str) -> list[str]:
    lines: list[str] = []
    for name, value in fields.items():
        if _is_empty(value):
            continue
        key = f"{indent}{_quoted(name)}:"
        if isinstance(value, Bare):
            lines.append(f"{key} {value.text}")
        elif isinstance(value, str):
            lines += _text(key, value, indent)
        elif isinstance(value, Mapping):
            lines += [key, *_fields(value, indent + STEP)]
        else:
            lines += [key, *_items(value, indent + STEP)]
    return lines


def _items(values: Sequence[Value], indent: str) -> list[str]:
    lines: list[str] = []
    for value in values:
        if isinstance(value, Mapping):
            first, *rest = _fields(value, indent + STEP) or ["{}"]
            lines += [f"{indent}- {first.removeprefix(indent + STEP)}", *rest]
        elif isinstance(value, str):
            lines.append(f"{indent}- {_quoted(value)}")
    return lines


def _text(key: str, text: str, indent: str) -> list[str]:
    inner = indent + STEP
    if "\n" in text and _is_literal(text):
        # A first line that begins with a space hides how deep the block is indented.
        mark = f"|{len(STEP)}" if text[0] in " \t\n" else "|"
        body = [f"{inner}{line}" if line else "" for line in text.split("\n")]
        return [f"{key} {mark}", *body]
    if "\n" not in text and len(f"{key} {text}") > WIDTH and _is_foldable(text):
        return [f"{key} >-", *_folded(text, inner)]
    return [f"{key} {_quoted(text)}"]


def _folded(text: str, indent: str) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in _FOLD.split(text):
        if line and len(f"{indent}{line} {word}") > WIDTH:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, indent + line]


def _quoted(text: str) -> str:
    if _is_plain(text):
        return text
    if "\n" not in text and "\t" not in text and _PRINTABLE.fullmatch(text):
        return (
            "'" + text.replace("'", "''") + "'"
            if '"' in text
            else f'"{_escaped(text)}"'
        )
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character) or _shown(character) for character in text)


def _shown(character: str) -> str:
    if _PRINTABLE.fullmatch(character):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004


def _is_empty(value: Value) -> bool:
    return not isinstance(value, Bare) and not value


def _is_plain(text: str) -> bool:
    return bool(
        _PLAIN_START.match(text)
        and text == text.strip()
        and "\n" not in text
        and "\t" not in text
        and ": " not in text
        and " #" not in text
        and not text.endswith(":")
        and _PRINTABLE.fullmatch(text)
        and not _LOOKS_NUMERIC.fullmatch(text)
        and not _is_typed(text)
    )


def _is_literal(text: str) -> bool:
    has_blank_line_of_spaces = any(
        line and not line.strip() for line in text.split("\n")
    )
    return bool(
        _PRINTABLE.fullmatch(text)
        and not has_blank_line_of_spaces
        and text.strip()
        and not text.endswith("\n")
    )


def _is_foldable(text: str) -> bool:
    return bool(
        _PRINTABLE.fullmatch(text)
        and _FOLD.search(text)
        and text[0] not in " \t"
        and text[-1] not in " \t"
    )


def _is_typed(text: str) -> bool:
    """Say whether YAML readers would take a plain ``text`` for more than a text."""
    patterns = yaml.SafeLoader.yaml_implicit_resolvers.get(text[0], [])
    return any(pattern.match(text) for _, pattern in patterns)
