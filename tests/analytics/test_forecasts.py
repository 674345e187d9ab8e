"""The chance given as a mock begins stays as it was said, and is scored once."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analytics.models import Forecast, LearnerState
from analytics.selectors.parameters import question_table
from questions.domain import items
from questions.domain.scoring import Rule
from questions.exams.models import Sitting
from questions.exams.services import conducting, finishing, starting
from questions.models import Alignment, Blueprint
from tests import factories
from tests.analytics import answers, people
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def participant(learner):
    EmailAddress.objects.create(user=learner, email=learner.email, verified=True)
    return people.participant_of(learner)


@pytest.fixture
def large_bank(bank):
    """Fifty-six questions, so that mocks of thirty can be drawn."""
    for number in range(40):
        factories.make_published(
            bank,
            factories.make_item(700 + number),
            domain="1" if number < 24 else "2",
        )
    return bank


def begin(participant, certification, *, length=12, at=NOW):
    return people.begin_mock(participant, certification, length=length, at=at)


def begin_form(participant, form, *, at=NOW):
    return starting.start_mock(
        terms=starting.terms_of_exam(mock_exam=form),
        learner=people.learner_of(participant),
        seed=1,
        at=at,
    ).sitting


def sentences(context):
    """Return what was asked of the database; transactions are none of it."""
    kept = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return [q["sql"] for q in context if not q["sql"].startswith(kept)]


# -- of a mock exam -----------------------------------------------------------------


def test_the_chance_for_this_very_paper_is_kept_as_a_mock_begins(participant, bank):
    sitting = begin(participant, bank)

    said = Forecast.objects.get()
    assert said.sitting == sitting
    assert 0.0 < said.probability < 1.0
    assert 0.0 < said.expected < 1.0
    # Seven tenths of twelve are eight and a part, and a part of a question is none.
    assert (said.questions, said.needed) == (12, 9)
    assert (said.first_attempts, said.is_enough) == (0, False)
    assert (said.share_unseen, said.is_simulated) == (1.0, False)
    assert (said.blueprint, said.run) == (sitting.blueprint, None)
    assert (said.made_at, said.has_passed) == (NOW, None)


def test_who_is_known_to_know_more_is_given_more(learner, author, bank, questions):
    good, weak = people.participant_of(learner), people.participant_of(author)
    people.practised(good, questions[:12], right=True)
    people.practised(weak, questions[:12], right=False)

    begin(good, bank)
    begin(weak, bank)

    given = dict(Forecast.objects.values_list("sitting__participant", "probability"))
    assert given[good.pk] > given[weak.pk] + 0.2


def test_a_harder_paper_is_given_less(participant, certification):
    forms = {
        difficulty: answers.make_form(
            certification,
            [
                factories.make_published(
                    certification, factories.make_item(difficulty=difficulty)
                )
                for _ in range(5)
            ],
            slug=str(difficulty),
        )
        for difficulty in (items.Difficulty.EASY, items.Difficulty.HARD)
    }
    for number, form in enumerate(forms.values()):
        at = NOW + number * HOUR
        finishing.submit(sitting=begin_form(participant, form, at=at), at=at + HOUR / 2)

    easy, hard = Forecast.objects.order_by("made_at")
    assert hard.expected < easy.expected - 0.1
    assert hard.probability < easy.probability - 0.1


def test_a_state_with_enough_answers_makes_it_a_chance_that_was_shown(
    participant, large_bank
):
    people.practised(participant, list(large_bank.questions.all()[:14]))
    people.practised(participant, list(large_bank.questions.all()[14:32]))

    begin(participant, large_bank)

    said = Forecast.objects.get()
    assert (said.first_attempts, said.is_enough) == (32, True)


def test_the_share_of_questions_never_met_counts_each_question_once(
    participant, bank, questions
):
    elsewhere = people.participant_of(participant.user, is_simulated=False)
    people.answer(participant, questions[0], right=True, at=NOW - DAY)
    people.answer(elsewhere, questions[0], right=True, at=NOW - DAY)
    people.look(participant, questions[1], at=NOW - DAY)

    begin(participant, bank, length=15)

    assert Forecast.objects.get().share_unseen == pytest.approx(1 - 2 / 15)


def test_later_answers_change_nothing_of_what_was_said(participant, bank, questions):
    begin(participant, bank, length=5)
    before = Forecast.objects.values().get()

    people.practised(participant, questions[:12], at=NOW + HOUR)

    assert Forecast.objects.values().get() == before


def test_coming_back_to_a_mock_that_runs_says_nothing_anew(
    participant, bank, questions
):
    begin(participant, bank)
    before = Forecast.objects.values().get()
    people.practised(participant, questions[:12])

    begin(participant, bank, at=NOW + HOUR / 4)

    assert Forecast.objects.values().get() == before


def test_practice_and_visitors_are_told_no_chance(participant, bank, questions):
    people.practise(participant, questions[:3], at=NOW)
    begin(people.participant_of(), bank)

    assert Sitting.objects.count() == 2
    assert not Forecast.objects.exists()


def test_nothing_is_said_of_papers_that_the_model_does_not_know(
    participant, bank, questions
):
    partial = answers.make_form(bank, questions[:5], slug="partial")
    partial.rule = Rule.RIGHT_MINUS_WRONG
    partial.save()
    elsewhere = answers.make_form(bank, questions[5:10], slug="elsewhere")
    Alignment.objects.filter(question=questions[5]).delete()
    for number, form in enumerate((partial, elsewhere)):
        at = NOW + number * HOUR
        finishing.submit(sitting=begin_form(participant, form, at=at), at=at)

    assert Sitting.objects.filter(status="finished").count() == 2
    assert not Forecast.objects.exists()


def test_simulated_people_are_known_as_such(learner, bank):
    begin(people.participant_of(learner, is_simulated=True), bank)

    assert Forecast.objects.get().is_simulated


@pytest.mark.parametrize(
    ("right", "has_passed"), [(9, True), (8, False), (0, False), (12, True)]
)
def test_what_came_true_is_noted_once_the_report_is_made(
    participant, bank, right, has_passed
):
    sitting = begin(participant, bank)

    people.end_mock(sitting, right=right, at=NOW + HOUR / 4)
    finishing.submit(sitting=sitting, at=NOW + HOUR)

    assert Forecast.objects.get().has_passed is has_passed
    assert sitting.reports.get().is_passed is has_passed


def test_a_mock_that_runs_out_of_time_is_scored_too(participant, bank):
    begin(participant, bank)

    finishing.close_overdue(at=NOW + DAY)

    assert Forecast.objects.get().has_passed is False


def test_a_sitting_declared_void_counts_as_no_result(participant, bank, superuser):
    sitting = begin(participant, bank)
    people.end_mock(sitting, right=12, at=NOW + HOUR / 4)

    conducting.void(sitting=sitting, reason="A fire.", by=superuser, at=NOW + HOUR)

    said = Forecast.objects.get()
    assert said.has_passed is None
    assert said.probability > 0.0


def test_a_regrade_that_turns_the_result_turns_what_came_true(
    participant, bank, regrade
):
    sitting = begin(participant, bank)
    people.end_mock(sitting, right=9, at=NOW + HOUR / 4)
    before = Forecast.objects.get()
    single = sitting.items.filter(position__lte=9, revision__choose=1).first()

    regrade(single.question, to="wait")

    after = Forecast.objects.get()
    assert (before.has_passed, after.has_passed) == (True, False)
    assert after.probability == before.probability


# -- cost and faults ----------------------------------------------------------------


def test_it_costs_a_start_three_statements(participant, bank, questions):
    people.practised(participant, questions[:4])
    question_table(blueprint=Blueprint.objects.get(certification=bank, version="2"))
    with CaptureQueriesContext(connection) as context:
        begin(participant, bank)
    about = ("analytics_", "unnest", "array_agg(d.id")

    asked = [sql for sql in sentences(context) if any(word in sql for word in about)]

    assert len(asked) == 3, asked


def test_a_fault_in_it_does_not_keep_an_exam_from_starting(participant, bank, caplog):
    LearnerState.objects.create(
        user=participant.user,
        blueprint=Blueprint.objects.get(certification=bank, version="2"),
        ability={"mean": [0.0, 0.0]},
        made_at=NOW,
    )

    sitting = begin(participant, bank)

    assert sitting.items.count() == 12
    assert not Forecast.objects.exists()
    assert "No forecast is kept" in caplog.text


def test_nor_does_a_fault_of_the_database(participant, bank, caplog):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE analytics_forecast RENAME TO elsewhere")

    sitting = begin(participant, bank)

    assert sitting.items.count() == 12
    assert "No forecast is kept" in caplog.text
