"""Every page through axe-core, light and dark, wide and narrow."""

from __future__ import annotations

import pytest

from questions.domain import items
from questions.services import review
from tests import factories
from tests.flows.conftest import violations

pytestmark = [pytest.mark.django_db(serialized_rollback=True), pytest.mark.browser]

CODE = items.CodeExhibit(text="SELECT 1\n" * 3, language="sql", caption="query.sql")
TABLE = "| time | load |\n|---|---:|\n| 10:00 | 3 |\n\nAnd $x^2$ with `code` in a stem."


@pytest.fixture
def bank(transactional_db, editor):
    certification = factories.make_certification()
    factories.make_published(
        certification,
        factories.make_item(600, stem=TABLE, exhibits=(CODE,)),
        slug="one",
    )
    factories.make_published(certification, factories.make_choose_two(601), slug="two")
    factories.make_published(
        certification,
        factories.make_item(602),
        slug="closed",
        exposure=items.Exposure.MEMBERS,
    )
    gone = factories.make_published(
        certification, factories.make_item(603), slug="gone"
    )
    review.retire_question(question=gone, by=editor, at=factories.NOW, reason="")
    return certification


PAGES = (
    "/",
    "/vendors/maker/",
    "/certifications/tst/",
    "/certifications/tst/?version=1",
    "/certifications/tst/2/objective-1/",
    "/questions/one/",
    "/questions/two/",
    "/questions/closed/",
    "/questions/gone/",
    "/practice/tst/",
    "/search/?q=story",
    "/search/?q=zzzz",
    "/authors/ada-writer/",
    "/questions/one/report/",
    "/about/",
    "/editorial-policy/",
    "/practice-questions-and-exam-dumps/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/nothing/",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_has_a_violation(page, live_server, bank, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    found = {}
    for path in PAGES:
        page.goto(f"{live_server.url}{path}")
        found[path] = violations(page)

    assert not {path: each for path, each in found.items() if each}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("slug", "chosen", "button"),
    [
        ("one", [1], "Check answer"),
        ("one", [0], "Check answer"),
        ("two", [0, 1], "Check answer"),
        ("two", [], "Show answer"),
        ("two", [0], "Check answer"),
    ],
)
def test_no_answer_has_a_violation(
    page, live_server, bank, scheme, slug, chosen, button
):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{live_server.url}/questions/{slug}/")
    for place in chosen:
        page.locator("input[name=answer]").nth(place).check()
    page.get_by_role("button", name=button).click()
    page.locator("#item [data-focus]").wait_for()

    assert not violations(page)


def test_practice_has_no_violation(page, live_server, bank):
    page.goto(f"{live_server.url}/practice/tst/")
    page.get_by_label("How many").fill("99")
    page.get_by_role("button", name="Start practising").click()
    refused = violations(page)
    page.get_by_label("How many").fill("1")
    page.get_by_role("button", name="Start practising").click()
    asked = violations(page)
    page.get_by_role("button", name="Show answer").click()
    page.locator("#verdict").wait_for()
    shown = violations(page)
    page.locator(".button-main[data-next]").click()
    page.get_by_role("heading", name="0 of 1 right").wait_for()

    assert not [*refused, *asked, *shown, *violations(page)]
