"""What templates say of the bank in words."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms, template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from questions.domain.differences import Change, Piece

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


@register.filter
def as_input(field: forms.BoundField) -> SafeString:
    """Render a field as the site's input, with its error tied to it."""
    attrs: dict[str, str | bool] = {"class": "input", "placeholder": ""}
    if field.errors:
        attrs["aria-invalid"] = "true"
    return field.as_widget(attrs=attrs)


_MARKED = {Change.ADDED: "<ins>{}</ins>", Change.REMOVED: "<del>{}</del>"}


@register.filter
def woven(pieces: Iterable[Piece]) -> SafeString:
    """Show what came and what went in one text, with its white space as it is."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html(_MARKED.get(piece.change, "{}"), piece.text),)
            for piece in pieces
        ),
    )
