"""Who may begin which exam, and with which questions."""

from __future__ import annotations

import pytest

from questions.domain.items import Exposure
from questions.exams.models import KeyContact, Sitting
from questions.models import Question
from tests import factories

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def exposures(sitting):
    return set(
        Question.objects.filter(sitting_items__sitting=sitting).values_list(
            "exposure", flat=True
        )
    )


def test_a_visitor_gets_public_questions_only(client, big_bank):
    client.post("/mocks/tst/rules/", {"exam": "own", "length": 15})

    assert exposures(Sitting.objects.get()) == {Exposure.PUBLIC}


def test_a_verified_member_gets_what_is_kept_for_mocks(
    verified, learner_client, big_bank
):
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 20})

    sitting = Sitting.objects.get()
    reserved = sitting.items.filter(question__exposure=Exposure.MOCK_ONLY)
    assert reserved.count() == 8


@pytest.mark.parametrize("length", [19, 20])
def test_without_a_verified_address_or_in_a_short_exam_nothing_reserved_is_spent(
    learner_client, big_bank, length
):
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": length})

    assert Exposure.MOCK_ONLY not in exposures(Sitting.objects.get())


def test_a_short_exam_spends_nothing_reserved(verified, learner_client, big_bank):
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 19})

    assert Exposure.MOCK_ONLY not in exposures(Sitting.objects.get())


def test_a_second_start_returns_the_running_exam(client, begin):
    first = begin(client)

    again = client.post("/mocks/tst/rules/", {"exam": "own", "length": 8})

    assert again.headers["Location"] == f"/sittings/{first.public_id}/"
    assert Sitting.objects.count() == 1


def test_a_visitor_takes_one_mock_and_is_then_asked_for_an_account(client, begin):
    sitting = begin(client)
    client.post(f"/sittings/{sitting.public_id}/submit/")

    rules = client.get("/mocks/tst/rules/?exam=own&length=6")
    refused = client.post("/mocks/tst/rules/", {"exam": "own", "length": 6})

    assert "An account is free" in words(rules)
    assert refused.status_code == 409
    assert Sitting.objects.count() == 1


def test_a_day_has_a_limit_of_new_mocks(learner_client, begin, settings):
    settings.MOCKS_PER_DAY = 2
    for _ in range(2):
        sitting = begin(learner_client)
        learner_client.post(f"/sittings/{sitting.public_id}/submit/")

    refused = learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 6})

    assert refused.status_code == 409
    assert "which is the limit here" in words(refused)


def test_what_was_drawn_counts_as_seen_before_it_is_answered(
    learner_client, bank, begin
):
    first = begin(learner_client, length=5)
    learner_client.post(f"/sittings/{first.public_id}/submit/")
    second = begin(learner_client, length=5)

    seen = set(first.items.values_list("question", flat=True))
    domains = {
        domain: Question.objects.filter(
            alignments__domain__code=domain, alignments__blueprint__version="2"
        ).count()
        for domain in ("1", "2")
    }
    again = second.items.filter(question__in=seen)
    for domain in ("1", "2"):
        asked = second.items.filter(domain__code=domain).count()
        unseen = domains[domain] - first.items.filter(domain__code=domain).count()
        assert again.filter(domain__code=domain).count() == max(asked - unseen, 0)


def test_a_bank_that_is_too_small_says_so_and_offers_what_it_can(client, bank):
    rules = client.get("/mocks/tst/rules/?exam=full")

    text = words(rules)
    assert "can’t be filled for you now" in text
    assert "Domain 1 of 2 would ask 36, and there are 7." in text
    assert "Take one of 12 questions" in text
    refused = client.post("/mocks/tst/rules/", {"exam": "full"})
    assert refused.status_code == 409
    assert not Sitting.objects.exists()
    assert (
        client.post("/mocks/tst/rules/", {"exam": "own", "length": 12}).status_code
        == 302
    )


@pytest.mark.parametrize("length", ["0", "-1", "1000000000", "ten", "", "4", "61"])
def test_a_length_that_cannot_be_is_told_the_range(client, bank, length):
    for send in (client.get, client.post):
        reply = send("/mocks/tst/rules/", {"exam": "own", "length": length})

        assert reply.status_code == 422
        assert "mock-length-error" in reply.content.decode()
    assert not Sitting.objects.exists()


def test_an_exam_that_is_not_offered_is_refused(client, bank):
    reply = client.post("/mocks/tst/rules/", {"exam": "nonsense"})

    assert reply.status_code == 422
    assert "not offered" in words(reply)


def test_near_duplicates_never_meet_in_one_exam(client, certification):
    for number in range(5):
        factories.make_published(certification, factories.make_item(500 + number))
        factories.make_published(
            certification, factories.make_item(520 + number), domain="2"
        )
    twin = factories.make_item(500)
    factories.make_published(certification, factories.make_item(600))
    stem = twin.stem + " This was so last year as well."
    original = Question.objects.get(published_revision__title=twin.title)
    copy = factories.make_draft(
        certification, factories.make_item(601, stem=stem, lead_in=twin.lead_in)
    )
    # Enemies may be alike; a bank of before may hold such a pair undeclared.
    copy.enemies.add(original)
    factories.publish(copy)
    copy.enemies.clear()

    for seed in range(6):
        Sitting.objects.update(status="void", ended_at=factories.NOW)
        client.post("/mocks/tst/rules/", {"exam": "own", "length": 9})
        drawn = set(
            Sitting.objects.latest("pk").items.values_list("question", flat=True)
        )
        assert not {copy.pk, original.pk} <= drawn, seed


def test_a_mock_gives_contact_with_its_keys_at_its_end(client, begin):
    sitting = begin(client)
    assert not KeyContact.objects.exists()

    client.post(f"/sittings/{sitting.public_id}/submit/")

    assert {c.verdict for c in KeyContact.objects.all()} == {"unanswered"}
    assert KeyContact.objects.count() == 6


def test_two_running_mocks_are_both_kept_when_work_is_claimed(client, learner, begin):
    anonymous = begin(client)
    other = type(client)()
    other.force_login(learner)
    own = begin(other)

    client.post(
        "/accounts/login/", {"login": learner.email, "password": "a-long-password"}
    )
    client.post("/sittings/claim/", {"mine": "yes"})

    text = words(client.get("/sittings/"))
    for sitting in (anonymous, own):
        assert str(sitting.public_id) in text
        assert client.get(f"/sittings/{sitting.public_id}/1/").status_code == 200


def test_of_much_that_is_under_way_the_exam_comes_first_and_the_rest_has_pages(
    learner_client, begin
):
    mock = begin(learner_client)
    Sitting.objects.bulk_create(
        Sitting(
            participant=mock.participant,
            certification=mock.certification,
            blueprint=mock.blueprint,
            mode=Sitting.Mode.PRACTICE,
            feedback="at_once",
            seed=number,
            started_at=mock.started_at,
        )
        for number in range(40)
    )

    page = learner_client.get("/sittings/")

    shown = page.context["running"]
    assert len(shown) == 30
    assert shown[0]["sitting"] == mock
    assert "Older ones under way are in the list below." in words(page)
