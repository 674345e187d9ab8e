"""Classical statistics of questions and forms, as Moodle's quiz report defines them.

Shares and indices are in per cent, correlations from -1 to 1. What is not defined, as
the spread of one attempt or the discrimination of a question that all got right, is
None and never NaN. Variances divide by the number of attempts less one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from analytics.domain.arrays import Bools, Floats

ENOUGH_ATTEMPTS: Final = 30
"""Below this, a figure says more about who came by than about the question."""

IDLE_SHARE: Final = 5.0
EASY_FACILITY: Final = 95.0
WEAK_CORRELATION: Final = 0.10

_NOTHING: Final = 1e-18
"""A variance this small beside the square of its values is rounding, not spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionStatistics:
    """One question over all attempts; all but the count in per cent."""

    attempts: int
    facility: float | None
    standard_deviation: float | None
    intended_weight: float | None
    effective_weight: float | None
    discrimination_index: float | None
    discriminative_efficiency: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormStatistics:
    """One form: mean, median, deviation and standard error in marks, the rest as named.

    ``internal_consistency`` is Cronbach's alpha in per cent. ``error_ratio`` is the
    share of the spread that is chance, in per cent. Kurtosis is 0 for a normal curve.
    """

    attempts: int
    questions: int
    mean: float | None
    median: float | None
    standard_deviation: float | None
    skewness: float | None
    kurtosis: float | None
    internal_consistency: float | None
    error_ratio: float | None
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionStatistics:
    """Who chose one option: their share in per cent, and how able they were.

    ``correlation`` is that of choosing the option with the criterion, which is the rest
    score of a form or the ability before the answer.
    """

    chosen: int
    share: float | None
    correlation: float | None
    mean_criterion: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionStatistics:
    """One question of an open bank, judged by a criterion from outside the question."""

    attempts: int
    facility: float | None
    correlation: float | None
    discriminative_efficiency: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityGroup:
    """One step of the curves of options: shares in per cent, an entry per option."""

    attempts: int
    mean_criterion: float
    shares: tuple[float, ...]


