"""Guessing is stopped, owners are not, and answers tell nobody who has an account."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.services import limits
from tests.factories import NOW

pytestmark = pytest.mark.django_db

STRANGER, OWNER = "192.0.2.1", "192.0.2.2"
PASSWORD = "a-long-password"


def sign_in(email: str, password: str = PASSWORD, *, address: str = OWNER) -> Client:
    client = Client(REMOTE_ADDR=address)
    client.post("/accounts/login/", {"login": email, "password": password})
    return client


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def words_of(response, *secrets: str) -> str:
    """The page without what differs from one rendering to the next."""
    text = response.content.decode()
    for secret in secrets:
        text = text.replace(secret, "")
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)


def test_a_strangers_guesses_never_keep_the_owner_out(learner: User):
    for _ in range(30):
        sign_in(learner.email, "a wrong password", address=STRANGER)

    assert not is_in(sign_in(learner.email, address=STRANGER))
    assert is_in(sign_in(learner.email, address=OWNER))


def test_many_accounts_can_not_be_tried_from_one_address(
    learner: User, other_learner: User
):
    for number in range(10):
        sign_in(f"nobody-{number}@example.org", "a wrong password", address=STRANGER)

    assert not is_in(sign_in(learner.email, address=STRANGER))


def test_neighbours_in_one_network_of_the_new_kind_count_as_one(learner: User):
    for number in range(10):
        sign_in(learner.email, "a wrong password", address=f"2001:db8::{number:x}")

    assert not is_in(sign_in(learner.email, address="2001:db8::ffff"))
    assert is_in(sign_in(learner.email, address="2001:db8:1::1"))


def test_nobody_can_flood_a_mailbox_with_resets(learner: User):
    for number in range(9):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        client.post("/accounts/password/reset/", {"email": learner.email})

    assert len(mail.outbox) == 3


def test_the_limit_on_resets_is_the_same_for_unknown_addresses(learner: User):
    def statuses(email: str) -> list[int]:
        return [
            Client(REMOTE_ADDR=STRANGER)
            .post("/accounts/password/reset/", {"email": email})
            .status_code
            for _ in range(5)
        ]

    known = statuses(learner.email)
    cache.clear()

    assert known == statuses("nobody@example.org")
    assert 429 in known


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(learner: User):
    wrong, email = {"password": "a wrong password"}, "nobody@example.org"
    known = Client().post("/accounts/login/", {"login": learner.email, **wrong})
    unknown = Client().post("/accounts/login/", {"login": email, **wrong})

    assert known.status_code == unknown.status_code
    assert words_of(known, learner.email) == words_of(unknown, email)


@pytest.fixture
def as_in_production(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def test_signing_up_answers_the_same_for_an_address_that_is_taken(
    as_in_production, learner: User
):
    EmailAddress.objects.create(user=learner, email=learner.email, verified=True)

    def sign_up(email: str):
        form = {"email": email, "password1": "a quite long phrase"}
        return Client().post("/accounts/signup/", form, follow=True)

    taken, free = sign_up(learner.email), sign_up("new@example.org")

    assert taken.redirect_chain == free.redirect_chain
    assert words_of(taken, learner.email) == words_of(free, "new@example.org")
    assert [message.to for message in mail.outbox] == [
        [learner.email],
        ["new@example.org"],
    ]
    assert User.objects.count() == 2


def test_nobody_is_in_before_the_address_is_confirmed(as_in_production, client: Client):
    form = {"email": "new@example.org", "password1": "a quite long phrase"}
    client.post("/accounts/signup/", form)
    was_in = is_in(client)
    link = re.search(r"http://\S+/confirm-email/\S+", str(mail.outbox[0].body))
    assert link is not None

    client.post(link[0])

    assert not was_in
    assert is_in(sign_in("new@example.org", "a quite long phrase"))


def test_limits_are_rows_that_are_swept_once_they_ran_out(learner: User):
    def count() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM accounts_limit")
            return int(cursor.fetchone()[0])

    sign_in(learner.email, "a wrong password")
    before = count()

    kept = limits.sweep_limits(at=NOW.replace(year=2000))
    gone = limits.sweep_limits(at=NOW.replace(year=2100))

    assert (before > 0, kept, gone) == (True, 0, before)
    assert count() == 0


def test_fragments_are_not_kept_with_the_limits():
    cache.set("fragment", "kept")
    cache.set("allauth:test", "kept")

    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM accounts_limit")
        keys = [key for (key,) in cursor.fetchall()]

    assert cache.get("fragment") == cache.get("allauth:test") == "kept"
    assert len(keys) == 1
    assert keys[0].endswith("allauth:test")


def test_a_list_of_common_passwords_is_known(client: Client):
    for password in ("qwertyuiop", "1q2w3e4r5t", "football12", "iloveyou12"):
        client.post(
            "/accounts/signup/", {"email": "new@example.org", "password1": password}
        )

    assert User.objects.filter(email="new@example.org").count() == 0


def test_sessions_elsewhere_can_be_ended(learner: User):
    here, elsewhere = sign_in(learner.email), sign_in(learner.email)

    page = here.get("/accounts/sessions/").content.decode()
    here.post("/accounts/sessions/")

    assert page.count(OWNER) == 2
    assert here.get("/accounts/profile/").status_code == 200
    assert elsewhere.get("/accounts/profile/").status_code == 302
