"""Pictures of the pages for the documentation: ``make screenshots``.

Starts the real servers in a temporary folder, loads the starter bank, walks through
the site as the demo people do, and writes ``docs/images/*.png``. The questions shown
are named below; the question of the day and what a practice set draws may differ.
"""

from __future__ import annotations

import io
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from courseiva.embedded import Home, Servers

CLONE: Final = Path(__file__).resolve().parent.parent
IMAGES: Final = CLONE / "docs" / "images"
COLOURS: Final = 128
TALLEST: Final = 1740
PASSWORD: Final = "practice makes"
"""That of the demo people, as `manage.py demo_people` prints it."""

START_SECONDS: Final = 30.0
DESKTOP: Final = ViewportSize(width=1280, height=900)
PHONE: Final = ViewportSize(width=390, height=844)
TALL_PHONE: Final = ViewportSize(width=390, height=1500)

SHOWN: Final = "evening-timeouts-on-a-ranking-endpoint"
WITH_A_PICTURE: Final = "two-curves-that-part"
CHANGED: Final = ("two-curves-that-part", "eighty-quiet-models")
"""Questions that the demo author hands to the reviewers, for a queue to show."""


@dataclass(frozen=True, slots=True)
class Studio:
    """Where the site runs, and windows to look at it."""

    address: str
    browser: Browser

    @contextmanager
    def window(
        self, size: ViewportSize, *, is_dark: bool = False, person: str = ""
    ) -> Iterator[Page]:
        """Open a fresh window, signed in as a demo person if one is named."""
        context = self.browser.new_context(
            base_url=self.address,
            viewport=size,
            device_scale_factor=1,
            color_scheme="dark" if is_dark else "light",
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
        )
        page = context.new_page()
        if person:
            _sign_in(page, person)
        yield page
        context.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A page as it is first seen."""

    name: str
    path: str
    size: ViewportSize = field(default_factory=lambda: DESKTOP)
    is_dark: bool = False
    person: str = ""


SHOTS: Final = (
    Shot(name="home", path="/"),
    Shot(name="home-dark", path="/", is_dark=True),
    Shot(name="home-phone", path="/", size=PHONE),
    Shot(name="certification", path="/certifications/pmle/"),
    Shot(name="certification-phone", path="/certifications/pmle/", size=PHONE),
    Shot(name="question", path=f"/questions/{SHOWN}/"),
    Shot(name="question-phone", path=f"/questions/{SHOWN}/", size=PHONE),
    Shot(
        name="question-exhibit-dark", path=f"/questions/{WITH_A_PICTURE}/", is_dark=True
    ),
    Shot(name="search", path="/search/?q=latencey+endpoint"),
    Shot(name="author", path="/authors/courseiva-writers/"),
    Shot(name="sign-in", path="/accounts/login/"),
    Shot(name="sign-in-phone", path="/accounts/login/", size=PHONE),
    Shot(name="dashboard", path="/dashboard/pmle/", person="learner"),
    Shot(
        name="dashboard-dark", path="/dashboard/pmle/", is_dark=True, person="learner"
    ),
    Shot(
        name="dashboard-phone",
        path="/dashboard/pmle/",
        size=TALL_PHONE,
        person="learner",
    ),
    Shot(name="readiness-taken-apart", path="/dashboard/pmle/how/", person="learner"),
    Shot(name="desk-list", path="/admin/questions/question/", person="editor"),
    Shot(name="desk-queue", path="/admin/questions/question/queue/", person="reviewer"),
    Shot(
        name="desk-coverage",
        path="/admin/questions/question/coverage/",
        person="editor",
    ),
)


def main() -> None:
    """Take all pictures anew."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    chromium = chromium or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("The screenshots need Chromium: apt-get install chromium.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="courseiva-shots-") as folder,
        Servers(home=Home(path=Path(folder)), is_durable=False) as servers,
        _site(home=servers.home) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        studio = Studio(address, browser)
        _hand_in_questions(studio)
        for shot in SHOTS:
            with studio.window(
                shot.size, is_dark=shot.is_dark, person=shot.person
            ) as page:
                page.goto(shot.path)
                _keep(page, shot.name)
        _shoot_answers(studio)
        _shoot_practice(studio)
        _shoot_editor(studio)
        browser.close()


# -- the site -----------------------------------------------------------------------


