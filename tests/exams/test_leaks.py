"""While a mock runs, no address tells its owner a key of it, nor a stranger a reserve.

The addresses come from the map of the site, so routes of later days are walked too.
"""

from __future__ import annotations

import itertools
import json
import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from questions.domain import items
from questions.exams.domain import visibility
from questions.exams.models import Sitting
from questions.models import Objective, Question
from tests import factories

pytestmark = pytest.mark.django_db

SKIPPED_PREFIXES = ("admin/", "accounts/", "static/")
"""The desk shows keys to those whose work they are; sign-in knows no question."""


def marked_item(number, marker):
    """Return an item whose secrets all carry ``marker``, and whose open part none."""
    return factories.make_item(
        number,
        options=(
            factories.option(
                "wait",
                text=f"Wait for {number} weeks",
                rationale=f"{marker}WHY of waiting, in this case.",
            ),
            factories.option(
                "measure",
                text=f"Measure model{number} first",
                is_key=True,
                rationale=f"{marker}KEYWHY of measuring, in this case.",
            ),
            factories.option(
                "ask",
                text=f"Ask vendor v{number}",
                rationale=f"{marker}WHY of asking, in this case.",
            ),
        ),
        trap=f"{marker}TRAP lies here.",
        explanation=f"{marker}EXPLAINED by {{{{option:measure}}}}.",
    )


@pytest.fixture(autouse=True)
def _no_limit(settings):
    settings.API_TOKEN_RATE = settings.API_ADDRESS_RATE = 10**9


@pytest.fixture
def marked(certification):
    """Twenty-two questions: OWNED is for everybody, RESERVED for members and mocks."""
    exposures = [
        *[items.Exposure.PUBLIC] * 12,
        *[items.Exposure.MEMBERS] * 5,
        *[items.Exposure.MOCK_ONLY] * 5,
    ]
    for number, exposure in enumerate(exposures):
        marker = "OWNED" if exposure is items.Exposure.PUBLIC else "RESERVED"
        factories.make_published(
            certification,
            marked_item(700 + number, marker),
            slug=f"marked-{number}",
            exposure=exposure,
            domain="1" if number % 5 < 3 else "2",
        )
    return certification


@pytest.fixture
def running(marked, verified, learner_client):
    """The learner's mock of twenty questions, some of each kind, under way."""
    reply = learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 20})
    assert reply.status_code == 302
    return Sitting.objects.get()


def routes(resolver=None, prefix=""):
    """Yield every route of the site as a pattern object with its whole prefix."""
    for entry in (resolver or get_resolver()).url_patterns:
        here = prefix + str(entry.pattern)
        if here.startswith(SKIPPED_PREFIXES):
            continue
        if isinstance(entry, URLResolver):
            yield from routes(entry, here)
        elif isinstance(entry, URLPattern):
            yield here, entry


def values_for(route, name, sitting):
    """Return the values that a part of an address may take in this story."""
    if f"<slug:{name}>" in route and name == "public_id":
        return list(Question.objects.values_list("public_id", flat=True))
    slugs = [question.slug for question in Question.objects.all()]
    known = {
        "public_id": [sitting.public_id, uuid.uuid4()],
        "position": [1, 20, 999],
        "slug": [*slugs, "tst", "maker", "ada-writer"],
        "version": ["1", "2"],
        "objective_slug": list(Objective.objects.values_list("slug", flat=True)),
        "section": ["questions", "pages"],
        "sha256": ["0" * 64],
        "rest": ["nonsense"],
    }
    found = known.get(name)
    assert found is not None, f"Say in this test what {name} in an address may be."
    return found


def addresses(sitting):
    """Yield every route and address that the map of the site makes in this story."""
    for route, entry in routes():
        names = list(entry.pattern.converters) or list(
            getattr(entry.pattern, "regex", None).groupindex
            if hasattr(entry.pattern, "regex") and "(?P" in route
            else ()
        )
        choices = [values_for(route, name, sitting) for name in names]
        if names[:1] == ["slug"] and len(names) > 1:
            choices[0] = ["tst"]  # an objective's page names its certification first
        for values in itertools.product(*choices):
            yield route, _filled(route, dict(zip(names, values, strict=True)))


def _filled(route, values):
    address = route.lstrip("^").rstrip("$")
    for name, value in values.items():
        for form in (f"<slug:{name}>", f"<uuid:{name}>", f"<int:{name}>"):
            address = address.replace(form, str(value))
        address = address.replace(f"<str:{name}>", str(value))
        address = address.replace(f"<{name}>", str(value))
        if f"(?P<{name}>" in address:
            before, _, rest = address.partition(f"(?P<{name}>")
            address = before + str(value) + rest.partition(")")[2]
    return "/" + address.replace("\\.", ".").replace("^", "")


def sent_by(client, address, posted=None):
    """Return the status and all that a client is sent at an address, headers too."""
    if posted is None:
        response = client.get(address)
    elif address.startswith("/api/"):
        response = client.generic(
            posted["method"],
            address,
            json.dumps(posted["body"]),
            content_type="application/json",
        )
    else:
        response = client.post(address, posted)
    if response.streaming:
        body = b"".join(response.streaming_content).decode("utf-8", "replace")
    else:
        body = response.content.decode("utf-8", "replace")
    return response.status_code, body + str(response.headers)


