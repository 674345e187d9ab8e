"""A learner in a real browser: with and without scripts, by mouse and by keyboard."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from questions.domain import items
from questions.exams.models import KeyContact
from tests import factories

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]


@pytest.fixture
def certification(transactional_db):
    return factories.make_certification()


@pytest.fixture
def single(certification):
    return factories.make_published(
        certification, factories.make_item(400), slug="single"
    )


@pytest.fixture
def double(certification):
    return factories.make_published(
        certification, factories.make_choose_two(401), slug="double"
    )


@pytest.fixture
def without_scripts(browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield page
    context.close()


def test_a_stranger_answers_a_question_in_place(page, live_server, single):
    page.goto(f"{live_server.url}/questions/single/")
    page.get_by_label("Measure model400 first").check()
    page.evaluate("window.stayed = true")

    page.get_by_role("button", name="Check answer").click()

    verdict = page.get_by_role("heading", name="Correct", exact=True)
    expect(verdict).to_be_visible()
    expect(verdict).to_be_focused()
    assert page.evaluate("window.stayed")
    expect(page.get_by_text("The trap", exact=True).first).to_be_visible()
    expect(page.get_by_role("heading", name="Why B").first).to_be_visible()
    assert page.locator(".rationale:visible").count() == 4


def test_a_stranger_answers_without_scripts(without_scripts, live_server, single):
    page = without_scripts
    page.goto(f"{live_server.url}/questions/single/")
    page.get_by_label("Wait for 400 weeks").check()

    page.get_by_role("button", name="Check answer").click()

    expect(page.get_by_role("heading", name="Not this one")).to_be_visible()
    expect(page.get_by_text("Wrong, and you chose it")).to_be_visible()
    expect(page.get_by_text("Keys", exact=True)).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_stranger_chooses_two(page, without_scripts, live_server, double, scripts):
    window = page if scripts else without_scripts
    window.goto(f"{live_server.url}/questions/double/")
    window.get_by_label("Take the 401th path").check()

    window.get_by_role("button", name="Check answer").click()

    expect(window.get_by_role("alert")).to_contain_text("You chose one of two")
    expect(window.get_by_label("Take the 401th path")).to_be_checked()
    window.get_by_label("Mark the 401th path").check()
    window.get_by_role("button", name="Check answer").click()
    expect(window.get_by_role("heading", name="Correct", exact=True)).to_be_visible()


def test_the_number_chosen_is_said(page, live_server, double):
    page.goto(f"{live_server.url}/questions/double/")

    page.get_by_label("Take the 401th path").check()

    expect(page.locator("legend")).to_contain_text("1 of 2 chosen")


def test_keys_choose_check_and_go_on(page, live_server, single, double):
    page.goto(f"{live_server.url}/questions/single/")

    page.keyboard.press("c")
    expect(page.get_by_label("Replace all 400 parts")).to_be_checked()
    page.keyboard.press("2")
    expect(page.get_by_label("Measure model400 first")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Correct", exact=True)).to_be_visible()
    page.keyboard.press("n")

    page.wait_for_url("**/questions/double/")


def test_the_time_a_question_was_in_view_goes_with_its_answer(
    page, live_server, single
):
    page.goto(f"{live_server.url}/questions/single/")
    page.wait_for_timeout(1_200)
    page.get_by_label("Measure model400 first").check()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Check answer").click()

    sent_fields = dict(parse_qsl(sent.value.post_data))
    assert 1 <= int(sent_fields["seconds"]) <= 5


def test_a_question_mark_shows_the_keys(page, live_server, single):
    page.goto(f"{live_server.url}/questions/single/")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()


def test_single_keys_can_be_switched_off(page, live_server, single):
    page.goto(f"{live_server.url}/questions/single/")
    page.get_by_role("button", name="Keys, and switching them off").click()
    page.get_by_label("Use these keys on this device").uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()

    page.keyboard.press("c")

    expect(page.locator("input[name=answer]:checked")).to_have_count(0)


def test_everything_is_reached_by_tab_alone(page, live_server, single):
    page.goto(f"{live_server.url}/questions/single/")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(document.activeElement.name || document.activeElement.textContent)"
                ".trim()"
            )
        )

    assert "Skip to the content" in reached
    assert "answer" in reached
    assert "Check answer" in reached
    assert "Report a problem" in reached


def test_a_lost_connection_is_told_and_the_choice_kept(page, live_server, single):
    page.goto(f"{live_server.url}/questions/single/")
    page.get_by_label("Measure model400 first").check()
    page.context.set_offline(True)

    page.get_by_role("button", name="Check answer").click()

    expect(page.get_by_role("alert")).to_contain_text("could not be checked")
    expect(page.get_by_label("Measure model400 first")).to_be_checked()
    page.context.set_offline(False)
    page.get_by_role("button", name="Check answer").click()
    expect(page.get_by_role("heading", name="Correct", exact=True)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_ten_questions_are_practised_and_summed_up(
    page, without_scripts, live_server, certification, scripts
):
    window = page if scripts else without_scripts
    for number in range(12):
        factories.make_published(certification, factories.make_item(410 + number))
    window.goto(f"{live_server.url}/certifications/tst/")
    window.get_by_role("button", name="Start practising").click()

    for number in range(1, 11):
        expect(window.get_by_text(f"Question {number} of 10")).to_be_visible()
        right = number % 2 == 1
        key = "measure" if right else "wait"
        window.locator(f"input[name=answer][value={key}]").check()
        window.get_by_role("button", name="Check answer").click()
        name = "Correct" if right else "Not this one"
        expect(window.get_by_role("heading", name=name, exact=True)).to_be_visible()
        window.locator(".button-main[data-next]").click()

    expect(window.get_by_role("heading", name="5 of 10 right")).to_be_visible()
    assert KeyContact.objects.count() == 10


def test_the_count_follows_the_choice_before_starting(page, live_server, certification):
    for number in range(3):
        factories.make_published(certification, factories.make_item(430 + number))
    factories.make_published(certification, factories.make_item(440), domain="2")
    page.goto(f"{live_server.url}/practice/tst/")
    expect(page.locator("#match")).to_contain_text("4 questions")

    page.get_by_label("Domain 2 of 2").first.check()

    expect(page.locator("#match")).to_contain_text("1 question")


def test_the_theme_is_switched_and_remembered(page, live_server, single):
    page.goto(f"{live_server.url}/")

    page.locator("[data-theme-switch]:visible").first.click()
    page.goto(f"{live_server.url}/questions/single/")

    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_member_reads_what_members_only_may(
    page, live_server, certification, learner, sign_in
):
    factories.make_published(
        certification,
        factories.make_item(450),
        slug="closed",
        exposure=items.Exposure.MEMBERS,
    )
    page.goto(f"{live_server.url}/questions/closed/")
    expect(
        page.get_by_role("heading", name="This question is for members")
    ).to_be_visible()

    sign_in(learner)
    page.goto(f"{live_server.url}/questions/closed/")
    page.locator("input[name=answer]").nth(1).check()
    page.get_by_role("button", name="Check answer").click()

    expect(page.get_by_role("heading", name="Correct", exact=True)).to_be_visible()
    assert KeyContact.objects.get().verdict == "right"


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_cut_off_on_a_narrow_screen(page, live_server, single, width):
    page.set_viewport_size({"width": width, "height": 700})
    for path in (
        "/",
        "/certifications/tst/",
        "/questions/single/",
        "/practice/tst/",
        "/search/",
    ):
        page.goto(f"{live_server.url}{path}")

        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
