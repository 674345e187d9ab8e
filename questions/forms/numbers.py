"""Numbers in addresses and fields, where a stranger may have typed anything."""

from __future__ import annotations

_MOST_DIGITS = 18
"""Any number of so many digits fits a bigint; longer ones name no row."""


def number_in(text: str) -> int | None:
    """Return the whole number that ``text`` is, or nothing if it is none we use.

    Python refuses to read thousands of digits, so length is looked at first.
    """
    if len(text) > _MOST_DIGITS or not text.isdecimal():
        return None
    return int(text)