ATTEMPTS = (
    {"answer": "measure"},
    {"answer": "wait"},
    {"show": "1"},
    {"answer": "measure", "save_id": str(uuid.UUID(int=7)), "base_version": "0"},
)


METHOD_REFUSED = 405
CALLS = (
    {"method": "POST", "body": {"chosen": ["measure"]}},
    {"method": "POST", "body": {"chosen": ["wait"]}},
    {"method": "POST", "body": {}},
    {
        "method": "PUT",
        "body": {
            "save_id": str(uuid.UUID(int=8)),
            "base_version": 0,
            "chosen": ["measure"],
        },
    },
)


def attempts_at(address, revisions):
    """Return what is sent to an address: nothing, then answers of all kinds."""
    if address.startswith("/api/"):
        return [None, *CALLS]
    slug = address.split("/")[2] if address.count("/") > 2 else ""
    return [None, *({**one, "revision": revisions.get(slug, "")} for one in ATTEMPTS)]


def leaks(client, sitting, markers, *, skip=()):
    """Return the addresses at which a client is sent one of the markers."""
    revisions = {
        question.slug: question.published_revision_id
        for question in Question.objects.all()
    }
    found = []
    walked = 0
    only_read: set[tuple[str, str | None]] = set()
    for route, address in addresses(sitting):
        if any(part in address for part in skip):
            continue
        walked += 1
        for posted in attempts_at(address, revisions):
            if posted and (route, posted.get("method")) in only_read:
                continue
            status, sent = sent_by(client, address, posted)
            if posted and status == METHOD_REFUSED:
                only_read.add((route, posted.get("method")))
            found += [address for marker in markers if marker in sent]
    assert walked > 150
    return found


ENDING = ("/submit", "/rules/", "/claim/", "/close/")
"""Doors that end the exam or begin one: walked last, as they change the story."""


def test_a_running_mock_tells_its_owner_no_key_at_any_address(
    running, learner_client, caplog
):
    drawn = set(running.items.values_list("question", flat=True))
    # Of public questions that were not drawn the owner may read everything.
    for question in Question.objects.exclude(pk__in=drawn):
        Question.objects.filter(pk=question.pk).update(retired_at=factories.NOW)

    assert leaks(learner_client, running, ("OWNED", "RESERVED"), skip=ENDING) == []
    running.refresh_from_db()
    assert running.status == "running"
    assert "OWNED" not in caplog.text
    assert "RESERVED" not in caplog.text


def test_what_is_reserved_reaches_no_stranger_and_no_other_learner(
    running, other_learner_client
):
    stranger = Client()
    found = leaks(stranger, running, ("RESERVED",), skip=ENDING)

    assert found == []
    mock_only = Question.objects.filter(exposure=items.Exposure.MOCK_ONLY)
    slugs = {f"/{slug}/" for slug in mock_only.values_list("slug", flat=True)}
    found = leaks(other_learner_client, running, ("RESERVED",), skip=ENDING)
    assert [a for a in found if any(slug in a for slug in slugs)] == []


def test_the_walk_finds_a_key_that_is_let_through(running, learner_client, monkeypatch):
    drawn = running.items.filter(question__exposure=items.Exposure.PUBLIC)
    page = f"/questions/{drawn.first().question.slug}/"
    monkeypatch.setattr(
        "questions.exams.selectors.sittings.withheld_questions",
        lambda request, at: frozenset(),
    )

    assert page in leaks(learner_client, running, ("OWNED",), skip=ENDING)


def test_the_walk_covers_what_the_site_has(running):
    walked = {address for _route, address in addresses(running)}

    assert f"/sittings/{running.public_id}/items/" in walked
    assert f"/sittings/{running.public_id}/report/1/" in walked
    assert f"/sittings/{running.public_id}/1/answer/" in walked
    assert "/questions/marked-0/" in walked
    assert "/search/" in walked
    question = running.items.first().question
    assert f"/api/v1/questions/{question.public_id}/answer" in walked
    assert f"/api/v1/sittings/{running.public_id}/items/1/review" in walked


def test_an_older_report_hides_what_is_asked_again(marked, verified, learner_client):
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 20})
    first = Sitting.objects.get()
    learner_client.post(f"/sittings/{first.public_id}/submit/")
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": 20})
    second = Sitting.objects.latest("pk")
    again = set(second.items.values_list("question", flat=True))
    shared = first.items.filter(question__in=again)
    assert shared.exists()

    for item in first.items.all():
        address = f"/sittings/{first.public_id}/report/{item.position}/"
        html = learner_client.get(address).content.decode()
        is_hidden = item.question_id in again
        assert ("TRAP" in html) is not is_hidden, address
    lines = learner_client.get(f"/sittings/{first.public_id}/report.csv")
    for line in lines.content.decode().splitlines()[1:]:
        position = int(line.split(",")[0])
        item = first.items.get(position=position)
        assert (line.split(",")[4] == "") is (item.question_id in again)


def test_the_rule_is_one_function():
    assert visibility.sight.__module__ == "questions.exams.domain.visibility"
