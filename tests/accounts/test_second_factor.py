"""A second factor: set up, asked for, lost; and the desk that wants one."""

from __future__ import annotations

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.models import User
from courseiva.sign_in import SecondFactorAdapter

# Real commits: what follows setting one up waits for them.
pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a-long-password"


def code_of(secret: str, steps: int = 0) -> str:
    """What the app shows now, or some half minutes from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps)))


def confirm(user: User) -> User:
    EmailAddress.objects.create(
        user=user, email=user.email, verified=True, primary=True
    )
    return user


def sign_in(client: Client, user: User):
    form = {"login": user.email, "password": PASSWORD}
    return client.post("/accounts/login/", form)


def set_up_app(client: Client) -> str:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/")
    secret: str = page.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    return secret


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_code_of_the_app_is_asked_for(client: Client, learner: User):
    sign_in(client, confirm(learner))
    secret = set_up_app(client)
    client.post("/accounts/logout/")

    answer = sign_in(client, learner)
    was_in = is_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})

    assert answer["Location"].startswith("/accounts/2fa/authenticate/")
    assert not was_in
    assert is_in(client)


def test_a_code_works_once(client: Client, learner: User):
    sign_in(client, confirm(learner))
    secret = set_up_app(client)
    code = code_of(secret, 1)
    first, second = Client(), Client()
    for window in (first, second):
        sign_in(window, learner)

    first.post("/accounts/2fa/authenticate/", {"code": code})
    second.post("/accounts/2fa/authenticate/", {"code": code})

    assert is_in(first)
    assert not is_in(second)


def test_guessing_codes_is_stopped(client: Client, learner: User):
    sign_in(client, confirm(learner))
    secret = set_up_app(client)
    guesser = Client()
    sign_in(guesser, learner)

    for _ in range(10):
        guesser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    guesser.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})

    assert not is_in(guesser)


def test_a_recovery_code_lets_in_once(client: Client, learner: User):
    sign_in(client, confirm(learner))
    set_up_app(client)
    codes = client.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    first, second = Client(), Client()

    for window in (first, second):
        sign_in(window, learner)
        window.post("/accounts/2fa/authenticate/", {"code": codes[0]})

    assert is_in(first)
    assert not is_in(second)


def test_secrets_are_not_in_the_database_as_they_are(client: Client, learner: User):
    sign_in(client, confirm(learner))
    secret = set_up_app(client)

    kept = [str(row.data) for row in Authenticator.objects.all()]

    assert len(kept) == 2
    assert not any(secret in each for each in kept)


def test_a_former_key_still_opens_second_factors(settings):
    kept = SecondFactorAdapter().encrypt("a secret")

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key " + "y" * 50

    assert SecondFactorAdapter().decrypt(kept) == "a secret"


# -- the desk -----------------------------------------------------------------------


@pytest.fixture
def strict_desk(settings):
    settings.DESK_NEEDS_SECOND_FACTOR = True


DOORS = ("/admin/", "/admin/questions/question/", "/desk/preview/?question=1")


@pytest.mark.parametrize("path", DOORS)
def test_a_password_alone_does_not_open_the_desk(
    strict_desk, client: Client, author: User, path: str
):
    sign_in(client, author)

    answer = client.get(path, follow=True)

    assert answer.status_code in {200, 403}
    assert "index.html" not in {template.name for template in answer.templates}
    if path.startswith("/admin/"):
        assert "A second factor for the author desk" in answer.content.decode()


def test_the_own_login_of_the_admin_lets_nobody_in(
    strict_desk, client: Client, author: User, learner: User
):
    for user in (author, learner):
        sign_in(client, user)
        form = {"username": user.email, "password": PASSWORD}
        answer = client.post("/admin/login/", form)

        assert answer.status_code in {302, 403}
        assert client.get("/admin/").status_code == 302
        client.post("/accounts/logout/")


def test_who_has_just_set_one_up_is_let_in(strict_desk, client: Client, author: User):
    sign_in(client, confirm(author))

    set_up_app(client)

    assert client.get("/admin/").status_code == 200


def test_who_signs_in_with_one_is_let_in(strict_desk, client: Client, author: User):
    sign_in(client, confirm(author))
    secret = set_up_app(client)
    again = Client()

    sign_in(again, author)
    again.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})

    assert again.get("/admin/").status_code == 200


def test_a_session_from_before_has_to_confirm(
    strict_desk, client: Client, author: User
):
    before = Client()
    sign_in(before, confirm(author))
    sign_in(client, author)
    secret = set_up_app(client)

    asked = before.get("/admin/", follow=True)
    before.post(
        "/accounts/2fa/reauthenticate/",
        {"code": code_of(secret, 1), "next": "/admin/"},
    )

    assert "Confirm with it once" in asked.content.decode()
    assert before.get("/admin/").status_code == 200


def test_a_factor_that_was_taken_away_opens_nothing(
    strict_desk, client: Client, author: User
):
    sign_in(client, confirm(author))
    set_up_app(client)

    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()

    assert client.get("/admin/").status_code == 302


def test_the_page_about_it_leads_nowhere_else(client: Client, author_client: Client):
    answer = author_client.get("/accounts/second-factor/?next=https://evil.example/")

    assert answer["Location"] == "/admin/"


# -- in the browser -----------------------------------------------------------------


def confirm_in(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


@pytest.mark.browser
def test_an_author_sets_up_an_app_in_the_browser(
    page: Page, live_server, settings, author: User
):
    settings.DESK_NEEDS_SECOND_FACTOR = True
    confirm(author)
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label("Email").fill(author.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Set up an app").click()
    confirm_in(page)
    secret = page.get_by_label("Secret", exact=True).input_value()
    box = page.locator(".qr svg").bounding_box()
    page.get_by_label("Authenticator code").fill(code_of(secret))
    page.get_by_role("button", name="Use this app").click()

    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert box is not None
    assert box["width"] > 100
    page.goto(f"{live_server.url}/admin/")
    expect(page).to_have_title(re.compile("author desk"))


@pytest.mark.browser
def test_a_passkey_signs_in_without_a_password(page: Page, live_server, learner: User):
    confirm(learner)
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text))
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_label("Email").fill(learner.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto(f"{live_server.url}/accounts/2fa/webauthn/add/")
    confirm_in(page)
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto(f"{live_server.url}/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()

    expect(page.get_by_role("link", name="Account").first).to_be_visible()
    assert not [line for line in refused if "Content Security Policy" in line]
