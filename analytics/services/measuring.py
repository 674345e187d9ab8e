"""Statistics of revisions and fixed forms, as rows that are not stored yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np

from analytics.domain import changes, ctt
from analytics.domain.arrays import Bools, Floats
from analytics.models import FormStatistic, ItemStatistic
from analytics.selectors.forms import FormSittings
from analytics.selectors.responses import MODES, Asked, Choices, FirstAttempts

KNOWN_FROM: Final = 10
"""Before so many first attempts a learner's ability is hardly known, and judges nothing."""

_PLACES: Final = 4
"""Decimals of what is stored with each option."""


def item_statistics(
    *,
    asked: Sequence[Asked],
    attempts: FirstAttempts,
    chosen: Choices,
    ability: Floats,
) -> list[ItemStatistic]:
    """Return a row per revision and mode that was attempted, and one for all modes.

    ``ability`` is that before each attempt.
    """
    table = _Table(asked=asked, attempts=attempts, chosen=chosen, ability=ability)
    rows: list[ItemStatistic] = []
    former: ItemStatistic | None = None
    for place, first, end in table.revisions():
        whole = table.row(place, "", first, end)
        if former is not None and asked[place].question == table.question_of(former):
            _compare(former, whole)
        if whole.facility is not None:
            former = whole
        rows.append(whole)
        rows += table.by_mode(place, first, end, whole)
    return rows


class _Table:
    """The attempts in the order of revisions and modes, with what they are judged by."""

    def __init__(
        self,
        *,
        asked: Sequence[Asked],
        attempts: FirstAttempts,
        chosen: Choices,
        ability: Floats,
    ) -> None:
        self.asked = asked
        self.options = chosen.options
        self._questions = {each.revision: each.question for each in asked}
        counts = np.bincount(attempts.learner, minlength=attempts.learners)
        begins = np.cumsum(counts) - counts
        before = np.arange(len(attempts.learner)) - begins[attempts.learner]
        key = attempts.revision * len(MODES) + attempts.mode
        order = np.argsort(key, kind="stable")
        self.revision = attempts.revision[order]
        self.mode = attempts.mode[order]
        self.is_right = attempts.is_right[order]
        self.is_omitted = attempts.is_omitted[order]
        self.seconds = attempts.seconds[order]
        self.chosen = attempts.chosen[order]
        self.ability = ability[order]
        self.is_known = before[order] >= KNOWN_FROM

    def revisions(self) -> Iterator[tuple[int, int, int]]:
        """Return the place of each revision in the bank, and where its attempts are."""
        if not len(self.revision):
            return
        first = np.flatnonzero(np.diff(self.revision, prepend=-1))
        ends = np.append(first[1:], len(self.revision))
        for begin, end in zip(first.tolist(), ends.tolist(), strict=True):
            yield int(self.revision[begin]), begin, end

    def question_of(self, row: ItemStatistic) -> int:
        return self._questions[row.revision_id]

    def by_mode(
        self, place: int, first: int, end: int, whole: ItemStatistic
    ) -> Iterator[ItemStatistic]:
        """Return a row for each mode; where there is but one, it is as the whole."""
        for number, mode in enumerate(MODES):
            begin, stop = np.searchsorted(self.mode[first:end], [number, number + 1])
            if stop - begin == end - first:
                fields = {
                    field.attname: getattr(whole, field.attname)
                    for field in ItemStatistic._meta.concrete_fields  # noqa: SLF001
                }
                concerns = [c for c in whole.concerns if c != ctt.Concern.CHANGED]
                yield ItemStatistic(**{**fields, "mode": mode, "concerns": concerns})
            elif stop > begin:
                yield self.row(place, mode, first + int(begin), first + int(stop))

    def row(self, place: int, mode: str, first: int, end: int) -> ItemStatistic:
        """Return the statistics of some attempts at one revision."""
        asked, here = self.asked[place], slice(first, end)
        picked = self.options[self.chosen[here], : len(asked.options)]
        keys = np.array(asked.keys, dtype=bool)
        row = ItemStatistic(
            revision_id=asked.revision,
            mode=mode,
            attempts=end - first,
            omitted=int(self.is_omitted[here].sum()),
            options=_options(asked, picked),
        )
        if row.attempts < ctt.ENOUGH_ATTEMPTS:
            return row
        marks = self.is_right[here].astype(np.float64)
        known = self.is_known[here]
        judged = ctt.criterion_statistics(
            marks=marks[known], criterion=self.ability[here][known]
        )
        facility = float(marks.mean())
        row.facility = facility
        timed = self.seconds[here][~self.is_omitted[here]]
        row.median_seconds = float(np.median(timed)) if len(timed) else None
        if judged.attempts >= ctt.ENOUGH_ATTEMPTS:
            row.discrimination = judged.correlation
            row.efficiency = _share(judged.discriminative_efficiency)
            row.curves = _curves(picked[known], self.ability[here][known])
            found = _judged(picked, known, self.ability[here])
        else:
            found = _judged(picked, np.zeros(len(marks), bool), self.ability[here])
        _tell(row.options, found)
        row.concerns = _concerns(
            ctt.flags(
                facility=100.0 * facility,
                discrimination=row.discrimination,
                options=found,
                keys=keys,
                attempts=row.attempts,
            )
        )
        return row


