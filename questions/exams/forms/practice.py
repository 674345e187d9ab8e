"""What to practise, as a learner chooses it."""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from django import forms

from accounts.selectors import Learner
from questions import selectors as bank
from questions.domain.items import Difficulty
from questions.exams.domain.visibility import Feedback
from questions.exams.selectors import pool
from questions.exams.services.starting import MOST_IN_A_SET, PracticeTerms
from questions.models import Blueprint, Domain, Objective

USUAL_LENGTH: Final = 10
STANDINGS: Final = (
    (pool.Standing.ALL.value, "All"),
    (pool.Standing.UNSEEN.value, "Not seen yet"),
    (pool.Standing.MISSED.value, "Missed"),
    (pool.Standing.FLAGGED.value, "Flagged"),
)
FEEDBACKS: Final = (
    (Feedback.AT_ONCE.value, "After each answer"),
    (Feedback.AT_END.value, "At the end"),
)


class PracticeForm(forms.Form):
    """Domains, objectives, difficulty, standing, how many and how; for one blueprint.

    ``match_count`` says how many questions fit, whatever the length asked for.
    """

    domains = forms.TypedMultipleChoiceField(coerce=int, required=False)
    objectives = forms.TypedMultipleChoiceField(coerce=int, required=False)
    difficulty = forms.MultipleChoiceField(
        choices=[(level.value, level.value.capitalize()) for level in Difficulty],
        required=False,
    )
    standing = forms.ChoiceField(choices=STANDINGS, required=False)
    feedback = forms.ChoiceField(choices=FEEDBACKS, required=False)
    is_timed = forms.BooleanField(required=False)
    length = forms.IntegerField(
        label="How many",
        initial=USUAL_LENGTH,
        required=False,
        min_value=1,
        error_messages={
            "invalid": "Write a whole number, such as 10.",
            "min_value": "Choose a number from 1 up.",
        },
    )

    def __init__(
        self,
        posted: Any = None,
        *,
        blueprint: Blueprint,
        learner: Learner,
        withheld: Collection[int] = (),
    ) -> None:
        super().__init__(posted)
        self.blueprint = blueprint
        self.learner = learner
        self.withheld = withheld
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
        choice = pool.Choice(
            domains=tuple(cleaned.get("domains", ())),
            objectives=tuple(cleaned.get("objectives", ())),
            difficulties=tuple(cleaned.get("difficulty", ())),
            standing=pool.Standing(cleaned.get("standing") or pool.Standing.ALL),
        )
        found = pool.practice_pool(
            blueprint=self.blueprint,
            choice=choice,
            learner=self.learner,
            withheld=self.withheld,
        )
        return list(found.values_list("pk", flat=True))

    @cached_property
    def lines(self) -> list[tuple[Domain, int, list[tuple[Objective, int]]]]:
        """Domains and their objectives, each with how many could be practised now."""
        by_domain, by_objective = pool.practice_counts(
            blueprint=self.blueprint, learner=self.learner, withheld=self.withheld
        )
        return [
            (
                place,
                by_domain[place.pk],
                [(each, by_objective[each.pk]) for each in place.objectives.all()],
            )
            for place in self.places
        ]

    def terms(self) -> PracticeTerms:
        """Return how to practise, as chosen."""
        cleaned: dict[str, Any] = self.cleaned_data
        length: int = cleaned["length"]
        return PracticeTerms(
            blueprint=self.blueprint,
            length=length,
            feedback=Feedback(cleaned["feedback"] or Feedback.AT_ONCE),
            minutes=self.minutes_for(length) if cleaned["is_timed"] else None,
        )

    def minutes_for(self, length: int) -> int:
        """Return the minutes for so many questions at the exam's pace."""
        pace = Fraction(self.blueprint.minutes, self.blueprint.questions_max)
        return math.ceil(pace * length)

    @property
    def pace_minutes(self) -> str:
        """The minutes that the exam gives a question, as a figure."""
        return f"{self.blueprint.minutes / self.blueprint.questions_max:.2g}"

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
    def chosen_standing(self) -> str:
        """Which questions are chosen so far, by how they stand."""
        cleaned: dict[str, str] = getattr(self, "cleaned_data", {})
        return cleaned.get("standing") or pool.Standing.ALL.value

    @property
    def chosen_feedback(self) -> str:
        """When the answers are to be shown."""
        cleaned: dict[str, str] = getattr(self, "cleaned_data", {})
        return cleaned.get("feedback") or Feedback.AT_ONCE.value

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
            self.add_error(None, self._nothing())
        elif length is not None and length > self.most:
            self.add_error(
                "length",
                f"{self.match_count} match, and a set has {MOST_IN_A_SET} at most. "
                f"Choose a number from 1 to {self.most}.",
            )
        return cleaned

    def _nothing(self) -> str:
        if self.chosen_standing == pool.Standing.ALL:
            return "No question fits. Choose more domains or levels."
        name = dict(STANDINGS)[self.chosen_standing].lower()
        return f"No question fits: of those {name}, none is left. Choose All."
