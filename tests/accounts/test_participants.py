"""Whatever a visitor does belongs to a participant, and follows into the account."""

import datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError
from django.test import Client, RequestFactory

from accounts import selectors, services
from accounts.models import Participant, User

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
    assert selectors.participant_of_request(request_of()) is None
    assert not Participant.objects.exists()


def test_an_anonymous_visitor_keeps_one_participant(now: datetime.datetime):
    request = request_of()

    first = services.participant_for_request(request=request, at=now)
    second = services.participant_for_request(request=request, at=now)

    assert first == second == selectors.participant_of_request(request)
    assert first.created_at == now
    assert first.user is None


def test_an_account_has_one_participant(learner: User, now: datetime.datetime):
    first = services.participant_of_user(user=learner, at=now)
    second = services.participant_for_request(request=request_of(learner), at=now)

    assert first == second
    assert selectors.participant_of_request(request_of(learner)) == first


def test_finding_a_participant_takes_one_query(
    learner: User, now: datetime.datetime, django_assert_num_queries
):
    request = request_of()
    services.participant_for_request(request=request, at=now)

    with django_assert_num_queries(1):
        selectors.participant_of_request(request)
    with django_assert_num_queries(1):
        selectors.participant_of_request(request_of(learner))


@pytest.mark.parametrize("value", ["", "1", "none", 7, ["x"], "\x00"])
def test_a_session_that_holds_nonsense_has_no_participant(value):
    request = request_of()
    request.session[selectors.PARTICIPANT_SESSION_KEY] = value

    assert selectors.participant_of_request(request) is None


def test_a_visitor_never_gets_the_participant_of_an_account(
    learner: User, now: datetime.datetime
):
    request = request_of()
    owned = services.participant_of_user(user=learner, at=now)
    request.session[selectors.PARTICIPANT_SESSION_KEY] = str(owned.public_id)

    assert selectors.participant_of_request(request) is None


def test_two_accounts_never_share_a_participant(
    learner: User, other_learner: User, now: datetime.datetime
):
    visitor = services.new_participant(at=now)

    first = services.settle_new_account(user=learner, visitor=visitor, at=now)
    second = services.settle_new_account(user=other_learner, visitor=visitor, at=now)

    assert first == visitor
    assert second != visitor


def test_an_account_with_a_participant_keeps_it(learner: User, now: datetime.datetime):
    own = services.participant_of_user(user=learner, at=now)

    kept = services.settle_new_account(
        user=learner, visitor=services.new_participant(at=now), at=now
    )

    assert kept == own


def test_the_database_holds_one_participant_per_account(
    learner: User, now: datetime.datetime
):
    services.participant_of_user(user=learner, at=now)

    with pytest.raises(IntegrityError):
        Participant.objects.create(user=learner, created_at=now)


def test_work_done_before_signing_up_follows_into_the_account(
    client: Client, now: datetime.datetime
):
    visitor = services.new_participant(at=now)
    session = client.session
    session[selectors.PARTICIPANT_SESSION_KEY] = str(visitor.public_id)
    session.save()

    sign_up(client, "new@example.org")

    account = User.objects.get(email="new@example.org")
    assert account.participant == visitor


def test_signing_in_does_not_take_over_the_work_of_a_visitor(
    client: Client, learner: User, now: datetime.datetime
):
    own = services.participant_of_user(user=learner, at=now)
    visitor = services.new_participant(at=now)
    session = client.session
    session[selectors.PARTICIPANT_SESSION_KEY] = str(visitor.public_id)
    session.save()

    client.post(
        "/accounts/login/", {"login": learner.email, "password": "a-long-password"}
    )

    visitor.refresh_from_db()
    assert visitor.user is None
    assert Participant.objects.get(user=learner) == own


def test_erasing_an_account_leaves_its_participant_without_a_name(
    learner: User, now: datetime.datetime
):
    participant = services.participant_of_user(user=learner, at=now)

    learner.delete()

    participant.refresh_from_db()
    assert participant.user is None
