"""What templates say of the bank in words."""

from __future__ import annotations

from django import template

register = template.Library()

_WORDS = ("none", "one", "two", "three", "four", "five", "six")


@register.filter
def letter(place: int) -> str:
    """Return the letter of the option at this place, counted from 1."""
    return chr(ord("A") + place - 1)


@register.filter
def number_word(count: int) -> str:
    """Return a small number as a word."""
    return _WORDS[count] if 0 <= count < len(_WORDS) else str(count)
