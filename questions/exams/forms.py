"""What to practise, as a learner chooses it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django import forms

from questions import selectors as bank
from questions.domain.items import Difficulty
from questions.exams import selectors
from questions.exams.services import MOST_IN_A_SET
from questions.models import Blueprint, Domain

USUAL_LENGTH = 10


class PracticeForm(forms.Form):
    """Domains, objectives, difficulty and how many; bound to one blueprint version.

    ``match_count`` says how many questions fit, whatever the length asked for.
    """

    domains = forms.TypedMultipleChoiceField(coerce=int, required=False)
    objectives = forms.TypedMultipleChoiceField(coerce=int, required=False)
    difficulty = forms.MultipleChoiceField(
        choices=[(level.value, level.value.capitalize()) for level in Difficulty],
        required=False,
    )
    length = forms.IntegerField(
        label="How many", initial=USUAL_LENGTH, required=False, min_value=1
    )

    def __init__(
        self, posted: Any = None, *, blueprint: Blueprint, user: object
    ) -> None:
        super().__init__(posted)
        self.blueprint = blueprint
        self.user = user
        self.places: list[Domain] = bank.blueprint_domains(blueprint=blueprint)
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (place.pk, place.name) for place in self.places
        ]
        self.fields["objectives"].choices = [  # type: ignore[attr-defined]
            (objective.pk, objective.name)
            for place in self.places
            for objective in place.objectives.all()
        ]

    @cached_property
    def pool(self) -> list[int]:
        """The ids of the questions that fit, narrowed by whatever is valid so far."""
        cleaned: dict[str, Any] = getattr(self, "cleaned_data", {})
        choice = selectors.Choice(
            domains=tuple(cleaned.get("domains", ())),
            objectives=tuple(cleaned.get("objectives", ())),
            difficulties=tuple(cleaned.get("difficulty", ())),
        )
        found = selectors.practice_pool(
            blueprint=self.blueprint, choice=choice, user=self.user
        )
        return list(found.values_list("pk", flat=True))

    @property
    def match_count(self) -> int:
        """How many questions fit what is chosen so far."""
        return len(self.pool)

    @property
    def most(self) -> int:
        """The longest set that can be started now."""
        return min(self.match_count, MOST_IN_A_SET)

    @property
    def chosen_domains(self) -> list[int]:
        """The domains chosen so far."""
        return self._chosen("domains")

    @property
    def chosen_objectives(self) -> list[int]:
        """The objectives chosen so far."""
        return self._chosen("objectives")

    @property
    def chosen_levels(self) -> list[str]:
        """The levels of difficulty chosen so far."""
        return self._chosen("difficulty")

    @property
    def opened_domains(self) -> list[int]:
        """The domains of which an objective is chosen: their list is shown open."""
        chosen = set(self.chosen_objectives)
        return [
            place.pk
            for place in self.places
            if any(objective.pk in chosen for objective in place.objectives.all())
        ]

    def _chosen(self, name: str) -> list[Any]:
        cleaned: dict[str, list[Any]] = getattr(self, "cleaned_data", {})
        return cleaned.get(name, [])

    def clean_length(self) -> int:
        """Take no number for the usual one."""
        length: int | None = self.cleaned_data.get("length")
        return length if length is not None else USUAL_LENGTH

    def clean(self) -> dict[str, Any]:
        """Refuse a length that the pool can't fill, and say what it can."""
        cleaned = super().clean() or {}
        length = cleaned.get("length")
        if not self.pool:
            self.add_error(None, "No question fits. Choose more domains or levels.")
        elif length is not None and length > self.most:
            self.add_error(
                "length",
                f"{self.match_count} match, and a set has {MOST_IN_A_SET} at most. "
                f"Choose a number from 1 to {self.most}.",
            )
        return cleaned
