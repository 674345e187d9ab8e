"""The dashboard, how its figures came about, and everything that was counted."""

from __future__ import annotations

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from analytics.models import CalibrationRun, Forecast, LearnerState
from analytics.services import learners
from questions.exams.models import Enrolment
from questions.exams.services import enrolling
from questions.models import Blueprint
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, HOUR
from tests.analytics.runs import make_run, put_in_use

pytestmark = pytest.mark.django_db


def words(response):
    """Return the page with its white space evened out."""
    return " ".join(response.content.decode().split())


@pytest.fixture
def at():
    """Now: pages look at the clock, so that answers must be as old as they are said."""
    return timezone.now()


@pytest.fixture
def studied(learner, bank, questions, at):
    """A learner who met all sixteen questions over nine days; two of three right."""
    participant = people.participant_of(learner)
    for number, question in enumerate(questions):
        people.answer(
            participant,
            question,
            right=number % 3 > 0,
            at=at - (18 - number) * 12 * HOUR,
        )
    learners.update(user=learner.pk, certification=bank.pk, at=at)
    return learner


@pytest.fixture
def ready(learner, certification, at):
    """A learner with enough evidence for a chance: 32 first answers in both domains."""
    participant = people.participant_of(learner)
    for number in range(32):
        question = factories.make_published(
            certification,
            factories.make_item(900 + number),
            domain="1" if number % 2 else "2",
        )
        people.answer(
            participant, question, right=number % 4 > 0, at=at - (40 - number) * HOUR
        )
    learners.update(user=learner.pk, certification=certification.pk, at=at)
    return learner


PAGES = ("/dashboard/", "/dashboard/tst/", "/dashboard/tst/how/")


@pytest.mark.parametrize("path", [*PAGES, "/dashboard/tst/figures/"])
def test_who_is_not_signed_in_is_asked_to(client, bank, path):
    response = client.get(path)

    assert response.status_code == 302
    assert response["Location"] == f"/accounts/login/?next={path}"


@pytest.mark.parametrize("path", [*PAGES, "/dashboard/tst/figures/"])
def test_no_cache_between_may_keep_them(learner_client, studied, path):
    response = learner_client.get(path, follow=True)

    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert 'name="robots" content="noindex' in words(response)


def test_an_exam_that_is_not_there_is_not_found(learner_client, bank):
    for path in ("", "how/", "figures/"):
        assert learner_client.get(f"/dashboard/none/{path}").status_code == 404


def test_on_day_one_it_says_what_would_make_it_useful(learner_client, bank):
    page = words(learner_client.get("/dashboard/"))

    assert "There is nothing to show yet, and we won’t guess" in page
    assert "0 of 30" in page
    assert "Choose an exam" in page


def test_day_one_with_an_exam_in_mind(learner_client, learner, bank, at):
    enrolling.enrol(
        user=learner, certification=bank, exam_date=at.date() + 20 * DAY, at=at
    )

    page = words(learner_client.get("/dashboard/", follow=True))

    assert '/practice/tst/?length=10"' in page
    assert f"{at.date() + 20 * DAY:%Y}" in page


def test_an_answer_that_waits_for_the_worker_is_told(
    learner_client, learner, bank, questions, at
):
    people.answer(people.participant_of(learner), questions[0], right=True, at=at)

    page = words(learner_client.get("/dashboard/tst/"))

    assert "1 answer of yours is saved and will be in the figures shortly" in page


def test_on_day_three_there_is_a_range_and_no_chance(learner_client, studied):
    page = words(learner_client.get("/dashboard/tst/"))

    assert "Not enough evidence yet." in page
    assert "16 of 30" in page
    assert "Of 20 people" not in page
    assert "%</b> today, and nine times in ten between" in page


def test_with_enough_evidence_there_is_a_chance_in_steps_of_five(learner_client, ready):
    page = words(learner_client.get("/dashboard/tst/"))

    state = LearnerState.objects.get(user=ready)
    assert state.first_attempts == 32
    assert "Not enough evidence yet" not in page
    assert "Of 20 people with answers like yours" in page
    assert "What would raise it most" in page


def test_the_exam_date_counts_days_and_then_asks_how_it_went(
    learner_client, studied, bank, at
):
    enrolling.enrol(
        user=studied, certification=bank, exam_date=at.date() + 2 * DAY, at=at
    )
    assert "2 days left" in words(learner_client.get("/dashboard/tst/"))

    Enrolment.objects.update(exam_date=at.date() - DAY)
    page = words(learner_client.get("/dashboard/tst/"))
    assert "Your exam day has passed" in page
    assert " left" not in page


