"""The files of a bank, found and opened: nothing outside the folder, nothing too large."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from questions.domain import images
from questions.formats import yaml_tree
from questions.formats.result import RowProblem
from questions.formats.yaml_records import ImageMissing

KINDS: Final = ("question", "person", "scenario", "mock_exam", "certification")
"""The fields that tell what a document is, the most telling first."""

_ENDINGS: Final = frozenset({".yaml", ".yml"})
_LEVELS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of one file, not read yet. ``kind`` is one of ``KINDS``."""

    file: Path
    kind: str
    fields: yaml_tree.Fields


class Shelf:
    """Documents found, and what kept others from being found."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.problems: list[RowProblem] = []

    def open_all(self, path: Path) -> None:
        """Open a file, or every YAML file in a folder and below it."""
        for file in self._files(path):
            self.open(file)

    def open_around(self, file: Path) -> None:
        """Open what a single file leans on: scenarios, certification and people."""
        root = certification_folder(file)
        around = sorted((root / "scenarios").glob("*.y*ml"))
        around += [root / "certification.yaml", root.parent / "people.yaml"]
        for each in around:
            if each.is_file() and each.resolve() != file.resolve():
                self.open(each)

    def open(self, file: Path) -> None:
        """Open one file."""
        try:
            # One byte more than is read tells a file that is too large.
            with file.open("rb") as stream:
                text = yaml_tree.read_text(stream.read(yaml_tree.MAX_BYTES + 1))
            for node in yaml_tree.read_documents(text):
                self._classify(file, node)
        except yaml_tree.YamlRefused as error:
            self._note(file, error.reason, line=error.line)
        except OSError as error:
            self._note(file, f"It can't be read: {error.strerror}.")

    def _files(self, path: Path) -> Iterator[Path]:
        if not path.is_dir():
            if path.is_file():
                yield path
            else:
                self._note(path, "There is no such file or folder.")
            return
        is_empty = True
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted([*names, *folders]):
                file = Path(folder) / name
                if _leads_away(file, folder=path):
                    self._note(
                        file,
                        "It is a link that leads away or nowhere. Copy the file in.",
                    )
                elif _is_yaml(file):
                    is_empty = False
                    yield file
        if is_empty and not self.problems:
            self._note(path, "There is no YAML file in it.")

    def _classify(self, file: Path, node: yaml_tree.Node) -> None:
        if isinstance(node, yaml_tree.Fields):
            for kind in KINDS:
                if kind in node.nodes:
                    self.documents.append(Document(file=file, kind=kind, fields=node))
                    return
        self._note(
            file,
            "Nothing says what this is. Begin it with “question: NAME”, “scenario:"
            " NAME”, “certification: NAME”, “mock_exam: NAME” or “person: NAME”.",
            line=node.line,
        )

    def _note(self, file: Path, message: str, *, line: int = 0) -> None:
        self.problems.append(
            RowProblem(file=str(file), line=line, where="", message=message)
        )


def certification_folder(file: Path) -> Path:
    """Return the folder of the certification that a file belongs to."""
    for folder in list(file.parents)[:_LEVELS]:
        if (folder / "certification.yaml").is_file():
            return folder
    is_in_room = file.parent.name in {"questions", "scenarios"}
    return file.parent.parent if is_in_room else file.parent


def load_image(folder: Path, name: str) -> bytes:
    """Return the bytes of ``images/NAME`` in a certification's folder.

    Raises:
        ImageMissing: it isn't there, or lies outside.
    """
    file = folder / "images" / name
    if not file.is_file():
        raise ImageMissing(f"There is no file {file}. Put the picture there.")
    if not is_within(file, folder=folder):
        raise ImageMissing("It is a link that leads away. Copy the picture in.")
    with file.open("rb") as stream:
        return stream.read(images.MAX_BYTES + 1)


def is_within(file: Path, *, folder: Path) -> bool:
    """Say whether ``file``, all links followed, lies in ``folder``."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _leads_away(file: Path, *, folder: Path) -> bool:
    if not file.is_symlink():
        return False
    is_yaml = file.suffix.lower() in _ENDINGS
    # A link to nothing, or to itself, is no file; resolving one raises up to Python 3.12.
    is_ours = file.is_file() and is_within(file, folder=folder)
    return file.is_dir() or (is_yaml and not is_ours)


def _is_yaml(file: Path) -> bool:
    is_hidden = file.name.startswith(".")
    return file.suffix.lower() in _ENDINGS and not is_hidden and file.is_file()