class Concern(StrEnum):
    """What may be wrong with a question."""

    WRONG_KEY = "wrong_key"
    IDLE_DISTRACTOR = "idle_distractor"
    NO_DISCRIMINATION = "no_discrimination"
    TOO_EASY = "too_easy"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A concern in words for authors. ``option`` is a column, where one is meant."""

    concern: Concern
    text: str
    option: int | None = None


def question_statistics(
    *, marks: Floats, max_marks: Floats | None = None
) -> tuple[QuestionStatistics, ...]:
    """Return a row per column of ``marks`` (attempts by questions of one form)."""
    attempts, questions = marks.shape
    most = np.ones(questions) if max_marks is None else max_marks
    totals = marks.sum(axis=1)
    pulls = [_pull(marks[:, j], totals) for j in range(questions)]
    roots = [None if c is None or c < 0.0 else c**0.5 for c in pulls]
    whole = sum(root for root in roots if root is not None)
    return tuple(
        QuestionStatistics(
            attempts=attempts,
            facility=_per_cent(_mean(marks[:, j]), most[j]),
            standard_deviation=_per_cent(_deviation(marks[:, j]), most[j]),
            intended_weight=_per_cent(float(most[j]), float(most.sum())),
            effective_weight=_per_cent(roots[j], whole),
            discrimination_index=_per_cent(
                correlation(marks[:, j], totals - marks[:, j]), 1.0
            ),
            discriminative_efficiency=_efficiency(marks[:, j], totals - marks[:, j]),
        )
        for j in range(questions)
    )


def form_statistics(*, marks: Floats) -> FormStatistics:
    """Return the statistics of ``marks``: attempts by questions of one form."""
    attempts, questions = marks.shape
    totals = marks.sum(axis=1)
    deviation = _deviation(totals)
    consistency = _consistency(marks, totals)
    ratio = None
    if consistency is not None and consistency <= 100.0:  # noqa: PLR2004
        ratio = 100.0 * float(np.sqrt(1.0 - consistency / 100.0))
    return FormStatistics(
        attempts=attempts,
        questions=questions,
        mean=_mean(totals),
        median=float(np.median(totals)) if attempts else None,
        standard_deviation=deviation,
        skewness=_skewness(totals),
        kurtosis=_kurtosis(totals),
        internal_consistency=consistency,
        error_ratio=ratio,
        standard_error=(
            None if ratio is None or deviation is None else ratio * deviation / 100.0
        ),
    )


def criterion_statistics(
    *, marks: Floats, criterion: Floats, max_mark: float = 1.0
) -> CriterionStatistics:
    """Return what one question of an open bank shows beside the learners' ability.

    Learners of a bank answer different questions, so that totals don't compare: the
    criterion is each learner's ability before the answer.
    """
    return CriterionStatistics(
        attempts=len(marks),
        facility=_per_cent(_mean(marks), max_mark),
        correlation=correlation(marks, criterion),
        discriminative_efficiency=_efficiency(marks, criterion),
    )


def option_statistics(
    *, chosen: Bools, criterion: Floats
) -> tuple[OptionStatistics, ...]:
    """Return a row per column of ``chosen`` (attempts by options of one question)."""
    attempts = len(chosen)
    columns = chosen.astype(np.float64)
    counts = columns.sum(axis=0)
    away = criterion - (criterion.mean() if attempts else 0.0)
    spread, varies = float(away @ away), _varies(criterion)
    each = zip(
        counts.tolist(),
        (columns.T @ away).tolist(),
        (columns.T @ criterion).tolist(),
        strict=True,
    )
    return tuple(
        OptionStatistics(
            chosen=int(count),
            share=_per_cent(count, attempts),
            correlation=(
                pull / (spread * (count - count**2 / attempts)) ** 0.5
                if varies and 0 < count < attempts
                else None
            ),
            mean_criterion=total / count if count else None,
        )
        for count, pull, total in each
    )


def option_curves(
    *, chosen: Bools, criterion: Floats, groups: int = 5
) -> tuple[AbilityGroup, ...]:
    """Return the share of each option in groups of equal size, the weakest first.

    Learners of one criterion stay in the order given. With fewer learners than groups
    there are fewer groups.
    """
    attempts = len(criterion)
    if not attempts:
        return ()
    order = np.argsort(criterion, kind="stable")
    parts = min(max(groups, 1), attempts)
    sizes = np.full(parts, attempts // parts)
    sizes[: attempts % parts] += 1
    begins = np.cumsum(sizes) - sizes
    means = np.add.reduceat(criterion[order], begins) / sizes
    shares = np.add.reduceat(chosen[order].astype(np.float64), begins) / sizes[:, None]
    return tuple(
        AbilityGroup(
            attempts=size, mean_criterion=mean, shares=tuple(100.0 * s for s in row)
        )
        for size, mean, row in zip(
            sizes.tolist(), means.tolist(), shares.tolist(), strict=True
        )
    )


def flags(
    *,
    facility: float | None,
    discrimination: float | None,
    options: tuple[OptionStatistics, ...],
    keys: Bools,
    attempts: int,
    enough: int = ENOUGH_ATTEMPTS,
) -> tuple[Flag, ...]:
    """Return what authors should look at; nothing below ``enough`` attempts.

    ``discrimination`` is the correlation of the marks with the criterion. ``keys`` says
    for each of ``options`` whether it is right. What nobody can choose on purpose, as an
    omission, must not be among them.
    """
    if attempts < enough:
        return ()
    found = _wrong_key(options, keys)
    if discrimination is not None and discrimination < WEAK_CORRELATION:
        found.append(
            Flag(
                concern=Concern.NO_DISCRIMINATION,
                text="Able and less able learners do about equally well here. Look for"
                " an ambiguous stem, or a fact that is not worth knowing.",
            )
        )
    if facility is not None and facility > EASY_FACILITY:
        found.append(
            Flag(
                concern=Concern.TOO_EASY,
                text=f"{facility:.0f} % got it right, so it says little about anyone."
                " Make the distractors more tempting, or keep it for learning.",
            )
        )
    return (*found, *_idle(options, keys))


def correlation(left: Floats, right: Floats) -> float | None:
    """Return Pearson's correlation; None where one of the two does not vary."""
    if not (_varies(left) and _varies(right)):
        return None
    from_left, from_right = left - left.mean(), right - right.mean()
    scale = np.sqrt((from_left @ from_left) * (from_right @ from_right))
    return float(from_left @ from_right / scale)


