"""Answers whose statistics are known: published tables, and larger sets if at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

from analytics.domain import irt
from tests import strategies  # noqa: F401  (it registers the profile)
from tests.analytics import larger

settings.load_profile("courseiva")

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def published() -> Mapping[str, Any]:
    """Return patterns (Bock and Lieberman, 1970) with what ltm, mirt and psych say."""
    found: Mapping[str, Any] = json.loads(
        (ROOT / "tests" / "data" / "published_exams.json").read_text()
    )
    return found


@pytest.fixture(scope="session")
def reference() -> Mapping[str, Any]:
    """Return the values of the larger sets."""
    return larger.reference()


@pytest.fixture(scope="session")
def sat12(reference: Mapping[str, Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the options chosen, 600 people by 32 questions, and the keys; 8: omitted."""
    chosen = [[int(cell) for cell in row] for row in larger.rows("sat12_raw.csv")]
    keys = [int(row[-1]) for row in larger.rows("sat12_key.csv")]
    return np.array(chosen), np.array(keys)


@pytest.fixture(scope="session")
def exam(reference: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return MathExam14W: 729 people by 13 questions, right or wrong."""
    return np.array(
        [[float(c) for c in row[:13]] for row in larger.rows("mathexam14w.csv")]
    )


@pytest.fixture
def answers_of() -> Any:
    """Return a maker of answers from full marks, people by questions."""
    return _answers_of


def _answers_of(
    marks: NDArray[Any], weight: NDArray[np.float64] | None = None
) -> irt.Answers:
    people, questions = marks.shape
    return irt.Answers(
        learner=np.repeat(np.arange(people), questions),
        question=np.tile(np.arange(questions), people),
        is_right=marks.ravel() == 1,
        learners=people,
        questions=questions,
        weight=weight,
    )
