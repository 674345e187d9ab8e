"""Whatever a visitor does belongs to a participant, and follows into the account."""

import datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory

from accounts import selectors, services
from accounts.models import Participant, User
from questions.exams.models import Sitting

pytestmark = pytest.mark.django_db

PASSWORD = "a quite long phrase"


def request_of(user=None):
    request = RequestFactory().get("/")
    request.user = user or AnonymousUser()
    request.session = SessionStore()
    return request


def sign_up(client: Client, email: str):
    return client.post(
        "/accounts/signup/", {"email": email, "password1": PASSWORD}, follow=True
    )


def test_looking_makes_no_participant():
    assert selectors.learner_of_request(request_of()).participant is None
    assert not Participant.objects.exists()


def test_an_anonymous_visitor_keeps_one_participant(now: datetime.datetime):
    request = request_of()

    first = services.learner_for_request(request=request, at=now)
    second = services.learner_for_request(request=request, at=now)

    assert first == second == selectors.learner_of_request(request)
    assert first.participant.created_at == now
    assert first.participant.user is None


def test_an_account_has_one_participant(learner: User, now: datetime.datetime):
    first = services.participant_of_user(user=learner, at=now)
    second = services.learner_for_request(request=request_of(learner), at=now)

    assert second.participants == (first,)
    assert selectors.learner_of_request(request_of(learner)).participant == first


def test_finding_a_learner_takes_one_query(
    learner: User, now: datetime.datetime, django_assert_num_queries
):
    request = request_of()
    services.learner_for_request(request=request, at=now)

    with django_assert_num_queries(1):
        selectors.learner_of_request(request)
    with django_assert_num_queries(1):
        selectors.learner_of_request(request_of(learner))


@pytest.mark.parametrize("value", ["", "1", "none", 7, ["x"], "\x00"])
def test_a_session_that_holds_nonsense_has_no_participant(value):
    request = request_of()
    request.session[selectors.PARTICIPANT_SESSION_KEY] = value

    assert selectors.learner_of_request(request).participant is None
    assert selectors.owner_filter(request, "participant") is None


def test_a_visitor_never_gets_the_participant_of_an_account(
    learner: User, now: datetime.datetime
):
    request = request_of()
    owned = services.participant_of_user(user=learner, at=now)
    request.session[selectors.PARTICIPANT_SESSION_KEY] = str(owned.public_id)

    assert selectors.learner_of_request(request).participant is None
    owner = selectors.owner_filter(request, "participant")
    assert not Sitting.objects.filter(owner).exists()


def test_claimed_work_comes_beside_an_accounts_own(
    learner: User, now: datetime.datetime
):
    own = services.participant_of_user(user=learner, at=now)
    visitor = services.new_participant(at=now)

    assert services.claim_participant(participant=visitor, user=learner)

    found = selectors.learner_of_request(request_of(learner))
    assert found.participant == own
    assert set(found.ids) == {own.pk, visitor.pk}


def test_two_accounts_never_share_a_participant(
    learner: User, other_learner: User, now: datetime.datetime
):
    visitor = services.new_participant(at=now)

    assert services.claim_participant(participant=visitor, user=learner)
    assert not services.claim_participant(participant=visitor, user=other_learner)

    visitor.refresh_from_db()
    assert visitor.user == learner


def _visit(client: Client, now: datetime.datetime) -> Participant:
    visitor = services.new_participant(at=now)
    session = client.session
    session[selectors.PARTICIPANT_SESSION_KEY] = str(visitor.public_id)
    session.save()
    return visitor


def test_who_signs_up_is_asked_whose_the_work_is(
    client: Client, now: datetime.datetime
):
    visitor = _visit(client, now)

    sign_up(client, "new@example.org")

    visitor.refresh_from_db()
    assert visitor.user is None
    assert "Is that work yours?" in client.get("/about/").content.decode()

    client.post("/sittings/claim/", {"mine": "yes"})

    visitor.refresh_from_db()
    assert visitor.user == User.objects.get(email="new@example.org")
    assert "Is that work yours?" not in client.get("/about/").content.decode()


@pytest.mark.parametrize("answer", [{"mine": "no"}, {}, {"mine": "perhaps"}])
def test_work_that_is_not_claimed_stays_nobodys(
    client: Client, learner: User, now: datetime.datetime, answer: dict[str, str]
):
    own = services.participant_of_user(user=learner, at=now)
    visitor = _visit(client, now)

    client.post(
        "/accounts/login/", {"login": learner.email, "password": "a-long-password"}
    )
    client.post("/sittings/claim/", answer)

    visitor.refresh_from_db()
    assert visitor.user is None
    assert Participant.objects.get(user=learner) == own
    assert "Is that work yours?" not in client.get("/about/").content.decode()


def test_erasing_an_account_leaves_its_participant_without_a_name(
    learner: User, now: datetime.datetime
):
    participant = services.participant_of_user(user=learner, at=now)

    learner.delete()

    participant.refresh_from_db()
    assert participant.user is None
