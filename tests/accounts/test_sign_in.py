"""Sign up, in and out, by email address."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a quite long phrase"


def sign_up(client: Client, email: str, password: str = PASSWORD):
    return client.post("/accounts/signup/", {"email": email, "password1": password})


def sign_in(client: Client, email: str, password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": email, "password": password})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_stranger_signs_up_and_is_in(client: Client):
    response = sign_up(client, "new@example.org")

    assert response.status_code == 302
    assert is_signed_in(client)
    account = User.objects.get(email="new@example.org")
    assert not account.is_staff
    assert account.participants.count() == 1


def test_a_confirmation_is_mailed_and_works(client: Client):
    sign_up(client, "new@example.org")

    address = re.search(
        r"http://\S+/accounts/confirm-email/\S+", str(mail.outbox[0].body)
    )
    assert address is not None
    page = client.get(address[0])
    client.post(address[0])

    assert page.status_code == 200
    assert EmailAddress.objects.get(email="new@example.org").verified


def test_signing_in_and_out(client: Client, learner: User):
    sign_in(client, learner.email, "a-long-password")
    was_in = is_signed_in(client)
    client.post("/accounts/logout/")

    assert was_in
    assert not is_signed_in(client)


def test_a_link_alone_does_not_sign_anybody_out(learner_client: Client):
    learner_client.get("/accounts/logout/")

    assert is_signed_in(learner_client)


def test_the_case_of_an_address_does_not_matter(client: Client):
    sign_up(client, "New@Example.org")
    client.post("/accounts/logout/")

    sign_in(client, "nEW@example.ORG")

    assert is_signed_in(client)
    assert User.objects.get().email == "new@example.org"


def test_an_address_has_one_account_whatever_its_case(learner: User):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(learner.email.upper(), PASSWORD)


def test_the_database_itself_refuses_upper_case(learner: User):
    command = "UPDATE accounts_user SET email = upper(email) WHERE id = %s"

    with connection.cursor() as cursor, pytest.raises(IntegrityError):
        cursor.execute(command, [learner.pk])


def test_an_address_that_is_taken_makes_no_second_account(
    client: Client, learner: User
):
    response = sign_up(client, learner.email.upper())

    assert response.status_code == 200
    assert not is_signed_in(client)
    assert User.objects.count() == 1


def test_asking_for_a_new_password_does_not_tell_whether_there_is_an_account(
    client: Client, learner: User
):
    known = client.post("/accounts/password/reset/", {"email": learner.email})
    unknown = client.post("/accounts/password/reset/", {"email": "no@example.org"})

    assert known.status_code == unknown.status_code == 302
    assert known["Location"] == unknown["Location"]


def test_a_wrong_password_is_refused(client: Client, learner: User):
    response = sign_in(client, learner.email, "a wrong password")

    assert response.status_code == 200
    assert not is_signed_in(client)


@pytest.mark.parametrize("password", ["short", "1234567890", "password123"])
def test_a_weak_password_is_refused(client: Client, password: str):
    response = sign_up(client, "new@example.org", password)

    assert response.status_code == 200
    assert not User.objects.exists()


def test_guessing_is_stopped(client: Client, learner: User):
    for _ in range(6):
        sign_in(client, learner.email, "a wrong password")

    sign_in(client, learner.email, "a-long-password")

    assert not is_signed_in(client)


def test_a_session_is_renewed_on_signing_in(client: Client, learner: User):
    client.get("/accounts/login/")
    session = client.session
    session["kept"] = "before"
    session.save()
    before = session.session_key

    sign_in(client, learner.email, "a-long-password")

    assert client.session.session_key != before
    assert client.session["kept"] == "before"


def test_the_desk_asks_to_sign_in_by_the_one_page_for_it(client: Client):
    visited = [
        address for address, _ in client.get("/admin/", follow=True).redirect_chain
    ]

    assert visited[-1].startswith("/accounts/login/?next=")


def test_a_learner_does_not_get_into_the_desk(learner_client: Client):
    assert learner_client.get("/admin/", follow=True).status_code == 403


def test_a_forgotten_password_is_mailed_a_way_back(client: Client, learner: User):
    client.post("/accounts/password/reset/", {"email": learner.email})

    assert mail.outbox[0].to == [learner.email]
    assert "/accounts/password/reset/key/" in mail.outbox[0].body
