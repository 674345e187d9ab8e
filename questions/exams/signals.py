"""The only signal of the project: how scored answers travel up to what measures them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from django.dispatch import Signal


class Cause(StrEnum):
    """Why answers got their points."""

    SCORED = "scored"
    LATE_ACCEPTED = "late_accepted"
    REGRADED = "regraded"
    VOIDED = "voided"


responses_scored: Final = Signal()
"""Sent inside the transaction that scores, so a listener that fails undoes the scoring.

Arguments: ``sitting``; ``items``, each with its response; ``cause``; ``at``.
"""
