"""What one person did in one certification, counted.

Everything is a count, a sum or a median, so that each figure can be explained by the
answers behind it. Answers are taken one by one, in the order in which they were scored:
more of them can be added to what was counted before, with the same result.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

MOST_TRAPS: Final = 300
"""So many different wrong answers are kept, those given last."""

LONGEST_SECONDS: Final = 3_600
"""More time than this on one question counts as this much in the median."""

_DAY: Final = datetime.timedelta(days=1)
_WEEK: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
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

    total: Tally = Tally()
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

    def to_record(self) -> dict[str, Any]:
        """Return what JSON can hold; ``from_record`` gives the same figures back."""
        return {
            "total": _listed(self.total),
            "omitted": self.omitted,
            "shown": self.shown,
            "days": {day.isoformat(): _listed(t) for day, t in self.days.items()},
            **{
                name: {str(key): _listed(t) for key, t in getattr(self, name).items()}
                for name in _TALLIES
            },
            "paces": {
                mode: {str(seconds): n for seconds, n in counts.items()}
                for mode, counts in self.paces.items()
            },
            "traps": [
                [t.question, t.revision, list(t.chosen), t.times, t.last.isoformat()]
                for t in self.traps
            ],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Figures:
        """Return the figures that ``to_record`` wrote."""
        date = datetime.date.fromisoformat
        return cls(
            total=_tally(record["total"]),
            omitted=record["omitted"],
            shown=record["shown"],
            days={date(day): _tally(t) for day, t in record["days"].items()},
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


_TALLIES: Final = ("domains", "objectives", "difficulties", "kinds", "modes")
_Counts: TypeAlias = dict[Any, list[int]]


def counted(*, answers: Iterable[Answer], before: Figures | None = None) -> Figures:
    """Return what was counted ``before`` with these answers added, in their order."""
    counting = _Counting(before or Figures())
    for answer in answers:
        counting.add(answer)
    return counting.figures()


class _Counting:
    """Figures while they change: plain lists, as a replay takes thousands of answers."""

    def __init__(self, before: Figures) -> None:
        self.before = before
        self.omitted, self.shown = before.omitted, before.shown
        self.days: _Counts = {key: _listed(t) for key, t in before.days.items()}
        # By what answers have in common, so that each counts in few places; parted
        # into domains, objectives and so on in the end.
        self.places: _Counts = {}
        self.looks: _Counts = {}
        self.paces = {mode: dict(counts) for mode, counts in before.paces.items()}
        # The last one is at the end here.
        self.traps: dict[tuple[int, int, tuple[str, ...]], tuple[int, datetime.date]]
        self.traps = {
            (trap.question, trap.revision, trap.chosen): (trap.times, trap.last)
            for trap in reversed(before.traps)
        }

    def add(self, answer: Answer) -> None:
        if answer.was_shown:
            self.shown += 1
            return
        right, first = int(answer.is_right), int(answer.is_first)
        more = (1, right, first, right * first, answer.seconds)
        _add(self.days, answer.day, more)
        _add(self.places, (answer.domains, answer.objectives), more)
        _add(self.looks, (answer.kind, answer.difficulty, answer.mode), more)
        if not answer.chosen:
            self.omitted += 1
            return
        if answer.is_first:
            seconds = min(answer.seconds, LONGEST_SECONDS)
            counts = self.paces.setdefault(answer.mode, {})
            counts[seconds] = counts.get(seconds, 0) + 1
        if not answer.is_right:
            self._fell_for(answer)

    def _fell_for(self, answer: Answer) -> None:
        key = (answer.question, answer.revision, answer.chosen)
        times, _ = self.traps.pop(key, (0, answer.day))
        self.traps[key] = (times + 1, answer.day)
        if len(self.traps) > MOST_TRAPS:
            del self.traps[next(iter(self.traps))]

    def figures(self) -> Figures:
        before = self.before
        total = {"": _listed(before.total)}
        by: dict[str, _Counts] = {
            name: {key: _listed(t) for key, t in getattr(before, name).items()}
            for name in _TALLIES
        }
        for (domains, objectives), more in self.places.items():
            for key in domains:
                _add(by["domains"], key, more)
            for key in objectives:
                _add(by["objectives"], key, more)
        for (kind, difficulty, mode), more in self.looks.items():
            _add(total, "", more)
            _add(by["kinds"], kind, more)
            _add(by["difficulties"], difficulty, more)
            _add(by["modes"], mode, more)
        return Figures(
            total=_tally(total[""]),
            omitted=self.omitted,
            shown=self.shown,
            days={day: _tally(t) for day, t in sorted(self.days.items())},
            **{
                name: {key: _tally(t) for key, t in sorted(counts.items())}
                for name, counts in by.items()
            },
            paces={m: dict(sorted(c.items())) for m, c in sorted(self.paces.items())},
            traps=tuple(
                Trap(
                    question=question,
                    revision=revision,
                    chosen=chosen,
                    times=times,
                    last=last,
                )
                for (question, revision, chosen), (times, last) in reversed(
                    self.traps.items()
                )
            ),
        )


def _add(counts: _Counts, key: Any, more: Sequence[int]) -> None:
    found = counts.get(key)
    if found is None:
        counts[key] = list(more)
        return
    answered, right, first, first_right, seconds = more
    found[0] += answered
    found[1] += right
    found[2] += first
    found[3] += first_right
    found[4] += seconds


def _listed(tally: Tally) -> list[int]:
    return [
        tally.answered,
        tally.right,
        tally.first,
        tally.first_right,
        tally.seconds,
    ]


def _tally(listed: list[int]) -> Tally:
    answered, right, first, first_right, seconds = listed
    return Tally(
        answered=answered,
        right=right,
        first=first,
        first_right=first_right,
        seconds=seconds,
    )


def _by_number(record: Mapping[str, list[int]]) -> dict[int, Tally]:
    return {int(key): _tally(listed) for key, listed in record.items()}


def _by_name(record: Mapping[str, list[int]]) -> dict[str, Tally]:
    return {key: _tally(listed) for key, listed in record.items()}


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
