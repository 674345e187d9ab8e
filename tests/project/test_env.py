"""The environment is read once, and what makes no sense is said in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from courseiva.env import Environment, Misconfigured

CLONE = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "SECRET_KEY": "abcdefghijklmnopqrstuvwxyz" * 3,
    "SITE_URL": "https://courseiva.example.org",
    "DATABASE_URL": "postgresql://user:pass@localhost/courseiva",
    "REDIS_URL": "redis://localhost:6379/0",
    "EMAIL_URL": "smtp+tls://user:pass@mail.example.org",
}


def reader(**variables: str) -> Environment:
    return Environment(variables=variables)


def start(**changes: str | None) -> subprocess.CompletedProcess[str]:
    variables = {**PRODUCTION, "PATH": os.environ["PATH"], **changes}
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=CLONE,
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("word", ["on", "1", "TRUE", "yes"])
def test_a_flag_is_on(word: str):
    assert reader(FLAG=word).flag("FLAG", default=False) is True


@pytest.mark.parametrize("word", ["off", "0", "False", "no"])
def test_a_flag_is_off(word: str):
    assert reader(FLAG=word).flag("FLAG", default=True) is False


def test_a_flag_that_is_neither_is_refused():
    with pytest.raises(Misconfigured, match="FLAG is 'maybe'; set it to on or to off"):
        reader(FLAG="maybe").flag("FLAG", default=True)


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_value_counts_as_missing(value: str):
    assert reader(NAME=value).text("NAME", default="given") == "given"


@pytest.mark.parametrize("value", ["ten", "1.5", "-1", "99"])
def test_a_number_must_be_whole_and_in_range(value: str):
    with pytest.raises(Misconfigured, match="at least 0 and at most 50"):
        reader(SIZE=value).number("SIZE", default=1, most=50)


def test_words_lose_their_blanks():
    assert reader(HOSTS=" a.org, ,b.org ").words("HOSTS") == ["a.org", "b.org"]


def test_words_without_a_default_must_be_given():
    with pytest.raises(Misconfigured, match="HOSTS is not set"):
        reader().words("HOSTS")


def test_a_secret_comes_from_a_file(tmp_path: Path):
    (tmp_path / "key").write_text("from the file\n")

    found = reader(KEY_FILE=str(tmp_path / "key")).secret("KEY")

    assert found == "from the file"


def test_a_secret_given_twice_is_refused(tmp_path: Path):
    with pytest.raises(Misconfigured, match="together with KEY_FILE"):
        reader(KEY="a", KEY_FILE=str(tmp_path)).secret("KEY")


def test_a_secret_file_that_is_missing_is_named():
    with pytest.raises(Misconfigured, match="KEY_FILE names '/nowhere'"):
        reader(KEY_FILE="/nowhere").secret("KEY")


def test_the_refusal_of_a_secret_does_not_tell_it():
    with pytest.raises(Misconfigured) as refusal:
        reader(KEY="hunter2").secret("KEY", least_length=50)

    assert "hunter2" not in str(refusal.value)


def test_a_database_address_is_taken_apart():
    url = "postgresql://us%40er:p%2Fw@db.example.org:5433/bank?sslmode=require"

    found = reader(URL=url).database("URL", max_age=60)

    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "bank",
        "USER": "us@er",
        "PASSWORD": "p/w",
        "HOST": "db.example.org",
        "PORT": "5433",
        "CONN_MAX_AGE": 60,
        "OPTIONS": {"sslmode": "require"},
    }


def test_a_database_may_be_behind_a_socket():
    found = reader(URL="postgresql:///bank?host=/run/pg").database("URL", max_age=0)

    assert (found["HOST"], found["NAME"], found["OPTIONS"]) == ("/run/pg", "bank", {})


@pytest.mark.parametrize(
    "url",
    [
        "mysql://host/bank",
        "postgresql://host",
        "postgresql://host:port/bank",
        "postgresql://host:99999/bank",
        "postgresql://[::1/bank",
        "bank",
    ],
)
def test_what_is_no_postgresql_address_is_refused(url: str):
    with pytest.raises(Misconfigured, match="URL is not the address of a PostgreSQL"):
        reader(URL=url).database("URL", max_age=0)


@pytest.mark.parametrize("url", ["redis://", "http://host", "redis://host:none", "x"])
def test_what_is_no_address_of_the_right_kind_is_refused(url: str):
    with pytest.raises(Misconfigured, match="as in URL=redis://host"):
        reader(URL=url).url("URL", schemes=("redis",), example="redis://host")


def test_mail_goes_to_the_server_that_is_named():
    mail = reader(MAIL="smtps://me:it@mail.example.org").mail("MAIL")

    assert (mail.host, mail.port, mail.user, mail.use_ssl) == (
        "mail.example.org",
        465,
        "me",
        True,
    )


def test_mail_without_a_server_is_refused():
    with pytest.raises(Misconfigured, match="or MAIL=console: to print mail"):
        reader(MAIL="smtp://").mail("MAIL")


def test_production_is_the_default_and_starts():
    started = start()

    assert started.returncode == 0, started.stderr


@pytest.mark.parametrize("name", PRODUCTION)
def test_a_missing_setting_stops_the_start_with_one_sentence(name: str):
    started = start(**{name: None})

    assert started.returncode != 0
    assert started.stdout == ""
    assert started.stderr.startswith(f"Courseiva can't start: {name} is not set; ")
    assert started.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "sqlite:///db.sqlite3"),
        ("REDIS_URL", "localhost"),
        ("SECRET_KEY", "short"),
        ("SITE_URL", "courseiva.example.org"),
        ("SELF_APPROVAL", "perhaps"),
        ("COURSEIVA_MODE", "staging"),
        ("TRUSTED_PROXIES", "many"),
        ("DEBUG", "on"),
    ],
)
def test_a_senseless_setting_stops_the_start_with_one_sentence(name: str, value: str):
    started = start(**{name: value})

    assert started.returncode != 0
    assert started.stderr.startswith(f"Courseiva can't start: {name} ")
    assert started.stderr.count("\n") == 1
    assert "Traceback" not in started.stderr
