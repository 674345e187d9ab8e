"""What no page should have to look for, and what every answer carries."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"


@pytest.mark.parametrize(
    "address",
    [
        "/healthz?a=%00",
        "/healthz?a=%FF",
        "/healthz?%C3%28=1",
        "/%00",
        "/accounts/login/?next=/%00",
    ],
)
def test_a_null_byte_or_broken_text_in_the_address_is_a_bad_request(
    client: Client, address: str
):
    assert client.get(address).status_code == 400


def test_text_beyond_ascii_in_the_query_is_fine(client: Client):
    assert client.get("/healthz?q=%C3%BCber+%E2%82%AC").status_code == 200


@pytest.mark.parametrize("body", ["login=a%00b", "login=%FF", "%00=1"])
def test_a_null_byte_or_broken_text_in_a_form_is_a_bad_request(
    client: Client, body: str
):
    response = client.post(
        LOGIN, body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 400


def test_a_null_byte_in_a_form_with_files_is_a_bad_request(client: Client):
    assert client.post(LOGIN, {"login": "a\x00b"}).status_code == 400


@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", "multipart/form-data; boundary="]
)
def test_a_form_with_files_that_is_cut_short_is_a_bad_request(
    client: Client, content_type: str
):
    page = client.post(LOGIN, b"login=a", content_type=content_type)
    api = client.post("/api/v1/sittings/", b"a=1", content_type=content_type)

    assert (page.status_code, api.status_code) == (400, 400)
    assert api["Content-Type"] == "application/problem+json"
    assert api.json()["code"] == "unreadable"


def test_a_null_byte_hidden_in_a_cookie_is_a_bad_request(client: Client):
    response = client.get(
        LOGIN, headers={"cookie": 'sessionid="aaaaaaaaaaaaaaaa\\000"'}
    )

    assert response.status_code == 400


def test_a_body_of_ten_megabytes_is_too_large(client: Client):
    response = client.post(LOGIN, {"login": "a" * 10_000_000})

    assert response.status_code == 413
    assert b"too large" in response.content


def test_a_form_longer_than_any_page_sends_is_a_bad_request(client: Client):
    body = "login=" + "a" * 3_000_000

    response = client.post(
        LOGIN, body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 400


def test_more_fields_than_any_page_has_are_a_bad_request(client: Client):
    body = "&".join(f"a{number}=1" for number in range(3_000))

    response = client.post(
        LOGIN, body, content_type="application/x-www-form-urlencoded"
    )

    assert response.status_code == 400


def test_the_site_allows_nothing_but_its_own_files(client: Client):
    policy = client.get(LOGIN)["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_only_the_admin_may_evaluate(superuser_client: Client):
    admin = superuser_client.get("/admin/")

    assert admin.status_code == 200
    assert "script-src 'self' 'unsafe-eval';" in admin["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in admin["Content-Security-Policy"]


@pytest.mark.parametrize("address", [LOGIN, "/no-such-page/", "/healthz?a=%00"])
def test_every_answer_carries_the_headers(client: Client, address: str):
    response = client.get(address)

    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"login=a", "application/x-www-form-urlencoded; charset=utf-16"),
        (b"login=%ff", "application/x-www-form-urlencoded"),
        (b"login=" + b"a" * 3_000_000, "application/x-www-form-urlencoded"),
        (b"login=a&" * 3_000, "application/x-www-form-urlencoded"),
        (b"no parts", "multipart/form-data; boundary=x"),
        (b"no boundary", "multipart/form-data"),
        (
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
            "multipart/form-data; boundary=x; charset=utf-16",
        ),
    ],
)
def test_a_form_that_cannot_be_read_is_no_fault_of_ours_with_a_token_either(
    body: bytes, content_type: str
):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get(LOGIN)  # the cookie makes Django look for the token in the form

    response = client.generic("POST", LOGIN, body, content_type=content_type)

    assert response.status_code in {400, 403}
