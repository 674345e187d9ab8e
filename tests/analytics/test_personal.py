"""What is worked out about a person, as their copy has it."""

from __future__ import annotations

import datetime

import pytest

from accounts.models import Participant
from accounts.services import erasing
from analytics.models import Forecast, ResponseLog
from analytics.selectors import personal
from analytics.services import learners
from tests.analytics import people
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def studied(learner, bank, questions):
    """Four answers on two days and a mock of twelve, one of them again."""
    participant = people.participant_of(learner)
    for number in range(4):
        people.answer(
            participant,
            questions[number],
            right=number < 3,
            at=NOW - DAY * (number % 2),
        )
    people.mock(participant, bank, length=12, right=12, at=NOW + HOUR)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    return learner


def tables_of(user):
    return {each.name: list(each.rows) for each in personal.records_of(user=user)}


def test_a_copy_tells_what_is_believed_by_the_names_of_domains(studied):
    found = tables_of(studied)

    (readiness,) = found["readiness"]
    assert readiness["blueprint__certification__code"] == "TST"
    domains = found["readiness_by_domain"]
    assert [row["name"] for row in domains] == ["Domain 1 of 2", "Domain 2 of 2"]
    assert sum(row["answers"] for row in domains) == readiness["first_attempts"]
    assert all(row["doubt"] > 0 for row in domains)
    assert [row["date"] for row in found["readiness_over_time"]] == [
        "2026-11-29",
        "2026-11-30",
    ]


def test_a_copy_tells_what_was_counted_by_day_and_by_name(studied):
    rows = tables_of(studied)["study_figures"]

    by = {(row["by"], row["name"]): row for row in rows}
    assert by["total", ""]["answered"] == 16
    assert by["day", "2026-11-29"]["answered"] == 2
    assert by["mode", "mock"]["right"] == 12
    assert by["domain", "1 Domain 1 of 2 (2)"]["answered"] > 0
    assert by["objective", "1.1 Objective 1.1 of 1 (1)"]["answered"] > 0


def test_a_copy_has_the_chance_that_was_given_and_the_result(studied):
    (said,) = tables_of(studied)["forecasts"]

    assert said["probability"] == Forecast.objects.get().probability
    assert said["has_passed"] is True


def test_nobody_else_is_in_it(studied, author):
    assert not any(tables_of(author).values())


def test_forecasts_and_log_outlive_a_person_and_are_nobodys(studied):
    rows = ResponseLog.objects.count()
    erasure = erasing.ask_to_be_erased(user=studied, at=NOW)

    erasing.erase(erasure_id=erasure.pk, at=NOW + datetime.timedelta(days=15))

    assert Forecast.objects.get().has_passed
    assert ResponseLog.objects.count() == rows
    assert Participant.objects.get().user is None
    assert not any(tables_of(studied).values())