def test_a_time_zone_that_is_gone_from_the_list_is_taken_for_utc(
    learner_client, studied, bank, at
):
    User.objects.filter(pk=studied.pk).update(time_zone="Old/Name")
    learners.update(user=studied.pk, certification=bank.pk, at=at)

    for page in ("", "how/", "figures/"):
        assert learner_client.get(f"/dashboard/tst/{page}").status_code == 200


def test_answers_since_then_are_counted_beside_the_figures(
    learner_client, studied, questions, at
):
    people.answer(
        people.participant_of(studied), questions[0], right=True, at=at + HOUR
    )

    page = words(learner_client.get("/dashboard/tst/"))

    assert "1 answer since then is not in it yet" in page


def test_others_exams_are_a_click_away(learner_client, studied, bank, at):
    other = factories.make_certification("OTH")
    enrolling.enrol(user=studied, certification=other, exam_date=None, at=at)

    assert 'href="/dashboard/oth/"' in words(learner_client.get("/dashboard/tst/"))


def test_nobody_reads_what_somebody_else_did(
    other_learner_client, learner_client, ready
):
    own = words(learner_client.get("/dashboard/tst/figures/"))
    others = words(other_learner_client.get("/dashboard/tst/figures/"))

    assert "of 32 first answers right" in own
    assert "Nothing to count yet" in others
    assert "There is nothing to show yet" in words(
        other_learner_client.get("/dashboard/tst/")
    )
    assert other_learner_client.get("/dashboard/tst/how/").status_code == 302


def test_the_streak_can_be_switched_off_and_on(learner_client, studied):
    assert "Hide this" in words(learner_client.get("/dashboard/tst/"))

    learner_client.post("/dashboard/tst/streak/", {"show": "no"})
    hidden = words(learner_client.get("/dashboard/tst/"))
    learner_client.post("/dashboard/tst/streak/", {"show": "yes"})

    assert "Hide this" not in hidden
    assert "Show it" in hidden
    assert "Hide this" in words(learner_client.get("/dashboard/tst/"))


def test_days_are_the_learners_own(learner_client, learner, bank, questions):
    User.objects.filter(pk=learner.pk).update(time_zone="Pacific/Auckland")
    at = datetime.datetime(2026, 11, 30, 12, 30, tzinfo=datetime.UTC)
    people.answer(people.participant_of(learner), questions[0], right=False, at=at)
    learners.update(user=learner.pk, certification=bank.pk, at=at)

    page = words(learner_client.get("/dashboard/tst/figures/"))

    # Half past noon in UTC is past midnight in Auckland.
    assert "wrong on 1 December 2026" in page


def test_what_a_running_mock_asks_is_not_told_about(
    learner_client, studied, bank, questions, at
):
    before = words(learner_client.get("/dashboard/tst/figures/"))
    explained = words(learner_client.get("/dashboard/tst/how/"))
    sitting = people.begin_mock(
        people.participant_of(studied), bank, length=12, at=at - HOUR / 12
    )
    asked = {item.revision.title for item in sitting.items.all()}
    missed = {
        question.published_revision.title
        for number, question in enumerate(questions)
        if number % 3 == 0
    }

    during = words(learner_client.get("/dashboard/tst/figures/"))
    how = words(learner_client.get("/dashboard/tst/how/"))

    assert all(title in before for title in missed)
    assert missed & asked
    assert not [title for title in asked if title in during or title in how]
    assert [title for title in asked if title in explained]


def test_the_mark_is_told_with_what_it_comes_to_in_whole_questions(
    learner_client, ready, certification
):
    certification.blueprints.update(
        questions_min=55, questions_max=55, published_mark="0.7000"
    )

    page = words(learner_client.get("/dashboard/tst/how/"))

    assert "The mark is 70%: 39 of 55 must be right, which is 71%." in page


def test_a_mock_only_question_leads_nowhere(learner_client, learner, bank, at):
    question = factories.make_published(
        bank, factories.make_item(880), exposure="mock_only", slug="kept-back"
    )
    participant = people.participant_of(learner)
    people.practise(participant, [question], at=at - HOUR)
    people.answer(participant, question, right=False, at=at - HOUR / 2)
    learners.update(user=learner.pk, certification=bank.pk, at=at)

    assert "kept-back" not in words(learner_client.get("/dashboard/tst/figures/"))


