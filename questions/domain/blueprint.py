"""Weights of an exam guide, as shares and as whole numbers of questions.

Guides publish rounded weights: they are approximate, and do not always total 100.
They are normalised wherever they are used, never where they are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

Key = TypeVar("Key")


def shares(weights: Mapping[Key, int]) -> dict[Key, Fraction]:
    """Return each weight as an exact share of their total.

    Raises:
        ValueError: a weight is negative, or none is positive.
    """
    total = sum(weights.values())
    if total <= 0 or min(weights.values()) < 0:
        msg = "Weights must not be negative, and at least one must be positive."
        raise ValueError(msg)
    return {key: Fraction(weight, total) for key, weight in weights.items()}


def quotas(weights: Mapping[Key, int], length: int) -> dict[Key, int]:
    """Return how many of ``length`` questions each domain gets.

    The largest remainder method (Hamilton): the whole parts first, what is left to
    the largest remainders, ties to the domain named first. The total is exact.

    Raises:
        ValueError: as ``shares``, or ``length`` is negative.
    """
    if length < 0:
        msg = "An exam has no negative number of questions."
        raise ValueError(msg)
    exact = {key: share * length for key, share in shares(weights).items()}
    whole = {key: int(amount) for key, amount in exact.items()}
    order = sorted(exact, key=lambda key: whole[key] - exact[key])
    for key in order[: length - sum(whole.values())]:
        whole[key] += 1
    return whole


def share_from_scale(*, mark: int, lowest: int, highest: int) -> Fraction:
    """Return the share right that a scaled ``mark`` stands for, by the linear map.

    720 on a scale of 100 to 1000 is 620/900, that is 68.9 %. An estimate: vendors do
    not publish their curve.

    Raises:
        ValueError: the scale is empty, or the mark lies outside it.
    """
    if not lowest <= mark <= highest or lowest == highest:
        msg = f"The mark {mark} does not lie on the scale {lowest} to {highest}."
        raise ValueError(msg)
    return Fraction(mark - lowest, highest - lowest)
