"""A mock exam in a real browser: by keyboard, by mouse, and without scripts."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import expect

from questions.exams.models import MockExam, ScoreReport, Sitting
from questions.exams.models.definition import Navigation
from questions.models import Blueprint
from tests.flows.conftest import (
    begin_in,
    expect_saved,
    heading_of,
    letter_of,
    responses,
)

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]

RIGHT = {"single": ("Measure",), "multiple": ("Take the", "Mark the")}
WRONG = {"single": ("Replace",), "multiple": ("Take the", "Sell the")}


def kinds(sitting):
    found = sitting.items.order_by("position").values_list(
        "position", "revision__kind", "domain__name"
    )
    return [(position, kind, domain) for position, kind, domain in found]


def width_of(window):
    return window.evaluate("() => document.documentElement.scrollWidth")


def position_of_two(sitting):
    return sitting.items.get(revision__kind="multiple").position


@pytest.mark.usefixtures("double")
def test_a_whole_exam_by_keyboard_alone(page, begin):
    sitting = begin(page, 9)
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for position, kind, domain in kinds(sitting):
        expect(heading_of(page, position, 9)).to_be_visible()
        asked[domain] += 1
        right[domain] += position in {1, 2, 5, 7, 8, 9}
        if position == 4:
            page.keyboard.press("f")
        else:
            answer = WRONG if position in {3, 6} else RIGHT
            for text in answer[kind]:
                page.keyboard.press(letter_of(page, text).lower())
        page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Before you submit")).to_be_visible()
    page.get_by_role("button", name="Submit the exam").focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("heading", name="Submit with 1 unanswered?")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Keep working")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")

    page.wait_for_url("**/report/")
    expect(page.get_by_text("You answered 6 of 9 right.")).to_be_visible()
    for domain, number in asked.items():
        row = page.locator(".bar-row", has_text=domain)
        expect(row).to_contain_text(f"{right[domain]} of {number}")
    tiles = page.locator(".tile").all_inner_texts()
    assert [text.split()[0] for text in tiles[:2]] == ["2", "1"]
    expect(page.get_by_role("button", name="Print")).to_be_visible()


@pytest.mark.usefixtures("double")
def test_a_whole_exam_without_scripts(without_scripts, live_server):
    window = without_scripts
    sitting = begin_in(window, live_server.url, 9)
    for position, kind, _ in kinds(sitting):
        expect(heading_of(window, position, 9)).to_be_visible()
        if position == 2:
            window.get_by_role("button", name="Flag", exact=True).click()
            expect(
                window.get_by_role("button", name="Flagged", exact=True)
            ).to_be_visible()
        else:
            for text in RIGHT[kind]:
                window.locator(".option", has_text=text).locator("input").check()
        if position == 3:
            window.get_by_role("button", name="Strike out A").click()
            expect(window.locator('[data-state="struck"]')).to_have_count(1)
        window.locator("[data-go=next]").click()
    # Not answered, and flagged: it stands in both lists.
    expect(window.get_by_role("link", name="Question 2 ·")).to_have_count(2)
    window.get_by_role("button", name="Submit the exam").click()
    window.get_by_role("button", name="Submit", exact=True).click()

    expect(window.get_by_text("You answered 8 of 9 right.")).to_be_visible()
    assert responses(sitting)[3].struck


def test_moving_needs_no_new_page(page, begin):
    begin(page)
    page.evaluate("() => { window.stayed = true; }")

    page.get_by_role("button", name="Next").click()
    expect(heading_of(page, 2)).to_be_focused()
    assert page.title().startswith("Question 2 of 6")
    assert page.url.endswith("/2/")
    page.locator("[data-sheet] button").nth(4).click()
    expect(heading_of(page, 5)).to_be_focused()
    page.go_back()
    expect(heading_of(page, 2)).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(heading_of(page, 1)).to_be_visible()
    expect(page.get_by_role("button", name="Previous")).to_be_hidden()

    assert page.evaluate("() => window.stayed")


def test_what_was_done_outlives_a_reload(page, begin):
    sitting = begin(page)
    page.get_by_label("Measure model").check()
    page.get_by_role("button", name="Flag", exact=True).click()
    page.locator(".option", has_text="Wait for").locator(".strike").click()
    page.locator(".option", has_text="Replace all").locator(".option-row").click(
        button="right"
    )
    page.locator(".option", has_text="Ask vendor").locator("input").check()
    page.get_by_text("Note to self", exact=True).click()
    page.locator("#note").fill("Compare with 4.")
    page.locator("#note").blur()
    expect_saved(page)

    page.reload()

    expect(page.get_by_label("Ask vendor")).to_be_checked()
    expect(page.get_by_role("button", name="Flagged", exact=True)).to_be_visible()
    expect(page.locator('.option[data-state="struck"]')).to_have_count(2)
    expect(page.locator("#note")).to_have_value("Compare with 4.")
    stored = responses(sitting)[1]
    assert (stored.chosen, set(stored.struck)) == (["ask"], {"wait", "replace"})
    assert stored.is_flagged
    page.get_by_role("button", name="Clear my answer").click()
    expect_saved(page)
    assert responses(sitting)[1].chosen == []


def test_a_struck_option_can_still_be_chosen(page, begin):
    sitting = begin(page)
    row = page.locator(".option", has_text="Measure model")
    row.locator(".strike").click()

    row.locator("input").check()

    expect_saved(page)
    stored = responses(sitting)[1]
    assert (stored.chosen, stored.struck) == (["measure"], ["measure"])


@pytest.mark.usefixtures("double")
def test_more_than_two_are_not_chosen_where_two_are_asked_for(page, begin):
    sitting = begin(page, 9)
    position = position_of_two(sitting)
    page.locator("[data-sheet] button").nth(position - 1).click()
    page.get_by_label("Take the").check()
    cell = page.locator("[data-sheet] button").nth(position - 1)
    expect(cell).to_contain_text("1 of 2 chosen")
    expect(page.locator("legend")).to_contain_text("1 of 2 chosen.")
    page.get_by_label("Sell the").check()
    expect(cell).to_contain_text(", answered")

    page.get_by_label("Mark the").click()

    expect(page.get_by_label("Mark the")).not_to_be_checked()
    expect(page.get_by_role("alert")).to_contain_text("This question asks for two")
    page.keyboard.press(letter_of(page, "Skip the").lower())
    expect(page.get_by_label("Skip the")).not_to_be_checked()
    expect_saved(page)
    assert set(responses(sitting)[position].chosen) == {"alpha", "delta"}


def test_the_sheet_and_its_counts_follow(page, begin):
    begin(page)
    page.keyboard.press("a")
    page.keyboard.press("f")
    page.keyboard.press("n")
    page.keyboard.press("f")

    cells = page.locator("[data-sheet] button")
    expect(cells.nth(1)).to_have_attribute("aria-current", "step")
    expect(cells.nth(0)).to_have_text("1, answered, flagged")
    expect(cells.nth(1)).to_have_text("2, not answered, flagged")
    expect(page.locator("[data-count-answered]")).to_have_text("1")
    expect(page.locator("[data-count-unanswered]")).to_have_text("5")
    expect(page.locator("[data-count-flagged]")).to_have_text("2")


def test_s_waits_for_the_letter_of_what_is_struck(page, begin):
    sitting = begin(page)
    page.keyboard.press("s")
    expect(page.locator("[data-armed]")).to_contain_text("Strike out which?")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.keyboard.press("s")
    page.keyboard.press("c")

    expect(page.locator("[data-armed]")).to_be_empty()
    expect(page.locator(".option").nth(2)).to_have_attribute("data-state", "struck")
    expect(page.locator(".option").nth(1).locator("input")).to_be_checked()
    page.locator(".option").nth(0).locator("input").focus()
    page.keyboard.press("s")
    page.keyboard.press("s")
    expect(page.locator(".option").nth(0)).to_have_attribute("data-state", "struck")
    expect_saved(page)
    assert len(responses(sitting)[1].struck) == 2


def test_no_key_fires_while_a_note_is_typed(page, begin):
    sitting = begin(page)
    page.get_by_text("Note to self", exact=True).click()
    page.locator("#note").press_sequentially("a b 1 n f s r?")

    expect(heading_of(page, 1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect_saved(page)
    stored = responses(sitting)[1]
    assert (stored.note, stored.chosen) == ("a b 1 n f s r?", [])
    assert not stored.is_flagged
    assert stored.version <= 3


def test_keys_are_listed_and_can_be_switched_off(page, begin):
    begin(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("n")
    expect(heading_of(page, 1)).to_be_visible()
    page.get_by_label("Use these keys on this device").uncheck()
    page.get_by_role("button", name="Close").click()

    page.keyboard.press("n")
    page.keyboard.press("a")

    expect(heading_of(page, 1)).to_be_visible()
    expect(page.locator("input[name=answer]:checked")).to_have_count(0)
    expect(page.locator("[data-keys-hint]")).to_be_hidden()


def test_arrows_stay_with_the_answers_where_these_have_the_focus(page, begin):
    begin(page)
    page.locator("input[name=answer]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(heading_of(page, 1)).to_be_visible()
    expect(page.locator("input[name=answer]").nth(1)).to_be_checked()

    page.locator("[data-heading]").focus()
    page.keyboard.press("ArrowRight")

    expect(heading_of(page, 2)).to_be_visible()


def test_a_double_click_on_submit_gives_one_result(page, begin):
    sitting = begin(page)
    page.keyboard.press("r")
    page.get_by_role("button", name="Submit the exam").click()

    page.get_by_role("button", name="Submit", exact=True).dblclick()

    page.wait_for_url("**/report/")
    assert ScoreReport.objects.filter(sitting=sitting).count() == 1


def test_an_exam_without_a_way_back(page, live_server, exam_bank):
    MockExam.objects.create(
        certification=exam_bank,
        blueprint=Blueprint.objects.get(version="2"),
        name="One way",
        slug="one-way",
        length=5,
        minutes=10,
        navigation=Navigation.LINEAR,
    )
    page.goto(f"{live_server.url}/mocks/tst/rules/?exam=one-way")
    page.get_by_role("button", name="Begin the exam").click()
    sitting = Sitting.objects.latest("pk")
    for position in range(1, 6):
        expect(heading_of(page, position, 5)).to_be_visible()
        expect(page.get_by_role("button", name="Previous")).to_have_count(0)
        expect(page.locator("[data-hide-clock]")).to_be_visible()
        page.keyboard.press("a")
        page.keyboard.press("n")

    expect(page.get_by_role("heading", name="Before you submit")).to_be_visible()
    assert all(len(each.chosen) == 1 for each in responses(sitting).values())


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_of_an_exam_is_cut_off_on_a_narrow_screen(page, begin, width):
    page.set_viewport_size({"width": width, "height": 700})
    begin(page)
    widths = [width_of(page)]
    page.context.set_offline(True)
    page.get_by_label("Measure model").check()
    expect(page.locator("[data-save-status]")).to_contain_text("Not saved yet")
    widths.append(width_of(page))
    page.context.set_offline(False)
    expect_saved(page)
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Submit the exam").click()
    widths.append(width_of(page))
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/report/")
    widths.append(width_of(page))

    assert max(widths) <= width
