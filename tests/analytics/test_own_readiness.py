"""What learners read of their readiness, with what it rests on."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analytics.models import LearnerState
from analytics.selectors.learners import counted_of, explained, gains, readiness_of
from analytics.services import learners
from questions.exams.services import enrolling
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def practised(learner, bank, questions):
    """The learner, after an answer to each question: two of three right."""
    participant = people.participant_of(learner)
    for number, question in enumerate(questions):
        people.answer(
            participant, question, right=number % 3 > 0, at=NOW - (20 - number) * HOUR
        )
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    return learner


def test_before_the_first_answer_it_is_anybodys_and_says_what_is_missing(learner, bank):
    found = readiness_of(user=learner, certification=bank, at=NOW)
    assert found is not None

    assert found.readiness.shown is None
    assert found.readiness.evidence.missing == 30
    assert found.readiness.evidence.unseen == (0, 1)
    assert found.counted.made_at is None
    assert found.enrolment is None
    assert explained(found=found) == ()
    assert found.trend == []
    assert found.on == NOW.date()


def test_without_a_question_there_is_no_readiness_and_no_fault(learner):
    empty = factories.make_certification("EMP")

    found = readiness_of(user=learner, certification=empty, at=NOW)

    assert found is not None
    assert found.readiness is None
    assert not found.domains
    assert not gains(user=learner, found=found)


def test_without_a_blueprint_there_is_nothing(learner):
    bare = factories.make_certification("BAR")
    for blueprint in bare.blueprints.all():
        for domain in blueprint.domains.all():
            domain.objectives.all().delete()
            domain.delete()
        blueprint.delete()

    assert readiness_of(user=learner, certification=bare, at=NOW) is None


def test_domains_come_with_what_was_done_there(practised, bank):
    found = readiness_of(user=practised, certification=bank, at=NOW)

    assert [line.place.code for line in found.domains] == ["1", "2"]
    assert [line.done.first for line in found.domains] == [9, 7]
    assert [line.contribution.answers for line in found.domains] == [9, 7]
    assert found.readiness.evidence.first_attempts == 16


def test_what_would_raise_it_is_told_by_objective(learner, bank, questions):
    participant = people.participant_of(learner)
    for question in [*questions[:4], *questions[8:10]]:
        people.answer(participant, question, right=True, at=NOW - HOUR)
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)
    found = readiness_of(user=learner, certification=bank, at=NOW)
    assert found is not None

    told = gains(user=learner, found=found)

    by_code = {each.place.code: each for each in told}
    assert set(by_code) == {"1.1", "2.1"}
    assert [each.gain.score for each in told] == sorted(
        (each.gain.score for each in told), reverse=True
    )
    assert all(each.gain.score > 0 for each in told)
    assert (by_code["1.1"].live, by_code["1.1"].questions) == (9, 5)
    assert (by_code["2.1"].live, by_code["2.1"].questions) == (7, 5)


def test_where_no_question_is_new_practice_promises_nothing(practised, bank):
    found = readiness_of(user=practised, certification=bank, at=NOW)
    assert found is not None

    assert gains(user=practised, found=found) == ()


def test_domains_points_make_the_distance_from_the_mark(practised, bank):
    # 55 questions at 70 per cent: 39 are needed, which is a little more.
    bank.blueprints.update(questions_min=55, questions_max=55, published_mark="0.7000")
    found = readiness_of(user=practised, certification=bank, at=NOW)
    assert found is not None
    assert found.readiness is not None

    points = sum(line.contribution.points for line in found.domains)

    assert points == pytest.approx(100 * (found.readiness.expected - found.mark))


def test_the_last_answers_are_explained_the_latest_first(practised, bank):
    found = readiness_of(user=practised, certification=bank, at=NOW)
    assert found is not None

    told = explained(found=found)

    assert len(told) == 5
    assert [each.at for each in told] == sorted(
        (each.at for each in told), reverse=True
    )
    assert told[0].slug == bank.questions.order_by("pk").last().slug
    assert told[0].explanation.domain == 1


def test_what_a_days_answers_changed_makes_what_is_known(learner, bank, questions):
    participant = people.participant_of(learner)
    for number, question in enumerate(questions[6:10]):
        people.answer(
            participant, question, right=number % 2 == 0, at=NOW - (9 - number) * HOUR
        )
    learners.update(user=learner.pk, certification=bank.pk, at=NOW)

    found = readiness_of(user=learner, certification=bank, at=NOW)
    assert found is not None
    told = explained(found=found)

    assert len(told) == 4
    for domain in (0, 1):
        moved = sum(each.explanation.moved[domain] for each in told)
        learned = sum(
            each.explanation.learned
            for each in told
            if each.explanation.domain == domain
        )
        assert moved + learned == pytest.approx(
            LearnerState.objects.get().ability["mean"][domain]
        )


def test_the_exam_date_is_looked_at_and_waiting_promises_no_more(practised, bank):
    today = readiness_of(user=practised, certification=bank, at=NOW)
    enrolling.enrol(
        user=practised,
        certification=bank,
        exam_date=NOW.date() + 60 * DAY,
        at=NOW,
    )

    later = readiness_of(user=practised, certification=bank, at=NOW)

    assert later.enrolment is not None
    assert later.on == NOW.date() + 60 * DAY
    assert later.readiness.expected <= today.readiness.expected
    assert (
        later.readiness.high - later.readiness.low
        > today.readiness.high - today.readiness.low
    )


def test_a_date_that_is_gone_counts_as_today(practised, bank):
    enrolling.enrol(
        user=practised, certification=bank, exam_date=NOW.date() - DAY, at=NOW
    )

    assert readiness_of(user=practised, certification=bank, at=NOW).on == NOW.date()


def test_answers_that_are_not_in_it_yet_are_counted(practised, bank, questions):
    assert (
        readiness_of(user=practised, certification=bank, at=NOW).counted.rows_behind
        == 0
    )

    people.answer(
        people.participant_of(practised), questions[0], right=True, at=NOW + HOUR
    )

    found = readiness_of(user=practised, certification=bank, at=NOW + 2 * HOUR)
    assert found.counted.rows_behind == 1
    assert found.state.through_at == NOW - 5 * HOUR


def test_three_queries_whatever_is_in_the_log(practised, bank):
    readiness_of(user=practised, certification=bank, at=NOW)

    with CaptureQueriesContext(connection) as queries:
        readiness_of(user=practised, certification=bank, at=NOW)

    assert len(queries) == 3


def test_figures_are_read_by_certification(practised, bank, other_learner):
    own = counted_of(user=practised, certification=bank)
    others = counted_of(user=other_learner, certification=bank)

    assert (own.figures.total.first, others.figures.total.first) == (16, 0)
    assert others.made_at is None
