"""Every screen of an exam through axe-core, light and dark, wide and narrow."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from questions.exams.models import Sitting
from tests.flows.conftest import expect_saved, expect_unsaved, violations

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]

STALE = {
    "code": "stale",
    "sentence": "Changed elsewhere.",
    "stored": {
        "version": 9,
        "chosen": [],
        "struck": [],
        "is_flagged": False,
        "note": "From the other window.",
        "saved_at": "2026-11-30T12:00:00+00:00",
    },
}


@pytest.fixture
def look(page):
    """Look at the page as it stands; what is wrong with it is told at the end."""
    found = {}

    def _look(name):
        found[name] = violations(page)

    yield _look
    assert not {name: each for name, each in found.items() if each}


def work_on(page, two):
    """Leave every kind of mark on the page, and end on the question that asks for two."""
    places = page.locator("[data-sheet] button")
    for place in [place for place in (1, 2, 3) if place != two]:
        places.nth(place - 1).click()
        page.keyboard.press("a")
        page.keyboard.press("f")
    places.nth(two - 1).click()
    page.get_by_label("Take the").check()
    page.locator(".option", has_text="Skip the").locator(".strike").click()
    page.get_by_text("Note to self", exact=True).click()
    page.locator("#note").fill("Come back to this one.")
    page.locator("#note").blur()
    expect_saved(page)


def be_asked(page):
    """Change what was changed in another window."""
    page.route("**/response/", lambda route: route.fulfill(status=409, json=STALE))
    page.get_by_label("Sell the").uncheck()
    page.get_by_role("button", name="Keep mine").wait_for()
    expect_unsaved(page)


def move_end(seconds, grace):
    end = timezone.now() + datetime.timedelta(seconds=seconds)
    start = end - datetime.timedelta(minutes=18)
    Sitting.objects.update(started_at=start, deadline=end, grace_seconds=grace)


@pytest.fixture(
    params=[(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")],
    ids=lambda kind: f"{kind[0]}-{kind[1]}",
)
def window(page, request):
    width, scheme = request.param
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    return page


@pytest.mark.usefixtures("double")
def test_no_screen_of_an_exam_that_runs_has_a_violation(
    window, live_server, begin, look
):
    for path in ("mocks/tst/", "mocks/tst/rules/?exam=own&length=9"):
        window.goto(f"{live_server.url}/{path}")
        look(path)
    sitting = begin(window, 9)
    look("begun")
    work_on(window, sitting.items.get(revision__kind="multiple").position)
    look("exam")
    window.keyboard.press("s")
    look("strike")
    window.keyboard.press("Escape")
    window.get_by_label("Sell the").check()
    window.get_by_label("Paint the").click()
    look("too many")
    window.keyboard.press("?")
    look("keys")
    window.keyboard.press("Escape")
    be_asked(window)
    look("asked")
    window.unroute("**/response/")
    window.get_by_role("button", name="Keep the other").click()
    window.keyboard.press("r")
    window.get_by_role("heading", name="Before you submit").wait_for()
    look("review")
    window.get_by_role("button", name="Submit the exam").click()
    look("submit")


@pytest.mark.usefixtures("double")
def test_no_screen_of_an_exam_that_ends_has_a_violation(
    window, live_server, begin, look
):
    sitting = begin(window, 9)
    own = f"sittings/{sitting.public_id}/"
    work_on(window, sitting.items.get(revision__kind="multiple").position)
    window.goto(f"{live_server.url}/sittings/")
    look("under way")
    move_end(240, 600)
    window.goto(f"{live_server.url}/{own}")
    look("short")
    move_end(0, 600)
    window.goto(f"{live_server.url}/{own}")
    window.get_by_role("heading", name="Time is up").wait_for()
    look("closing")
    move_end(-60, 1)
    for name, path in (
        ("report", f"{own}report/"),
        ("answer", f"{own}report/1/"),
        ("mine", "sittings/"),
    ):
        window.goto(f"{live_server.url}/{path}")
        look(name)


def test_the_exam_screen_says_nothing_to_the_console(page, begin):
    said = []

    def keep(message):
        said.append(message.text)

    page.on("console", keep)
    begin(page)
    page.keyboard.press("a")
    page.keyboard.press("n")
    expect_saved(page)
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Before you submit")).to_be_visible()

    assert not said
