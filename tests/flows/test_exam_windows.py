"""An exam in two windows, and in one after another: nothing is undone in silence."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.flows.conftest import (
    all_items_arrive,
    chosen,
    expect_saved,
    expect_unsaved,
    heading_of,
    letter_of,
    responses,
    waiting,
)

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]


def second_window(page):
    """Open another window of the same browser on the same question."""
    other = page.context.new_page()
    other.set_default_timeout(10_000)
    with all_items_arrive(other):
        other.goto(page.url)
    return other


def test_closing_the_window_and_opening_it_again_keeps_the_answers(page, begin):
    sitting = begin(page)
    page.get_by_label("Measure model").check()
    page.keyboard.press("n")
    page.get_by_label("Replace all").check()
    expect_saved(page)
    again = page.context.new_page()
    address = page.url
    page.close()

    again.goto(address.replace("/2/", "/"))

    expect(heading_of(again, 2)).to_be_visible()
    expect(again.get_by_label("Replace all")).to_be_checked()
    assert chosen(sitting) == ["measure"]


def test_an_answer_changed_in_two_windows_is_asked_about(page, begin):
    sitting = begin(page)
    other = second_window(page)
    other.get_by_label("Replace all").check()
    expect_saved(other)

    page.get_by_label("Measure model").check()

    question = page.locator("[data-conflict]")
    mine, theirs = letter_of(page, "Measure model"), letter_of(page, "Replace all")
    expect(question).to_contain_text("Question 1 was changed in another window")
    expect(question).to_contain_text(f"Saved there: {theirs}. Yours here: {mine}.")
    expect_unsaved(page)
    assert chosen(sitting) == ["replace"]
    page.keyboard.press("n")
    page.keyboard.press("a")
    page.wait_for_timeout(500)
    assert len(chosen(sitting, 2)) == 1
    page.get_by_role("button", name="Keep mine").click()
    expect_saved(page)
    expect(question).to_be_hidden()
    assert chosen(sitting) == ["measure"]
    assert not waiting(page)


def test_the_answer_of_the_other_window_can_be_kept(page, begin):
    sitting = begin(page)
    other = second_window(page)
    other.get_by_label("Replace all").check()
    expect_saved(other)
    page.get_by_label("Measure model").check()

    page.get_by_role("button", name="Keep the other").click()

    expect(page.get_by_label("Replace all")).to_be_checked()
    expect_saved(page)
    assert chosen(sitting) == ["replace"]
    assert not waiting(page)


def test_changes_to_different_things_are_put_together(page, begin):
    sitting = begin(page)
    other = second_window(page)
    other.get_by_label("Replace all").check()
    expect_saved(other)

    page.keyboard.press("f")

    expect(page.get_by_label("Replace all")).to_be_checked()
    expect_saved(page)
    stored = responses(sitting)[1]
    assert (stored.chosen, stored.is_flagged) == (["replace"], True)


def test_what_a_closed_window_left_is_sent_by_another(page, begin):
    sitting = begin(page)
    other = second_window(page)
    page.context.set_offline(True)
    other.get_by_label("Measure model").check()
    expect_unsaved(other)
    other.close()
    page.context.set_offline(False)

    expect(page.get_by_label("Measure model")).to_be_checked(timeout=10_000)

    expect_saved(page)
    assert chosen(sitting) == ["measure"]
    assert responses(sitting)[1].version == 1


def test_after_handing_in_elsewhere_nothing_changes_and_it_is_said(page, begin):
    """Case 11: two windows, one hands in, the other saves."""
    sitting = begin(page)
    page.get_by_label("Measure model").check()
    expect_saved(page)
    other = second_window(page)
    other.keyboard.press("r")
    other.get_by_role("button", name="Submit the exam").click()
    other.get_by_role("button", name="Submit", exact=True).click()
    other.wait_for_url("**/report/")

    page.get_by_label("Replace all").check()

    expect(page.get_by_role("alert").first).to_contain_text("This sitting has ended")
    expect(page.locator("input[name=answer]").first).to_be_disabled()
    assert chosen(sitting) == ["measure"]
    other.go_back()
    expect(other.get_by_text("Replace all").first).to_be_visible()
    expect(other.locator("input:enabled[name=answer]")).to_have_count(0)


def test_what_is_asked_can_be_answered_after_looking_at_the_review(page, begin):
    sitting = begin(page)
    other = second_window(page)
    other.get_by_label("Replace all").check()
    expect_saved(other)
    other.close()
    page.get_by_label("Measure model").check()
    page.get_by_role("button", name="Keep mine").wait_for()

    page.keyboard.press("r")
    page.get_by_role("link", name="Choose which answer stands").click()
    page.get_by_role("button", name="Keep mine").click()

    expect_saved(page)
    assert chosen(sitting) == ["measure"]
    assert not waiting(page)


def test_a_window_that_wakes_shows_what_others_saved(page, begin):
    begin(page)
    other = second_window(page)
    other.get_by_label("Replace all").check()
    expect_saved(other)
    expect(page.get_by_label("Replace all")).not_to_be_checked()

    page.evaluate("() => dispatchEvent(new Event('online'))")

    expect(page.get_by_label("Replace all")).to_be_checked()
    expect(page.locator("[data-count-answered]")).to_have_text("1")
