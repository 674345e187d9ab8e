"""A learner lets questions be chosen, in a real browser: with and without scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from questions.exams.models import Sitting
from tests.analytics.runs import make_run, make_statistic

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]


@pytest.fixture
def known(exam_bank):
    """All questions, answered by 240 people."""
    run = make_run(exam_bank)
    for question in exam_bank.questions.select_related("published_revision"):
        make_statistic(run, question.published_revision, attempts=240)


@pytest.fixture
def without_scripts(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield page
    context.close()


def test_questions_are_chosen_say_why_and_show_who_chose_what(
    page, live_server, sign_in, learner, known
):
    sign_in(learner)
    page.goto(f"{live_server.url}/practice/tst/")
    page.get_by_role("button", name="Choose ten for me").click()

    expect(
        page.get_by_text("Chosen for you. Little is known of you in")
    ).to_be_visible()
    expect(page.get_by_text("Chosen by")).to_have_count(0)
    page.locator(".option input").first.check()
    page.get_by_role("button", name="Check answer").click()

    expect(page.get_by_text("What 240 people chose")).to_be_visible()
    assert sorted(page.locator(".option-share").all_inner_texts()) == sorted(
        f"Chosen by\n{share}%" for share in (40, 0, 0, 60)
    )
    expect(page.get_by_text("Chosen for you.")).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [360, 1280])
def test_it_works_without_scripts_and_fits(
    without_scripts, page, live_server, sign_in, learner, known, width
):
    sign_in(learner)
    window = without_scripts
    window.context.add_cookies(page.context.cookies())
    window.set_viewport_size({"width": width, "height": 800})
    window.goto(f"{live_server.url}/practice/tst/")
    window.get_by_role("button", name="Choose ten for me").click()
    window.locator(".option input").first.check()
    window.get_by_role("button", name="Check answer").click()

    expect(window.get_by_text("What 240 people chose")).to_be_visible()
    assert Sitting.objects.get().items.count() == 8
    wide = window.locator("html").evaluate("e => e.scrollWidth")
    assert wide <= width
