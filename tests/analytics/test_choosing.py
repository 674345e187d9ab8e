"""What is chosen for a learner: unseen, open to them, telling, and with the reason."""

from __future__ import annotations

import pytest
from django.utils import timezone

from analytics.selectors import learners as reading
from analytics.services import choosing, learners
from questions.domain.items import Exposure
from questions.exams.models import Sitting
from questions.exams.services import starting
from tests import factories
from tests.analytics import people
from tests.analytics.people import HOUR, NOW

pytestmark = pytest.mark.django_db
ADDRESS = "/dashboard/tst/choose/"


def chosen(user, bank, *, seed=1, most=10, withheld=()):
    participant = people.participant_of(user)
    found = reading.readiness_of(user=user, certification=bank, at=NOW)
    assert found is not None
    return choosing.choose_next(
        learner=people.learner_of(participant),
        found=found,
        withheld=withheld,
        most=most,
        seed=seed,
        at=NOW,
    )


def practise(user, questions):
    participant = people.participant_of(user)
    for number, question in enumerate(questions):
        people.answer(participant, question, right=True, at=NOW - (40 - number) * HOUR)
    learners.update(user=user.pk, certification=questions[0].certification_id, at=NOW)


def test_what_was_ever_given_is_not_chosen(learner, bank, questions):
    practise(learner, questions[:3])
    people.practise(people.participant_of(learner), questions[3:5], at=NOW)

    found = chosen(learner, bank, most=16)

    assert set(found) == {question.pk for question in questions[5:]}


def test_the_same_seed_chooses_the_same(learner, bank):
    choices = [list(chosen(learner, bank, seed=seed, most=3)) for seed in (1, 1, 2, 3)]

    assert choices[0] == choices[1]
    assert len({tuple(choice) for choice in choices}) > 1


def test_the_domain_that_nobody_looked_at_comes_first_and_says_why(
    learner, bank, questions
):
    practise(learner, questions[:6])

    question, reason = next(iter(chosen(learner, bank).items()))

    place = bank.questions.get(pk=question).alignments.get(blueprint__version="2")
    assert place.domain.code == "2"
    assert reason == (
        "Little is known of you in Domain 2 of 2, 40% of the exam: an answer tells "
        "much."
    )


def test_where_something_is_known_the_doubt_that_is_left_is_told(
    learner, bank, questions
):
    practise(learner, [*questions[:4], *questions[8:12]])

    reasons = set(chosen(learner, bank).values())

    assert all("of the doubt about your score hangs on Domain" in r for r in reasons)
    assert all(reason.startswith("New to you, and ") for reason in reasons)


def test_questions_kept_for_mock_exams_retired_or_withheld_are_not_chosen(
    learner, bank, questions
):
    kept, retired, asked = questions[:3]
    kept.exposure = Exposure.MOCK_ONLY
    kept.save()
    retired.retired_at = NOW
    retired.save()

    found = chosen(learner, bank, most=16, withheld=[asked.pk])

    assert not {kept.pk, retired.pk, asked.pk} & set(found)
    assert len(found) == 13


def test_members_questions_are_chosen_for_members(learner, bank, questions):
    questions[0].exposure = Exposure.MEMBERS
    questions[0].save()

    assert questions[0].pk in chosen(learner, bank, most=16)


def test_ten_are_begun_and_each_says_why(learner_client, learner, bank):
    begun = learner_client.post(ADDRESS)

    sitting = Sitting.objects.get()
    page = learner_client.get(begun.headers["Location"]).content.decode()
    assert sitting.participant.user == learner
    assert sitting.mode == Sitting.Mode.PRACTICE
    assert sitting.items.count() == 10
    assert not sitting.items.filter(reason="").exists()
    assert "Chosen for you. Little is known of you in" in page
    answered = learner_client.post(
        f"/sittings/{sitting.public_id}/1/answer/",
        {"answer": "measure"},
        headers={"hx-request": "true"},
    )
    assert "Chosen for you." in answered.content.decode()


def test_asked_again_it_goes_on_with_what_was_chosen(learner_client, bank):
    learner_client.post(ADDRESS)

    again = learner_client.post(ADDRESS, follow=True)

    assert Sitting.objects.count() == 1
    assert "These were chosen for you before" in again.content.decode()
    assert "Question 1 of 10" in again.content.decode()


def test_fewer_than_ten_say_so(learner_client, learner, bank, questions):
    people.practise(people.participant_of(learner), questions[:13], at=NOW)

    page = learner_client.post(ADDRESS, follow=True)

    assert "Only 3 more were new to you." in page.content.decode()


def test_practice_that_one_chose_oneself_gives_no_reason(learner_client, bank):
    learner_client.post("/practice/tst/", {"length": "3"})

    page = learner_client.get(f"{Sitting.objects.get().get_absolute_url()}1/")

    assert "Chosen for you" not in page.content.decode()


def test_questions_of_a_mock_under_way_are_not_chosen(learner_client, learner, bank):
    mock = people.begin_mock(
        people.participant_of(learner), bank, length=8, at=timezone.now()
    )

    learner_client.post(ADDRESS)

    practice = Sitting.objects.get(mode=Sitting.Mode.PRACTICE)
    asked = mock.items.values("question")
    assert practice.items.count() == 8
    assert not practice.items.filter(question__in=asked).exists()


def test_when_everything_was_seen_it_says_so_and_begins_nothing(
    learner_client, learner, bank, questions
):
    people.practise(people.participant_of(learner), questions, at=NOW)

    page = learner_client.post(ADDRESS, follow=True)

    assert page.redirect_chain[-1][0] == "/practice/tst/"
    assert "You were given every question that is open to practice" in (
        page.content.decode()
    )
    assert Sitting.objects.count() == 1


def test_a_certification_without_questions_begins_nothing(learner_client):
    factories.make_certification("EMP")

    page = learner_client.post("/dashboard/emp/choose/", follow=True)

    assert page.redirect_chain[-1][0] == "/practice/emp/"
    assert not Sitting.objects.exists()


def test_it_is_offered_to_who_is_signed_in(client, learner_client, bank):
    assert ADDRESS in learner_client.get("/practice/tst/").content.decode()
    assert ADDRESS not in client.get("/practice/tst/").content.decode()
    assert client.post(ADDRESS).headers["Location"].startswith("/accounts/login/")
    assert learner_client.get(ADDRESS).status_code == 405
    assert learner_client.post("/dashboard/none/choose/").status_code == 404


def test_without_an_account_nothing_is_chosen(bank):
    participant = people.participant_of()

    with pytest.raises(ValueError, match="an account"):
        choosing.start(
            learner=people.learner_of(participant),
            certification=bank,
            withheld=(),
            length=10,
            seed=1,
            at=NOW,
        )


def test_choosing_takes_two_queries_whatever_was_answered(
    learner, bank, questions, django_assert_num_queries
):
    practise(learner, questions[:3])
    owner = people.learner_of(people.participant_of(learner))
    found = reading.readiness_of(user=learner, certification=bank, at=NOW)
    assert found is not None

    with django_assert_num_queries(2):
        choosing.choose_next(
            learner=owner, found=found, withheld=(), most=10, seed=1, at=NOW
        )


def test_a_start_without_a_reason_is_refused(learner, bank):
    with pytest.raises(starting.NothingMatches):
        choosing.start(
            learner=people.learner_of(people.participant_of(learner)),
            certification=bank,
            withheld=list(bank.questions.values_list("pk", flat=True)),
            length=10,
            seed=1,
            at=NOW,
        )
