"""YAML text to a tree of strings with line numbers, and nothing cleverer.

Read from the parser's events, so that nothing is ever built that a document could use
to grow: no anchors, no aliases, no tags, no types, few levels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 10
MAX_NODES: Final = 50_000

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BOM: Final = "\ufeff"
_HINTS: Final = {
    "mapping values are not allowed": (
        " A text that contains a colon and a space must stand in quotes or in a block"
        " after “|”."
    ),
    "cannot start any token": (
        " Indent with spaces, not tabs, and put a text that begins with a special sign"
        " in quotes."
    ),
    "could not find expected ':'": " Is a colon missing, or a line not indented?",
    "expected <block end>": " Is a line indented too little or too much?",
    "tab character": " Indent with spaces, not tabs.",
    "did not find expected": (
        " Is the line indented like those beside it, and is every quote closed? A text"
        " that begins with a special sign must stand in quotes."
    ),
    "nesting depth": " A text that begins with “[” or “{” must stand in quotes.",
    "unexpected end of stream": " Is a closing quote missing?",
}


class YamlRefused(ValueError):
    """The text can't be read. ``line`` counts from 1; ``reason`` says how to mend it."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(slots=True, kw_only=True)
class Scalar:
    """A text. ``lost`` is true when a comment follows that was perhaps meant as text."""

    text: str
    line: int
    is_plain: bool = False
    lost: bool = False


@dataclass(slots=True, kw_only=True)
class Items:
    """A list."""

    line: int
    nodes: list[Node] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Fields:
    """A mapping. ``lines`` has the line of each name."""

    line: int
    nodes: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


Node: TypeAlias = Scalar | Items | Fields


def read_text(content: bytes) -> str:
    """Return the text of a file.

    Raises:
        YamlRefused: it is too large, isn't UTF-8, or holds a control character.
    """
    if len(content) > MAX_BYTES:
        raise YamlRefused(
            0,
            f"The file has {len(content):,} bytes; at most {MAX_BYTES:,} are read."
            " Divide it into several files.",
        )
    try:
        text = content.decode().removeprefix(_BOM)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise YamlRefused(
            line, f"The byte {content[error.start]:#04x} isn't UTF-8. Save it in UTF-8."
        ) from error
    control = _CONTROL.search(text)
    if control is not None:
        raise YamlRefused(
            text.count("\n", 0, control.start()) + 1,
            f"The control character U+{ord(control[0]):04X} can't stand in a text."
            " Delete it.",
        )
    return text


def read_documents(text: str) -> Iterator[Node]:
    """Yield each document of ``text``; empty ones are left out.

    Raises:
        YamlRefused: it isn't YAML, or uses what a bank file may not.
    """
    builder = _Builder(text)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            document = builder.take(event)
            if document is not None:
                yield document
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it can't be read"
        hint = next((hint for part, hint in _HINTS.items() if part in problem), "")
        raise YamlRefused(
            mark.line + 1 if mark else 0, f"This isn't YAML: {problem}.{hint}"
        ) from error
    except yaml.YAMLError as error:
        raise YamlRefused(0, f"This isn't YAML: {error}.") from error


class _Builder:
    """Builds the tree from events, with a stack instead of recursion."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._open: list[Items | Fields] = []
        self._names: list[Scalar | None] = []
        self._count = 0

    def take(self, event: yaml.Event) -> Node | None:
        """Take one event; return the document that it completes."""
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent):
            raise YamlRefused(
                line,
                f"“*{event.anchor}” repeats another part of the file. Write it out: a"
                " text that begins with “*” must stand in quotes.",
            )
        if isinstance(event, yaml.NodeEvent):
            self._refuse_specials(event, line)
        if isinstance(event, yaml.ScalarEvent):
            return self._add(self._scalar(event, line))
        if isinstance(event, yaml.SequenceStartEvent):
            self._begin(Items(line=line))
        if isinstance(event, yaml.MappingStartEvent):
            self._begin(Fields(line=line))
        if isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._names.pop()
            return self._add(self._open.pop())
        return None

    def _refuse_specials(self, event: yaml.NodeEvent, line: int) -> None:
        self._count += 1
        if self._count > MAX_NODES:
            raise YamlRefused(line, "The file has too many fields. Divide it.")
        if event.anchor is not None:
            raise YamlRefused(
                line,
                f"“&{event.anchor}” names a part of the file to repeat it. Remove it: a"
                " text that begins with “&” must stand in quotes.",
            )
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise YamlRefused(
                line,
                f"“{tag}” gives a type. Remove it: a text that begins with “!” must"
                " stand in quotes.",
            )

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> Scalar:
        if "\0" in event.value:  # written as an escape; others can be stored
            raise YamlRefused(
                line, "The control character U+0000 can't stand in a text. Delete it."
            )
        is_plain = event.style is None or event.style == ""
        rest = ""
        end = event.end_mark
        if is_plain and end is not None and end.line < len(self._lines):
            rest = self._lines[end.line][end.column :]
        return Scalar(
            text=event.value,
            line=line,
            is_plain=is_plain,
            lost=rest.lstrip().startswith("#") and bool(event.value),
        )

    def _begin(self, node: Items | Fields) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise YamlRefused(node.line, "The file is nested too deeply.")
        if (
            self._open
            and isinstance(self._open[-1], Fields)
            and self._names[-1] is None
        ):
            raise YamlRefused(
                node.line,
                "A field's name must be a word. A text that begins with “{” or “[”"
                " must stand in quotes.",
            )
        self._open.append(node)
        self._names.append(None)

    def _add(self, node: Node) -> Node | None:
        if not self._open:
            is_empty = isinstance(node, Scalar) and node.is_plain and not node.text
            return None if is_empty else node
        parent = self._open[-1]
        if isinstance(parent, Items):
            parent.nodes.append(node)
            return None
        name = self._names[-1]
        if name is not None:
            parent.nodes[name.text] = node
            self._names[-1] = None
        elif isinstance(node, Scalar):
            self._name(parent, node)
        return None

    def _name(self, parent: Fields, name: Scalar) -> None:
        if name.text in parent.nodes:
            raise YamlRefused(
                name.line,
                f"“{name.text}” stands here twice; it is first on line"
                f" {parent.lines[name.text]}. Remove one.",
            )
        self._names[-1] = name
        parent.lines[name.text] = name.line
