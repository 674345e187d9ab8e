"""The question editor: its forms bound to one request, and what saving them means."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from django import forms as django_forms
from django.db import transaction
from django.http import HttpRequest

from accounts import services as people
from accounts.models import User
from questions.domain import images, items
from questions.domain.items import Exposure, Provenance
from questions.forms import composing
from questions.forms import desk as forms
from questions.models import Certification, Question
from questions.services import authoring


@dataclass(slots=True, kw_only=True)
class Editor:
    """All forms of the editor. ``question`` is empty until the first save."""

    certification: Certification
    question: Question | None
    words: forms.WordsForm
    options: Any
    references: Any
    exhibits: Any
    settings: forms.SettingsForm

    def is_valid(self) -> bool:
        """Validate everything, so that every error is shown at once."""
        parts = (
            self.words,
            self.options,
            self.references,
            self.exhibits,
            self.settings,
        )
        # every part is validated, so that all errors are shown at once
        if [part.is_valid() for part in parts].count(False):
            return False
        if not self.settings.has_address(title=self.words.cleaned_data["title"]):
            self.settings.add_error(
                "slug",
                "No address can be made from this title. Type one, in Latin letters.",
            )
            return False
        return True

    def has_valid_words(self) -> bool:
        """Validate what makes up the item, and not what is said beside it."""
        parts = (self.words, self.options, self.references, self.exhibits)
        # every part is validated, so that all errors are shown at once
        return [part.is_valid() for part in parts].count(False) == 0

    def item(self) -> items.Item:
        """Return the item that the forms describe; sent pictures are left out."""
        return composing.compose(
            self.words,
            rows_of(self.options),
            rows_of(self.references),
            [row for row in rows_of(self.exhibits) if not row.get("file")],
        )


def open_editor(
    *, question: Question | None, certification: Certification, user: User
) -> Editor:
    """Return the editor with what is stored, or blank for a new question."""
    revision = question.latest_revision if question else None
    if question is not None and revision is not None:
        words = composing.words_initial(revision)
        parts = composing.parts_initial(revision.to_item())
        settings = composing.settings_initial(question)
    else:
        words = {"base": 0}
        parts = composing.blank_parts()
        settings = {
            "author": people.profile_of_user(user=user).pk,
            "exposure": Exposure.PUBLIC.value,
            "provenance": Provenance.HUMAN.value,
        }
    return Editor(
        certification=certification,
        question=question,
        words=forms.WordsForm(initial=words, certification=certification),
        options=forms.OptionFormSet(initial=parts["options"], prefix="options"),
        references=forms.ReferenceFormSet(
            initial=parts["references"], prefix="references"
        ),
        exhibits=forms.ExhibitFormSet(initial=parts["exhibits"], prefix="exhibits"),
        settings=forms.SettingsForm(
            initial=settings, certification=certification, prefix="settings"
        ),
    )


def read_editor(
    *,
    request: HttpRequest,
    question: Question | None,
    certification: Certification,
    more_rows: int = 0,
) -> Editor:
    """Return the editor with what was sent, and ``more_rows`` blank ones in each list."""
    posted, files = request.POST.copy(), request.FILES
    for name in ("options", "references", "exhibits"):
        total = posted.get(f"{name}-TOTAL_FORMS", "")
        if more_rows and total.isdecimal():
            posted[f"{name}-TOTAL_FORMS"] = str(int(total) + more_rows)
    return Editor(
        certification=certification,
        question=question,
        words=forms.WordsForm(posted, certification=certification),
        options=forms.OptionFormSet(posted, prefix="options"),
        references=forms.ReferenceFormSet(posted, prefix="references"),
        exhibits=forms.ExhibitFormSet(posted, files, prefix="exhibits"),
        settings=forms.SettingsForm(
            posted, certification=certification, prefix="settings"
        ),
    )


def rows_of(formset: Any) -> list[dict[str, Any]]:
    """Return the rows of a valid formset in the order wished, blank ones left out."""
    kept = [
        (form.cleaned_data.get("ORDER") or place, place, form.cleaned_data)
        for place, form in enumerate(formset.forms, start=1)
        if form.cleaned_data and not form.cleaned_data.get("DELETE")
    ]
    return [row for _, _, row in sorted(kept, key=lambda entry: entry[:2])]


@transaction.atomic
def save(*, editor: Editor, by: User, at: datetime.datetime) -> Question:
    """Store what a valid editor holds: pictures, words, settings; all or nothing.

    Raises:
        StaleDraft: somebody saved a newer revision meanwhile.
        SlugTaken: another question has, or had, the address.
        HandedAway: the author can't be another.
        ImageRefused: a picture can't be taken.
    """
    _store_pictures(editor, by=by, at=at)
    cleaned = editor.words.cleaned_data
    item = composing.compose(
        editor.words,
        rows_of(editor.options),
        rows_of(editor.references),
        rows_of(editor.exhibits),
    )
    settings = editor.settings.settings(title=item.title)
    if editor.question is None:
        question = authoring.create_question(
            certification=editor.certification,
            settings=settings,
            item=item,
            by=by,
            at=at,
            note=cleaned["note"],
        )
    else:
        question = editor.question
        authoring.write_revision(
            question=question,
            item=item,
            base=cleaned["base"] or 0,
            by=by,
            at=at,
            note=cleaned["note"],
        )
        authoring.change_settings(question=question, settings=settings, by=by, at=at)
    authoring.declare_enemies(
        question=question,
        enemies=editor.settings.cleaned_data["enemies"],
        by=by,
        at=at,
    )
    question.refresh_from_db()
    return question


def _store_pictures(editor: Editor, *, by: User, at: datetime.datetime) -> None:
    for form in editor.exhibits.forms:
        file = form.cleaned_data.get("file") if form.cleaned_data else None
        if not file or form.cleaned_data.get("DELETE"):
            continue
        if file.size > images.MAX_BYTES:
            raise images.ImageRefused("It is larger than 1 MB. Make it smaller.")
        image = authoring.store_image(
            content=file.read(), file_name=file.name, by=by, at=at
        )
        form.cleaned_data["sha256"] = image.sha256


def first_error(editor: Editor) -> str:
    """Return a sentence on the first thing that can't be stored, for the preview."""
    parts = (editor.words, *_forms_of(editor))
    for form in parts:
        for name, errors in form.errors.items():
            label = form.fields[name].label or name if name in form.fields else ""
            return f"{label or name}: {errors[0]}"
    return "Something in the form can't be read."


def _forms_of(editor: Editor) -> list[django_forms.Form]:
    return [
        form
        for formset in (editor.options, editor.references, editor.exhibits)
        for form in formset.forms
    ]
