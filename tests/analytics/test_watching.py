"""What learners are told, held against results each night: an alarm, and a map."""

from __future__ import annotations

import pytest
import time_machine

from analytics import tasks
from analytics.models import ChanceMap, Forecast, JobRun
from analytics.selectors.learners import readiness_of
from analytics.services import watching
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, NOW
from tests.analytics.test_desk_pages import words
from tests.analytics.test_outcomes import told_outcomes

pytestmark = pytest.mark.django_db


def watched():
    with time_machine.travel(NOW, tick=False):
        tasks.watch_readiness()
    return JobRun.objects.filter(name="watch readiness").latest("pk")


def failed_mostly():
    """Make what was said, 70 %, false: 30 of 60 passed."""
    Forecast.objects.filter(
        pk__in=Forecast.objects.order_by("pk").values("pk")[:30]
    ).update(has_passed=False)


def test_what_is_off_twice_running_is_an_alarm(bank, caplog):
    told_outcomes(60, bank)
    failed_mostly()

    first, second = watched(), watched()

    assert first.is_good
    assert not second.is_good
    assert "said about 70%, passed 50% of 60" in second.said
    assert [each.levelname for each in caplog.records] == ["ERROR"]


def test_what_comes_true_again_is_no_alarm(bank):
    told_outcomes(60, bank)
    failed_mostly()
    watched()
    Forecast.objects.filter(
        pk__in=Forecast.objects.order_by("pk").values("pk")[:12]
    ).update(has_passed=True)

    assert watched().is_good


def test_what_was_told_long_ago_is_no_alarm(bank):
    told_outcomes(60, bank)
    failed_mostly()
    Forecast.objects.update(made_at=NOW - watching.LATELY - DAY)
    watched()

    last = watched()

    assert last.is_good
    assert last.said.startswith("0 outcomes; no step of enough of them is off.")


def test_what_right_forecasts_bring_now_and_then_is_no_alarm(bank):
    # Of 60 who were told 70 %, 35 or fewer pass in one case of 28.
    told_outcomes(60, bank)
    Forecast.objects.filter(
        pk__in=Forecast.objects.order_by("pk").values("pk")[:25]
    ).update(has_passed=False)
    watched()

    last = watched()

    assert last.is_good
    assert "no step of enough of them is off" in last.said


@pytest.mark.parametrize("count", [0, 49])
def test_too_few_outcomes_say_nothing(bank, count):
    told_outcomes(count, bank)
    Forecast.objects.update(has_passed=False)
    watched()

    last = watched()

    assert last.is_good
    assert last.said == f"{count} outcomes; no step of enough of them is off."


# -- mended by results --------------------------------------------------------------


def mend(bank):
    return watching.mend(certification=bank, at=NOW)


def passed(count):
    """Let so many of the results be passes."""
    Forecast.objects.update(has_passed=False)
    first = list(Forecast.objects.order_by("pk").values_list("pk", flat=True)[:count])
    Forecast.objects.filter(pk__in=first).update(has_passed=True)


@pytest.fixture
def practised(learner, bank, questions):
    people.practised(people.participant_of(learner), questions)
    return learner


def told_to(user, bank):
    found = readiness_of(user=user, certification=bank, at=NOW)
    assert found is not None
    assert found.readiness is not None
    return found.readiness


def test_what_came_true_less_often_is_told_lower(bank, practised):
    before = told_to(practised, bank)
    told_outcomes(200, bank)
    passed(80)

    in_force = mend(bank)

    after = told_to(practised, bank)
    assert in_force.outcomes == 200
    assert before.modelled == before.probability == after.modelled
    assert after.probability < before.probability - 0.05
    assert (after.expected, after.low) == (before.expected, before.low)


def test_chances_that_come_true_stay_as_modelled(bank, practised):
    told_outcomes(200, bank)
    passed(140)

    tasks.watch_readiness()

    assert not ChanceMap.objects.exists()
    told = told_to(practised, bank)
    assert told.probability == told.modelled


def test_a_map_that_results_no_longer_ask_for_is_given_up(bank):
    told_outcomes(200, bank)
    passed(80)
    mend(bank)
    passed(140)

    assert mend(bank) is None
    assert not ChanceMap.objects.exists()


def test_few_results_mend_nothing(bank):
    told_outcomes(49, bank)
    passed(0)

    assert mend(bank) is None


def test_results_of_another_exam_mend_nothing_here(bank, practised):
    told_outcomes(200, bank)
    passed(80)
    other = factories.make_certification("OTH")

    assert watching.mend(certification=other, at=NOW) is None


def test_the_map_is_fitted_to_what_was_modelled_not_to_what_was_told(bank):
    told_outcomes(200, bank, probability=0.4, modelled=0.7)
    passed(80)

    assert mend(bank) is not None


def test_a_forecast_keeps_what_was_told_and_what_was_modelled(bank, practised, learner):
    told_outcomes(200, bank)
    passed(80)
    mend(bank)

    sitting = people.begin_mock(people.participant_of(learner), bank, length=12, at=NOW)

    said = Forecast.objects.get(sitting=sitting)
    assert said.modelled is not None
    assert said.probability < said.modelled - 0.1


def test_the_methods_page_says_how_results_mend_what_is_told(bank, client):
    told_outcomes(200, bank)
    passed(80)
    mend(bank)

    method = words(client.get("/readiness/"))

    assert "by 200 results" in method
    assert "70% is told as 4" in method
