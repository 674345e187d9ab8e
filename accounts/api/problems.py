"""Errors of the API, in one shape: problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """What is wrong with one field, in a sentence."""

    name: str
    detail: str


class Problem(APIException):
    """A refusal: a status, a stable code, and a sentence that says how to mend it."""

    def __init__(
        self,
        *,
        status_code: int,
        code: str,
        sentence: str,
        fields: Sequence[FieldProblem] = (),
        **more: Any,
    ) -> None:
        super().__init__(sentence, code)
        self.status_code = status_code
        self.code = code
        self.sentence = sentence
        self.fields = tuple(fields)
        self.more = more


def not_found(sentence: str) -> Problem:
    """Return the answer to who asks for what is not there, or not theirs."""
    return Problem(
        status_code=status.HTTP_404_NOT_FOUND, code="not_found", sentence=sentence
    )


def conflict(code: str, sentence: str, **more: Any) -> Problem:
    """Return the answer to what can't be done as things stand."""
    return Problem(
        status_code=status.HTTP_409_CONFLICT, code=code, sentence=sentence, **more
    )


def unprocessable(
    code: str, sentence: str, fields: Sequence[FieldProblem] = ()
) -> Problem:
    """Return the answer to input that can't be used."""
    return Problem(
        status_code=status.HTTP_422_UNPROCESSABLE_ENTITY,
        code=code,
        sentence=sentence,
        fields=fields,
    )


def invalid(fields: Sequence[FieldProblem]) -> Problem:
    """Return the answer to fields that can't be used, each with its reason."""
    return unprocessable(
        "invalid", "Some fields can't be used as they are; each says why.", fields
    )
