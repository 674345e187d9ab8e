"""What is known of learners, kept up with the log.

A state and the figures of one account are worked out together, under a lock on the
figures; what they rest on is read under it. New answers are added to what is there.
Everything is taken again from the log where that would not do: an answer was graded
again or voided, rows came in late or with a participant, the bank or the time zone
changed, or another calibration or blueprint counts.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.domain.zones import zone_named
from analytics.domain import ability, advice
from analytics.domain.figures import Answer, counted
from analytics.models import LearnerFigures, LearnerState
from analytics.selectors import answers, targets
from analytics.selectors.answers import Answered, History
from analytics.selectors.parameters import QuestionTable, question_table
from analytics.selectors.places import NOWHERE, Bank, bank_of
from analytics.services import beliefs
from analytics.services.beliefs import Belief, Path

_QUARTER: Final = 15 * 60 * 1_000_000
"""Clocks of all zones differ by whole quarters of an hour."""

_KEEP: Final = """
SELECT id FROM accounts_user WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE
"""


@dataclass(slots=True, kw_only=True)
class _Person:
    """One account while it is worked out. ``news`` are all answers if ``is_whole``."""

    pk: int
    figures: LearnerFigures
    state: LearnerState | None = None
    table: QuestionTable | None = None
    zone: str = ""
    is_whole: bool = True
    news: History = field(default_factory=History)

    @property
    def rows(self) -> int:
        return self.news.rows if self.is_whole else self.figures.rows + self.news.rows

    @property
    def through(self) -> datetime.datetime | None:
        if self.is_whole or self.news.through is not None:
            return self.news.through
        return self.figures.through_at


def update(*, user: int, certification: int, at: datetime.datetime) -> bool:
    """Bring one account up to date with the log; say whether anything had changed."""
    return bool(update_many(users=[user], certification=certification, at=at))


@transaction.atomic
def update_many(
    *,
    users: Sequence[int],
    certification: int,
    at: datetime.datetime,
    is_afresh: bool = False,
) -> int:
    """Bring accounts up to date with the log; return how many had changed.

    ``is_afresh`` takes everything again from the log, whatever is there. Who has neither
    answered nor enrolled has no rows afterwards.
    """
    people = _locked(users, certification, at, is_afresh=is_afresh)
    aims = targets.targets(
        users=users, certification=certification, on=at.date(), is_afresh=is_afresh
    )
    tables = {each.pk: question_table(blueprint=each) for each in aims.blueprints}
    for person in people:
        person.state = aims.states.get(person.pk)
        person.table = tables.get(aims.blueprint_of.get(person.pk, 0))
        person.zone = aims.zones.get(person.pk, "")
    if not is_afresh:
        _read_news(people, certification)
    _read_whole(people, certification)
    _forget(
        [p for p in people if not p.rows and p.pk not in aims.enrolled],
        certification,
        people,
    )
    changed = [p for p in people if p.is_whole or p.news.rows]
    # After the answers, so that it has whatever they name. What was published since the
    # tables were read changes what they are made under, and so the next update mends it.
    bank = bank_of(certification=certification)
    for table in tables.values():
        _work_out([p for p in changed if p.table is table], table, bank, at)
    return len(changed)


@transaction.atomic
def take_again(
    *, user: int, certifications: Collection[int], at: datetime.datetime
) -> None:
    """Note that all of an account must be taken again from the log.

    Of rows that came with a participant, no moment tells. Until it is done, pages count
    all rows as to come.
    """
    LearnerFigures.objects.bulk_create(
        (_nothing(user, each, at) for each in sorted(certifications)),
        update_conflicts=True,
        unique_fields=["user", "certification"],
        update_fields=["through_at"],
    )
    LearnerState.objects.filter(
        user=user, blueprint__certification__in=certifications
    ).update(made_under="", through_at=None)


def _nothing(user: int, certification: int, at: datetime.datetime) -> LearnerFigures:
    return LearnerFigures(
        user_id=user,
        certification_id=certification,
        time_zone="",
        figures=counted(answers=()),
        made_at=at,
    )


def _locked(
    users: Sequence[int],
    certification: int,
    at: datetime.datetime,
    *,
    is_afresh: bool,
) -> list[_Person]:
    """Return the figures of all users, locked in one order; made if there are none.

    Accounts that are gone by now are left out. What is taken afresh needs nothing that
    was counted before.
    """
    users = _kept_from_going(users)
    rows = LearnerFigures.objects.filter(user__in=users, certification=certification)
    if is_afresh:
        rows = rows.defer("figures")
    found = _lock(rows)
    missing = sorted(set(users) - {row.user_id for row in found})
    if missing:
        LearnerFigures.objects.bulk_create(
            (_nothing(user, certification, at) for user in missing),
            ignore_conflicts=True,
        )
        found = _lock(rows)
    return [_Person(pk=row.user_id, figures=row) for row in found]


def _kept_from_going(users: Sequence[int]) -> list[int]:
    """Return the accounts there are. Until the end none is erased or deleted.

    Work of theirs is stored meanwhile: the lock is one that only keys feel.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [list(users)])
        return [user for (user,) in cursor.fetchall()]


def _lock(rows: QuerySet[LearnerFigures]) -> list[LearnerFigures]:
    return list(rows.order_by("pk").select_for_update(no_key=True))


def _read_news(people: Sequence[_Person], certification: int) -> None:
    """Read only new answers of those for whom these do."""
    since: dict[int, datetime.datetime] = {}
    for person in people:
        if _goes_on(person):
            since[person.pk] = person.figures.through_at or answers.EPOCH
    met = answers.earlier(certification=certification, since=since)
    news = answers.news(certification=certification, since=since, met=met)
    for person in people:
        found = news.get(person.pk, History())
        if person.pk in since:
            is_there = len(met.get(person.pk, ())) == person.figures.rows
            person.is_whole = not (is_there and found.is_plain)
            person.news = found


