"""Placeholders for options: ``{{option:KEY}}`` in a text that speaks of an option.

A letter depends on the order a learner sees, so no stored text holds one.
"""

from __future__ import annotations

import re
from typing import Final

OPTION_KEY: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""Lower-case words joined by hyphens, as a regular expression."""

OPTION_KEY_LENGTH: Final = 40

PLACEHOLDER: Final = re.compile(r"\{\{option:(" + OPTION_KEY + r")\}\}")
"""One placeholder; group 1 is the key."""


def is_option_key(text: str) -> bool:
    """Say whether ``text`` has the form of an option's key."""
    return len(text) <= OPTION_KEY_LENGTH and bool(re.fullmatch(OPTION_KEY, text))
