"""Exams in real windows: a bank, a window that begins one, and what the page has said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page, expect

from questions.exams.models import Response, Sitting
from tests import factories

LENGTH = 6


@pytest.fixture
def exam_bank(transactional_db):
    """Eight questions that ask for one answer: five of domain 1, three of domain 2."""
    certification = factories.make_certification()
    for number in range(5):
        factories.make_published(certification, factories.make_item(700 + number))
    for number in range(3):
        factories.make_published(
            certification, factories.make_item(720 + number), domain="2"
        )
    return certification


@pytest.fixture
def double(exam_bank):
    """One more, which asks for two: an exam of nine takes them all."""
    return factories.make_published(
        exam_bank, factories.make_choose_two(740), domain="2"
    )


def begin_in(window: Page, url: str, length: int = LENGTH) -> Sitting:
    """Begin a mock exam as a person does, and return the sitting."""
    window.goto(f"{url}/mocks/tst/")
    window.locator("input[name=exam][value=own]").check()
    window.get_by_label("Own length, in questions").fill(str(length))
    window.get_by_role("button", name="Read the rules, then start").click()
    window.get_by_role("button", name="Begin the exam").click()
    heading_of(window, 1, length).wait_for()
    return Sitting.objects.latest("pk")


@pytest.fixture
def begin(exam_bank, live_server) -> Callable[..., Sitting]:
    """Begin a mock exam in a window, and wait until it can do without the network."""

    def _begin(window: Page, length: int = LENGTH) -> Sitting:
        with all_items_arrive(window):
            return begin_in(window, live_server.url, length)

    return _begin


@contextmanager
def all_items_arrive(window: Page) -> Iterator[None]:
    """Wait until a page that is being loaded has all its questions and its script."""
    with window.expect_response(lambda reply: reply.url.endswith("/items/")) as reply:
        yield
    reply.value.finished()
    expect(window.locator("[data-keys-hint]:not([hidden])")).to_have_count(1)


def letter_of(window: Page, text: str) -> str:
    """Return the letter of the option that begins with the text."""
    row = window.locator(".option", has_text=text)
    return row.locator(".bubble-letter").inner_text().strip()


def heading_of(window: Page, position: int, length: int = LENGTH) -> Locator:
    """Return the heading of a question of the exam."""
    return window.get_by_role(
        "heading", name=f"Question {position} of {length}", exact=True
    )


def responses(sitting: Sitting) -> dict[int, Response]:
    """Return what the server has, by position."""
    found = Response.objects.filter(item__sitting=sitting).select_related("item")
    return {response.item.position: response for response in found}


def expect_saved(window: Page) -> None:
    """Wait until the page says that everything is saved."""
    expect(window.locator("[data-save-status]")).to_have_attribute(
        "data-state", "saved"
    )
    expect(window.locator("[data-save-status]")).to_contain_text("Saved")


@pytest.fixture
def without_scripts(browser):
    """A window that runs no scripts."""
    context: BrowserContext = browser.new_context(java_script_enabled=False)
    window = context.new_page()
    window.set_default_timeout(10_000)
    yield window
    context.close()


def expect_unsaved(window: Page) -> None:
    """Wait until the page says that something waits on the device."""
    expect(window.locator("[data-save-status]")).to_contain_text(
        "Not saved yet", timeout=10_000
    )


def chosen(sitting: Sitting, position: int = 1) -> list[str]:
    """Return which options the server has as chosen."""
    return responses(sitting)[position].chosen


def waiting(window: Page) -> dict[str, Any]:
    """Return what waits on the device."""
    held = window.evaluate("() => ({ ...localStorage })")
    return {key: json.loads(held[key]) for key in held if key.startswith("exam:")}


def violations(window: Page, part: str = "html") -> list[tuple[str, list[str]]]:
    """Return what axe-core finds wrong in a part, with all that is folded opened first."""
    window.locator("details:not(.menu)").evaluate_all(
        "all => all.forEach((details) => { details.open = true; })"
    )
    found = Axe().run(window, context={"include": [[part]]})
    return [
        (each["id"], [node["html"][:120] for node in each["nodes"]][:3])
        for each in found.response["violations"]
    ]