def _wrong_key(options: tuple[OptionStatistics, ...], keys: Bools) -> list[Flag]:
    """Return a flag for each distractor that able learners prefer to a key."""
    weakest = min(
        (o.correlation or 0.0 for o, k in zip(options, keys, strict=True) if k),
        default=0.0,
    )
    return [
        Flag(
            concern=Concern.WRONG_KEY,
            option=column,
            text=f"{option.share:.0f} % chose this option, and able learners prefer it to"
            " the key. Check the key first; then whether both are right.",
        )
        for column, option in enumerate(options)
        if not keys[column]
        and (option.share or 0.0) >= IDLE_SHARE
        and (option.correlation or 0.0) > max(weakest, 0.0)
    ]


def _idle(options: tuple[OptionStatistics, ...], keys: Bools) -> list[Flag]:
    return [
        Flag(
            concern=Concern.IDLE_DISTRACTOR,
            option=column,
            text=f"Only {option.share:.1f} % chose this option. Replace it by a mistake"
            " that learners really make.",
        )
        for column, option in enumerate(options)
        if not keys[column] and option.share is not None and option.share < IDLE_SHARE
    ]


def _per_cent(part: float | None, whole: float) -> float | None:
    return None if part is None or whole <= 0 else 100.0 * part / float(whole)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _deviation(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _covariance(left: Floats, right: Floats) -> float | None:
    if len(left) < 2:  # noqa: PLR2004
        return None
    return float((left - left.mean()) @ (right - right.mean()) / (len(left) - 1))


def _pull(marks: Floats, totals: Floats) -> float | None:
    """Return how far a question moves the totals: nothing where all did the same."""
    pull = _covariance(marks, totals)
    return pull if pull is None or _varies(marks) else 0.0


def _varies(values: Floats) -> bool:
    if len(values) < 2:  # noqa: PLR2004
        return False
    return bool(values.var() > _NOTHING * max(1.0, float(np.abs(values).max()) ** 2))


def _efficiency(marks: Floats, criterion: Floats) -> float | None:
    """Return the covariance in per cent of the greatest that these values could have."""
    if not (_varies(marks) and _varies(criterion)):
        return None
    found = _covariance(marks, criterion)
    most = _covariance(np.sort(marks), np.sort(criterion))
    return None if found is None or not most else 100.0 * found / most


def _consistency(marks: Floats, totals: Floats) -> float | None:
    questions = marks.shape[1]
    if questions < 2 or not _varies(totals):  # noqa: PLR2004
        return None
    own = float(marks.var(axis=0, ddof=1).sum())
    shared = 1.0 - own / float(totals.var(ddof=1))
    consistency: float = 100.0 * shared * questions / (questions - 1)
    return consistency


def _skewness(totals: Floats) -> float | None:
    n = len(totals)
    if n < 3 or not _varies(totals):  # noqa: PLR2004
        return None
    third = float(((totals - totals.mean()) ** 3).mean())
    k3 = n**2 * third / ((n - 1) * (n - 2))
    spread = float(totals.std(ddof=1))
    return k3 / spread**3


def _kurtosis(totals: Floats) -> float | None:
    n = len(totals)
    if n < 4 or not _varies(totals):  # noqa: PLR2004
        return None
    away = totals - totals.mean()
    second, fourth = float((away**2).mean()), float((away**4).mean())
    k4 = n**2 * ((n + 1) * fourth - 3 * (n - 1) * second**2)
    spread = float(totals.std(ddof=1))
    return k4 / ((n - 1) * (n - 2) * (n - 3)) / spread**4
