"""Whether a revision changed how hard a question is."""

from __future__ import annotations

from typing import Final

from analytics.domain import ctt

CHANGED_BY: Final = 15.0
"""Points of facility by which a revision may move a question before authors look."""


def flag(
    *,
    before: float | None,
    after: float | None,
    attempts_before: int,
    attempts_after: int,
) -> ctt.Flag | None:
    """Return a flag if a revision made a question much harder or easier.

    ``before`` and ``after`` are facilities in per cent; each needs enough attempts.
    """
    fewest = min(attempts_before, attempts_after)
    if before is None or after is None or fewest < ctt.ENOUGH_ATTEMPTS:
        return None
    if abs(after - before) <= CHANGED_BY:
        return None
    return ctt.Flag(
        concern=ctt.Concern.CHANGED,
        text=f"Right in {after:.0f} % since this revision, and in {before:.0f} % before"
        " it. Look whether the change in wording meant to do that.",
    )