@contextmanager
def _site(*, home: Home) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://localhost:{port}"
    environment = {
        **os.environ,
        "COURSEIVA_MODE": "development",
        "DJANGO_SETTINGS_MODULE": "courseiva.settings",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "SITE_URL": address,
        "DATABASE_URL": home.database_url,
        "REDIS_URL": home.redis_url,
        "EMAIL_URL": "memory:",
        "LOG_LEVEL": "ERROR",
    }
    for command in (
        ("migrate", "--verbosity", "0"),
        ("load_bank", "questions/bank"),
        ("demo_people",),
        ("demo_history",),
    ):
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=CLONE,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "granian", "--interface", "wsgi"),
            *("--port", str(port), "--log-level", "error", "--no-ws"),
            "courseiva.wsgi:application",
        ],
        cwd=CLONE,
        env=environment,
    )
    try:
        _wait(port)
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("localhost", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit("The site did not start.")


# -- what people do there -----------------------------------------------------------


def _sign_in(page: Page, person: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(f"{person}@example.org")
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in").first.click()
    page.wait_for_url("**/")


def _open_in_the_desk(page: Page, slug: str) -> None:
    page.goto(f"/admin/questions/question/?q={slug}")
    page.locator("#result_list tbody a").first.click()
    page.wait_for_url("**/change/**")


def _hand_in_questions(studio: Studio) -> None:
    with studio.window(DESKTOP, person="author") as page:
        for slug in CHANGED:
            _open_in_the_desk(page, slug)
            trap = page.get_by_label("Trap")
            trap.fill(f"{trap.input_value().strip()} Read the last line twice.")
            page.get_by_role("button", name="Save draft").click()
            page.get_by_role("button", name="Save and submit for review").click()


def _shoot_answers(studio: Studio) -> None:
    for name, size, is_dark, slug in (
        ("question-answered", DESKTOP, False, SHOWN),
        ("question-answered-phone", TALL_PHONE, False, SHOWN),
        ("question-answered-dark", DESKTOP, True, WITH_A_PICTURE),
    ):
        with studio.window(size, is_dark=is_dark) as page:
            page.goto(f"/questions/{slug}/")
            choices = page.locator("input[name=answer]")
            several = choices.first.get_attribute("type") == "checkbox"
            for place in range(2 if several else 1):
                choices.nth(place).check()
            page.get_by_role("button", name="Check answer").click()
            page.locator(".trap:visible").wait_for()
            page.evaluate("scrollTo(0, 0)")
            _keep(page, name, is_whole=size is DESKTOP)


def _shoot_practice(studio: Studio) -> None:
    with studio.window(DESKTOP) as page:
        page.goto("/practice/pmle/")
        _keep(page, "practice-start")
        page.get_by_label("How many").fill("5")
        page.get_by_role("button", name="Start practising").click()
        for place in range(5):
            several = page.locator("input[name=answer][type=checkbox]").count() > 0
            if place == 2:
                _keep(page, "practice-item")
            if several:
                page.get_by_role("button", name="Show answer").click()
            else:
                page.locator("input[name=answer]").nth(place % 3).check()
                page.get_by_role("button", name="Check answer").click()
            page.locator(".trap:visible").wait_for()
            page.locator(".button-main[data-next]").click()
        _keep(page, "practice-report")


def _shoot_editor(studio: Studio) -> None:
    with studio.window(DESKTOP, person="author") as page:
        _open_in_the_desk(page, SHOWN)
        page.frame_locator("iframe[name=preview]").locator(".options").first.wait_for()
        _keep(page, "desk-editor")


# -- the pictures -------------------------------------------------------------------


def _keep(page: Page, name: str, *, is_whole: bool = False) -> None:
    page.wait_for_load_state("networkidle")
    taken = Image.open(io.BytesIO(page.screenshot(full_page=is_whole)))
    shot = taken.crop((0, 0, taken.width, min(taken.height, TALLEST)))
    path = IMAGES / f"{name}.png"
    _with_fewer_colours(shot.convert("RGB")).save(path, optimize=True)
    sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} KB\n")


def _with_fewer_colours(shot: Image.Image) -> Image.Image:
    # The commonest are kept exactly, so that pale washes stay apart; what is lost is
    # the smoothing of letters.
    found = shot.getcolors(shot.width * shot.height) or []
    commonest = sorted(found, key=lambda entry: entry[0], reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in commonest for part in _parts(colour)])
    return shot.quantize(palette=palette, dither=Image.Dither.NONE)


def _parts(colour: object) -> tuple[int, ...]:
    return colour if isinstance(colour, tuple) else ()


if __name__ == "__main__":
    main()