def test_the_figures_add_up(learner_client, ready):
    page = words(learner_client.get("/dashboard/tst/figures/"))

    assert "<dd>32</dd> <dt>answers</dt>" in page
    assert "75%" in page  # one in four was wrong


def test_a_recalibration_that_moved_it_is_told(learner_client, studied, bank, at):
    LearnerState.objects.update(
        moved={
            "at": at.isoformat(),
            "before": {"expected": 0.61, "probability": 0.3},
            "after": {"expected": 0.66, "probability": 0.4},
        }
    )

    page = words(learner_client.get("/dashboard/tst/"))

    assert "that alone moved your expected score from 61% to 66%" in page


@pytest.mark.parametrize(
    ("in_use", "told"),
    [
        (0, "Too few people have answered to work out how hard questions are"),
        (
            1,
            "Difficulty was worked out for 1 of 16 questions on 1 December 2026 from 120",
        ),
        (16, "for all 16 questions on 1 December 2026 from 120 first answers of 60"),
    ],
)
def test_how_it_rests_on_answers_is_told_by_what_is_in_use(
    learner_client, studied, bank, questions, at, in_use, told
):
    run = make_run(bank)
    put_in_use(run, [each.published_revision for each in questions[:in_use]])
    learners.update(user=studied.pk, certification=bank.pk, at=at)

    page = words(learner_client.get("/dashboard/tst/how/"))

    assert told in page
    assert ("their authors’ judgement stands in" in page) is (in_use < 16)


@pytest.mark.parametrize(("others", "is_told"), [(29, False), (30, True)])
def test_comparison_needs_thirty_others(
    learner_client, studied, bank, at, others, is_told
):
    run = CalibrationRun.objects.create(
        certification=bank,
        started_at=at,
        finished_at=at,
        through=0,
        rows=0,
        status=CalibrationRun.Status.FINISHED,
        is_in_force=True,
        cohort_learners=others,
        cohort=[0.01 * n for n in range(1, 100)],
        code_version="test",
    )
    LearnerState.objects.update(run=run)

    page = words(learner_client.get("/dashboard/tst/"))

    assert (f"of {others} learners" in page) is is_told


@pytest.mark.parametrize("path", ["", "how/", "figures/"])
def test_at_most_eight_queries(learner_client, ready, bank, at, path):
    enrolling.enrol(
        user=ready, certification=bank, exam_date=at.date() + 9 * DAY, at=at
    )
    people.mock(people.participant_of(ready), bank, length=10, right=7, at=at - HOUR)
    learners.update(user=ready.pk, certification=bank.pk, at=at)
    learner_client.get(f"/dashboard/tst/{path}")

    with CaptureQueriesContext(connection) as queries:
        response = learner_client.get(f"/dashboard/tst/{path}")

    assert response.status_code == 200
    assert len(queries) <= 8


# -- the method's page ------------------------------------------------------------------


def foretell(participants, certification, *, said, passed, at):
    """Keep forecasts of mock exams as starting and scoring leave them."""
    blueprint = Blueprint.objects.get(certification=certification, version="2")
    for number, participant in enumerate(participants):
        sitting = people.begin_mock(participant, certification, length=10, at=at)
        Forecast.objects.filter(sitting=sitting).delete()
        Forecast.objects.create(
            sitting=sitting,
            blueprint=blueprint,
            probability=said,
            expected=0.7,
            questions=30,
            needed=21,
            first_attempts=100,
            is_enough=True,
            share_unseen=1.0,
            made_at=at,
            has_passed=number < passed,
        )


def test_anybody_reads_how_it_is_worked_out(client, db):
    page = words(client.get("/readiness/"))

    assert "No outcomes yet" in page
    assert "From 200 on" in page


def test_few_outcomes_are_shown_to_staff_only(client, author_client, bank, at):
    foretell(
        [people.participant_of() for _ in range(4)], bank, said=0.7, passed=3, at=at
    )

    assert "4 outcomes so far" in words(client.get("/readiness/"))
    assert "<td" not in words(client.get("/readiness/"))
    staff = words(author_client.get("/readiness/"))
    assert "Shown to staff only" in staff
    assert '<td class="n">75%</td>' in staff
