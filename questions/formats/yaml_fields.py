"""Fields of a YAML mapping, read one by one; what is wrong is noted, never raised."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from questions.domain import checks
from questions.formats.records import SLUG, SLUG_LENGTH, Origin
from questions.formats.result import RowProblem
from questions.formats.yaml_tree import Fields, Items, Node, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum

Choice = TypeVar("Choice", bound="StrEnum")

TEXT_LENGTH = 20_000


class Notes:
    """Problems and lines gathered while one document of one file is read."""

    def __init__(self, *, file: str, name: str, line: int) -> None:
        self.file = file
        self.name = name
        self.line = line
        self.problems: list[RowProblem] = []
        self.lines: dict[str, int] = {}

    def add(self, line: int, where: str, message: str) -> None:
        """Note a problem."""
        place = f"{self.name}, {where}" if self.name and where else self.name or where
        self.problems.append(
            RowProblem(file=self.file, line=line, where=place, message=message)
        )

    def origin(self) -> Origin:
        """Return where the document was read."""
        return Origin(file=self.file, line=self.line, lines=self.lines)


class FieldReader:
    """Reads the fields of one mapping. Call ``finish`` when all have been read."""

    def __init__(self, fields: Fields, *, path: str, notes: Notes) -> None:
        self._fields = fields
        self._path = path
        self._notes = notes
        self._known: list[str] = []

    def has(self, name: str) -> bool:
        """Say whether the field is there and holds something."""
        node = self._fields.nodes.get(name)
        return node is not None and not (isinstance(node, Scalar) and not node.text)

    def under(self, path: str) -> None:
        """Name the places of fields read from here on by ``path``."""
        self._notes.lines[path] = self._fields.line
        self._path = path

    def text(
        self, name: str, *, is_required: bool = False, limit: int = TEXT_LENGTH
    ) -> str:
        """Return a text without line breaks at its end; empty if it isn't there."""
        node = self._scalar(name, is_required=is_required)
        if node is None:
            return ""
        if node.lost:
            self.note(
                name,
                "What follows “ #” is a comment and would be lost. Put the text in"
                " quotes, or the comment on a line of its own.",
            )
        text = node.text.rstrip("\n")
        if len(text) > limit:
            self.note(
                name, f"It has {len(text):,} characters; at most {limit:,} are allowed."
            )
        return text

    def line(self, name: str, *, is_required: bool = False, limit: int) -> str:
        """Return a text of one line."""
        text = self.text(name, is_required=is_required, limit=limit)
        if "\n" in text:
            self.note(name, "It must stand on one line.")
        return text

    def slug(
        self, name: str, *, is_required: bool = False, limit: int = SLUG_LENGTH
    ) -> str:
        """Return a name such as ``evening-timeouts``."""
        node = self._scalar(name, is_required=is_required)
        if node is None:
            return ""
        self.check_slug(name, node.text, limit=limit)
        return node.text

    def check_slug(self, name: str, slug: str, *, limit: int = SLUG_LENGTH) -> None:
        """Note if ``slug`` isn't of the form of a name."""
        if len(slug) > limit or not SLUG.fullmatch(slug):
            self.note(
                name,
                f"“{slug[:60]}” can't be a name here. Use lower-case letters, digits and"
                f" single hyphens, at most {limit}.",
            )

    def code(self, name: str, *, limit: int) -> str:
        """Return a required short code as the vendor writes it."""
        node = self._scalar(name, is_required=True)
        if node is None:
            return ""
        if len(node.text) > limit or not re.fullmatch(r"[\w.+-]+", node.text):
            self.note(
                name, f"“{node.text[:60]}” can't be a code of at most {limit} signs."
            )
        return node.text

    def address(self, name: str, *, limit: int) -> str:
        """Return a required web address."""
        url = self.line(name, is_required=True, limit=limit)
        if url and not checks.is_web_address(url):
            self.note(
                name,
                f"“{url[:80]}” is no web address. Write it in full, beginning with"
                " https://.",
            )
        return url

    def choice(
        self, name: str, kinds: type[Choice], *, default: Choice | None
    ) -> Choice:
        """Return one of a fixed set; it must be there if there is no ``default``."""
        first = next(iter(kinds))
        node = self._scalar(name, is_required=default is None)
        if node is None:
            return default or first
        try:
            return kinds(node.text)
        except ValueError:
            known = [kind.value for kind in kinds]
            self.note(
                name, f"“{node.text[:60]}” is none of {_listed(known, node.text)}"
            )
            return default or first

    def number(
        self, name: str, *, default: int | None, lowest: int, highest: int
    ) -> int:
        """Return a whole number; it must be there if there is no ``default``."""
        node = self._scalar(name, is_required=default is None)
        if node is None:
            return lowest if default is None else default
        if not re.fullmatch(r"[0-9]{1,6}", node.text) or not (
            lowest <= int(node.text) <= highest
        ):
            self.note(
                name,
                f"“{node.text[:60]}” must be a whole number from {lowest} to {highest}.",
            )
            return lowest
        return int(node.text)

    def share(self, name: str) -> Decimal:
        """Return a required number above 0 and up to 1, of at most 4 decimals."""
        node = self._scalar(name, is_required=True)
        try:
            number = Decimal(node.text if node else "1")
        except InvalidOperation:
            number = Decimal(0)
        if not (number.is_finite() and 0 < number <= 1 and number == round(number, 4)):
            self.note(name, "It must be a share between 0 and 1, such as 0.7.")
            return Decimal(1)
        return number

    def flag(self, name: str) -> bool:
        """Return true or false; false if it isn't there."""
        node = self._scalar(name, is_required=False)
        if node is None:
            return False
        if node.text not in {"true", "false"}:
            self.note(name, f"“{node.text[:60]}” must be true or false.")
        return node.text == "true"

    def date(self, name: str, *, is_required: bool = False) -> datetime.date | None:
        """Return a day, written as 2026-11-30."""
        node = self._scalar(name, is_required=is_required)
        if node is None:
            return None
        try:
            if re.fullmatch(r"\d{4}-\d{2}-\d{2}", node.text):
                return datetime.date.fromisoformat(node.text)
        except ValueError:
            pass
        self.note(name, f"“{node.text[:60]}” is no day. Write it as 2026-11-30.")
        return None

    def texts(self, name: str) -> list[str]:
        """Return the texts of a list."""
        found: list[str] = []
        for place, node in enumerate(self._items(name, is_required=False), start=1):
            if isinstance(node, Scalar) and node.text:
                found.append(node.text)
            else:
                self.note(f"{name}.{place}", "It must be a word.", line=node.line)
        return found

    def pairs(self, name: str) -> dict[str, Scalar]:
        """Return a mapping of texts to texts."""
        self._known.append(name)
        node = self._node(name)
        if node is None:
            return {}
        if not isinstance(node, Fields):
            self.note(name, "It must be pairs, each on a line: “name: text”.")
            return {}
        found: dict[str, Scalar] = {}
        for key, value in node.nodes.items():
            self._notes.lines[f"{self._prefix}{name}.{key}"] = node.lines[key]
            if isinstance(value, Scalar) and value.text:
                found[key] = value
            else:
                self.note(f"{name}.{key}", "It must be a word.", line=node.lines[key])
        return found

    def each(self, name: str, *, is_required: bool = False) -> Iterator[FieldReader]:
        """Yield a reader for each mapping of a list; each is finished afterwards."""
        for place, node in enumerate(
            self._items(name, is_required=is_required), start=1
        ):
            path = f"{self._prefix}{name}.{place}"
            if not isinstance(node, Fields):
                self._notes.add(
                    node.line, path, "It must be fields, each on a line: “name: text”."
                )
                continue
            reader = FieldReader(node, path=path, notes=self._notes)
            reader.under(path)
            yield reader
            reader.finish()

    def one(self, name: str, *, is_required: bool = False) -> FieldReader | None:
        """Return a reader for a mapping; the caller finishes it."""
        self._known.append(name)
        node = self._node(name)
        if node is None:
            if is_required:
                self.note(name, "It is missing. Add it.")
            return None
        if not isinstance(node, Fields):
            self.note(name, "It must be fields, each on a line: “name: text”.")
            return None
        return FieldReader(node, path=f"{self._prefix}{name}", notes=self._notes)

    def note(self, name: str, message: str, *, line: int | None = None) -> None:
        """Note a problem with a field."""
        own = self._fields.lines.get(name, self._fields.line)
        self._notes.add(own if line is None else line, f"{self._prefix}{name}", message)

    def finish(self) -> None:
        """Note the fields that nobody asked for."""
        for name in self._fields.nodes:
            if name not in self._known:
                shown = name[:60] or "(no name)"
                self.note(
                    name,
                    f"There is no field “{shown}” here. {_listed(self._known, name)}",
                )

    @property
    def _prefix(self) -> str:
        return f"{self._path}." if self._path else ""

    def _node(self, name: str) -> Node | None:
        node = self._fields.nodes.get(name)
        if node is not None:
            self._notes.lines[f"{self._prefix}{name}"] = self._fields.lines[name]
        if isinstance(node, Scalar) and node.is_plain and not node.text:
            return None
        return node

    def _scalar(self, name: str, *, is_required: bool) -> Scalar | None:
        self._known.append(name)
        node = self._node(name)
        if isinstance(node, Scalar) and (node.text.strip() or not is_required):
            return node
        if node is not None and not isinstance(node, Scalar):
            self.note(
                name,
                "It must be a text. A text that begins with “[”, “{” or “- ” must stand"
                " in quotes.",
            )
        elif is_required:
            self.note(name, "It is missing. Add it.")
        return None

    def _items(self, name: str, *, is_required: bool) -> list[Node]:
        self._known.append(name)
        node = self._node(name)
        if isinstance(node, Items):
            return node.nodes
        if node is not None:
            self.note(name, "It must be a list, each entry on a line after “- ”.")
        elif is_required:
            self.note(name, "It is missing. Add it.")
        return []


def _listed(known: list[str], given: str) -> str:
    near = get_close_matches(given.lower(), known, n=1, cutoff=0.6)
    listed = ", ".join(dict.fromkeys(known))
    return f"{listed}." + (f" Did you mean “{near[0]}”?" if near else "")
