"""An exam loses no answer: reloads, no network, a server that is away."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import APIResponse, Request, Route, expect

from questions.exams.models import Response
from tests.flows.conftest import (
    chosen,
    expect_saved,
    expect_unsaved,
    heading_of,
    responses,
    waiting,
)

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]


def test_saved_is_said_only_when_the_server_has_said_so(page, begin):
    begin(page)
    held: list[Route] = []

    def keep(route):
        held.append(route)

    page.route("**/response/", keep)
    page.get_by_label("Measure model").check()

    expect(page.locator("[data-save-status]")).to_have_text("Saving…")
    page.wait_for_timeout(500)
    expect(page.locator("[data-save-status]")).not_to_contain_text("Saved")
    held[0].continue_()

    expect_saved(page)


def test_answers_given_without_a_network_are_saved_when_it_is_back(page, begin):
    sitting = begin(page)
    page.context.set_offline(True)
    for position in range(1, 6):
        expect(heading_of(page, position)).to_be_visible()
        page.keyboard.press("b")
        page.keyboard.press("a")
        page.keyboard.press("n")
    expect_unsaved(page)
    expect(page.locator("[data-save-status]")).to_contain_text("5 answers wait on this")
    assert not any(each.chosen for each in responses(sitting).values())

    page.context.set_offline(False)

    expect_saved(page)
    stored = responses(sitting)
    expected = [stored[each].item.option_order[0] for each in range(1, 6)]
    answers = [stored[each].chosen[0] for each in range(1, 6)]
    assert answers == expected
    assert not waiting(page)


def test_what_waits_outlives_a_reload(page, begin):
    sitting = begin(page)
    page.context.set_offline(True)
    page.get_by_label("Measure model").check()
    page.keyboard.press("f")
    page.keyboard.press("n")
    page.keyboard.press("a")
    expect_unsaved(page)
    address = page.url
    page.goto("about:blank")
    page.context.set_offline(False)

    page.goto(address.replace("/2/", "/1/"))

    expect(page.get_by_label("Measure model")).to_be_checked()
    expect_saved(page)
    stored = responses(sitting)
    assert (stored[1].chosen, stored[1].is_flagged) == (["measure"], True)
    assert len(stored[2].chosen) == 1
    assert not waiting(page)


def test_a_lost_reply_does_not_make_a_second_save(page, begin):
    sitting = begin(page)
    lost: list[APIResponse] = []

    def lose(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    page.route("**/response/", lose)
    page.get_by_label("Measure model").check()
    expect(page.locator("[data-save-status]")).to_contain_text("Saved", timeout=10_000)

    assert lost[0].status == 200
    assert responses(sitting)[1].version == 1


def test_a_server_that_is_away_is_asked_again(page, begin):
    sitting = begin(page)
    refused: list[Request] = []

    def away(route):
        if len(refused) < 2:
            refused.append(route.request)
            route.fulfill(status=503, body="away")
        else:
            route.continue_()

    page.route("**/response/", away)
    page.get_by_label("Measure model").check()
    expect_unsaved(page)

    expect(page.locator("[data-save-status]")).to_contain_text("Saved", timeout=10_000)
    assert chosen(sitting) == ["measure"]


def test_who_signed_out_is_told_and_loses_nothing(
    page, begin, live_server, learner, sign_in
):
    sign_in(learner)
    sitting = begin(page)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.get_by_label("Measure model").check()

    expect(page.locator("[data-trouble]")).to_contain_text("Sign in again in another")
    expect_unsaved(page)
    page.context.add_cookies(cookies)
    page.evaluate("() => dispatchEvent(new Event('online'))")

    expect_saved(page)
    expect(page.locator("[data-trouble]")).to_be_hidden()
    assert chosen(sitting) == ["measure"]


def test_a_token_that_changed_with_signing_in_is_fetched_anew(page, begin):
    sitting = begin(page)
    page.context.clear_cookies(name="csrftoken")
    page.context.add_cookies(
        [{"name": "csrftoken", "value": "a" * 32, "url": page.url.split("/sit")[0]}]
    )

    page.get_by_label("Measure model").check()

    expect_saved(page)
    assert chosen(sitting) == ["measure"]


def test_a_refused_answer_is_told_and_keeps_no_other_back(page, begin):
    sitting = begin(page)

    def refuse(route):
        told = {"code": "foreign", "sentence": "This option is of another question."}
        route.fulfill(status=422, json=told)

    page.route("**/1/response/", refuse)
    page.get_by_label("Measure model").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "Question 1: This option is of another question."
    )
    expect(page.get_by_label("Measure model")).not_to_be_checked()
    page.keyboard.press("n")
    page.keyboard.press("a")

    expect_saved(page)
    assert len(chosen(sitting, 2)) == 1
    assert not waiting(page)


def test_without_its_questions_the_page_asks_the_server_for_each(page, begin):
    page.route("**/items/", lambda route: route.fulfill(status=503, body="away"))
    sitting = begin(page)
    page.keyboard.press("a")
    page.keyboard.press("n")

    expect(heading_of(page, 2)).to_be_visible()
    assert len(chosen(sitting)) == 1


def test_the_review_needs_the_network_and_says_so(page, begin):
    begin(page)
    page.context.set_offline(True)
    page.keyboard.press("a")

    page.keyboard.press("r")

    expect(page.locator("[data-trouble]")).to_contain_text(
        "Nothing is lost", timeout=9000
    )
    expect(heading_of(page, 1)).to_be_visible()
    page.context.set_offline(False)
    expect_saved(page)
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Before you submit")).to_be_visible()
    expect(page.get_by_text("5 questions have no answer yet")).to_be_visible()


def test_the_review_counts_what_arrives_after_all(page, begin):
    begin(page)
    page.context.set_offline(True)
    page.keyboard.press("a")
    expect_unsaved(page)
    address = page.url
    page.goto("about:blank")
    page.context.set_offline(False)

    page.goto(address.replace("/1/", "/review/"))

    expect(page.get_by_text("5 questions have no answer yet")).to_be_visible()


def test_submitting_with_unsent_answers_asks_first(page, begin):
    sitting = begin(page)
    page.keyboard.press("r")
    page.get_by_role("heading", name="Before you submit").wait_for()
    row = Response.objects.get(item__sitting=sitting, item__position=1)
    base = {"version": 0, "chosen": [], "struck": [], "is_flagged": False, "note": ""}
    left = {
        "first": None,
        "next": {
            "save_id": "6dd3ea2f-6e58-4bd0-b2f6-3d6d0c4f7d1f",
            "base": base,
            "work": {**base, "chosen": [row.item.option_order[0]]},
            "seconds": 0,
        },
    }
    page.route("**/response/", lambda route: route.abort())
    page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)",
        [f"exam:{sitting.public_id}:gone:1", json.dumps(left)],
    )
    page.reload()
    page.get_by_role("button", name="Submit the exam").click()
    page.get_by_role("button", name="Submit", exact=True).click()

    asked = page.locator("[data-unsent]")
    expect(asked).to_contain_text("One answer is not saved yet", timeout=9000)
    page.unroute("**/response/")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/report/")

    assert chosen(sitting) == [row.item.option_order[0]]


def test_without_storage_answers_are_saved_all_the_same(page, begin):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', "
        "{ get() { throw new DOMException('closed', 'SecurityError'); } });"
    )
    sitting = begin(page)
    page.keyboard.press("a")
    page.keyboard.press("n")
    page.keyboard.press("b")

    expect_saved(page)
    assert len(chosen(sitting)) == 1
    assert len(chosen(sitting, 2)) == 1


def test_on_plain_http_answers_are_saved_and_orphans_found(page, begin):
    """There a browser has neither locks nor a maker of ids."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'locks', { value: undefined });"
        "Object.defineProperty(crypto, 'randomUUID', { value: undefined });"
    )
    sitting = begin(page)
    page.context.set_offline(True)
    page.keyboard.press("a")
    expect_unsaved(page)
    address = page.url
    page.goto("about:blank")
    page.context.set_offline(False)

    page.goto(address)

    expect(page.locator("input[name=answer]").first).to_be_checked()
    expect_saved(page)
    assert len(chosen(sitting)) == 1


def test_the_time_on_a_question_goes_with_its_answer(page, begin):
    sitting = begin(page)
    page.wait_for_timeout(2_200)
    page.keyboard.press("a")
    page.keyboard.press("n")
    page.wait_for_timeout(1_200)
    page.keyboard.press("p")
    expect_saved(page)
    page.wait_for_timeout(300)

    stored = responses(sitting)
    assert 2 <= stored[1].seconds <= 3
    assert stored[2].seconds == 1
