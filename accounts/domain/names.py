"""Taking a person's names out of texts that others wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

INSTEAD: Final = "[removed]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What one person is known by: addresses, and names of several words.

    A name of one word, such as Will, is too common a word to be taken out of texts.
    """

    words: tuple[str, ...]

    @classmethod
    def of(cls, *, addresses: Iterable[str], names: Iterable[str]) -> Names:
        """Return the names to look for, the longest first."""
        telling = {name.strip() for name in names if len(name.split()) > 1}
        found = telling | {address.strip() for address in addresses}
        return cls(words=tuple(sorted(filter(None, found), key=len, reverse=True)))

    def taken_out_of(self, text: str) -> str:
        """Return ``text`` with each of them replaced, whatever their case."""
        for word in self.words:
            text = re.sub(
                rf"(?<!\w){re.escape(word)}(?!\w)", INSTEAD, text, flags=re.IGNORECASE
            )
        return text

    def are_in(self, text: str) -> bool:
        """Say whether ``text`` holds one of them."""
        return self.taken_out_of(text) != text
