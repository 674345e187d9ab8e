"""An author, a reviewer and an editor bring a question to its page, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from questions.models import Question
from tests import factories

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]


@pytest.fixture
def certification(transactional_db):
    return factories.make_certification()


def _write(page, live_server):
    page.goto(f"{live_server.url}/admin/questions/question/add/")
    page.get_by_label("Title").first.fill("Slow answers after lunch")
    page.get_by_label("Stem").fill("A kiosk answers slowly from one to two each day.")
    page.get_by_label("Lead-in").fill("What should be looked at first?")
    texts = ("The queue at noon", "The weather abroad", "A larger machine", "The logo")
    options = page.locator("[data-formset=options] [data-row]")
    for place, text in enumerate(texts):
        row = options.nth(place)
        row.get_by_label("Text").fill(text)
        row.get_by_label("Rationale").fill(f"{text} is near or far, for this reason.")
    options.nth(0).get_by_label("This is right").check()
    page.get_by_label("Trap").fill("A larger machine feels like progress.")
    page.get_by_label("Explanation").fill("Look at {{option:the-queue-at}} first.")
    reference = page.locator("[data-formset=references] [data-row]").first
    reference.get_by_label("Title").fill("Queues")
    reference.get_by_label("Address").fill("https://example.org/queues")
    page.get_by_label("Objective in 2").select_option(index=1)


def test_a_question_is_written_reviewed_and_published(
    page, live_server, certification, author, reviewer, editor, sign_in
):
    sign_in(author)
    _write(page, live_server)
    preview = page.frame_locator("iframe[name=preview]")
    expect(preview.get_by_text("A kiosk answers slowly").first).to_be_visible()
    expect(preview.get_by_text("Correct, and you chose it")).to_be_visible()
    page.get_by_role("button", name="Save and submit for review").click()
    expect(page.get_by_text("submitted for review").first).to_be_visible()
    question = Question.objects.get()
    address = f"{live_server.url}/admin/questions/question/{question.pk}/change/"

    sign_in(reviewer)
    page.goto(f"{live_server.url}/admin/questions/question/queue/")
    page.get_by_role("link", name="Slow answers after lunch").click()
    page.locator("summary", has_text="Approve").click()
    page.get_by_label("Comment (may stay empty)").fill("Reads well.")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("The question is approved.")).to_be_visible()

    sign_in(editor)
    page.goto(address)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The question is published.")).to_be_visible()

    page.get_by_role("link", name="Its page").click()
    expect(page.get_by_role("heading", name="Slow answers after lunch")).to_be_visible()


def test_problems_appear_while_writing(
    page, live_server, certification, author, sign_in
):
    sign_in(author)
    _write(page, live_server)

    page.get_by_label("Explanation").fill("As (B) shows, look there.")

    problems = page.locator("#problems")
    expect(problems).to_contain_text("Blocks")
    expect(problems).to_contain_text("explanation")
    page.get_by_label("Explanation").fill("Look at {{option:the-queue-at}} first.")
    expect(problems).not_to_contain_text("explanation")


def test_options_are_added_moved_and_removed(
    page, live_server, certification, author, sign_in
):
    sign_in(author)
    _write(page, live_server)
    page.get_by_role("button", name="Add an option").click()
    options = page.locator("[data-formset=options] [data-row]")
    options.nth(4).get_by_label("Text").fill("The cable")
    options.nth(4).get_by_label("Rationale").fill("It was replaced, so it is not that.")
    options.nth(4).get_by_role("button", name="Move up").click()
    options.nth(1).get_by_label("Remove this option").check()

    page.get_by_role("button", name="Save draft").click()

    expect(page.get_by_text("Saved. The latest revision is 1.")).to_be_visible()
    kept = Question.objects.get().latest_revision.to_item().options
    assert [option.text for option in kept] == [
        "The queue at noon",
        "A larger machine",
        "The cable",
        "The logo",
    ]


def test_what_an_author_writes_never_runs(
    page, live_server, certification, author, sign_in
):
    sign_in(author)
    page.goto(f"{live_server.url}/admin/questions/question/add/")
    evil = "<script>window.top.evil = 1</script><img src=x onerror='top.evil = 1'>"
    page.get_by_label("Title").first.fill(evil)
    page.get_by_label("Stem").fill(f"{evil} [link](javascript:alert(1))")
    page.wait_for_timeout(2500)

    assert page.evaluate("window.evil") is None


def test_the_editor_works_without_scripts(
    browser, live_server, certification, author, sign_in, page
):
    sign_in(author)
    state = page.context.storage_state()
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    window = context.new_page()
    _write(window, live_server)

    window.get_by_role("button", name="Save draft").click()

    expect(window.get_by_text("Saved. The latest revision is 1.")).to_be_visible()
    assert Question.objects.get().latest_revision.title == "Slow answers after lunch"
    context.close()
