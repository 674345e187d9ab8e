"""Public pages of the bank: what they list, whom they show it to, what they refuse."""

from __future__ import annotations

import hashlib
import io
import re
import xml.etree.ElementTree as ET

import PIL.Image
import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from questions.domain import items
from questions.models import ProblemReport
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db


def _png() -> bytes:
    file = io.BytesIO()
    PIL.Image.new("RGB", (2, 2), "white").save(file, "PNG")
    return file.getvalue()


PNG = _png()


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def question(certification):
    item = factories.make_item(
        700, title="Latency of a vector index", lead_in="Which quantization fits?"
    )
    return factories.make_published(certification, item, slug="vector-index")


def _pages(question):
    return [
        "/",
        "/vendors/maker/",
        "/certifications/tst/",
        "/certifications/tst/?version=1",
        "/certifications/tst/2/objective-1/",
        f"/questions/{question.slug}/",
        "/practice/tst/",
        "/search/",
        "/search/?q=latency",
        "/authors/ada-writer/",
        f"/questions/{question.slug}/report/",
        "/about/",
        "/editorial-policy/",
        "/practice-questions-and-exam-dumps/",
        "/robots.txt",
        "/sitemap.xml",
        "/sitemap-questions.xml",
        "/sitemap-certifications.xml",
        "/sitemap-objectives.xml",
        "/sitemap-pages.xml",
    ]


def test_every_page_opens_for_a_stranger_and_asks_nobody_else_for_anything(
    client, question
):
    for address in _pages(question):
        response = client.get(address)
        html = re.sub(
            r"<script type=.application/ld.*?</script>",
            "",
            response.content.decode(),
            flags=re.DOTALL,
        )

        assert response.status_code == 200, address
        for url in re.findall(r'(?:src|href|action)="(https?://[^"]+)"', html):
            tag = html[max(0, html.index(url) - 60) : html.index(url)]
            assert "<a" in tag or 'rel="canonical"' in tag, (address, url)


def test_an_empty_bank_has_pages_too(client, db):
    for address in ("/", "/search/", "/search/?q=x", "/sitemap.xml"):
        assert client.get(address).status_code == 200
    factories.make_certification()
    for address in ("/", "/certifications/tst/", "/practice/tst/"):
        assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("latency", "1 question"),
        ("laten", "1 question"),
        ("LATENCY index", "1 question"),
        ("latancy", "These are for"),
        ("latency zebra", "some of them"),
        ("zzzzzz", "Nothing found"),
        ("'; DROP TABLE questions_question; --", "question"),
        ("!!! & | ( ) :* <->", "Nothing found"),
        ("\\", "Nothing found"),
        ("a" * 5000, "Nothing found"),
        ("日本語 🙂", "Nothing found"),
        ("%", "Nothing found"),
    ],
)
def test_search_finds_forgives_and_never_breaks(client, question, asked, says):
    response = client.get("/search/", {"q": asked})

    assert response.status_code == 200
    assert says in response.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "certification=nonsense",
        "domain=abc",
        "domain=-1",
        "domain=99999999999999999999",
        "objective=1e9",
        "difficulty=impossible",
        "kind=%27",
        "page=0",
        "page=-5",
        "page=zz",
        "page=999999999999",
        "q=latency&page=3",
    ],
)
def test_search_takes_senseless_filters(client, question, query):
    assert client.get(f"/search/?{query}").status_code == 200


def test_search_filters_by_place_kind_and_difficulty(client, certification, question):
    factories.make_published(
        certification,
        factories.make_choose_two(701, title="Latency of a queue"),
        domain="2",
    )
    domain = certification.blueprints.get(version="2").domains.get(code="2")

    def titles(**filters):
        html = client.get("/search/", {"q": "latency", **filters}).content.decode()
        return set(re.findall(r"Latency of a \w+", html))

    assert titles() == {"Latency of a vector", "Latency of a queue"}
    assert titles(domain=domain.pk) == {"Latency of a queue"}
    assert titles(kind="single") == {"Latency of a vector"}
    assert titles(difficulty="hard") == set()
    assert titles(certification="tst") == titles()


def test_search_never_finds_by_words_of_the_key(client, certification):
    factories.make_published(
        certification,
        factories.make_item(
            702, trap="The xylophone trap.", explanation="Because of the zeppelin."
        ),
    )

    for word in ("xylophone", "zeppelin"):
        html = client.get("/search/", {"q": word}).content.decode()
        assert "Nothing found" in html


def test_what_is_not_public_is_listed_nowhere(
    client, learner_client, certification, editor
):
    for exposure, word in (("members", "memberword"), ("mock_only", "mockword")):
        factories.make_published(
            certification,
            factories.make_item(710 + len(word), title=f"Story of {word}"),
            slug=word,
            exposure=items.Exposure(exposure),
        )
    retired = factories.make_published(
        certification,
        factories.make_item(703, title="Story of retiredword"),
        slug="gone",
    )
    review.retire_question(question=retired, by=editor, at=factories.NOW, reason="")
    factories.make_draft(
        certification,
        factories.make_item(704, title="Story of draftword"),
        slug="draft",
    )
    seen = factories.make_published(certification)
    hidden = ("memberword", "mockword", "retiredword", "draftword")

    for address in [*_pages(seen), "/search/?q=story"]:
        html = client.get(address).content.decode()
        assert not any(word in html for word in hidden), address
    for address in [*_pages(seen), "/search/?q=story"]:
        html = learner_client.get(address).content.decode()
        assert not any(word in html for word in hidden[1:]), address
    assert "memberword" in learner_client.get("/search/?q=story").content.decode()


