"""What bad input gets: a clear 4xx, never a 500, and nothing half-written."""

from __future__ import annotations

import pytest

from questions.exams.models import KeyContact, Sitting
from questions.models import ProblemReport
from tests import factories

pytestmark = pytest.mark.django_db

PATHS = (
    "/questions/story/",
    "/questions/story/report/",
    "/practice/tst/",
    "/search/",
)


@pytest.fixture(autouse=True)
def question(db):
    return factories.make_published(factories.make_certification(), slug="story")


@pytest.mark.parametrize(
    "path",
    [
        "/questions/nothing-here/",
        "/questions/nothing-here/report/",
        "/certifications/nope/",
        "/certifications/tst/9/objective-1/",
        "/vendors/nope/",
        "/authors/nope/",
        "/practice/nope/",
        "/media/" + "0" * 64,
        "/media/short",
        "/questions/Ümläut/",
        "/questions/../../etc/passwd",
        "/questions/%2e%2e/",
        "/" + "x" * 5000,
        "/sitemap-nope.xml",
        "/sitemap-questions.xml?p=99",
        "/sitemap-questions.xml?p=zz",
    ],
)
def test_an_address_that_is_none_gets_a_helpful_404(client, path):
    response = client.get(path)

    assert response.status_code == 404
    if not path.startswith("/sitemap"):
        assert "There is nothing at this address" in response.content.decode()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "raw", [b"answer=\x00", b"answer=%00", b"answer=%ff%fe", b"q=%c3%28", b"=&&&=;;"]
)
def test_bytes_that_are_no_text_are_refused(client, path, raw):
    kind = "application/x-www-form-urlencoded"

    posted = client.post(path, raw, content_type=kind)
    asked = client.get(f"{path}?{raw.decode('latin-1')}")

    assert 400 <= posted.status_code < 500
    assert asked.status_code in {200, 400}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"answer": ["measure"]}', "application/json"),
        (b"\x89PNG", "image/png"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"broken", "multipart/form-data"),
        (b"<a/>", "text/xml"),
        (b"", ""),
    ],
)
def test_bodies_of_another_kind_are_refused(client, path, body, kind):
    response = client.post(path, body, content_type=kind)

    assert 400 <= response.status_code < 500


@pytest.mark.parametrize("path", PATHS)
def test_a_body_of_ten_megabytes_is_refused_unread(client, path):
    body = b"answer=" + b"x" * 10_000_000

    response = client.post(path, body, content_type="application/x-www-form-urlencoded")

    assert 400 <= response.status_code < 500


def test_thousands_of_fields_are_refused(client):
    body = "&".join(f"answer=a{n}" for n in range(5000))

    response = client.post(
        "/questions/story/", body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 400


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
@pytest.mark.parametrize("path", PATHS)
def test_other_methods_are_refused(client, path, method):
    assert getattr(client, method)(path).status_code == 405


@pytest.mark.parametrize(
    "revision", ["", "0", "-1", "x", "9" * 30, "1e3", "１", "None"]
)
def test_a_forged_revision_is_asked_again(client, question, revision):
    response = client.post(
        "/questions/story/", {"answer": "measure", "revision": revision}
    )

    assert response.status_code == 409


@pytest.mark.parametrize(
    "answer", ["B", "1", "MEASURE", "measure ", "measure,wait", "<script>", "x" * 9999]
)
def test_a_forged_option_is_refused(client, question, answer):
    response = client.post(
        "/questions/story/",
        {"answer": answer, "revision": question.published_revision_id},
    )

    html = response.content.decode()
    assert response.status_code == 422
    assert "does not belong to this question" in html
    assert "<script>" not in html.partition("<body>")[2]


def test_nothing_was_written_by_any_of_it(client, learner_client, question):
    for visitor in (client, learner_client):
        visitor.post("/questions/story/", {"answer": "nope", "revision": "x"})
        visitor.post("/practice/tst/", {"length": "many", "domains": "x"})
        visitor.post("/questions/story/report/", {"kind": "x"})

    assert not KeyContact.objects.exists()
    assert not Sitting.objects.exists()
    assert not ProblemReport.objects.exists()
