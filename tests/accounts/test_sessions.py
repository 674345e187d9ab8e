"""Whose a session is: what stands in it decides, whatever the list of sessions says."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import BACKEND_SESSION_KEY
from django.test import Client
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db


def who(client: Client) -> User | None:
    """Return whom a page is shown to."""
    user = client.get(reverse("about")).wsgi_request.user
    return user if isinstance(user, User) else None


@pytest.mark.usefixtures("listed")
def test_a_listed_session_is_its_persons(learner: User, learner_client: Client):
    assert who(learner_client) == learner


def test_a_session_that_is_not_listed_is_still_its_persons(
    learner: User, learner_client: Client, listed: UserSession
):
    listed.delete()

    assert who(learner_client) == learner


def test_a_session_listed_as_somebody_elses_is_still_its_persons(
    learner: User, other_learner: User, learner_client: Client, listed: UserSession
):
    UserSession.objects.filter(pk=listed.pk).update(user=other_learner)

    assert who(learner_client) == learner


def test_what_changed_of_a_person_counts_at_the_next_request(
    learner: User, learner_client: Client
):
    assert who(learner_client) == learner
    User.objects.filter(pk=learner.pk).update(time_zone="Asia/Tokyo")
    changed = who(learner_client)
    User.objects.filter(pk=learner.pk).update(is_active=False)

    assert changed is not None
    assert changed.time_zone == "Asia/Tokyo"
    assert who(learner_client) is None


def test_a_new_password_ends_a_session_that_was_listed(
    learner: User, learner_client: Client
):
    learner.set_password("another practice makes")
    learner.save()

    assert who(learner_client) is None


def test_a_session_of_before_an_upgrade_is_still_its_persons(
    learner: User, learner_client: Client
):
    session = learner_client.session
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session.save()

    assert who(learner_client) == learner


def test_a_session_of_a_backend_that_never_was_here_is_nobodys(learner_client: Client):
    session = learner_client.session
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()

    assert who(learner_client) is None


def test_people_who_take_turns_at_one_worker_are_told_apart(
    learner: User,
    other_learner: User,
    learner_client: Client,
    other_learner_client: Client,
):
    turns = [learner_client, other_learner_client, Client(), learner_client]

    assert list(map(who, turns)) == [learner, other_learner, None, learner]
