"""One question with a token: sent before the framework, and the same as by its view."""

from __future__ import annotations

import datetime
import socket
import threading
import time
from importlib import import_module

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ApiToken
from accounts.services import tokens
from courseiva import limits
from questions.domain import document, items
from questions.models import PublishedDocument, Question
from questions.services import authoring
from tests import factories

pytestmark = pytest.mark.django_db
DOOR = "courseiva.question_door.QuestionDoor"
ROOT = "/api/v1/questions/"
NOW = datetime.datetime(2026, 12, 1, 12, 0, 20, 123456, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def _limits_ask_again(monkeypatch):
    monkeypatch.setattr(limits.Limit, "asks_again_at", 0.0)


@pytest.fixture(autouse=True)
def _one_moment():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def question(certification):
    return factories.make_published(certification)


@pytest.fixture
def by_view(settings):
    """Make a client whose requests go past the door, to the view."""

    def _by_view():
        settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != DOOR]
        return Client()

    return _by_view


@pytest.fixture
def both(learner, token_of, by_view):
    """Ask by the door, then past it, each with a new token of the same person."""
    by_door = Client()

    def _both(path, *, method="GET", scopes=(), **headers):
        def _ask(client):
            bearer = f"Bearer {token_of(learner, *scopes)}"
            named = {"authorization": bearer, **headers}
            return client.generic(method, path, headers=named)

        return _ask(by_door), _ask(by_view())

    return _both


@pytest.fixture
def valkey_at(settings):
    """Let the counters be kept at another address."""

    def _forget():
        limits._pool.cache_clear()
        limits._kept.connection = None

    def _valkey_at(address):
        settings.REDIS_URL = address
        _forget()

    yield _valkey_at
    _forget()


def told(reply):
    return reply.status_code, reply.content, dict(reply.headers), reply.cookies.output()


def make_kinds(certification):
    """Return questions with everything that one can have."""
    story = items.Scenario(slug="shop", title="A “shop”", text="It *sells* `x`.")
    return [
        factories.make_published(certification, item, slug=f"kind-{n}", **settings)
        for n, (item, settings) in enumerate(
            [
                (factories.make_item(2001), {}),
                (factories.make_choose_two(2002), {}),
                (factories.make_item(2003, title="Naïve “Bayes” \\ 模型 <b>"), {}),
                (factories.make_item(2004, scenario=story), {}),
                (
                    factories.make_item(
                        2005,
                        exhibits=(
                            items.CodeExhibit(text='say "{{option:wait}}"\u2028'),
                        ),
                    ),
                    {},
                ),
                (factories.make_item(2006), {"exposure": items.Exposure.MEMBERS}),
            ]
        )
    ]


def test_every_kind_of_question_is_the_same_by_door_and_by_view(both, certification):
    for each in make_kinds(certification):
        by_door, by_view = both(f"{ROOT}{each.public_id}")

        assert by_door.status_code == 200
        assert told(by_door) == told(by_view)
        assert by_door.json()["title"] == each.published_revision.title
        assert by_door.json()["changed_at"] == each.changed_at.isoformat().replace(
            "+00:00", "Z"
        )


def test_what_nobody_may_read_is_refused_alike(both, certification):
    kept = factories.make_published(certification, exposure=items.Exposure.MOCK_ONLY)
    draft = factories.make_draft(certification)
    retired = factories.make_published(certification)
    Question.objects.filter(pk=retired.pk).update(retired_at=NOW)

    for public_id in (
        kept.public_id,
        draft.public_id,
        retired.public_id,
        "x" * 12,
        "X" * 12,
        "a" * 13,
    ):
        by_door, by_view = both(f"{ROOT}{public_id}")

        assert by_door.status_code == 404
        assert told(by_door) == told(by_view)


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "HEAD"},
        {"method": "POST"},
        {"method": "OPTIONS"},
        {"accept": "application/json"},
        {"accept": "*/*"},
        {"accept": "application/json; indent=2"},
        {"accept": "text/html"},
        {"accept": "text/html, */*;q=0.1"},
        {"cookie": "theme=dark"},
        {"host": "evil.example.org"},
        {"accept-encoding": "gzip"},
        {"origin": "https://app.example.org"},
        {"scopes": ("me:read",)},
        {"scopes": ("me:read",), "if-none-match": "*"},
        {"if-none-match": "*"},
        {"if-none-match": '"another"'},
    ],
    ids=str,
)
def test_every_way_of_asking_gets_the_same(both, question, asked):
    by_door, by_view = both(f"{ROOT}{question.public_id}", **asked)

    assert told(by_door) == told(by_view)


