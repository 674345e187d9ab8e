"""Every page of one's own account through axe-core, light and dark, wide and narrow."""

from __future__ import annotations

import os
import pathlib
from decimal import Decimal
from typing import Literal, TypeAlias

import pytest
from allauth.account.models import EmailAddress
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import PersonalExport, User
from accounts.services import allowances, erasing, exports
from questions.exams.services import enrolling
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

PASSWORD = "a-long-password"
Scheme: TypeAlias = Literal["light", "dark"]


@pytest.fixture
def member(author: User) -> User:
    """Somebody with a little of everything."""
    EmailAddress.objects.create(
        user=author, email=author.email, verified=True, primary=True
    )
    certification = factories.make_certification()
    enrolling.enrol(
        user=author,
        certification=certification,
        exam_date=factories.NOW.date(),
        at=factories.NOW,
    )
    export = exports.ask_for_export(user=author, at=timezone.now())
    exports.build_export(export_id=export.pk, at=timezone.now())
    return author


def violations(page: Page, name: str) -> list[tuple[str, list[str]]]:
    folder = os.environ.get("ACCOUNT_SHOTS")
    if folder:
        page.screenshot(path=pathlib.Path(folder) / f"{name}.png", full_page=True)
    page.locator("details:not(.menu)").evaluate_all(
        "all => all.forEach((details) => { details.open = true; })"
    )
    found = Axe().run(page)
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    sideways = [("scrolls sideways", [str(wide)])] if wide > 0 else []
    return sideways + [
        (each["id"], [node["html"][:120] for node in each["nodes"]][:3])
        for each in found.response["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_of_an_account_has_a_violation(
    page: Page, live_server, settings, member: User, scheme: Scheme, width: int
):
    settings.DESK_NEEDS_SECOND_FACTOR = True
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    found = {}

    def look(path: str) -> None:
        page.goto(f"{live_server.url}{path}")
        name = f"{scheme}-{width}-{path.strip('/').replace('/', '-')}"
        found[path] = violations(page, name)

    look("/privacy/")
    look("/accounts/login/")
    page.get_by_label("Email").fill(member.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto(f"{live_server.url}/accounts/reauthenticate/?next=/accounts/2fa/")
    found["reauthenticate"] = violations(page, f"{scheme}-{width}-reauthenticate")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    export = PersonalExport.objects.get()
    enrolment = member.enrolments.get()
    for path in (
        *("/accounts/profile/", f"/accounts/profile/exams/{enrolment.pk}/"),
        *("/accounts/email/", "/accounts/password/change/", "/accounts/sessions/"),
        *("/accounts/2fa/", "/accounts/2fa/totp/activate/"),
        *("/accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/"),
        *("/accounts/second-factor/", "/accounts/data/", "/accounts/erase/"),
        *(f"/accounts/data/{export.public_id}/", "/sittings/time-allowance/"),
        "/accounts/logout/",
    ):
        look(path)
    PersonalExport.objects.update(
        built_at=None, expires_at=None, content=None, parts_done=3, parts_total=12
    )
    look(f"/accounts/data/{export.public_id}/?")
    erasing.ask_to_be_erased(user=member, at=timezone.now())
    allowances.ask_for_allowance(
        user=member, wanted=Decimal("1.25"), reason="", at=timezone.now()
    )
    look("/accounts/data/?")
    look("/sittings/time-allowance/?")

    assert not {path: each for path, each in found.items() if each}
