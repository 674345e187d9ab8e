"""What the answers say of questions, as rows that are not stored yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analytics.domain import calibration, irt
from analytics.domain.arrays import Ints
from analytics.models import ItemEstimate
from analytics.selectors.responses import Asked, FirstAttempts
from questions.models import ItemParameters

ENOUGH_ANSWERS: Final = 30
"""Below so many answers a question's author is believed rather than the answers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """What was fitted: ``used`` are the places in the bank of what was attempted."""

    used: Ints
    calibration: calibration.Calibration


def fit(*, asked: Sequence[Asked], attempts: FirstAttempts) -> Fitted | None:
    """Return the fit of all revisions that were attempted; None if none was."""
    used, question = np.unique(attempts.revision, return_inverse=True)
    if not len(used):
        return None
    attempted = [asked[place] for place in used]
    # Without an objective the domain is next best; what has neither is one group.
    groups = [(each.domain or 0, each.objective or 0) for each in attempted]
    _, objective = np.unique(np.array(groups), axis=0, return_inverse=True)
    floors = [
        irt.guessing_floor(options=len(each.options), keys=each.choose)
        for each in attempted
    ]
    return Fitted(
        used=used.astype(np.int64),
        calibration=calibration.fit(
            answers=irt.Answers(
                learner=attempts.learner,
                question=question.astype(np.int64),
                is_right=attempts.is_right,
                learners=attempts.learners,
                questions=len(used),
            ),
            guess=np.array(floors),
            objectives=objective.ravel().astype(np.int64),
        ),
    )


def estimates(*, asked: Sequence[Asked], fitted: Fitted | None) -> list[ItemEstimate]:
    """Return what was found of each revision; difficulties as reports show them."""
    if fitted is None:
        return []
    found = fitted.calibration
    reported = found.reported_difficulty
    return [
        ItemEstimate(
            revision_id=asked[place].revision,
            attempts=int(found.answers[n]),
            slope=float(found.questions.slope[n]),
            slope_error=_finite(found.slope_error[n]),
            difficulty=float(reported[n]),
            difficulty_error=_finite(found.difficulty_error[n]),
            guess=float(found.questions.guess[n]),
            is_runaway=bool(found.is_runaway[n]),
        )
        for n, place in enumerate(fitted.used)
    ]


def parameters(
    *, asked: Sequence[Asked], fitted: Fitted | None
) -> list[ItemParameters]:
    """Return what the bank may go by: enough answers, and errors that are known."""
    if fitted is None:
        return []
    found = fitted.calibration
    is_sure = (
        (found.answers >= ENOUGH_ANSWERS)
        & np.isfinite(found.slope_error)
        & np.isfinite(found.difficulty_error)
    )
    return [
        ItemParameters(
            revision_id=asked[fitted.used[n]].revision,
            slope=float(found.questions.slope[n]),
            difficulty=float(found.questions.difficulty[n]),
            guess=float(found.questions.guess[n]),
            slope_error=float(found.slope_error[n]),
            difficulty_error=float(found.difficulty_error[n]),
            attempts=int(found.answers[n]),
        )
        for n in np.flatnonzero(is_sure)
    ]


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