def test_pages_of_other_origins_get_their_headers(both, question, settings):
    origin = "https://app.example.org"
    settings.CORS_ALLOWED_ORIGINS = [origin]
    settings.MIDDLEWARE = [
        "corsheaders.middleware.CorsMiddleware",
        *settings.MIDDLEWARE,
    ]

    by_door, by_view = both(f"{ROOT}{question.public_id}", origin=origin)

    assert by_door.headers["Access-Control-Allow-Origin"] == origin
    assert "RateLimit" in by_door.headers["Access-Control-Expose-Headers"]
    assert told(by_door) == told(by_view)


@pytest.mark.parametrize("query", ["?", "?x=1", "?format=json", "?format=xml", "?%00"])
def test_a_query_changes_nothing_of_that(both, question, query):
    by_door, by_view = both(f"{ROOT}{question.public_id}{query}")

    assert told(by_door) == told(by_view)


@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', 'W/"y",W/{} ,"z"'])
def test_what_a_client_has_is_not_sent_again(both, question, form):
    etag = both(f"{ROOT}{question.public_id}")[0].headers["ETag"]

    by_door, by_view = both(
        f"{ROOT}{question.public_id}", **{"if-none-match": form.format(etag)}
    )

    assert (by_door.status_code, by_door.content) == (304, b"")
    assert told(by_door) == told(by_view)


def test_it_takes_one_statement_and_another_now_and_then(caller, question):
    asked = []
    for minutes in (0, 1, 4, 6):
        with (
            time_machine.travel(NOW + datetime.timedelta(minutes=minutes), tick=False),
            CaptureQueriesContext(connection) as context,
        ):
            assert caller.get(f"/questions/{question.public_id}").status_code == 200
        asked.append(len(context))

    # The token's use is noted when it is new, and every five minutes.
    assert asked == [2, 1, 1, 2]
    assert ApiToken.objects.get().used_at == NOW + datetime.timedelta(minutes=6)


def test_behind_a_pooler_nothing_is_prepared(caller, question, settings):
    settings.DATABASE_PREPARES = False

    with CaptureQueriesContext(connection) as context:
        reply = caller.get(f"/questions/{question.public_id}")

    assert reply.status_code == 200
    assert not [q for q in context.captured_queries if "EXECUTE" in q["sql"]]


def end(token, learner):
    tokens.revoke_token(token=token, at=NOW)


def run_out(token, learner):
    ApiToken.objects.update(expires_at=NOW)


def close_account(token, learner):
    learner.is_active = False
    learner.save()


