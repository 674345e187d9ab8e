"""Pages that neither skip nor repeat while rows are added: by key, not by count."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.core import signing
from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_datetime
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from accounts.api.problems import FieldProblem, invalid

MOST: Final = 200
USUAL: Final = 50
_SALT: Final = "courseiva.api.cursor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordering:
    """An order of rows: by ``field``, then by id; backwards if ``is_descending``."""

    field: str
    is_descending: bool = False

    @property
    def terms(self) -> tuple[str, ...]:
        """What the database sorts by."""
        sign = "-" if self.is_descending else ""
        return (
            (f"{sign}pk",)
            if self.field == "pk"
            else (f"{sign}{self.field}", f"{sign}pk")
        )

    def after(self, value: Any, pk: int) -> Q:
        """Return the condition that a row comes after the one named."""
        beyond = "lt" if self.is_descending else "gt"
        if self.field == "pk":
            return Q(**{f"pk__{beyond}": pk})
        return Q(**{f"{self.field}__{beyond}": value}) | Q(
            **{self.field: value, f"pk__{beyond}": pk}
        )


def size_of(request: Request) -> int:
    """Return the page size asked for.

    Raises:
        Problem: it is no number from 1 to ``MOST``.
    """
    text = request.query_params.get("page_size", str(USUAL))
    if len(text) > len(str(MOST)) or not text.isascii() or not text.isdecimal():
        raise _bad_size()
    if not 1 <= int(text) <= MOST:
        raise _bad_size()
    return int(text)


def _bad_size() -> Exception:
    detail = f"Write a whole number from 1 to {MOST}."
    return invalid([FieldProblem(name="page_size", detail=detail)])


def ordering_of(
    request: Request, orderings: Mapping[str, Ordering], default: str
) -> Ordering:
    """Return the order asked for.

    Raises:
        Problem: it is none of ``orderings``.
    """
    name = request.query_params.get("ordering", default)
    if name not in orderings:
        known = ", ".join(sorted(orderings))
        detail = f"Known orders are {known}."
        raise invalid([FieldProblem(name="ordering", detail=detail)])
    return orderings[name]


class Page(NamedTuple):
    """Some rows, and the address of those that follow or nothing."""

    rows: Sequence[Any]
    following: str | None


def page(
    *,
    request: Request,
    rows: QuerySet[Any],
    ordering: Ordering,
    show: Callable[[Any], Any],
) -> dict[str, Any]:
    """Return one page: ``results``, and the address of the ``next`` page or nothing.

    Raises:
        Problem: the cursor is not one of ours, or of another order.
    """
    found = page_of(
        request=request,
        rows=rows,
        ordering=ordering,
        place=lambda row: (_value(row, ordering.field), row.pk),
    )
    return {"next": found.following, "results": [show(row) for row in found.rows]}


def page_of(
    *,
    request: Request,
    rows: QuerySet[Any, Any],
    ordering: Ordering,
    place: Callable[[Any], tuple[Any, int]],
) -> Page:
    """Return the rows of one page, whatever a row is.

    ``place`` tells a row's value in the ordering's field, and its id.

    Raises:
        Problem: the cursor is not one of ours, or of another order.
    """
    size = size_of(request)
    rows = rows.order_by(*ordering.terms)
    cursor = request.query_params.get("cursor", "")
    if cursor:
        value, pk = _open(cursor, ordering)
        rows = rows.filter(ordering.after(value, pk))
    found = list(rows[: size + 1])
    following = None
    if len(found) > size:
        following = replace_query_param(
            request.build_absolute_uri(),
            "cursor",
            close(*place(found[size - 1]), ordering),
        )
    return Page(rows=found[:size], following=following)


def close(value: Any, pk: int, ordering: Ordering) -> str:
    """Return the cursor after the row with this value in the ordering's field."""
    if isinstance(value, datetime.datetime):
        value = value.isoformat()
    return signing.dumps([ordering.terms[0], value, pk], salt=_SALT)


def _value(row: Any, path: str) -> Any:
    for name in path.split("__"):
        row = getattr(row, name)
    return row


def _open(cursor: str, ordering: Ordering) -> tuple[Any, int]:
    try:
        term, value, pk = signing.loads(cursor, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError) as broken:
        raise _bad_cursor() from broken
    if term != ordering.terms[0]:
        raise _bad_cursor()
    if isinstance(value, str) and ordering.field.endswith("_at"):
        value = parse_datetime(value)
    return value, pk


def _bad_cursor() -> Exception:
    detail = "Take the cursor from the address in next, with the same ordering."
    return invalid([FieldProblem(name="cursor", detail=detail)])
