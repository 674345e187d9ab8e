"""A real exam with a wrong key, from its log to what its authors are told."""

from __future__ import annotations

import pytest

from analytics.models import FormStatistic, ItemEstimate, ItemStatistic
from analytics.services import calibration
from tests import factories
from tests.analytics import answers
from tests.analytics.people import DAY, NOW

pytestmark = pytest.mark.django_db


def concerns(found):
    """Return the numbers of the questions with each concern, over all modes."""
    rows = ItemStatistic.objects.filter(run=found, mode="").order_by("revision")
    by_concern: dict[str, list[int]] = {}
    for number, row in enumerate(rows, start=1):
        for concern in row.concerns:
            by_concern.setdefault(concern, []).append(number)
    return by_concern


def test_the_fixed_form_of_sat12_is_exact_and_its_wrong_key_is_told():
    certification = factories.make_certification()
    chosen, keys = answers.sat12()
    questions = answers.make_bank(certification, [int(key) for key in keys])
    form = answers.make_form(certification, questions)
    people = answers.make_people(len(chosen))
    answers.sit(people, questions, chosen, form=form)
    # A second sitting of somebody changes nothing of the first ones' figures.
    answers.sit(people[:1], questions, [["1"] * 32], form=form, at=NOW + DAY)

    found = calibration.run(
        certification=certification, at=NOW + 2 * DAY, progress=lambda _: None
    )

    row = FormStatistic.objects.get(run=found, mock_exam=form)
    reference = answers.sat12_reference()
    assert row.attempts == 600
    for name, value in reference["form"].items():
        assert row.figures[name] == pytest.approx(value, abs=1e-6), name
    assert [each["revision"] for each in row.questions] == [
        question.published_revision_id for question in questions
    ]
    for name, values in reference["questions"].items():
        found_values = [each[name] for each in row.questions]
        assert found_values == pytest.approx(values, abs=1e-6, nan_ok=False), name
    told = {
        number: each["concerns"]
        for number, each in enumerate(row.questions, start=1)
        if set(each["concerns"]) & {"wrong_key", "no_discrimination"}
    }
    assert "wrong_key" in told.pop(32)
    assert told == {12: ["no_discrimination"]}
    by_ability = concerns(found)
    assert by_ability["wrong_key"] == [32]
    assert set(by_ability["no_discrimination"]) == {12, 32}
    runaway = ItemEstimate.objects.get(
        run=found, revision=questions[31].published_revision
    )
    assert abs(runaway.difficulty) <= 6.0
