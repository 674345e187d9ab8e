"""Where questions stand, in all versions of a guide, and what revisions are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from questions.models import Alignment, Certification, Revision


class Place(NamedTuple):
    """The domains and objectives of a question, those of every version."""

    domains: tuple[int, ...]
    objectives: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """What figures need of a bank: places by question; kind, difficulty by revision."""

    places: dict[int, Place]
    looks: dict[int, tuple[str, str]]


NOWHERE: Final = Place((), ())
_MOST_KEPT: Final = 32
_kept: Final[dict[int, tuple[int, Bank]]] = {}


def bank_of(*, certification: int) -> Bank:
    """Return the bank as it is now: one query if nothing has changed, else three."""
    version = Certification.objects.values_list("bank_version", flat=True).get(
        pk=certification
    )
    kept = _kept.get(certification)
    if kept is not None and kept[0] == version:
        return kept[1]
    places: dict[int, Place] = {}
    aligned = Alignment.objects.filter(question__certification=certification)
    for question, domain, objective in aligned.order_by("pk").values_list(
        "question", "domain", "objective"
    ):
        place = places.get(question, NOWHERE)
        places[question] = Place(
            (*place.domains, domain),
            (*place.objectives, *([objective] if objective else [])),
        )
    published = Revision.objects.filter(
        question__certification=certification, published_at__isnull=False
    ).values_list("pk", "kind", "difficulty")
    found = Bank(
        places=places, looks={pk: (kind, hard) for pk, kind, hard in published}
    )
    if len(_kept) >= _MOST_KEPT:
        del _kept[next(iter(_kept))]
    _kept[certification] = (version, found)
    return found
