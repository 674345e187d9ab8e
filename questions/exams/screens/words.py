"""Durations and shares in words."""

from __future__ import annotations


def duration(seconds: int) -> str:
    """Return seconds in words: 1 h 48, 6 min 40, 12 seconds."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d}" if minutes else f"{hours} h"
    if minutes:
        return f"{minutes} min {rest:02d}" if rest else f"{minutes} min"
    return f"{rest} second{'' if rest == 1 else 's'}"


def short_duration(seconds: int) -> str:
    """Return seconds as in a table: 6:40."""
    return f"{seconds // 60}:{seconds % 60:02d}"
