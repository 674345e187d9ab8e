"""The clock of an exam is the server's, whatever the computer's says."""

from __future__ import annotations

import datetime
import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from questions.exams.models import LateAnswer, Sitting
from tests.flows.conftest import (
    all_items_arrive,
    chosen,
    expect_saved,
    expect_unsaved,
    heading_of,
)

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]

SKEWED = """
    const now = Date.now.bind(Date);
    window.skew = 0;
    Date.now = () => now() + window.skew;
"""


def end_in(sitting, seconds, grace=30):
    """Move the end of a sitting, as staff or the passing of time would."""
    Sitting.objects.filter(pk=sitting.pk).update(
        deadline=timezone.now() + datetime.timedelta(seconds=seconds),
        grace_seconds=grace,
    )


def reload(page):
    with all_items_arrive(page):
        page.reload()


def shown_seconds(page):
    parts = page.locator("[data-clock]").inner_text().split(":")
    return sum(int(part) * 60**place for place, part in enumerate(reversed(parts)))


def test_time_runs_out_with_the_window_open(page, begin):
    sitting = begin(page)
    page.get_by_label("Measure model").check()
    expect_saved(page)
    end_in(sitting, 3, grace=2)
    page.reload()

    expect(page.get_by_role("heading", name="Time is up")).to_be_visible()
    page.wait_for_url("**/report/")

    expect(page.get_by_text("You answered 1 of 6 right.")).to_be_visible()
    expect(page.get_by_text("Time ran out")).to_be_visible()


def test_time_runs_out_on_the_page_before_submitting(page, begin):
    sitting = begin(page)
    page.keyboard.press("r")
    page.get_by_role("heading", name="Before you submit").wait_for()
    end_in(sitting, 2, grace=1)
    page.reload()

    page.wait_for_url("**/report/")

    expect(page.get_by_text("You answered 0 of 6 right.")).to_be_visible()


def test_time_runs_out_with_the_window_closed(page, begin):
    sitting = begin(page)
    page.get_by_label("Measure model").check()
    expect_saved(page)
    address = page.url
    page.goto("about:blank")
    end_in(sitting, -60)

    page.goto(address.replace("/1/", "/"))

    expect(page.get_by_text("You answered 1 of 6 right.")).to_be_visible()
    sitting.refresh_from_db()
    assert sitting.ended_at == sitting.deadline


def test_what_waited_at_the_end_still_counts_within_the_grace(page, begin):
    sitting = begin(page)
    end_in(sitting, 4, grace=8)
    reload(page)
    page.context.set_offline(True)
    page.get_by_label("Measure model").check()
    expect(page.locator("[data-trouble]")).to_contain_text("Time is up", timeout=9000)
    expect(page.locator("input[name=answer]").first).to_be_disabled()
    page.context.set_offline(False)

    page.wait_for_url("**/report/", timeout=20_000)

    expect(page.get_by_text("You answered 1 of 6 right.")).to_be_visible()


def test_what_waited_is_sent_from_the_page_that_says_time_is_up(page, begin):
    sitting = begin(page)
    page.context.set_offline(True)
    page.get_by_label("Measure model").check()
    expect_unsaved(page)
    address = page.url
    page.goto("about:blank")
    page.context.set_offline(False)
    end_in(sitting, -1, grace=5)

    page.goto(address)

    expect(page.get_by_role("heading", name="Time is up")).to_be_visible()
    page.wait_for_url("**/report/")
    expect(page.get_by_text("You answered 1 of 6 right.")).to_be_visible()


def test_what_comes_after_the_grace_is_kept_as_late_and_said(page, begin):
    sitting = begin(page)
    page.context.set_offline(True)
    page.get_by_label("Measure model").check()
    expect_unsaved(page)
    end_in(sitting, -60)
    page.context.set_offline(False)

    expect(page.locator("[data-trouble]")).to_contain_text(
        "Question 1: Time was up when this answer arrived."
    )

    assert chosen(sitting) == []
    assert LateAnswer.objects.get().chosen == ["measure"]
    page.get_by_role("link", name="See how the sitting stands").click()
    expect(page.get_by_text("1 answer arrived after the end")).to_be_visible()


def test_time_that_staff_add_reopens_the_page(page, begin):
    sitting = begin(page)
    end_in(sitting, 3, grace=60)
    reload(page)
    end_in(sitting, 600)
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^(10:00|09:5\d)$"))

    expect(page.locator("input[name=answer]").first).to_be_enabled()
    page.keyboard.press("a")
    expect_saved(page)
    expect(page.locator("[data-trouble]")).to_be_hidden()


@pytest.mark.parametrize("hours", [-1, 1])
def test_setting_the_computers_clock_gives_and_takes_no_time(page, begin, hours):
    """Case 10: after that it shows what it would have shown."""
    page.add_init_script(SKEWED)
    begin(page)
    before = shown_seconds(page)

    page.evaluate(f"() => {{ window.skew = {hours * 3_600_000}; }}")
    page.wait_for_timeout(1_500)

    assert before - 8 < shown_seconds(page) < before
    expect(page.locator("input[name=answer]").first).to_be_enabled()


def test_reloading_gives_no_time(page, begin):
    begin(page)
    before = shown_seconds(page)
    page.wait_for_timeout(1_100)
    reload(page)
    after = shown_seconds(page)
    other = page.context.new_page()
    other.goto(page.url)

    assert after < before
    assert shown_seconds(other) <= after


def test_a_hidden_clock_comes_back_at_five_minutes(page, begin):
    sitting = begin(page)
    page.get_by_role("button", name="Hide the time").click()
    expect(page.locator("[data-clock]")).to_be_hidden()
    end_in(sitting, 303)
    reload(page)
    expect(page.locator("[data-clock]")).to_be_hidden()
    expect(page.get_by_role("button", name="Show the time")).to_be_visible()

    expect(page.locator("[data-clock]")).to_be_visible()

    expect(page.locator("[data-timer]")).to_have_attribute("data-state", "short")
    expect(page.locator("[data-clock-said]")).to_have_text(
        "5 minutes left. The time is shown again."
    )
    assert shown_seconds(page) <= 300


def test_the_time_is_said_on_request(page, begin):
    begin(page)
    expect(page.locator("[data-clock-said]")).to_be_empty()

    page.keyboard.press("t")

    expect(page.locator("[data-clock-said]")).to_have_text(
        re.compile(r"^(12 minutes|11 minutes \d+ seconds?) left\.$")
    )


@pytest.mark.usefixtures("exam_bank")
def test_practice_without_a_clock_saves_the_same_way(page, live_server):
    page.goto(f"{live_server.url}/practice/tst/")
    page.get_by_label("How many").fill("5")
    page.locator("input[name=feedback][value=at_end]").check()
    page.get_by_role("button", name="Start practising").click()
    heading_of(page, 1, 5).wait_for()
    expect(page.locator("[data-keys-hint]")).to_be_visible()

    page.keyboard.press("a")
    page.keyboard.press("t")

    expect_saved(page)
    expect(page.locator("[data-timer]")).to_have_count(0)
    assert len(chosen(Sitting.objects.latest("pk"))) == 1
