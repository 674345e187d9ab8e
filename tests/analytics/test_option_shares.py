"""Who chose which option: after the answer, of enough people, and never in an exam."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from questions.exams.models import Sitting
from tests import factories
from tests.analytics import people
from tests.analytics.runs import make_run, make_statistic

pytestmark = pytest.mark.django_db
NOTE = "What 240 people chose"


@pytest.fixture
def question(certification):
    return factories.make_published(certification, factories.make_item(3_300))


@pytest.fixture
def known(certification, question):
    """Of 240 people, 40 % chose the first option and 60 % the last."""
    return make_statistic(
        make_run(certification), question.published_revision, attempts=240
    )


def ask(client, question, **sent):
    return client.post(
        question.get_absolute_url(),
        {"revision": question.published_revision_id, **sent},
    )


def shares_on(page):
    """Return the shares that a page shows, in the order of its options."""
    rows = page.content.decode().split('class="option-share"')[1:]
    return [row.split("%", 1)[0].split()[-1] for row in rows]


def test_a_question_page_shows_them_after_the_answer_only(client, question, known):
    before = client.get(question.get_absolute_url())
    refused = ask(client, question)
    after = ask(client, question, answer="wait")
    shown = ask(client, question, show="1")

    assert shares_on(before) == shares_on(refused) == []
    assert NOTE not in before.content.decode() + refused.content.decode()
    assert refused.status_code == 422
    for page in (after, shown):
        assert shares_on(page) == ["40", "0", "0", "60"]
        assert NOTE in page.content.decode()


def test_a_page_for_crawlers_never_has_them(client, question, known, settings):
    settings.EXPLANATION_FOR_CRAWLERS = True

    page = client.get(question.get_absolute_url())

    assert "data-folded" in page.content.decode()
    assert shares_on(page) == []


def test_practice_shows_them_in_its_own_order_of_options(
    learner_client, learner, question, known
):
    sitting = people.practise(
        people.participant_of(learner), [question], at=timezone.now()
    )
    here = f"/sittings/{sitting.public_id}/1/"

    before = learner_client.get(here)
    after = learner_client.post(f"{here}answer/", {"answer": "wait"}, follow=True)
    again = learner_client.get(here)

    expected = {"wait": "40", "measure": "0", "replace": "0", "ask": "60"}
    order = sitting.items.get().option_order
    assert shares_on(before) == []
    assert after.status_code == 200
    assert shares_on(again) == [expected[key] for key in order]


@pytest.mark.parametrize(
    "changes", [{"attempts": 29}, {"mode": "practice"}, {"mode": "mock"}]
)
def test_below_thirty_people_or_of_one_mode_there_are_none(
    client, certification, question, changes
):
    make_statistic(make_run(certification), question.published_revision, **changes)

    page = ask(client, question, answer="wait")

    assert page.status_code == 200
    assert shares_on(page) == []


def test_a_run_that_is_not_in_force_tells_nothing(client, certification, question):
    make_statistic(
        make_run(certification, in_force=False),
        question.published_revision,
        attempts=240,
    )

    assert shares_on(ask(client, question, answer="wait")) == []


def test_a_mock_under_way_hides_them_everywhere_and_its_answers_show_them_after(
    learner_client, learner, certification, question, known
):
    factories.make_published(certification, factories.make_item(3_301), domain="2")
    participant = people.participant_of(learner)
    practice = people.practise(participant, [question], at=timezone.now())
    learner_client.post(f"/sittings/{practice.public_id}/1/answer/", {"answer": "wait"})
    mock = people.begin_mock(participant, certification, length=2, at=timezone.now())
    place = mock.items.get(question=question).position

    during = [
        ask(learner_client, question, answer="wait"),
        learner_client.get(question.get_absolute_url()),
        learner_client.get(f"/sittings/{practice.public_id}/report/1/"),
        learner_client.get(f"/sittings/{practice.public_id}/1/"),
        learner_client.get(f"/sittings/{mock.public_id}/{place}/"),
    ]
    people.end_mock(mock, right=2, at=timezone.now())
    after = learner_client.get(f"/sittings/{mock.public_id}/report/{place}/")

    assert [page.status_code for page in during] == [409, 200, 200, 200, 200]
    assert not any(shares_on(page) for page in during)
    assert all(NOTE not in page.content.decode() for page in during)
    assert len(shares_on(after)) == 4


def test_they_cost_one_query(learner_client, learner, question, known):
    with CaptureQueriesContext(connection) as context:
        ask(learner_client, question, answer="wait")

    asked = [each for each in context if "analytics_itemstatistic" in each["sql"]]
    assert len(asked) == 1
    assert Sitting.objects.get().participant.user == learner
