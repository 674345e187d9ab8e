"""The author desk's forms: an item's words, its parts, what is said beside them.

They translate between what a person types and the domain's values. Rules about items
are in ``domain.checks``; here only what can't be stored is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.text import slugify
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.models import AuthorProfile
from questions.domain import items
from questions.models import (
    EXPOSURES,
    PROVENANCES,
    Blueprint,
    Certification,
    Domain,
    Image,
    Objective,
    Question,
    Revision,
    Scenario,
)
from questions.services import authoring


def _area(rows: int) -> forms.Textarea:
    area: forms.Textarea = UnfoldAdminTextareaWidget(
        attrs={"rows": rows, "spellcheck": "true"}
    )
    return area


class _Line(forms.CharField):
    """Text on one line, as a browser's field sends it, whoever sends it."""

    def to_python(self, value: Any) -> Any:
        """Put spaces for line breaks: the bank's files have one line for it, too."""
        found = super().to_python(value)
        return " ".join(found.splitlines()) if isinstance(found, str) else found


class _Later(forms.CharField):
    """Text that a draft may lack; its label says when it is needed."""

    def __init__(self, *, needed: str, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.needed = needed


class WordsForm(forms.Form):
    """The words of an item, apart from its options, references and exhibits."""

    base = forms.IntegerField(widget=forms.HiddenInput, required=False, initial=0)
    title = _Line(
        max_length=120,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Short, and gives nothing away. It is the page's heading.",
    )
    stem = forms.CharField(
        strip=False,
        widget=_area(9),
        help_text="The situation. Markdown: **bold**, `code`, fenced blocks, tables, "
        "$LaTeX$.",
    )
    lead_in = forms.CharField(
        required=False,
        widget=_area(2),
        label="Lead-in",
        help_text="The question asked, in one sentence. "
        "Could it be answered before reading the options?",
    )
    kind = forms.ChoiceField(
        choices=Revision.Kind.choices, widget=UnfoldAdminSelectWidget()
    )
    choose = forms.IntegerField(
        min_value=1,
        max_value=6,
        initial=1,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget(),
        help_text="How many to choose, where several are asked for.",
    )
    difficulty = forms.ChoiceField(
        choices=[(level.value, level.value.capitalize()) for level in items.Difficulty],
        initial=items.Difficulty.MEDIUM.value,
        widget=UnfoldAdminSelectWidget(),
    )
    scenario = forms.ModelChoiceField(
        Scenario.objects.none(),
        required=False,
        empty_label="None",
        widget=UnfoldAdminSelectWidget(),
        help_text="A case study shown beside the question.",
    )
    trap = _Later(
        needed="needed to publish",
        strip=False,
        widget=_area(3),
        help_text="The idea that leads careful people to a wrong option, named.",
    )
    explanation = _Later(
        needed="needed to publish",
        strip=False,
        widget=_area(7),
        help_text="The principle, so that it helps with the next question too. Name "
        "options by their key, {{option:KEY}}: the learner sees the letter.",
    )
    note = _Line(
        max_length=200,
        required=False,
        label="What changed",
        widget=UnfoldAdminTextInputWidget(),
        help_text="For the reviewer and the history.",
    )

    def __init__(
        self, *args: Any, certification: Certification | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        scenarios = Scenario.objects.filter(
            certification=certification, latest_revision__isnull=False
        ).order_by("slug")
        self.fields["scenario"].queryset = scenarios  # type: ignore[attr-defined]

    def clean_choose(self) -> int:
        """Take no number for one."""
        return self.cleaned_data.get("choose") or 1


class OptionForm(forms.Form):
    """One option."""

    key = forms.CharField(
        max_length=40,
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "made from the text"}),
        validators=[
            RegexValidator(
                r"^[a-z][a-z0-9-]*$",
                "Use small letters, digits and hyphens, and start with a letter.",
            )
        ],
    )
    text = forms.CharField(strip=False, widget=_area(2))
    rationale = _Later(needed="needed to publish", strip=False, widget=_area(3))
    is_key = forms.BooleanField(
        required=False, label="Right", widget=UnfoldBooleanWidget()
    )
    is_pinned = forms.BooleanField(
        required=False, label="Pinned", widget=UnfoldBooleanWidget()
    )


class ReferenceForm(forms.Form):
    """One reference."""

    title = _Line(max_length=200, widget=UnfoldAdminTextInputWidget())
    url = forms.URLField(
        max_length=500,
        label="Address",
        assume_scheme="https",
        widget=UnfoldAdminTextInputWidget(attrs={"type": "url"}),
    )


class ExhibitForm(forms.Form):
    """Code to show, or a picture: sent now or sent before."""

    text = forms.CharField(
        strip=False, required=False, label="Code or output", widget=_area(5)
    )
    language = _Line(max_length=30, required=False, widget=UnfoldAdminTextInputWidget())
    file = forms.FileField(
        required=False,
        label="Picture",
        help_text="PNG, JPEG, WebP or SVG, at most 1 MB.",
    )
    sha256 = forms.CharField(required=False, widget=forms.HiddenInput)
    alt = _Later(
        needed="needed with a picture",
        label="Alternative text",
        widget=_area(2),
        help_text="What somebody who can't see the picture needs to answer.",
    )
    caption = _Line(max_length=200, required=False, widget=UnfoldAdminTextInputWidget())

    def clean(self) -> dict[str, Any]:
        """Take either code or a picture, and only a picture that is there."""
        cleaned = super().clean() or {}
        sha256 = cleaned.get("sha256")
        if sha256 and not Image.objects.filter(sha256=sha256).exists():
            self.add_error("file", "That picture is not stored. Choose it again.")
        has_picture = bool(cleaned.get("file") or cleaned.get("sha256"))
        has_code = bool((cleaned.get("text") or "").strip())
        if has_picture and has_code:
            self.add_error("text", "An exhibit is code or a picture. Add two exhibits.")
        elif not has_picture and not has_code and any(cleaned.values()):
            self.add_error("text", "Write the code, or choose a picture.")
        return cleaned


