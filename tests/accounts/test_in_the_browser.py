"""Signing up and in as a person does it."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_stranger_signs_up_out_and_in_again(page: Page, live_server):
    page.goto(f"{live_server.url}/accounts/signup/")
    page.get_by_label("Email").fill("new@example.org")
    page.get_by_label("Password").fill("a quite long phrase")
    page.get_by_role("button", name="Sign up").click()
    expect(page).to_have_url(f"{live_server.url}/")

    page.goto(f"{live_server.url}/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_label("Email").fill("NEW@example.org")
    page.get_by_label("Password").fill("a quite long phrase")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()

    expect(page).to_have_url(f"{live_server.url}/")
    assert User.objects.get().email == "new@example.org"


def test_the_desk_opens_for_an_author(page: Page, live_server, sign_in, author: User):
    sign_in(author)

    page.goto(f"{live_server.url}/admin/")

    expect(page).to_have_title("Site administration | Courseiva author desk")


@pytest.mark.parametrize("turn", ["first", "second"])
def test_roles_are_there_for_every_test_in_a_browser(
    live_server, author: User, turn: str
):
    assert author.groups.count() == 1
