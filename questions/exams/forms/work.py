"""A learner's work on one item, as a page sends it: by a form or by its script."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.http import QueryDict

from questions.exams.services.saving import LONGEST_NOTE, Work

_LONGEST = 24 * 60 * 60
_BIGGEST = 2_147_483_647


class WorkForm(forms.Form):
    """One save: which one it is, what it was based on, and all of the work."""

    save_id = forms.UUIDField(
        error_messages={
            "required": "A save carries its id as save_id.",
            "invalid": "The save id is not a UUID.",
        }
    )
    base_version = forms.IntegerField(
        min_value=0,
        max_value=_BIGGEST,
        error_messages={
            "required": "A save says which version it was based on, as base_version.",
            "invalid": "The base version is not a whole number.",
        },
    )
    is_flagged = forms.BooleanField(required=False)
    note = forms.CharField(
        required=False,
        strip=False,
        max_length=LONGEST_NOTE,
        error_messages={
            "max_length": f"A note has {LONGEST_NOTE} characters at most. Shorten it, "
            "and it will be saved."
        },
    )
    seconds = forms.IntegerField(required=False, min_value=0, max_value=_LONGEST)

    opened_at = forms.IntegerField(required=False, min_value=0, max_value=_BIGGEST)

    def __init__(self, posted: QueryDict) -> None:
        # A browser sends two characters for each line break; one is kept and counted.
        posted = posted.copy()
        posted["note"] = posted.get("note", "").replace("\r\n", "\n")
        super().__init__(posted)
        self.posted = posted

    def sentence(self) -> str:
        """Return the first thing that is wrong, in a sentence."""
        return next(str(messages[0]) for messages in self.errors.values())

    def work(self, at: datetime.datetime) -> Work:
        """Return the work, with what the button pressed does to it.

        Without a script nobody counts seconds: then the page was open since it was
        sent.
        """
        cleaned: dict[str, Any] = self.cleaned_data
        toggle = self.posted.get("toggle", "")
        chosen = self.posted.getlist("answer")
        struck = self.posted.getlist("struck")
        verb, _, key = toggle.partition(":")
        if verb == "strike" and key:
            struck = [each for each in struck if each != key] + (
                [] if key in struck else [key]
            )
        return Work(
            save_id=cleaned["save_id"],
            base_version=cleaned["base_version"],
            chosen=[] if verb == "clear" else chosen,
            struck=struck,
            is_flagged=cleaned["is_flagged"] is not (verb == "flag"),
            note=cleaned["note"],
            seconds=self._seconds(at),
        )

    def _seconds(self, at: datetime.datetime) -> int:
        counted: int | None = self.cleaned_data["seconds"]
        opened: int | None = self.cleaned_data["opened_at"]
        if counted is not None or opened is None:
            return counted or 0
        return max(int(at.timestamp()) - opened, 0)
