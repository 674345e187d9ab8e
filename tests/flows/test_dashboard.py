"""The dashboard in a browser: accessible, by keyboard, on a phone, without scripts."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from analytics.services import learners
from analytics.tasks import calibrate_bank
from questions.exams.services import enrolling
from tests import factories
from tests.analytics import answers, people
from tests.analytics.people import DAY, HOUR
from tests.flows.conftest import violations

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]

LEARNER = "learner@example.org"


@pytest.fixture
def ready(transactional_db):
    """A learner of forty answers over three weeks and a mock exam, who sits in nine days."""
    at = timezone.now()
    certification = factories.make_certification()
    user = User.objects.create_user(LEARNER, "a-long-password", display_name="Ada")
    participant = people.participant_of(user)
    for number in range(56):
        question = factories.make_published(
            certification,
            factories.make_item(900 + number),
            domain="1" if number % 2 else "2",
        )
        if number < 40:
            people.answer(
                participant,
                question,
                right=number % 4 > 0,
                at=at - (42 - number) * 12 * HOUR,
            )
    people.mock(participant, certification, length=10, right=7, at=at - HOUR)
    enrolling.enrol(
        user=user, certification=certification, exam_date=at.date() + 9 * DAY, at=at
    )
    learners.update(user=user.pk, certification=certification.pk, at=at)
    return user


@pytest.fixture(
    params=[(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")],
    ids=lambda kind: f"{kind[0]}-{kind[1]}",
)
def window(page, request):
    """Windows of two widths and both colour schemes."""
    width, scheme = request.param
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    return page


PAGES = (
    "/dashboard/tst/",
    "/dashboard/tst/how/",
    "/dashboard/tst/figures/",
    "/readiness/",
)


def overflow(page):
    """Return by how many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


def test_no_page_of_figures_has_a_violation(window, live_server, ready, sign_in):
    sign_in(ready)
    found = {}
    for path in PAGES:
        window.goto(f"{live_server.url}{path}")
        found[path] = violations(window)
        assert overflow(window) <= 0, path

    assert not {path: each for path, each in found.items() if each}


def test_the_first_day_has_no_violation(window, live_server, ready, sign_in):
    sign_in(User.objects.create_user("new@example.org", "a-long-password"))
    window.goto(f"{live_server.url}/dashboard/")
    expect(window.get_by_role("link", name="Choose an exam")).to_be_visible()

    assert violations(window) == []
    assert overflow(window) <= 0


def test_the_dashboard_by_keyboard_alone(page, live_server, ready, sign_in):
    sign_in(ready)
    page.goto(f"{live_server.url}/")
    page.get_by_role("link", name="Dashboard").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ada")).to_be_visible()
    expect(page.get_by_text("9 days left")).to_be_visible()

    page.get_by_role("link", name="How do we know?").focus()
    page.keyboard.press("Enter")

    expect(
        page.get_by_role("heading", name="What your last answers changed")
    ).to_be_visible()

    page.go_back()
    table = page.locator("summary", has_text="As a table").first
    table.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Mock exam")).to_be_visible()


def test_every_plot_has_its_figures_in_words(page, live_server, ready, sign_in):
    sign_in(ready)
    page.goto(f"{live_server.url}/dashboard/tst/")

    plots = page.locator("main svg.plot[role=img], main [role=img]")
    assert plots.count() >= 4
    for number in range(plots.count()):
        assert plots.nth(number).get_attribute("aria-label")
    page.goto(f"{live_server.url}/dashboard/tst/figures/")
    expect(page.get_by_role("img").first).to_have_attribute(
        "aria-label", re.compile("Answers by week: ")
    )


def test_it_works_without_scripts(without_scripts, live_server, ready):
    window = without_scripts
    window.goto(f"{live_server.url}/accounts/login/?next=/dashboard/tst/")
    window.get_by_label("Email").fill(LEARNER)
    window.get_by_label("Password").fill("a-long-password")
    window.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(window.get_by_text("Of 20 people with answers like yours")).to_be_visible()

    window.get_by_role("button", name="Hide this").click()
    expect(window.get_by_role("button", name="Show it")).to_be_visible()

    window.get_by_role("link", name=re.compile(r"^Practise \d+")).first.click()
    expect(window.get_by_role("heading", level=1)).to_contain_text("Practi")


def test_item_analysis_has_no_violation(window, live_server, transactional_db, sign_in):
    certification = factories.make_certification()
    questions = answers.make_bank(certification, [1, 2, 3])
    form = answers.make_form(certification, questions)
    right = [["1", "2", "3"], ["1", "2", "4"], ["1", "3", None], ["2", "2", "3"]]
    answers.sit(
        answers.make_people(60),
        questions,
        [right[n % 4] for n in range(60)],
        form=form,
    )
    calibrate_bank(certification=certification)
    sign_in(User.objects.create_superuser("root@example.org", "a-long-password"))
    paths = (
        reverse("admin:analytics_banks"),
        reverse("admin:analytics_bank", args=[certification.pk]),
        reverse("admin:analytics_question", args=[questions[0].pk]),
        reverse("admin:analytics_status"),
    )
    found = {}
    for path in paths:
        response = window.goto(f"{live_server.url}{path}")
        assert response is not None
        assert response.status == 200, path
        # The frame around it is that of the theme.
        found[path] = violations(window, "main")

    assert not {path: each for path, each in found.items() if each}