@pytest.mark.parametrize("happens", [end, run_out, close_account])
def test_a_token_that_is_no_longer_in_force_is_refused_at_once(
    caller, learner, question, happens
):
    path = f"/questions/{question.public_id}"
    etag = caller.get(path).headers["ETag"]

    happens(ApiToken.objects.get(), learner)
    replies = [caller.get(path), caller.get(path, if_none_match=etag)]

    for reply in replies:
        assert (reply.status_code, reply.json()["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("secret", ["cv_x", "x", "cv_" + "x" * 200, "", "cv_é"])
def test_a_token_that_is_none_is_refused_as_ever(question, by_view, secret):
    headers = {"authorization": f"Bearer {secret}"}
    path = f"{ROOT}{question.public_id}"

    by_door = Client().get(path, headers=headers)

    assert by_door.status_code == 401
    assert told(by_door) == told(by_view().get(path, headers=headers))


def test_a_change_is_served_at_once(caller, question, author):
    path = f"/questions/{question.public_id}"
    before = caller.get(path)

    with time_machine.travel(NOW + datetime.timedelta(seconds=2), tick=False):
        authoring.write_revision(
            question=question,
            item=factories.make_item(3000, title="Said in another way"),
            base=question.latest_revision.number,
            by=author,
            at=timezone.now(),
        )
        drafted = caller.get(path, if_none_match=before.headers["ETag"])
        question.refresh_from_db()
        factories.publish(question)
        after = caller.get(path, if_none_match=before.headers["ETag"])
        Question.objects.update(exposure=items.Exposure.MOCK_ONLY)
        gone = caller.get(path, if_none_match=after.headers["ETag"])

    assert drafted.status_code == 304
    assert after.status_code == 200
    assert after.json()["title"] == "Said in another way"
    assert after.headers["ETag"] != before.headers["ETag"]
    assert gone.status_code == 404


def test_whatever_is_served_anew_has_another_name(caller, question, certification):
    path = f"/questions/{question.public_id}"
    etags = [caller.get(path).headers["ETag"]]

    certification.slug = "renamed"
    certification.save()
    etags.append(caller.get(path).headers["ETag"])
    for later in (1, 2):  # microseconds
        at = question.changed_at + datetime.timedelta(microseconds=later)
        Question.objects.update(changed_at=at, slug=f"another-{later}")
        etags.append(caller.get(path).headers["ETag"])

    assert len(set(etags)) == len(etags)


def test_no_request_is_counted_twice_and_the_last_is_refused_in_our_shape(
    caller, question, settings
):
    settings.API_TOKEN_RATE = 3
    path = f"/questions/{question.public_id}"
    paths = [path, f"{path}?x=1", "/questions/xxxxxxxxxxxx", path, path]

    replies = [caller.get(each) for each in paths]

    assert [reply.status_code for reply in replies] == [200, 200, 404, 429, 429]
    assert [reply.headers["RateLimit"] for reply in replies] == [
        f'"minute";r={left};t=40' for left in (2, 1, 0, 0, 0)
    ]
    refused = replies[-1]
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "too_many_requests"
    assert refused.headers["Retry-After"] == "41"
    who = limits.of_token(ApiToken.objects.get().pk)
    assert limits.count(who=who, now=NOW.timestamp()).used == len(paths) + 1
    (key,) = limits._ask("KEYS", f"api:{who}:*")
    assert 0 < limits._ask("TTL", key) <= 120


def test_without_valkey_it_is_open_and_waits_before_it_asks_again(
    caller, question, settings, valkey_at
):
    valkey_at("redis://127.0.0.1:1/0")
    settings.API_TOKEN_RATE = 1

    replies = [caller.get(f"/questions/{question.public_id}") for _ in range(3)]

    assert {reply.status_code for reply in replies} == {200}
    assert {reply.headers["RateLimit"] for reply in replies} == {'"minute";r=1;t=40'}
    assert limits.Limit.asks_again_at == NOW.timestamp() + 5


def test_after_valkey_was_restarted_counting_goes_on(caller, question, settings):
    settings.API_TOKEN_RATE = 9
    path = f"/questions/{question.public_id}"
    caller.get(path)
    own = limits._ask("CLIENT", "ID")
    limits._pool().make_connection().send_command("CLIENT", "KILL", "ID", own)

    reply = caller.get(path)

    assert reply.headers["RateLimit"] == '"minute";r=7;t=40'
    assert limits.Limit.asks_again_at == 0
    assert limits._ask("CLIENT", "ID") != own


def test_threads_that_come_and_go_are_all_counted(valkey_at, settings):
    valkey_at(settings.REDIS_URL)
    used = []

    def _count():
        used.append(limits.count(who="t-many-threads", now=NOW.timestamp()).used)

    for _ in range(120):
        thread = threading.Thread(target=_count)
        thread.start()
        thread.join()

    assert used == list(range(1, 121))


def test_a_server_that_hangs_costs_one_short_wait(caller, question, valkey_at):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        valkey_at(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.perf_counter()

        replies = [caller.get(f"/questions/{question.public_id}") for _ in range(3)]

        took = time.perf_counter() - began
    assert {reply.status_code for reply in replies} == {200}
    assert took < 2


def test_rows_of_an_older_version_are_served_the_same(caller, stranger, certification):
    for each in make_kinds(certification):
        path = f"/questions/{each.public_id}"
        before = caller.get(path)
        listed = caller.get("/questions")
        PublishedDocument.objects.update(served="")

        after = caller.get(path)

        assert (after.content, after.headers["ETag"]) == (
            before.content,
            before.headers["ETag"],
        )
        assert caller.get("/questions").content == listed.content


def test_one_list_and_export_say_the_same_of_a_question(caller, certification):
    make_kinds(certification)

    ones = [
        caller.get(f"/questions/{each.public_id}").content.decode()
        for each in Question.objects.order_by("pk")
    ]
    listed = caller.get("/questions").content.decode()
    lines = b"".join(caller.get("/questions/export").streaming_content).decode()

    assert listed == '{"next":null,"results":[' + ",".join(ones) + "]}"
    assert [
        line.partition(',"question":')[2].removesuffix("}")
        for line in lines.removesuffix("\n").split("\n")
    ] == ones


def test_the_migration_writes_the_text_of_today(certification):
    migration = import_module("questions.migrations.0006_fill_served_text")
    make_kinds(certification)

    for row in PublishedDocument.objects.all():
        assert migration.text_of(row.open) == row.served
        assert document.served_text(row.open) == row.served
