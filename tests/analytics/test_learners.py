"""What is known of learners is what the log says, however its rows came in."""

from __future__ import annotations

import datetime
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import claim_participant
from analytics.domain.figures import Figures
from analytics.models import CalibrationRun, LearnerFigures, LearnerState
from analytics.services import learners
from questions.exams.domain.visibility import Feedback
from questions.exams.models import Enrolment
from questions.exams.services import conducting
from questions.models import Alignment, Domain, ItemParameters
from questions.services import documents, review
from tests import factories
from tests.analytics import people
from tests.analytics.people import DAY, HOUR, NOW

pytestmark = pytest.mark.django_db


def update(user, certification, at=NOW):
    return learners.update(user=user.pk, certification=certification.pk, at=at)


def state_of(user):
    return LearnerState.objects.get(user=user)


def figures_of(user):
    return Figures.from_record(LearnerFigures.objects.get(user=user).figures)


def known(user):
    """All that is kept of a person, but for when it was made."""
    state, figures = state_of(user), LearnerFigures.objects.get(user=user)
    return {
        "blueprint": state.blueprint_id,
        "run": state.run_id,
        "ability": state.ability,
        "first_attempts": state.first_attempts,
        "trend": state.trend,
        "recent": state.recent,
        "rows": (state.rows, figures.rows),
        "through_at": (state.through_at, figures.through_at),
        "figures": figures.figures,
        "time_zone": figures.time_zone,
    }


