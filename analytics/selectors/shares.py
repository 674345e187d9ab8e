"""Who chose which option, for those who may see the key."""

from __future__ import annotations

from dataclasses import dataclass

from analytics.domain.ctt import ENOUGH_ATTEMPTS
from analytics.models import ItemStatistic


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Whole per cent of ``people`` who chose each option on their first attempt, by key."""

    people: int
    by_option: dict[str, int]


def shares_of(*, revision: int) -> Shares | None:
    """Return who chose which option of a revision, in one query; of real people only.

    Nothing where too few answered before the calibration in force. Shares give the key
    away: ask for them only where it may be seen.
    """
    found = (
        ItemStatistic.objects.filter(
            run__is_in_force=True,
            revision=revision,
            mode="",
            attempts__gte=ENOUGH_ATTEMPTS,
        )
        .values_list("attempts", "options")
        .first()
    )
    if found is None:
        return None
    people, options = found
    return Shares(
        people=people,
        by_option={
            option["key"]: round(100 * option["share"])
            for option in options
            if option["share"] is not None
        },
    )
