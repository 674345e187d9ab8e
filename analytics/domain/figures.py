"""What one person did in one certification, counted.

Everything is a count, a sum or a median, so that each figure can be explained by the
answers behind it. Answers are taken one by one, in the order in which they were scored:
more of them can be added to what was counted before, with the same result. They are
added to the record that JSON holds; ``Figures`` is how it is read.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

MOST_TRAPS: Final = 300
"""So many different wrong answers are kept, those given last."""

LONGEST_SECONDS: Final = 3_600
"""More time than this on one question counts as this much in the median."""

_DAY: Final = datetime.timedelta(days=1)
_WEEK: Final = 7


class Tally(NamedTuple):
    """Answers of one kind; ``first`` are first attempts, ``right`` those with full marks.

    A question of a mock that was left unanswered counts as answered wrong. ``seconds``
    is the time spent on all of them.
    """

    answered: int = 0
    right: int = 0
    first: int = 0
    first_right: int = 0
    seconds: int = 0

    @property
    def repeats(self) -> int:
        """Return how many answers were no first attempts."""
        return self.answered - self.first

    @property
    def repeats_right(self) -> int:
        """Return how many of the repeats were right."""
        return self.right - self.first_right

    @property
    def share_right(self) -> float | None:
        """Return the share right of all answers, between 0 and 1; None of none."""
        return self.right / self.answered if self.answered else None

    @property
    def first_share_right(self) -> float | None:
        """Return the share right of first attempts, between 0 and 1; None of none."""
        return self.first_right / self.first if self.first else None

    @property
    def repeats_share_right(self) -> float | None:
        """Return the share right of repeats, between 0 and 1; None of none."""
        return self.repeats_right / self.repeats if self.repeats else None

    @property
    def mean_seconds(self) -> float | None:
        """Return the seconds an answer took on average; None of none."""
        return self.seconds / self.answered if self.answered else None

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(
            answered=self.answered + other.answered,
            right=self.right + other.right,
            first=self.first + other.first,
            first_right=self.first_right + other.first_right,
            seconds=self.seconds + other.seconds,
        )


_NONE: Final = Tally()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A wrong answer that was given: ``chosen`` are the keys of the options.

    ``times`` counts how often, as far as ``MOST_TRAPS`` reaches back; ``last`` is the
    day on which it was given last.
    """

    question: int
    revision: int
    chosen: tuple[str, ...]
    times: int
    last: datetime.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All that is counted. Days are those of the learner's time zone.

    ``domains`` and ``objectives`` are keyed by primary key and hold those of every
    blueprint version that the questions are aligned to; sum within one version only.
    ``difficulties`` are the authors'. ``paces`` has, per mode, how many first attempts
    took how many seconds; unanswered ones are left out. ``traps`` begin with the last.
    ``omitted`` is how many questions of mocks were left unanswered (they are in
    ``total``), ``shown`` how often the answer was asked for (these are not).
    """

    total: Tally = _NONE
    omitted: int = 0
    shown: int = 0
    days: Mapping[datetime.date, Tally] = field(default_factory=dict)
    domains: Mapping[int, Tally] = field(default_factory=dict)
    objectives: Mapping[int, Tally] = field(default_factory=dict)
    difficulties: Mapping[str, Tally] = field(default_factory=dict)
    kinds: Mapping[str, Tally] = field(default_factory=dict)
    modes: Mapping[str, Tally] = field(default_factory=dict)
    paces: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    traps: tuple[Trap, ...] = ()

    def pace(self, mode: str) -> float | None:
        """Return the median seconds of a first attempt in ``mode``; None of none."""
        return _median(self.paces.get(mode, {}))

    def most_frequent_traps(self) -> tuple[Trap, ...]:
        """Return the traps fallen for more than once, the most frequent first."""
        again = [trap for trap in self.traps if trap.times > 1]
        return tuple(sorted(again, key=lambda trap: -trap.times))

    def between(self, *, first: datetime.date, last: datetime.date) -> Tally:
        """Return what was done from one day to another, both included."""
        found = Tally()
        for day, tally in self.days.items():
            if first <= day <= last:
                found = found.plus(tally)
        return found

    def week(self, *, of: datetime.date) -> Tally:
        """Return what was done in the week, Monday to Sunday, of a day."""
        monday = of - of.weekday() * _DAY
        return self.between(first=monday, last=monday + (_WEEK - 1) * _DAY)

    def week_before(self, *, of: datetime.date) -> Tally:
        """Return what was done in the week before that of a day."""
        return self.week(of=of - _WEEK * _DAY)

    def streak(self, *, today: datetime.date) -> int:
        """Return how many days in a row have answers, up to today or yesterday."""
        day = today if today in self.days else today - _DAY
        found = 0
        while day in self.days:
            found += 1
            day -= _DAY
        return found

    def longest_streak(self) -> int:
        """Return the most days in a row that ever had answers."""
        longest = 0
        for day in self.days:
            if day - _DAY in self.days:
                continue
            length = 1
            while day + length * _DAY in self.days:
                length += 1
            longest = max(longest, length)
        return longest

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Figures:
        """Return the figures of a record that ``counted`` made."""
        date = datetime.date.fromisoformat
        return cls(
            total=Tally._make(record["total"]),
            omitted=record["omitted"],
            shown=record["shown"],
            days={date(day): Tally._make(t) for day, t in record["days"].items()},
            domains=_by_number(record["domains"]),
            objectives=_by_number(record["objectives"]),
            difficulties=_by_name(record["difficulties"]),
            kinds=_by_name(record["kinds"]),
            modes=_by_name(record["modes"]),
            paces={
                mode: {int(seconds): n for seconds, n in counts.items()}
                for mode, counts in record["paces"].items()
            },
            traps=tuple(
                Trap(
                    question=question,
                    revision=revision,
                    chosen=tuple(chosen),
                    times=times,
                    last=date(last),
                )
                for question, revision, chosen, times, last in record["traps"]
            ),
        )


class Answer(NamedTuple):
    """One answer, as it is counted. ``day`` is a day of the learner's time zone.

    ``places`` are the domains and objectives of the question, of all versions. Of an
    answer that was only asked for (``was_shown``), nothing else counts.
    """

    question: int
    revision: int
    day: datetime.date
    mode: str
    kind: str
    difficulty: str
    domains: tuple[int, ...]
    objectives: tuple[int, ...]
    chosen: tuple[str, ...]
    seconds: int
    is_right: bool
    is_first: bool
    was_shown: bool


Record: TypeAlias = dict[str, Any]
"""Figures as JSON holds them: a tally is a list, a day is text, and so is each key."""

_NOTHING: Final[Record] = {
    "total": [0] * 5,
    "omitted": 0,
    "shown": 0,
    "days": {},
    "domains": {},
    "objectives": {},
    "difficulties": {},
    "kinds": {},
    "modes": {},
    "paces": {},
    "traps": [],
}
_Counts: TypeAlias = defaultdict[Any, list[int]]


def counted(
    *, answers: Iterable[Answer], before: Mapping[str, Any] | None = None
) -> Record:
    """Return the record of what was counted ``before`` with these answers added.

    They are added in their order. ``before`` stays as it is.
    """
    found = {**_NOTHING, **(before or {})}
    # By what answers have in common, so that each counts in few places; parted into
    # domains, objectives and so on in the end.
    days, places, looks = _counts(), _counts(), _counts()
    paces: defaultdict[str, Counter[int]] = defaultdict(Counter)
    fallen_for: list[tuple[_Choice, datetime.date]] = []
    for (
        question,
        revision,
        day,
        mode,
        kind,
        difficulty,
        domains,
        objectives,
        chosen,
        seconds,
        is_right,
        is_first,
        was_shown,
    ) in answers:
        if was_shown:
            found["shown"] += 1
            continue
        for tally in (
            days[day],
            places[domains, objectives],
            looks[kind, difficulty, mode],
        ):
            tally[0] += 1
            tally[1] += is_right
            tally[2] += is_first
            tally[3] += is_right and is_first
            tally[4] += seconds
        if not chosen:
            found["omitted"] += 1
            continue
        if is_first:
            paces[mode][min(seconds, LONGEST_SECONDS)] += 1
        if not is_right:
            fallen_for.append(((question, revision, chosen), day))
    _add_tallies(found, days, places, looks)
    _add_paces(found, paces)
    _add_traps(found, fallen_for)
    return found


_Choice: TypeAlias = tuple[int, int, tuple[str, ...]]


def _counts() -> _Counts:
    return defaultdict(lambda: [0] * 5)


def _add_tallies(found: Record, days: _Counts, places: _Counts, looks: _Counts) -> None:
    """Add what was counted of each day, of each place and of each look."""
    total = {"": found["total"]}
    by = {
        name: dict(found[name])
        for name in ("days", "domains", "objectives", "difficulties", "kinds", "modes")
    }
    for day, more in days.items():
        _add(by["days"], day.isoformat(), more)
    for (domains, objectives), more in places.items():
        for key in domains:
            _add(by["domains"], str(key), more)
        for key in objectives:
            _add(by["objectives"], str(key), more)
    for (kind, difficulty, mode), more in looks.items():
        _add(total, "", more)
        _add(by["kinds"], kind, more)
        _add(by["difficulties"], difficulty, more)
        _add(by["modes"], mode, more)
    found.update(by, total=total[""])


def _add(counts: dict[str, list[int]], key: str, more: list[int]) -> None:
    here = counts.get(key)
    if here is None:
        counts[key] = more
        return
    a, b, c, d, e = here
    v, w, x, y, z = more
    counts[key] = [a + v, b + w, c + x, d + y, e + z]


def _add_paces(found: Record, paces: Mapping[str, Counter[int]]) -> None:
    both = dict(found["paces"])
    for mode, counts in paces.items():
        both[mode] = dict(both.get(mode, {}))
        for seconds, times in counts.items():
            key = str(seconds)
            both[mode][key] = both[mode].get(key, 0) + times
    found["paces"] = both


def _add_traps(
    found: Record, fallen_for: Iterable[tuple[_Choice, datetime.date]]
) -> None:
    # The last one is at the end here, and at the beginning of a record.
    traps: dict[_Choice, tuple[int, str]] = {
        (question, revision, tuple(chosen)): (times, last)
        for question, revision, chosen, times, last in reversed(found["traps"])
    }
    for choice, day in fallen_for:
        times, _ = traps.pop(choice, (0, ""))
        traps[choice] = (times + 1, day.isoformat())
        if len(traps) > MOST_TRAPS:
            del traps[next(iter(traps))]
    found["traps"] = [
        [question, revision, list(chosen), times, last]
        for (question, revision, chosen), (times, last) in reversed(traps.items())
    ]


def _by_number(record: Mapping[str, list[int]]) -> dict[int, Tally]:
    return {int(key): Tally._make(listed) for key, listed in record.items()}


def _by_name(record: Mapping[str, list[int]]) -> dict[str, Tally]:
    return {key: Tally._make(listed) for key, listed in record.items()}


def _median(counts: Mapping[int, int]) -> float | None:
    """Return the median of values that occur so often; None of none."""
    total = sum(counts.values())
    if not total:
        return None
    lower, upper = (total - 1) // 2, total // 2
    found: list[int] = []
    passed = 0
    for value, n in sorted(counts.items()):
        passed += n
        if lower < passed and not found:
            found.append(value)
        if upper < passed:
            found.append(value)
            break
    return (found[0] + found[1]) / 2
