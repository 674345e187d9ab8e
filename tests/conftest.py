"""The cast, a fixed "now", a client per role, and the servers they need."""

from __future__ import annotations

import datetime
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright

from accounts.models import User
from courseiva.embedded import Home, Servers

SERVERS = pytest.StashKey[Servers]()
CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers once; workers use those of the process that leads them."""
    home = os.environ.get("COURSEIVA_TEST_HOME")
    if home is None or hasattr(config, "workerinput"):
        return
    servers = Servers(home=Home(path=Path(home)), is_durable=False)
    config.stash[SERVERS] = servers.__enter__()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop them, and leave nothing behind."""
    servers = config.stash.get(SERVERS, None)
    if servers is not None:
        servers.stop()
        shutil.rmtree(servers.home.path, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give back, to tests that empty the tables, the rows that migrations made.

    The roles are such rows: without this, the second test in a browser has none.
    """
    kept = pytest.mark.django_db(transaction=True, serialized_rollback=True)
    for item in items:
        marker = item.get_closest_marker("django_db")
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & {"live_server", "transactional_db"} or (
            marker is not None and marker.kwargs.get("transaction")
        ):
            item.add_marker(kept, append=False)


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    # Rate limits and fragments of one test are nobody else's business.
    if "db" in request.fixturenames or request.node.get_closest_marker("django_db"):
        cache.clear()


@pytest.fixture(autouse=True)
def _requests_give_way(request: pytest.FixtureRequest) -> None:
    # A window may still ask for something while the tables are emptied. Of a deadlock
    # PostgreSQL ends whoever waited long enough: that is to be the request.
    if "live_server" in request.fixturenames:
        request.getfixturevalue("transactional_db")
        with connection.cursor() as cursor:
            cursor.execute("SET deadlock_timeout = '20s'")


# -- the cast -----------------------------------------------------------------------


@pytest.fixture
def now() -> datetime.datetime:
    """The moment at which the tests' stories happen."""
    return datetime.datetime(2026, 11, 30, 12, 0, tzinfo=datetime.UTC)


def _person(name: str, *roles: str) -> User:
    user = User.objects.create_user(
        f"{name}@example.org", "a-long-password", is_staff=bool(roles)
    )
    user.groups.set(Group.objects.filter(name__in=roles))
    return user


@pytest.fixture
def author(db: None) -> User:
    """Writes questions."""
    return _person("author", "author")


@pytest.fixture
def other_author(db: None) -> User:
    """Writes other questions."""
    return _person("other-author", "author")


@pytest.fixture
def reviewer(db: None) -> User:
    """Approves them or sends them back."""
    return _person("reviewer", "reviewer")


@pytest.fixture
def editor(db: None) -> User:
    """Publishes and retires them."""
    return _person("editor", "editor")


@pytest.fixture
def superuser(db: None) -> User:
    """May do everything."""
    return User.objects.create_superuser("superuser@example.org", "a-long-password")


@pytest.fixture
def learner(db: None) -> User:
    """Answers them."""
    return _person("learner")


@pytest.fixture
def other_learner(db: None) -> User:
    """Answers them too, and must not see what the first one does."""
    return _person("other-learner")


def _client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def author_client(author: User) -> Client:
    """The author, signed in."""
    return _client_of(author)


@pytest.fixture
def reviewer_client(reviewer: User) -> Client:
    """The reviewer, signed in."""
    return _client_of(reviewer)


@pytest.fixture
def editor_client(editor: User) -> Client:
    """The editor, signed in."""
    return _client_of(editor)


@pytest.fixture
def superuser_client(superuser: User) -> Client:
    """The superuser, signed in."""
    return _client_of(superuser)


@pytest.fixture
def learner_client(learner: User) -> Client:
    """The learner, signed in."""
    return _client_of(learner)


@pytest.fixture
def listed(learner: User, learner_client: Client) -> UserSession:
    """The learner's session in the list of theirs, as the form to sign in lists it."""
    return UserSession.objects.create(
        user=learner, session_key=learner_client.session.session_key, ip="127.0.0.1"
    )


@pytest.fixture
def other_learner_client(other_learner: User) -> Client:
    """The other learner, signed in."""
    return _client_of(other_learner)


# -- the browser --------------------------------------------------------------------


def _chromium() -> str:
    named = os.environ.get("CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.fail(
            "Chromium is missing: run .ci/run, or apt-get install chromium, or name "
            "it, as in CHROMIUM=/usr/bin/google-chrome make test.",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium; its absence is a failure, as a skipped test shows nothing."""
    path = _chromium()
    with sync_playwright() as playwright:
        # Playwright's loop lives in this thread while the tests' own queries do too.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(
            executable_path=path, args=list(CHROMIUM_OPTIONS)
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, request: pytest.FixtureRequest
) -> None:
    """Start the browser, if any test wants it, before there is a database.

    Playwright leaves a loop running in this thread, and Django keeps connections apart
    by whether there is one: started later, the tests would lose the connection that
    knows of the test database.
    """
    wanted = (set(getattr(item, "fixturenames", ())) for item in request.session.items)
    if any("browser" in names for names in wanted):
        request.getfixturevalue("browser")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window without cookies, that fails on scripts that fail."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    page = context.new_page()
    page.set_default_timeout(10_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors


@pytest.fixture
def sign_in(page: Page, live_server):
    """Sign a person in, in the browser's window, without walking through the form."""

    def _sign_in(user: User) -> None:
        cookie = _client_of(user).cookies[settings.SESSION_COOKIE_NAME]
        page.context.add_cookies(
            [{"name": cookie.key, "value": cookie.value, "url": live_server.url}]
        )

    return _sign_in