def _goes_on(person: _Person) -> bool:
    """Say whether what is there was made as it would be made now."""
    state, figures, table = person.state, person.figures, person.table
    return (
        state is not None
        and table is not None
        and (state.run_id, state.made_under) == (table.run, table.made_under)
        and state.domains == [domain.pk for domain in table.domains]
        and (state.rows, state.through_at) == (figures.rows, figures.through_at)
        and figures.time_zone == person.zone
    )


def _read_whole(people: Sequence[_Person], certification: int) -> None:
    own = answers.participants_of(users=[p.pk for p in people if p.is_whole])
    found = answers.histories(people=own, certification=certification)
    for person in people:
        if person.is_whole:
            person.news = found.get(person.pk, History())


def _forget(
    nobody: Sequence[_Person], certification: int, people: list[_Person]
) -> None:
    if not nobody:
        return
    gone = {person.pk for person in nobody}
    LearnerState.objects.filter(
        user__in=gone, blueprint__certification=certification
    ).delete()
    LearnerFigures.objects.filter(user__in=gone, certification=certification).delete()
    people[:] = [person for person in people if person.pk not in gone]


def _work_out(
    people: Sequence[_Person], table: QuestionTable, bank: Bank, at: datetime.datetime
) -> None:
    """Work out states and figures under one blueprint, and keep them."""
    if not people:
        return
    found = beliefs.advanced(
        table=table,
        beliefs=[_before(person, table) for person in people],
        answers=[person.news.answers for person in people],
    )
    states, figures = [], []
    for person, belief in zip(people, found, strict=True):
        states.append(_state(person, belief, table, at))
        figures.append(_figures(person, bank, at))
    LearnerState.objects.bulk_create(
        states,
        update_conflicts=True,
        unique_fields=["user", "blueprint"],
        update_fields=[
            *("run", "domains", "made_under", "ability", "first_attempts"),
            *("trend", "recent", "moved", "rows", "through_at", "made_at"),
        ],
    )
    LearnerFigures.objects.bulk_create(
        figures,
        update_conflicts=True,
        unique_fields=["user", "certification"],
        update_fields=["time_zone", "figures", "rows", "through_at", "made_at"],
    )
    whole = [person.pk for person in people if person.is_whole]
    if whole:
        # Of versions that don't count for these people any more.
        LearnerState.objects.filter(
            user__in=whole,
            blueprint__certification=people[0].figures.certification_id,
        ).exclude(blueprint=table.blueprint).delete()


def _before(person: _Person, table: QuestionTable) -> Path:
    state = person.state
    if person.is_whole or state is None:
        return beliefs.nothing_known(table=table)
    return Path(trend=state.trend, recent=state.recent)


def _state(
    person: _Person, belief: Belief, table: QuestionTable, at: datetime.datetime
) -> LearnerState:
    return LearnerState(
        user_id=person.pk,
        blueprint_id=table.blueprint,
        run_id=table.run,
        domains=[domain.pk for domain in table.domains],
        made_under=table.made_under,
        ability=ability.to_record(ability=belief.ability),
        first_attempts=belief.first_attempts,
        trend=belief.trend,
        recent=belief.recent,
        moved=_moved(person, belief, table, at),
        rows=person.rows,
        through_at=person.through,
        made_at=at,
    )


def _moved(
    person: _Person, belief: Belief, table: QuestionTable, at: datetime.datetime
) -> dict[str, Any] | None:
    """Return what another calibration changed in what is shown, the answers being same.

    What an earlier one changed stays until then.
    """
    state = person.state
    if state is None or state.run_id == table.run:
        return state.moved if state else None
    is_same = (state.rows, state.through_at) == (person.rows, person.through)
    if not is_same or not state.trend or not belief.trend:
        return state.moved
    before, after = state.trend[-1], belief.trend[-1]
    if _as_shown(before) == _as_shown(after):
        return state.moved
    return {
        "at": at.isoformat(),
        "before": {name: before[name] for name in ("expected", "probability")},
        "after": {name: after[name] for name in ("expected", "probability")},
    }


def _as_shown(point: dict[str, Any]) -> tuple[str, int]:
    return advice.rounded(point["probability"]), round(100 * point["expected"])


def _figures(person: _Person, bank: Bank, at: datetime.datetime) -> LearnerFigures:
    found = counted(
        answers=_as_counted(person.news.answers, bank, person.zone),
        before=None if person.is_whole else person.figures.figures,
    )
    return LearnerFigures(
        user_id=person.pk,
        certification_id=person.figures.certification_id,
        time_zone=person.zone,
        figures=found,
        rows=person.rows,
        through_at=person.through,
        made_at=at,
    )


def _as_counted(found: Iterable[Answered], bank: Bank, zone: str) -> Iterable[Answer]:
    for each in found:
        if not each.is_attempt and not each.was_shown:
            continue  # practice that ended without this answer
        kind, difficulty = bank.looks[each.revision]
        domains, objectives = bank.places.get(each.question, NOWHERE)
        yield Answer(
            each.question,
            each.revision,
            _day(zone, each.answered_at // _QUARTER),
            each.mode,
            kind,
            difficulty,
            domains,
            objectives,
            tuple(each.chosen),
            each.seconds,
            each.is_right,
            each.is_first,
            each.was_shown,
        )


@lru_cache(maxsize=50_000)
def _day(zone: str, quarter: int) -> datetime.date:
    """Return the day that a quarter of an hour since 1970 falls on in a time zone."""
    at = answers.moment(quarter * _QUARTER)
    return at.astimezone(zone_named(zone)).date()