def agree(one, other):
    """Compare what is kept, numbers to 1e-9."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            agree(one[key], other[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for each, its in zip(one, other, strict=True):
            agree(each, its)
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=1e-9)
    else:
        assert one == other


def afresh(user, certification):
    learners.update_many(
        users=[user.pk], certification=certification.pk, at=NOW, is_afresh=True
    )
    return known(user)


def expected(user):
    return state_of(user).trend[-1]["expected"]


def test_somebody_who_neither_answered_nor_enrolled_has_no_row(learner, bank):
    assert not update(learner, bank)

    assert not LearnerState.objects.exists()
    assert not LearnerFigures.objects.exists()


def test_somebody_enrolled_who_has_not_answered_is_known_as_anybody(learner, bank):
    Enrolment.objects.create(user=learner, certification=bank, enrolled_at=NOW)

    assert update(learner, bank)

    state = state_of(learner)
    assert state.ability["mean"] == [0.0, 0.0]
    assert (state.first_attempts, state.trend, state.rows) == (0, [], 0)
    assert figures_of(learner) == Figures()
    assert not update(learner, bank)


def test_rows_go_when_the_enrolment_does_and_nothing_was_answered(learner, bank):
    enrolment = Enrolment.objects.create(
        user=learner, certification=bank, enrolled_at=NOW
    )
    update(learner, bank)
    enrolment.delete()

    update(learner, bank)

    assert not LearnerState.objects.exists()
    assert not LearnerFigures.objects.exists()


def test_answers_are_counted_and_move_the_ability_of_their_domain(
    learner, bank, questions
):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    people.answer(participant, questions[10], right=False, at=NOW + HOUR)

    update(learner, bank)

    state = state_of(learner)
    assert state.ability["mean"][0] > state.ability["mean"][1]
    assert state.ability["answers"] == [1, 1]
    assert state.first_attempts == 2
    assert state.through_at == NOW + HOUR
    found = figures_of(learner)
    assert (found.total.first, found.total.first_right) == (2, 1)
    assert found.total.seconds == 60


def test_doing_it_twice_changes_nothing(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    assert update(learner, bank)
    before = LearnerState.objects.values().get()

    assert not update(learner, bank, NOW + DAY)

    assert LearnerState.objects.values().get() == before


@pytest.mark.parametrize("seed", range(6))
def test_going_on_gives_what_starting_again_gives(learner, bank, questions, seed):
    rng = random.Random(seed)
    participant = people.participant_of(learner)
    moments = [NOW - DAY * rng.uniform(0, 60) for _ in range(30)]
    if seed % 2:
        moments.sort()  # else rows come in before what was taken already
    for at in moments:
        people.answer(
            participant, rng.choice(questions), right=rng.random() < 0.6, at=at
        )
        if rng.random() < 0.4:
            update(learner, bank)
    update(learner, bank)

    agree(known(learner), afresh(learner, bank))


def test_the_order_in_which_rows_come_in_does_not_matter(
    learner, other_learner, bank, questions
):
    story = [
        (question, number % 3 > 0, NOW - DAY * number)
        for number, question in enumerate(questions)
    ]
    people.participant_of(learner)
    for user, order in ((learner, story), (other_learner, story[::-1])):
        for question, right, at in order:
            people.answer(people.participant_of(user), question, right=right, at=at)
            update(user, bank)

    one, other = known(learner), known(other_learner)
    agree(one, other)


def test_the_order_of_a_days_answers_changes_nothing(
    learner, other_learner, bank, questions
):
    morning = datetime.datetime(2026, 11, 29, 8, 0, tzinfo=datetime.UTC)
    orders = {learner: list(questions), other_learner: list(reversed(questions))}
    for user, order in orders.items():
        for place, question in enumerate(order):
            at = morning + place * HOUR / 2
            right = questions.index(question) < 8
            people.answer(people.participant_of(user), question, right=right, at=at)
            if user == learner:  # one is followed answer by answer, one at the end
                update(user, bank, at=at)
    update(other_learner, bank)

    one, other = state_of(learner), state_of(other_learner)

    assert one.first_attempts == 16
    assert one.ability == other.ability


def test_a_repeat_never_raises_what_is_expected(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=False, at=NOW)
    update(learner, bank)
    before = known(learner)

    people.answer(participant, questions[0], right=True, at=NOW + HOUR)
    update(learner, bank)

    after = known(learner)
    assert after["ability"] == before["ability"]
    assert after["trend"] == before["trend"]
    assert figures_of(learner).total.repeats_right == 1


def test_an_answer_after_the_key_was_shown_is_no_first_attempt(
    learner, bank, questions
):
    participant = people.participant_of(learner)
    people.look(participant, questions[0], at=NOW)
    people.answer(participant, questions[0], right=True, at=NOW + HOUR)

    update(learner, bank)

    assert state_of(learner).first_attempts == 0
    assert figures_of(learner).shown == 1
    assert figures_of(learner).total.first == 0
    agree(known(learner), afresh(learner, bank))


def test_a_mocks_unanswered_questions_count_as_wrong(learner, bank):
    participant = people.participant_of(learner)
    people.mock(participant, bank, length=6, right=2, at=NOW)

    update(learner, bank, NOW + HOUR)

    found = figures_of(learner)
    assert (found.total.first, found.total.first_right, found.omitted) == (6, 2, 4)
    assert state_of(learner).first_attempts == 6


def test_practice_that_ended_without_an_answer_only_made_the_key_known(
    learner, bank, questions
):
    participant = people.participant_of(learner)
    sitting = people.practise(
        participant, questions[:2], at=NOW, feedback=Feedback.AT_END
    )
    people.end_mock(sitting, right=1, at=NOW + HOUR)
    left = sitting.items.get(position=2).question
    people.answer(participant, left, right=True, at=NOW + 2 * HOUR)

    update(learner, bank)

    assert state_of(learner).first_attempts == 1
    assert figures_of(learner).total.answered == 2
    assert figures_of(learner).total.repeats == 1
    assert figures_of(learner).omitted == 0


def test_a_mock_makes_all_that_it_asked_known(learner, bank):
    participant = people.participant_of(learner)
    sitting = people.mock(participant, bank, length=6, right=6, at=NOW)
    update(learner, bank, NOW + HOUR)

    question = sitting.items.select_related("question").get(position=1).question
    people.answer(participant, question, right=False, at=NOW + HOUR)
    update(learner, bank, NOW + HOUR)

    assert state_of(learner).first_attempts == 6
    assert figures_of(learner).total.repeats == 1


def test_a_void_sitting_is_taken_back(learner, bank, questions, editor):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    update(learner, bank)
    before = known(learner)
    sitting = people.mock(participant, bank, length=6, right=6, at=NOW + HOUR)
    update(learner, bank)
    assert expected(learner) > before["trend"][-1]["expected"]

    conducting.void(sitting=sitting, reason="A fire.", by=editor, at=NOW + DAY)
    update(learner, bank)

    after = known(learner)
    agree(after["ability"], before["ability"])
    assert after["figures"] == before["figures"]
    assert after["rows"] == (13, 13)
    agree(after, afresh(learner, bank))


def test_a_regrade_moves_what_is_expected(learner, bank, questions, regrade):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=False, at=NOW)
    update(learner, bank)
    before = expected(learner)

    regrade(questions[0], to="wait")
    update(learner, bank, NOW + DAY)

    assert expected(learner) > before
    assert figures_of(learner).total.first_right == 1
    assert figures_of(learner).traps == ()
    agree(known(learner), afresh(learner, bank))


def test_work_done_before_signing_up_counts_once_it_is_claimed(
    learner, bank, questions
):
    own, visitor = people.participant_of(learner), people.participant_of()
    people.answer(visitor, questions[0], right=False, at=NOW - DAY)
    people.answer(own, questions[0], right=True, at=NOW)
    people.answer(own, questions[1], right=True, at=NOW)
    update(learner, bank)
    assert state_of(learner).first_attempts == 2

    claim_participant(participant=visitor, user=learner)
    update(learner, bank)

    state = state_of(learner)
    assert (state.first_attempts, state.rows) == (2, 3)
    assert figures_of(learner).total.first_right == 1
    assert figures_of(learner).total.repeats == 1
    agree(known(learner), afresh(learner, bank))


def test_the_blueprint_of_the_exam_date_counts(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    update(learner, bank)
    old, new = bank.blueprints.order_by("version")
    assert state_of(learner).blueprint == new

    old.effective_from, old.effective_to = NOW.date() + 10 * DAY, None
    old.save()
    new.effective_to = NOW.date() + 9 * DAY
    new.save()
    Enrolment.objects.create(
        user=learner,
        certification=bank,
        exam_date=NOW.date() + 20 * DAY,
        enrolled_at=NOW,
    )
    update(learner, bank)

    assert state_of(learner).blueprint == old
    assert state_of(learner).first_attempts == 1


def test_a_question_without_a_place_in_the_blueprint_is_no_evidence(
    learner, bank, questions
):
    questions[0].alignments.filter(blueprint__version="2").delete()
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)

    update(learner, bank)

    assert state_of(learner).first_attempts == 0
    assert figures_of(learner).total.first == 1


def test_days_are_those_of_the_learners_time_zone(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    update(learner, bank)
    assert list(figures_of(learner).days) == [datetime.date(2026, 11, 30)]

    learner.time_zone = "Pacific/Auckland"
    learner.save()
    assert update(learner, bank)

    assert list(figures_of(learner).days) == [datetime.date(2026, 12, 1)]


def test_the_trend_has_a_point_for_each_week_with_evidence(learner, bank, questions):
    participant = people.participant_of(learner)
    for number, days in enumerate((21, 20, 8, 7, 0)):
        people.answer(participant, questions[number], right=True, at=NOW - days * DAY)
        update(learner, bank)

    assert [
        (point["date"], point["first_attempts"]) for point in state_of(learner).trend
    ] == [("2026-11-10", 2), ("2026-11-22", 3), ("2026-11-23", 4), ("2026-11-30", 5)]


def calibrate(certification, questions, difficulty):
    CalibrationRun.objects.filter(certification=certification).update(is_in_force=False)
    run = CalibrationRun.objects.create(
        certification=certification,
        status="finished",
        is_in_force=True,
        through=0,
        rows=0,
        started_at=NOW,
        finished_at=NOW,
        code_version="1",
    )
    for question in questions:
        ItemParameters.objects.update_or_create(
            revision=question.published_revision,
            defaults={
                "slope": 1.0,
                "difficulty": difficulty,
                "guess": 0.25,
                "attempts": 100,
                "run": run.pk,
                "recorded_at": NOW,
            },
        )
    return run


def test_another_calibration_is_taken_over_and_what_it_moved_is_said(
    learner, bank, questions
):
    participant = people.participant_of(learner)
    for question in questions[:6]:
        people.answer(participant, question, right=True, at=NOW)
    update(learner, bank)
    before = state_of(learner)
    assert (before.run, before.moved) == (None, None)

    run = calibrate(bank, questions, -2.0)
    update(learner, bank, NOW + DAY)

    after = state_of(learner)
    assert after.run == run
    assert after.moved["before"]["expected"] == before.trend[-1]["expected"]
    assert after.moved["after"]["expected"] == after.trend[-1]["expected"]
    assert datetime.datetime.fromisoformat(after.moved["at"]) == NOW + DAY
    agree(known(learner), afresh(learner, bank))
    assert state_of(learner).moved == after.moved


def test_what_answers_moved_is_not_said_of_a_calibration(learner, bank, questions):
    participant = people.participant_of(learner)
    for question in questions[:6]:
        people.answer(participant, question, right=True, at=NOW)
    update(learner, bank)

    calibrate(bank, questions, -2.0)
    people.answer(participant, questions[7], right=False, at=NOW + HOUR)
    update(learner, bank, NOW + DAY)

    assert state_of(learner).moved is None


def test_many_at_once_are_as_each_alone(learner, other_learner, bank, questions):
    rng = random.Random(5)
    for user in (learner, other_learner):
        participant = people.participant_of(user)
        for number, question in enumerate(questions):
            people.answer(
                participant,
                question,
                right=rng.random() < 0.5,
                at=NOW - DAY * number,
            )
    update(learner, bank)

    changed = learners.update_many(
        users=[learner.pk, other_learner.pk], certification=bank.pk, at=NOW
    )

    assert changed == 1
    both = known(learner), known(other_learner)
    agree(both[0], afresh(learner, bank))
    agree(both[1], afresh(other_learner, bank))


def test_answers_in_another_certification_are_not_in_it(learner, bank, questions):
    other = factories.make_certification("OTH")
    elsewhere = factories.make_published(other, factories.make_item(600))
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    people.answer(participant, elsewhere, right=False, at=NOW)

    update(learner, bank)

    assert LearnerFigures.objects.get().rows == 1
    assert figures_of(learner).total.answered == 1


def test_old_answers_are_not_read_again(learner, bank, questions):
    participant = people.participant_of(learner)
    people.answer(participant, questions[0], right=True, at=NOW)
    update(learner, bank)
    people.answer(participant, questions[1], right=True, at=NOW + HOUR)

    with CaptureQueriesContext(connection) as queries:
        update(learner, bank)

    reads = [q["sql"] for q in queries if "points_numerator" in q["sql"]]
    assert len(reads) == 1
    assert "l.logged_at > known.since" in reads[0]
    assert len(queries) == 14


def move(question, domain):
    place = question.alignments.get(blueprint__version="2")
    place.domain = Domain.objects.get(blueprint=place.blueprint, code=domain)
    place.objective = place.domain.objectives.first()
    place.save()
    documents.touch_bank(question.certification)


def realign(bank, questions, by):
    for question in questions[:8]:
        move(question, "2")


def take_out_of_the_blueprint(bank, questions, by):
    questions[0].alignments.filter(blueprint__version="2").delete()
    documents.touch_bank(bank)


def retire(bank, questions, by):
    for question in questions[2:9]:
        review.retire_question(question=question, by=by, reason="Old.", at=NOW)


def publish_another(bank, questions, by):
    factories.make_published(bank, factories.make_item(777))


def weigh_a_domain_less(bank, questions, by):
    domain = Domain.objects.get(
        blueprint__certification=bank, blueprint__version="2", code="1"
    )
    domain.weight = 10
    domain.save()


def raise_the_mark(bank, questions, by):
    blueprint = bank.blueprints.get(version="2")
    blueprint.published_mark = "0.9"
    blueprint.save()


def move_some_to_another_domain(bank, questions, by):
    blueprint = bank.blueprints.get(version="2")
    new = Domain.objects.create(blueprint=blueprint, code="3", name="New", weight=60)
    aligned = Alignment.objects.filter(blueprint=blueprint, question__in=questions[:4])
    aligned.update(domain=new, objective=None)


@pytest.mark.parametrize(
    "change",
    [
        realign,
        take_out_of_the_blueprint,
        retire,
        publish_another,
        weigh_a_domain_less,
        raise_the_mark,
        move_some_to_another_domain,
    ],
)
def test_the_next_answer_takes_over_whatever_changed_in_the_bank(
    learner, bank, questions, editor, change
):
    participant = people.participant_of(learner)
    for number, question in enumerate(questions[:12]):
        at = NOW - (30 - number) * DAY
        people.answer(participant, question, right=number % 2 == 0, at=at)
    update(learner, bank)

    change(bank, questions, editor)
    people.answer(participant, questions[13], right=True, at=NOW)
    update(learner, bank)

    agree(known(learner), afresh(learner, bank))


def test_of_an_account_that_is_gone_nothing_is_kept(learner, bank, questions):
    people.answer(people.participant_of(learner), questions[0], right=True, at=NOW)
    gone = learner.pk + 1000

    changed = learners.update_many(
        users=[gone, learner.pk], certification=bank.pk, at=NOW
    )

    assert changed == 1
    assert LearnerFigures.objects.get().user == learner
    connection.check_constraints()
