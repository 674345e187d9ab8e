"""Templates rendered once for all, with gaps where pages differ.

Django walks through a template node by node for each page. Where many pages differ in a
few values only, the template is rendered once with a mark in the place of each value,
and cut there; a page is then the pieces with its values between. What is kept is made
without anybody's values, so nothing of a person or a question can be in it
(docs/decisions/0040).
"""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

Shape = TypeVar("Shape", bound=Hashable)

MOST_KEPT: Final = 512
"""Of each template. The largest takes 9 KB."""

# What stands in an address must look like what it stands for.
_IN_ADDRESSES: Final[Mapping[str, Any]] = {
    "public_id": uuid.UUID("5e7a1ed0-0000-4000-8000-000000000000"),
    "position": 1_800_000_011,
}
_NAMES: Final = {str(mark): name for name, mark in _IN_ADDRESSES.items()}
_OPENS, _CLOSES = "\ue000", "\ue001"
_MARK: Final = re.compile(f"({'|'.join(_NAMES)}|{_OPENS}[a-z0-9_]+{_CLOSES})")


def gap(name: str) -> Any:
    """Return the mark for a value that each page brings itself.

    A template can print it and ask whether it is there, and nothing more: what decides
    which way a template goes belongs to the shape.
    """
    return _IN_ADDRESSES.get(name) or SafeString(f"{_OPENS}{name}{_CLOSES}")


@dataclass(frozen=True, slots=True)
class Stencil:
    """A rendered template in pieces: gaps stand between texts."""

    texts: tuple[str, ...]
    gaps: tuple[str, ...]

    def fill(self, values: Mapping[str, Any]) -> SafeString:
        """Return the whole, each value escaped unless it is safe, as by a template."""
        pieces = [""] * (2 * len(self.gaps) + 1)
        pieces[::2] = self.texts
        pieces[1::2] = [
            value if isinstance(value, SafeString) else html.escape(str(value))
            for value in map(values.__getitem__, self.gaps)
        ]
        return SafeString("".join(pieces))


def cut(*, template: str, context: Mapping[str, Any]) -> Stencil:
    """Render a template with gaps in its context, and cut it there."""
    pieces = _MARK.split(render_to_string(template, dict(context)))
    return Stencil(
        tuple(pieces[::2]),
        tuple(_NAMES.get(mark, mark[1:-1]) for mark in pieces[1::2]),
    )


def kept(make: Callable[[Shape], Stencil]) -> Callable[[Shape], Stencil]:
    """Keep what ``make`` returns for each shape, as long as templates can't change."""
    keep = lru_cache(maxsize=MOST_KEPT)(make)

    @wraps(make)
    def look_up(shape: Shape) -> Stencil:
        return make(shape) if settings.DEBUG else keep(shape)

    return look_up
