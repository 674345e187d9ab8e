"""How questions perform, over the API: to who may edit them, and to nobody else."""

from __future__ import annotations

import pytest
from django.utils import timezone

from questions.domain.items import Exposure
from tests import factories
from tests.analytics import people
from tests.analytics.runs import NOW, make_estimate, make_run, make_statistic

pytestmark = pytest.mark.django_db


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def question(certification, author):
    profile = factories.make_profile("the-author", user=author)
    return factories.make_published(
        certification, factories.make_item(3_100), author=profile
    )


@pytest.fixture
def run(certification):
    return make_run(certification)


@pytest.fixture
def program_of(token_of, stranger):
    """Make a person's program, with all scopes unless some are named."""

    def _program_of(user, *scopes):
        return type(stranger)(token_of(user, *scopes))

    return _program_of


def path(question):
    return f"/questions/{question.public_id}/statistics"


def test_authors_read_their_own_and_editors_all(
    program_of, author, other_author, reviewer, editor, question
):
    statuses = {
        user.email.partition("@")[0]: program_of(user).get(path(question)).status_code
        for user in (author, other_author, reviewer, editor)
    }

    assert statuses == {
        "author": 200,
        "other-author": 404,
        "reviewer": 404,
        "editor": 200,
    }


def test_learners_and_strangers_read_none(caller, stranger, question, run):
    make_statistic(run, question.published_revision)

    assert caller.get(path(question)).status_code == 404
    assert stranger.get(path(question)).status_code == 401


def test_a_token_needs_the_scope(program_of, author, question):
    reply = program_of(author, "questions:read_keys").get(path(question))

    assert reply.status_code == 403
    assert reply.json()["scope"] == "analytics:read"


def test_questions_kept_for_mock_exams_are_nobodys(program_of, editor, question):
    question.exposure = Exposure.MOCK_ONLY
    question.save()

    assert program_of(editor).get(path(question)).status_code == 404


def test_an_author_who_sits_the_question_waits_for_the_end(
    program_of, author, certification, question
):
    for number in range(8):
        factories.make_published(
            certification,
            factories.make_item(3_110 + number),
            domain="1" if number < 4 else "2",
        )
    people.begin_mock(
        people.participant_of(author), certification, length=9, at=timezone.now()
    )

    reply = program_of(author).get(path(question))

    assert reply.status_code == 409
    assert reply.json()["code"] == "withheld"


def test_figures_options_and_flags_are_told_without_the_key(
    program_of, author, question, run
):
    make_statistic(run, question.published_revision)
    make_statistic(run, question.published_revision, mode="mock")
    make_estimate(run, question.published_revision)

    told = program_of(author).get(path(question)).json()

    whole, mock = told["statistics"]
    assert (told["calibration"], told["answers_since"]) == (run.pk, 0)
    assert (whole["mode"], mock["mode"]) == (None, "mock")
    assert (whole["attempts"], whole["facility"]) == (60, 0.4)
    assert whole["discrimination"] == 0.05
    assert [option["share"] for option in whole["options"]] == [0.4, 0, 0, 0.6]
    assert "is_key" not in whole["options"][0]
    assert {"concern": "wrong_key", "option": "ask"}.items() <= (
        whole["flags"][0].items()
    )
    assert whole["flags"][0]["text"]
    (estimate,) = told["estimates"]
    assert (estimate["difficulty"], estimate["slope"]) == (0.4, 1.1)


def test_below_the_least_number_there_are_counts_and_no_figures(
    program_of, author, question, run
):
    make_statistic(
        run,
        question.published_revision,
        attempts=12,
        facility=None,
        discrimination=None,
        median_seconds=None,
        concerns=[],
        options=[
            {
                "key": key,
                "is_key": key == "measure",
                "chosen": 3,
                "share": None,
                "mean_ability": None,
                "correlation": None,
            }
            for key in ("wait", "measure", "replace", "ask")
        ],
    )

    (told,) = program_of(author).get(path(question)).json()["statistics"]

    assert told["attempts"] == 12
    assert told["facility"] is told["discrimination"] is None
    assert told["options"][0]["share"] is None
    assert told["flags"] == []


def test_a_difficulty_beyond_the_scale_is_not_told(program_of, author, question, run):
    make_estimate(run, question.published_revision, 11.0, is_runaway=True)

    (told,) = program_of(author).get(path(question)).json()["estimates"]

    assert told["difficulty"] is None


def test_before_the_first_calibration_there_is_nothing(program_of, author, question):
    told = program_of(author).get(path(question)).json()

    assert told["calibration"] is told["made_at"] is told["answers_since"] is None
    assert told["statistics"] == told["estimates"] == []


def test_answers_since_are_counted(program_of, author, learner, question, run):
    people.answer(people.participant_of(learner), question, right=True, at=NOW)

    told = program_of(author).get(path(question)).json()

    assert told["answers_since"] == 1
