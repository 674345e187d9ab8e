"""The answer sheet: a place for each question, in classes and in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from questions.exams.models import Sitting
from questions.exams.selectors.under_way import StateRow

_WORDS: Final = '{place}<span class="unseen">, {words}</span>'
_BUTTON: Final = (
    '<li><button class="{classes}" form="item-form" name="go" value="{place}"{step}>'
    f"{_WORDS}</button></li>"
)
_SPAN: Final = f'<li><span class="{{classes}}"{{step}}>{_WORDS}</span></li>'
_LINK: Final = f'<li><a class="{{classes}}" href="{{address}}">{_WORDS}</a></li>'
_STEP: Final = SafeString(' aria-current="step"')


def buttons(
    rows: Sequence[StateRow], *, sitting: Sitting, current: int | None
) -> SafeString:
    """Return list items with buttons that save, then go there.

    Words alone where there is no way back.
    """
    shape = _SPAN if sitting.is_linear else _BUTTON
    places = [
        _place(
            shape,
            row.position,
            row.position == current,
            len(row.chosen),
            row.choose,
            row.is_flagged,
        )
        for row in rows
    ]
    return SafeString("".join(places))


def links(rows: Sequence[StateRow], *, sitting: Sitting) -> SafeString:
    """Return list items with links, for a page that has nothing to save."""
    if sitting.is_linear:
        return buttons(rows, sitting=sitting, current=None)
    places = (
        format_html(
            _LINK,
            place=row.position,
            address=reverse("sitting_item", args=[sitting.public_id, row.position]),
            **_state(len(row.chosen), row.choose, is_flagged=row.is_flagged),
        )
        for row in rows
    )
    return SafeString("".join(places))


# Kept: each page of an exam has sixty or so places, and few differ from page to page.
# Looking up by names would take twice as long.
@lru_cache(maxsize=4096)
def _place(
    shape: str,
    place: int,
    is_current: bool,  # noqa: FBT001
    chosen: int,
    choose: int,
    is_flagged: bool,  # noqa: FBT001
) -> SafeString:
    return format_html(
        shape,
        place=place,
        step=_STEP if is_current else "",
        **_state(chosen, choose, is_flagged=is_flagged),
    )


def _state(chosen: int, choose: int, *, is_flagged: bool) -> dict[str, str]:
    classes, words = ["cell"], []
    if chosen >= choose:
        classes.append("cell-answered")
        words.append("answered")
    elif chosen:
        classes.append("cell-partly")
        words.append(f"{chosen} of {choose} chosen")
    else:
        words.append("not answered")
    if is_flagged:
        classes.append("cell-flag")
        words.append("flagged")
    return {"classes": " ".join(classes), "words": ", ".join(words)}
