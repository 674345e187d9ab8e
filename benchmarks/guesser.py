"""How far a guesser gets that reads words only: ``python -m benchmarks.guesser``.

A logistic regression over what an option looks like beside its neighbours: length,
shared words with the stem, hedging and absolute words, figures, commas, its place. Five
folds over questions, so it is judged on what it has not seen; three orders of the
questions, since the folds that one order makes are luck. It chooses the option it thinks
likeliest; chance is the share of keys among the options.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from questions.domain import items, rendering
from questions.formats import records, yaml_bank

BANK: Final = Path(__file__).resolve().parent.parent / "questions" / "bank"
FOLDS: Final = 5
ORDERS: Final = (1, 2, 3)
"""Seeds of the orders in which questions are dealt to folds."""
RIDGE: Final = 1.0
LIMIT: Final = 8.0
"""Points above chance that a guesser may get."""
_WORD: Final = re.compile(r"[^\W_]{4,}")
_HEDGES: Final = re.compile(
    r"\b(may|might|can|could|often|usually|some|sometimes|such as|where|so that)\b",
    re.IGNORECASE,
)
_ABSOLUTES: Final = re.compile(
    r"\b(all|always|never|only|every|none|any|must)\b", re.IGNORECASE
)
_FIGURE: Final = re.compile(r"\d")

Matrix = NDArray[np.float64]


def main() -> None:
    """Print how far the guesser gets, for each certification."""
    read = yaml_bank.read_bank(BANK)
    questions = read.of(records.QuestionRecord)
    for name in sorted({record.certification for record in questions}):
        bank = [r.item for r in questions if r.certification == name]
        found, chance = accuracy(bank)
        verdict = "within" if 100 * (found - chance) <= LIMIT else "OVER"
        print(
            f"{name}: {100 * found:.1f} % of {len(bank)} guessed, chance "
            f"{100 * chance:.1f} %: {100 * (found - chance):+.1f} points, {verdict} the "
            f"limit of {LIMIT:.0f}"
        )


def accuracy(bank: Sequence[items.Item]) -> tuple[float, float]:
    """Return the share of questions guessed, cross-validated, and that by chance."""
    tables = [features(item) for item in bank]
    keys = [np.array([option.is_key for option in item.options]) for item in bank]
    shares = [_share_guessed(tables, keys, seed) for seed in ORDERS]
    return float(np.mean(shares)), float(np.mean([key.mean() for key in keys]))


def _share_guessed(
    tables: Sequence[Matrix], keys: Sequence[NDArray[np.bool_]], seed: int
) -> float:
    order = list(range(len(tables)))
    random.Random(seed).shuffle(order)
    hits = 0
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        rest = [place for place in order if place not in held]
        weights = fit(
            np.vstack([tables[place] for place in rest]),
            np.concatenate([keys[place] for place in rest]).astype(float),
        )
        hits += sum(
            bool(keys[place][np.argmax(tables[place] @ weights)]) for place in held
        )
    return hits / len(tables)


def features(item: items.Item) -> Matrix:
    """Return a row for each option: what it looks like beside the others."""
    stem = _words(f"{item.stem} {item.lead_in}")
    texts = [rendering.plain_text(option.text) for option in item.options]
    raw = np.array(
        [
            [
                len(text),
                len(_words(text) & stem) / (len(_words(text)) or 1),
                len(_HEDGES.findall(text)),
                len(_ABSOLUTES.findall(text)),
                len(_FIGURE.findall(text)),
                text.count(",") + text.count(";"),
                place,
                len({*_words(text)} - _others(texts, place)) / (len(text.split()) or 1),
            ]
            for place, text in enumerate(texts)
        ],
        dtype=float,
    )
    spread = raw.std(axis=0)
    centred: Matrix = (raw - raw.mean(axis=0)) / np.where(spread > 0, spread, 1)
    longest = (raw[:, 0] == raw[:, 0].max()).astype(float)[:, None]
    shortest = (raw[:, 0] == raw[:, 0].min()).astype(float)[:, None]
    return np.hstack([centred, longest, shortest, np.ones((len(texts), 1))])


def fit(table: Matrix, right: Matrix) -> Matrix:
    """Return the weights of a ridge logistic regression."""

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        logits = table @ weights
        probability = 1 / (1 + np.exp(-logits))
        value = np.logaddexp(0, logits).sum() - right @ logits
        penalty = RIDGE / 2 * (weights[:-1] ** 2).sum()
        slope = table.T @ (probability - right)
        slope[:-1] += RIDGE * weights[:-1]
        return float(value + penalty), slope

    start = np.zeros(table.shape[1])
    found: Matrix = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _others(texts: Sequence[str], place: int) -> set[str]:
    return set().union(*(_words(t) for at, t in enumerate(texts) if at != place))


if __name__ == "__main__":
    main()