def test_the_sitemap_names_every_public_question_with_its_change(client, question):
    tree = ET.fromstring(client.get("/sitemap-questions.xml").content)  # noqa: S314
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}

    entries = tree.findall("s:url", space)

    assert [e.find("s:loc", space).text for e in entries] == [
        f"{settings.SITE_URL}/questions/vector-index/"
    ]
    assert entries[0].find("s:lastmod", space).text.startswith("2026-11-30")


def test_each_page_has_one_title_one_heading_and_its_canonical(client, question):
    for address in _pages(question)[:9]:
        html = client.get(address).content.decode()

        assert html.count("<title>") == 1, address
        assert html.count("<h1") == 1, address
    html = client.get("/questions/vector-index/?utm=x").content.decode()
    canonical = f"{settings.SITE_URL}/questions/vector-index/"
    assert f'<link rel="canonical" href="{canonical}">' in html
    assert (
        "<title>Latency of a vector index: TST Domain 1 of 2 practice question" in html
    )


def test_a_report_reaches_the_desk_with_what_it_is_about(
    client, superuser_client, question
):
    client.post(
        "/questions/vector-index/report/",
        {"kind": "wrong_key", "text": "The second option is right as well."},
        headers={"user-agent": "Reader/1"},
    )

    report = ProblemReport.objects.get()
    assert report.revision == question.published_revision
    assert report.user_agent == "Reader/1"
    assert "127.0.0.1" not in report.address_hash
    html = superuser_client.get("/admin/questions/problemreport/").content.decode()
    assert "The second option is right as well." in html


def test_reports_of_a_wrong_key_come_first(client, superuser_client, question):
    for kind, text in (("wrong_key", "Key report"), ("typo", "Typo report")):
        client.post("/questions/vector-index/report/", {"kind": kind, "text": text})

    html = superuser_client.get("/admin/questions/problemreport/").content.decode()

    assert html.index("Key report") < html.index("Typo report")


def test_anonymous_reports_are_limited_per_address_and_the_text_is_kept(
    client, learner_client, question
):
    address = "/questions/vector-index/report/"
    for _ in range(5):
        client.post(address, {"kind": "typo"})

    refused = client.post(address, {"kind": "typo", "text": "Do not lose me"})

    assert refused.status_code == 429
    assert "Do not lose me" in refused.content.decode()
    assert ProblemReport.objects.count() == 5
    assert learner_client.post(address, {"kind": "typo"}).status_code == 302


@pytest.mark.parametrize(
    "posted", [{}, {"kind": "nonsense"}, {"kind": "other"}, {"text": "x" * 3000}]
)
def test_a_report_that_says_nothing_is_asked_again(client, question, posted):
    response = client.post("/questions/vector-index/report/", posted)

    assert response.status_code == 422
    assert not ProblemReport.objects.exists()


def test_a_picture_is_seen_by_those_who_may_see_its_question(
    client, learner_client, superuser_client, certification
):
    authoring.store_image(content=PNG, file_name="dot.png", by=None, at=factories.NOW)
    sha256 = hashlib.sha256(PNG).hexdigest()
    exhibit = items.ImageExhibit(sha256=sha256, alt="A dot", width=1, height=1)

    def statuses():
        address = f"/media/{sha256}"
        return [c.get(address).status_code for c in (client, learner_client)]

    assert statuses() == [404, 404]
    item = factories.make_item(720, exhibits=(exhibit,))
    factories.make_published(
        certification, item, slug="mock", exposure=items.Exposure.MOCK_ONLY
    )
    assert statuses() == [404, 404]
    assert superuser_client.get(f"/media/{sha256}").status_code == 200
    item = factories.make_item(721, exhibits=(exhibit,))
    factories.make_published(
        certification, item, slug="members", exposure=items.Exposure.MEMBERS
    )
    assert statuses() == [404, 200]
    item = factories.make_item(722, exhibits=(exhibit,))
    factories.make_published(certification, item, slug="public")
    assert statuses() == [200, 200]
    reply = client.get(f"/media/{sha256}")
    assert reply.content == PNG
    assert "immutable" in reply.headers["Cache-Control"]


def test_private_pictures_are_not_kept_by_shared_caches(learner_client, certification):
    authoring.store_image(content=PNG, file_name="dot.png", by=None, at=factories.NOW)
    sha256 = hashlib.sha256(PNG).hexdigest()
    exhibit = items.ImageExhibit(sha256=sha256, alt="A dot", width=1, height=1)
    factories.make_published(
        certification,
        factories.make_item(723, exhibits=(exhibit,)),
        exposure=items.Exposure.MEMBERS,
    )

    reply = learner_client.get(f"/media/{sha256}")

    assert reply.headers["Cache-Control"].startswith("private")


QUERIES = {
    "/": 5,
    "/certifications/tst/": 9,
    "/certifications/tst/2/objective-1/": 4,
    "/search/?q=latency": 8,
    "/practice/tst/": 7,
    "/authors/ada-writer/": 4,
    "/about/": 0,
}


@pytest.mark.parametrize("address", QUERIES)
def test_pages_take_a_fixed_number_of_queries(client, question, address):
    client.get(address)

    with CaptureQueriesContext(connection) as queries:
        client.get(address)

    assert len(queries) <= QUERIES[address], [q["sql"][:90] for q in queries]
