"""Results that would tell of a mock exam under way wait until it has ended."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from questions.exams.domain.visibility import Feedback
from questions.exams.models import ScoreReport, Sitting
from questions.exams.services import finishing, starting
from questions.models import Blueprint
from tests.analytics import people
from tests.analytics.people import HOUR

pytestmark = pytest.mark.django_db


def questions_of(certification):
    return list(certification.questions.order_by("pk"))


@pytest.fixture
def both(bank, learner):
    """Practice explained at its end, and a mock exam begun later that asks the same."""
    at = timezone.now()
    participant = people.participant_of(learner)
    asked = questions_of(bank)
    practice = people.practise(
        participant, asked, at=at - HOUR / 2, feedback=Feedback.AT_END
    )
    mock = people.begin_mock(participant, bank, length=6, at=at - HOUR / 6)
    return practice, mock


def test_practice_is_not_scored_while_a_mock_asks_its_questions(learner_client, both):
    practice, _ = both

    reply = learner_client.post(f"/sittings/{practice.public_id}/submit/", follow=True)

    assert "submit this once that exam has ended" in reply.content.decode()
    practice.refresh_from_db()
    assert practice.status == "running"
    assert not ScoreReport.objects.exists()


def test_closing_it_early_is_no_way_around(learner_client, both):
    practice, _ = both

    learner_client.post(f"/sittings/{practice.public_id}/close/")

    practice.refresh_from_db()
    assert practice.status == "running"


def test_once_the_mock_has_ended_it_is_scored(learner_client, both):
    practice, mock = both
    finishing.submit(sitting=mock, at=timezone.now())

    learner_client.post(f"/sittings/{practice.public_id}/submit/")

    practice.refresh_from_db()
    assert practice.status == "finished"


def test_running_out_of_time_is_no_way_around(learner_client, both):
    practice, mock = both
    now = timezone.now()
    Sitting.objects.filter(pk=practice.pk).update(
        started_at=now - HOUR,
        deadline=now - datetime.timedelta(minutes=5),
        grace_seconds=30,
    )

    assert finishing.close_overdue(at=now) == 0
    page = learner_client.get(f"/sittings/{practice.public_id}/report/")
    assert "the report is made once that exam has ended" in " ".join(
        page.content.decode().split()
    )
    assert "Refresh" not in page.headers

    finishing.submit(sitting=mock, at=now)
    assert finishing.close_overdue(at=now) == 1
    practice.refresh_from_db()
    assert (practice.status, practice.ending) == ("finished", "expired")


def test_practice_of_other_questions_ends_as_ever(learner_client, bank, learner):
    at = timezone.now()
    participant = people.participant_of(learner)
    mock = people.begin_mock(participant, bank, length=5, at=at - HOUR / 6)
    asked = set(mock.items.values_list("question", flat=True))
    others = [each for each in questions_of(bank) if each.pk not in asked]
    assert others
    practice = starting.start_practice(
        terms=starting.PracticeTerms(
            blueprint=Blueprint.objects.get(certification=bank, version="2"),
            length=len(others),
            feedback=Feedback.AT_END,
        ),
        learner=people.learner_of(participant),
        questions=[each.pk for each in others],
        seed=1,
        at=at - HOUR / 2,
    )

    learner_client.post(f"/sittings/{practice.public_id}/submit/")

    practice.refresh_from_db()
    assert practice.status == "finished"


def test_the_api_says_why(learner_client, both):
    practice, _ = both

    reply = learner_client.post(
        f"/api/v1/sittings/{practice.public_id}/submit",
        content_type="application/json",
    )

    assert reply.status_code == 409
    assert reply.json()["code"] == "withheld"
