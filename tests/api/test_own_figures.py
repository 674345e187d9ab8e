"""What a learner's answers tell them over the API: nothing invented, nothing leaked."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

from accounts.models import User
from analytics.models import LearnerState
from analytics.services import learners
from questions.exams.services import conducting, enrolling
from tests import factories
from tests.analytics import people
from tests.analytics.runs import make_run, put_in_use

pytestmark = pytest.mark.django_db
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
ROUTES = ("/me/readiness", "/me/statistics", "/me/history")


def make_bank(count):
    """Return so many questions, the first half of domain 1."""
    certification = factories.make_certification()
    return [
        factories.make_published(
            certification,
            factories.make_item(3_000 + number),
            domain="1" if number < count // 2 else "2",
        )
        for number in range(count)
    ]


@pytest.fixture
def questions(db):
    return make_bank(12)


def practise(user, questions, *, until=None, wrong_every=3):
    """Answer questions an hour apart, and have it all counted."""
    until = until or timezone.now() - HOUR
    participant = people.participant_of(user)
    for number, question in enumerate(questions):
        people.answer(
            participant,
            question,
            right=number % wrong_every > 0,
            at=until - (len(questions) - number) * HOUR,
        )
    certification = questions[0].certification_id
    learners.update(user=user.pk, certification=certification, at=timezone.now())
    return participant


@pytest.mark.parametrize("route", ROUTES)
def test_only_who_it_is_about_may_ask_and_with_the_scope(
    stranger, learner, token_of, route
):
    unscoped = type(stranger)(token_of(learner, "me:read", "sittings:read"))

    assert stranger.get(route).status_code == 401
    assert unscoped.get(route).json()["scope"] == "analytics:read"


@pytest.mark.parametrize("route", ROUTES)
def test_anothers_answers_are_not_told(caller, other_learner, questions, route):
    practise(other_learner, questions[:5])

    reply = caller.get(route).json()

    assert reply in ([], {"next": None, "results": []})


def test_readiness_is_told_as_it_is_shown(caller, learner):
    practise(learner, make_bank(40)[3:38])

    (told,) = caller.get("/me/readiness").json()

    assert told["state"] == "shown"
    assert told["missing"] == {"first_attempts": 0, "domains": []}
    assert told["chance"]["percent"] % 5 == 0
    assert str(told["chance"]["percent"]) in told["chance"]["text"]
    assert told["low"] < told["expected"] < told["high"]
    assert told["evidence"] == {
        "first_attempts": 35,
        "domains_covered": 2,
        "domains": 2,
    }
    assert [line["first_attempts"] for line in told["domains"]] == [17, 18]
    new = {gain["objective"]: gain["questions"] for gain in told["gains"]}
    assert new == {"1.1": 3, "2.1": 2}
    assert told["trend"][-1]["first_attempts"] == 35
    assert told["calibration"] is None
    assert told["rows_behind"] == 0
    assert told["on"] == timezone.now().date().isoformat()

    state = LearnerState.objects.get(user=learner)
    for mean, text, bound in ((3.0, "over 95 %", "over"), (-3.0, "under 5 %", "under")):
        state.ability["mean"] = [mean, mean]
        state.save()

        (told,) = caller.get("/me/readiness").json()

        assert told["chance"]["text"] == text
        assert told["chance"]["bound"] == bound


def test_without_enough_evidence_no_chance_is_invented(caller, learner, questions):
    practise(learner, questions[:6])

    reply = caller.get("/me/readiness")

    (told,) = reply.json()
    assert told["state"] == "not_enough_evidence"
    assert told["chance"] is None
    assert told["missing"] == {"first_attempts": 24, "domains": ["2"]}
    assert told["low"] < told["high"]
    assert "probability" not in reply.content.decode()


def test_who_has_only_enrolled_is_told_what_is_missing(caller, learner, questions):
    bank = questions[0].certification
    day = timezone.now().date() + 30 * DAY
    enrolling.enrol(user=learner, certification=bank, exam_date=day, at=timezone.now())

    (told,) = caller.get("/me/readiness").json()

    assert told["is_enrolled"]
    assert told["exam_date"] == told["on"] == day.isoformat()
    assert told["missing"] == {"first_attempts": 30, "domains": ["1", "2"]}
    assert told["made_at"] is None


def test_an_exam_without_questions_has_a_state_of_its_own(caller, learner):
    empty = factories.make_certification("EMP")
    enrolling.enrol(
        user=learner, certification=empty, exam_date=None, at=timezone.now()
    )

    (told,) = caller.get("/me/readiness").json()

    assert told["state"] == "no_questions"
    assert told["expected"] is told["chance"] is None


def test_age_and_run_are_told(caller, learner, questions):
    run = make_run(questions[0].certification)
    put_in_use(run, [questions[0].published_revision])
    participant = practise(learner, questions[:3])
    people.answer(participant, questions[4], right=True, at=timezone.now())

    (told,) = caller.get("/me/readiness").json()

    assert told["calibration"] == run.pk
    assert told["rows_behind"] == 1
    assert told["made_at"] is not None


def test_a_run_of_which_nothing_is_in_use_is_not_named(caller, learner, questions):
    make_run(questions[0].certification)
    practise(learner, questions[:3])

    (told,) = caller.get("/me/readiness").json()

    assert LearnerState.objects.get().run_id is not None
    assert told["calibration"] is None


def test_figures_count_all_that_was_done(caller, learner, questions):
    participant = practise(learner, questions[:6])
    people.answer(participant, questions[0], right=False, at=timezone.now())
    people.look(participant, questions[7], at=timezone.now())
    certification = questions[0].certification_id
    learners.update(user=learner.pk, certification=certification, at=timezone.now())

    (told,) = caller.get("/me/statistics").json()

    total = told["total"]
    assert (total["answered"], total["first_attempts"], total["shown"]) == (7, 6, 1)
    assert sum(day["answered"] for day in told["days"]) == 7
    assert sum(week["answered"] for week in told["weeks"]) == 7
    assert [line["answered"] for line in told["domains"]] == [7, 0]
    assert told["domains"][0]["objectives"][0]["answered"] == 7
    assert told["kinds"][0]["kind"] == "single"
    assert told["modes"][0]["mode"] == "practice"
    assert told["modes"][0]["median_seconds"] is not None
    assert told["exam_seconds"] == 120
    assert told["traps"][0]["question"] == questions[0].public_id
    assert told["traps"][0]["times"] == 2


def test_a_time_zone_that_is_gone_from_the_list_is_taken_for_utc(
    caller, learner, questions
):
    User.objects.filter(pk=learner.pk).update(time_zone="Old/Name")
    practise(learner, questions[:2])

    for route in ROUTES:
        assert caller.get(route).status_code == 200


def test_traps_of_a_mock_under_way_are_withheld(caller, learner, questions):
    participant = practise(learner, questions, wrong_every=1)
    assert caller.get("/me/statistics").json()[0]["traps"]
    sitting = people.begin_mock(
        participant, questions[0].certification, length=5, at=timezone.now()
    )
    running = set(sitting.items.values_list("question__public_id", flat=True))

    (told,) = caller.get("/me/statistics").json()

    assert told["traps"]
    assert not running & {trap["question"] for trap in told["traps"]}


def test_history_is_newest_first_and_pages_without_gaps(caller, learner, questions):
    practise(learner, questions[:7])

    first = caller.get("/me/history?page_size=3").json()
    people.answer(
        people.participant_of(learner), questions[8], right=True, at=timezone.now()
    )
    rest = []
    following = first["next"]
    while following:
        page = caller.get(following).json()
        rest += page["results"]
        following = page["next"]

    told = [entry["question"] for entry in first["results"] + rest]
    assert told == [question.public_id for question in reversed(questions[:7])]
    assert caller.get("/me/history").json()["results"][0]["question"] == (
        questions[8].public_id
    )


def test_an_answer_is_told_with_what_it_came_to(caller, learner, questions):
    now = timezone.now()
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=now - 4 * HOUR)
    people.answer(participant, questions[0], right=False, at=now - 3 * HOUR)
    people.look(participant, questions[1], at=now - 2 * HOUR)
    people.answer(participant, questions[1], right=True, at=now - HOUR)

    after, shown, again, first = caller.get("/me/history").json()["results"]

    assert first["chosen"] == ["measure"]
    assert (first["is_right"], first["is_first_attempt"]) == (True, True)
    assert (again["is_right"], again["is_first_attempt"]) == (False, False)
    assert (shown["is_right"], shown["was_shown"]) == (None, True)
    assert not shown["is_first_attempt"]
    assert not after["is_first_attempt"]
    assert first["seconds"] == 30
    assert first["mode"] == "practice"
    assert first["revision"] == 1


def test_a_mock_unanswered_is_a_wrong_first_attempt_until_voided(
    caller, learner, questions, editor
):
    now = timezone.now()
    participant = people.participant_of(learner)
    sitting = people.mock(
        participant, questions[0].certification, length=5, right=2, at=now - 2 * HOUR
    )

    before = caller.get("/me/history").json()["results"]
    conducting.void(sitting=sitting, reason="A fire alarm.", by=editor, at=now)
    after = caller.get("/me/history").json()["results"]

    assert sorted(entry["is_right"] for entry in before) == [0, 0, 0, 1, 1]
    assert all(entry["is_first_attempt"] for entry in before)
    assert all(entry["is_voided"] for entry in after)
    # Of a void sitting nothing is shown, here as elsewhere.
    assert all(entry["is_right"] is None for entry in after)
    assert all(entry["chosen"] == [] for entry in after)
    assert not any(entry["is_first_attempt"] for entry in after)


def test_answers_to_questions_of_a_mock_under_way_wait(caller, learner, questions):
    participant = practise(learner, questions, wrong_every=1)
    sitting = people.begin_mock(
        participant, questions[0].certification, length=5, at=timezone.now()
    )
    running = set(sitting.items.values_list("question__public_id", flat=True))

    told = caller.get("/me/history").json()["results"]

    assert len(told) == 7
    assert not running & {entry["question"] for entry in told}


def test_each_can_be_narrowed_to_one_exam(caller, learner, questions):
    practise(learner, questions[:3])
    other = factories.make_certification("OTH")
    enrolling.enrol(
        user=learner, certification=other, exam_date=None, at=timezone.now()
    )

    named = {each["certification"] for each in caller.get("/me/readiness").json()}
    assert named == {"oth", "tst"}
    for route in ROUTES[:2]:
        (told,) = caller.get(f"{route}?certification=tst").json()
        assert told["certification"] == "tst"
        assert caller.get(f"{route}?certification=none").json() == []
    assert len(caller.get("/me/history?certification=tst").json()["results"]) == 3
    assert caller.get("/me/history?certification=oth").json()["results"] == []
    assert caller.get("/me/history?certification=a b").status_code == 422


@pytest.mark.parametrize("route", ROUTES)
def test_queries_are_as_many_for_any_history(
    caller, learner, questions, route, django_assert_num_queries
):
    practise(learner, questions[:2], until=timezone.now() - 50 * HOUR)
    caller.get(route)
    with django_assert_num_queries(_QUERIES[route]):
        caller.get(route)
    practise(learner, questions[2:])

    with django_assert_num_queries(_QUERIES[route]):
        caller.get(route)


_QUERIES = {"/me/readiness": 6, "/me/statistics": 8, "/me/history": 6}