class _OptionRows(forms.BaseFormSet[OptionForm]):
    def clean(self) -> None:
        """Refuse a key that two options have: explanations name options by it."""
        seen: set[str] = set()
        for form in self.forms:
            cleaned = getattr(form, "cleaned_data", {})
            key = cleaned.get("key")
            if not key or cleaned.get("DELETE"):
                continue
            if key in seen:
                form.add_error("key", f"Another option has the key “{key}”, too.")
            seen.add(key)


OptionFormSet = forms.formset_factory(
    OptionForm,
    formset=_OptionRows,
    extra=0,
    can_order=True,
    can_delete=True,
    max_num=10,
    absolute_max=20,
)
ReferenceFormSet = forms.formset_factory(
    ReferenceForm, extra=0, can_order=True, can_delete=True, max_num=10, absolute_max=20
)
ExhibitFormSet = forms.formset_factory(
    ExhibitForm, extra=0, can_order=True, can_delete=True, max_num=6, absolute_max=12
)


class SettingsForm(forms.Form):
    """What is said of a question beside its words."""

    slug = forms.SlugField(
        max_length=120,
        required=False,
        label="Address",
        widget=UnfoldAdminTextInputWidget(),
        help_text="Made from the title if left empty. A former address redirects.",
    )
    author = forms.ModelChoiceField(
        AuthorProfile.objects.order_by("name"), widget=UnfoldAdminSelectWidget()
    )
    exposure = forms.ChoiceField(
        choices=EXPOSURES,
        widget=UnfoldAdminSelectWidget(),
    )
    provenance = forms.ChoiceField(
        choices=PROVENANCES,
        widget=UnfoldAdminSelectWidget(),
    )
    sources = forms.CharField(
        required=False,
        widget=_area(2),
        help_text="What it was written from. Never a real exam, never another bank.",
    )
    review_due_date = forms.DateField(
        required=False, label="Review due", widget=UnfoldAdminSingleDateWidget()
    )
    enemies = forms.CharField(
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Addresses of questions never to be in one exam with this one, "
        "parted by commas.",
    )

    def __init__(self, *args: Any, certification: Certification, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.blueprints = list(
            Blueprint.objects.filter(certification=certification).order_by(
                "-effective_from"
            )
        )
        for blueprint in self.blueprints:
            self.fields[f"place_{blueprint.pk}"] = forms.ChoiceField(
                choices=_places(blueprint),
                required=False,
                label=f"Objective in {blueprint.version}",
                widget=UnfoldAdminSelectWidget(),
            )

    def place_fields(self) -> Iterable[forms.BoundField]:
        """Return the fields that say where the question stands, newest version first."""
        return [self[f"place_{blueprint.pk}"] for blueprint in self.blueprints]

    def clean_enemies(self) -> list[Question]:
        """Find the questions that are named."""
        slugs = [
            slug for slug in re.split(r"[\s,]+", self.cleaned_data["enemies"]) if slug
        ]
        found = {q.slug: q for q in Question.objects.filter(slug__in=slugs)}
        missing = [slug for slug in slugs if slug not in found]
        if missing:
            raise forms.ValidationError(
                f"There is no question at “{missing[0]}”. Check the address."
            )
        return list(found.values())

    def placements(self) -> tuple[authoring.Placement, ...]:
        """Return where the question belongs, for each version that has a choice."""
        chosen = [
            self.cleaned_data[f"place_{blueprint.pk}"] for blueprint in self.blueprints
        ]
        return tuple(_placement(value) for value in chosen if value)

    def has_address(self, *, title: str) -> bool:
        """Say whether an address was typed, or can be made from the title."""
        return bool(self.cleaned_data["slug"] or slugify(title))

    def settings(self, *, title: str) -> authoring.Settings:
        """Return the settings typed; the address from the title if none was."""
        cleaned = self.cleaned_data
        return authoring.Settings(
            slug=cleaned["slug"] or slugify(title)[:120],
            author=cleaned["author"],
            provenance=items.Provenance(cleaned["provenance"]),
            sources=cleaned["sources"],
            exposure=items.Exposure(cleaned["exposure"]),
            placements=self.placements(),
            review_due_date=cleaned["review_due_date"],
        )


def _places(blueprint: Blueprint) -> list[Any]:
    choices: list[Any] = [("", "Not in this version")]
    domains = (
        Domain.objects.filter(blueprint=blueprint)
        .order_by("code")
        .prefetch_related("objectives")
    )
    for domain in domains:
        objectives = sorted(domain.objectives.all(), key=lambda found: found.code)
        if objectives:
            choices.append(
                (str(domain), [(f"objective-{o.pk}", str(o)) for o in objectives])
            )
        else:
            choices.append((f"domain-{domain.pk}", str(domain)))
    return choices


def _placement(value: str) -> authoring.Placement:
    kind, _, key = value.partition("-")
    if kind == "objective":
        objective = Objective.objects.select_related("domain").get(pk=int(key))
        return authoring.Placement(domain=objective.domain, objective=objective)
    return authoring.Placement(domain=Domain.objects.get(pk=int(key)), objective=None)
