"""Whole sittings of fixed mock exams, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from analytics.domain.arrays import Floats, Ints
from analytics.selectors import copying
from analytics.selectors.responses import CHOSEN, PERSON, Asked, Choices
from questions.exams.models import MockExamItem

_SAT: Final = f"""
SELECT s.mock_exam_id, {PERSON}, s.id, s.ended_at, i.id, l.number, l.revision_id,
       {CHOSEN}, l.points_numerator, l.points_denominator
  FROM exams_sitting s
  JOIN accounts_participant p ON p.id = s.participant_id AND NOT p.is_simulated
  JOIN exams_sittingitem i ON i.sitting_id = s.id
  JOIN analytics_responselog l ON l.item_id = i.id AND l.id <= %s
 WHERE s.mock_exam_id = ANY(%s) AND s.status = 'finished'
"""  # noqa: S608  (constants of ours)
_COLUMNS: Final = {
    "form": "i8",
    "person": "i8",
    "sitting": "i8",
    "ended_at": "i8",
    "item": "i8",
    "number": "i2",
    "revision": "i8",
    "chosen": "i8",
    "points": "i2",
    "most": "i2",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FormSittings:
    """First sittings of a fixed form that were finished, a row each.

    The columns of ``marks`` and ``chosen`` are the places of the form. ``revisions``
    are places of the bank: what was asked at each place in the newest sitting.
    """

    mock_exam: int
    revisions: tuple[int, ...]
    marks: Floats
    chosen: Ints


def form_sittings(
    *, certification_id: int, through: int, asked: Sequence[Asked], chosen: Choices
) -> list[FormSittings]:
    """Return the sittings of each fixed form, from the log up to the id ``through``.

    Of a person the first counts that was finished. Sittings from before the form got
    its present questions are left out.
    """
    places: dict[int, dict[int, int]] = {}
    for form, question in (
        MockExamItem.objects.filter(mock_exam__certification=certification_id)
        .order_by("mock_exam", "position")
        .values_list("mock_exam", "question")
    ):
        of_form = places.setdefault(form, {})
        of_form[question] = len(of_form)
    blocks: list[Any] = []
    copying.read(
        sql=_SAT,
        params=[through, list(places)],
        columns=_COLUMNS,
        take=lambda records: blocks.append(records.copy()),
    )
    if not blocks:
        return []
    rows = _counting(np.concatenate(blocks))
    where = {each.revision: place for place, each in enumerate(asked)}
    found = [
        _of_form(form, questions, rows[rows["form"] == form], asked, where, chosen)
        for form, questions in places.items()
    ]
    return [form for form in found if form is not None]


def _counting(rows: Any) -> Any:
    """Return the last row of each answer."""
    rows = rows[np.lexsort((rows["number"], rows["item"]))]
    is_last = np.append(rows["item"][1:] != rows["item"][:-1], True)
    return rows[is_last]


def _of_form(
    form: int,
    places: dict[int, int],
    rows: Any,
    asked: Sequence[Asked],
    where: dict[int, int],
    chosen: Choices,
) -> FormSittings | None:
    revision = np.array([where[r] for r in rows["revision"].tolist()], dtype=np.int64)
    place = np.array([places.get(asked[r].question, -1) for r in revision], np.int64)
    sittings, sitting = np.unique(rows["sitting"], return_inverse=True)
    marks = np.full((len(sittings), len(places)), np.nan)
    picked = np.zeros(marks.shape, dtype=np.int32)
    is_ours = place >= 0
    spot = (sitting[is_ours], place[is_ours])
    marks[spot] = (rows["points"] / rows["most"])[is_ours]
    picked[spot] = chosen.places(digests=rows["chosen"].astype(np.int64))[is_ours]
    first = np.unique(sitting, return_index=True)[1]
    kept = _first_of_each(rows[first])
    kept = kept[~np.isnan(marks[kept]).any(axis=1)]
    if not len(kept):
        return None
    newest = kept[np.argmax(rows["ended_at"][first][kept])]
    asked_then = dict(
        zip(place[sitting == newest], revision[sitting == newest], strict=True)
    )
    return FormSittings(
        mock_exam=form,
        revisions=tuple(int(asked_then[k]) for k in range(len(places))),
        marks=marks[kept],
        chosen=picked[kept],
    )


def _first_of_each(sittings: Any) -> Ints:
    """Return the places of each person's first sitting."""
    order = np.lexsort((sittings["sitting"], sittings["ended_at"], sittings["person"]))
    people = sittings["person"][order]
    is_first = np.append(True, people[1:] != people[:-1])
    return np.sort(order[is_first]).astype(np.int64)
