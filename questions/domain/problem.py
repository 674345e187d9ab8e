"""A problem of an item: what is wrong, where, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Whether a problem keeps an item from being published."""

    BLOCKING = "blocking"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong. ``where`` is a path as in a bank file: ``options.KEY.text``."""

    code: str
    where: str
    message: str
    severity: Severity = Severity.BLOCKING


def advice(code: str, where: str, message: str) -> Problem:
    """Return a problem that is for the author to weigh."""
    return Problem(code=code, where=where, message=message, severity=Severity.ADVICE)