def form_statistics(
    *, asked: Sequence[Asked], chosen: Choices, forms: Sequence[FormSittings]
) -> list[FormStatistic]:
    """Return a row per fixed form; questions are judged by the rest of the form."""
    return [_form(asked, chosen, form) for form in forms]


def _form(asked: Sequence[Asked], chosen: Choices, form: FormSittings) -> FormStatistic:
    attempts = len(form.marks)
    is_enough = attempts >= ctt.ENOUGH_ATTEMPTS
    figures = asdict(ctt.form_statistics(marks=form.marks))
    totals = form.marks.sum(axis=1)
    questions = []
    for column, each in enumerate(ctt.question_statistics(marks=form.marks)):
        of = asked[form.revisions[column]]
        entry: dict[str, Any] = {
            "revision": of.revision,
            "concerns": [],
            **asdict(each),
        }
        if is_enough:
            picked = chosen.options[form.chosen[:, column], : len(of.options)]
            rest = totals - form.marks[:, column]
            entry["concerns"] = _concerns(
                ctt.flags(
                    facility=each.facility,
                    discrimination=ctt.correlation(form.marks[:, column], rest),
                    options=ctt.option_statistics(chosen=picked, criterion=rest),
                    keys=np.array(of.keys, dtype=bool),
                    attempts=attempts,
                )
            )
        questions.append(entry)
    if not is_enough:
        figures = _only_counts(figures, "attempts", "questions")
        counted = ("revision", "concerns", "attempts", "intended_weight")
        questions = [_only_counts(entry, *counted) for entry in questions]
    return FormStatistic(
        mock_exam_id=form.mock_exam,
        attempts=attempts,
        figures=figures,
        questions=questions,
    )


def _only_counts(figures: dict[str, Any], *kept: str) -> dict[str, Any]:
    return {name: each if name in kept else None for name, each in figures.items()}


def _compare(former: ItemStatistic, row: ItemStatistic) -> None:
    """Flag a revision that was answered otherwise than the one before it."""
    flag = changes.flag(
        before=_per_cent(former.facility),
        after=_per_cent(row.facility),
        attempts_before=former.attempts,
        attempts_after=row.attempts,
    )
    if flag is not None:
        row.concerns = [*row.concerns, flag.concern.value]


def _options(asked: Asked, picked: Bools) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "is_key": is_key,
            "chosen": count,
            "share": None,
            "mean_ability": None,
            "correlation": None,
        }
        for key, is_key, count in zip(
            asked.options, asked.keys, picked.sum(axis=0).tolist(), strict=True
        )
    ]


def _judged(
    picked: Bools, known: Bools, ability: Floats
) -> tuple[ctt.OptionStatistics, ...]:
    """Return shares of all attempts; the rest of those whose learners are known."""
    shares = picked.mean(axis=0).tolist()
    found = ctt.option_statistics(chosen=picked[known], criterion=ability[known])
    return tuple(
        replace(each, share=100.0 * share)
        for each, share in zip(found, shares, strict=True)
    )


def _tell(options: list[dict[str, Any]], found: Sequence[ctt.OptionStatistics]) -> None:
    for option, each in zip(options, found, strict=True):
        option["share"] = _rounded(_share(each.share))
        option["mean_ability"] = _rounded(each.mean_criterion)
        option["correlation"] = _rounded(each.correlation)


def _curves(picked: Bools, ability: Floats) -> list[dict[str, Any]]:
    return [
        {
            "attempts": group.attempts,
            "ability": _rounded(group.mean_criterion),
            "shares": [_rounded(share / 100.0) for share in group.shares],
        }
        for group in ctt.option_curves(chosen=picked, criterion=ability)
    ]


def _concerns(flags: Sequence[ctt.Flag]) -> list[str]:
    """Return each concern once, in the order in which it was found."""
    return list(dict.fromkeys(flag.concern.value for flag in flags))


def _share(per_cent: float | None) -> float | None:
    return None if per_cent is None else per_cent / 100.0


def _per_cent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES)
