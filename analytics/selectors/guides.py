"""The guides of a certification: its blueprint versions with domains and objectives."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.db.models import Prefetch

from analytics.selectors.targets import version_on
from questions.models import Blueprint, Certification, Domain, Objective

_MOST_KEPT: Final = 32
_kept: Final[dict[int, Guide]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A certification and all versions of its guide, the newest first.

    ``domains`` are keyed by version, in the order of their primary keys, which is that
    of the filter's numbers; each has its ``objectives`` at hand.
    """

    certification: Certification
    versions: tuple[Blueprint, ...]
    domains: dict[int, tuple[Domain, ...]]

    def on(self, day: datetime.date) -> Blueprint | None:
        """Return the version that an exam on a day follows, or else the newest."""
        return version_on(versions=self.versions, on=day)


def guide_of(*, slug: str) -> Guide | None:
    """Return the guide: one query if this process has seen its bank's version, else five."""
    certification = (
        Certification.objects.select_related("vendor").filter(slug=slug).first()
    )
    return None if certification is None else guide(certification=certification)


def guide(*, certification: Certification) -> Guide:
    """Return the guide as of the version that ``certification`` was read with."""
    kept = _kept.get(certification.pk)
    if (
        kept is not None
        and kept.certification.bank_version == certification.bank_version
    ):
        return kept
    versions = tuple(certification.blueprints.order_by("-effective_from"))
    domains: dict[int, list[Domain]] = {version.pk: [] for version in versions}
    found = (
        Domain.objects.filter(blueprint__in=versions)
        .order_by("pk")
        .prefetch_related(Prefetch("objectives", Objective.objects.order_by("code")))
    )
    for domain in found:
        domains[domain.blueprint_id].append(domain)
    made = Guide(
        certification=certification,
        versions=versions,
        domains={version: tuple(rows) for version, rows in domains.items()},
    )
    if len(_kept) >= _MOST_KEPT:
        del _kept[next(iter(_kept))]
    _kept[certification.pk] = made
    return made
