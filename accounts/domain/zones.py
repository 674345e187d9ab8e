"""Time zones by name, whatever became of the name."""

from __future__ import annotations

import datetime
import zoneinfo


def zone_named(name: str) -> datetime.tzinfo:
    """Return a time zone; UTC where none is named, or one that is there no more."""
    if not name:
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        # Gone from the list since; what is left of it may be a folder, such as Europe.
        return datetime.UTC
