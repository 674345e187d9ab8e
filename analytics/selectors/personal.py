"""What is worked out about a person, for the copy a person may ask for.

The answers behind it are among the tables of exams. What they repeat is left out: the
last ones, and wrong ones. So no key is in it, and no result of a single question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Q

from accounts.domain.records import Row, Table
from accounts.models import User
from accounts.selectors.personal import table
from analytics.domain import ability
from analytics.domain.figures import Figures, Tally
from analytics.models import Forecast, LearnerFigures, LearnerState
from questions.models import Domain, Objective

_CODE: Final = "blueprint__certification__code"
_TALLY: Final = ("answered", "right", "first", "first_right", "seconds")


def records_of(*, user: User) -> Iterator[Table]:
    """Return what is believed of this person, was counted, and was said beforehand."""
    states = LearnerState.objects.filter(user=user)
    yield table(
        "readiness",
        "What your answers say, for each exam guide; what a calibration alone moved.",
        states,
        *(_CODE, "blueprint__version", "first_attempts", "moved"),
        *("through_at", "made_at"),
    )
    yield Table(
        name="readiness_by_domain",
        about="Your ability in each domain and how far it may be off, in logits.",
        columns=("certification", "domain", "name", "ability", "doubt", "answers"),
        rows=_domains(user),
    )
    yield Table(
        name="readiness_over_time",
        about="Expected score with its range, and the modelled chance, week by week.",
        columns=(
            *("certification", "date", "expected", "low", "high", "probability"),
            "first_attempts",
        ),
        rows=(
            {"certification": state.blueprint.certification.code, **point}
            for state in _states(user)
            for point in state.trend
        ),
    )
    yield Table(
        name="study_figures",
        about="Your answers, counted: in all, and by day, area, difficulty and kind.",
        columns=("certification", "time_zone", "by", "name", *_TALLY),
        rows=_counted(user),
    )
    yield table(
        "forecasts",
        "The chance of passing that was told before a result, and the result; as "
        "modelled, where results of others mended it.",
        Forecast.objects.filter(
            Q(sitting__participant__user=user) | Q(enrolment__user=user)
        ),
        *(_CODE, "sitting__public_id", "exam_date", "made_at"),
        *("probability", "modelled", "expected", "questions", "needed"),
        "first_attempts",
        *("is_enough", "share_unseen", "has_passed"),
    )


def _states(user: User) -> Iterator[LearnerState]:
    found = LearnerState.objects.filter(user=user).order_by("pk")
    yield from found.select_related("blueprint__certification")


def _domains(user: User) -> Iterator[Row]:
    for state in _states(user):
        known = ability.from_record(record=state.ability)
        # In the order of the filter's numbers.
        domains = Domain.objects.filter(blueprint=state.blueprint).order_by("pk")
        for number, domain in enumerate(domains[: len(known.answers)]):
            yield {
                "certification": state.blueprint.certification.code,
                "domain": domain.code,
                "name": domain.name,
                "ability": float(known.mean[number]),
                "doubt": float(known.deviation[number]),
                "answers": known.answers[number],
            }


def _counted(user: User) -> Iterator[Row]:
    rows = LearnerFigures.objects.filter(user=user).order_by("pk")
    for row in rows.select_related("certification"):
        about = {"certification": row.certification.code, "time_zone": row.time_zone}
        for by, name, tally in _tallies(Figures.from_record(row.figures)):
            counts = {column: getattr(tally, column) for column in _TALLY}
            yield {**about, "by": by, "name": name, **counts}


def _tallies(figures: Figures) -> Iterator[tuple[str, str, Tally]]:
    """Yield what each tally is by, its name, and itself."""
    yield "total", "", figures.total
    for day, tally in figures.days.items():
        yield "day", day.isoformat(), tally
    domains = Domain.objects.select_related("blueprint").in_bulk(list(figures.domains))
    for pk, domain in domains.items():
        name = f"{domain.code} {domain.name} ({domain.blueprint.version})"
        yield "domain", name, figures.domains[pk]
    objectives = Objective.objects.select_related("domain__blueprint")
    for pk, objective in objectives.in_bulk(list(figures.objectives)).items():
        version = objective.domain.blueprint.version
        name = f"{objective.code} {objective.name} ({version})"
        yield "objective", name, figures.objectives[pk]
    for by in ("difficulties", "kinds", "modes"):
        for name, tally in getattr(figures, by).items():
            yield _SINGULAR[by], name, tally


_SINGULAR: Final = {"difficulties": "difficulty", "kinds": "kind", "modes": "mode"}
