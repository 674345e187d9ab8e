"""The only signals of the project: what happens in sittings travels up to who measures it."""

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

mock_started: Final = Signal()
"""Sent inside the transaction that begins a mock exam, once its items are there.

Arguments: ``sitting``; ``items``, each with its revision; ``at``.
"""
