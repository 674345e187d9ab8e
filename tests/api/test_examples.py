"""The examples of docs/api.md work as they are written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def bank():
    certification = factories.make_certification("PMLE")
    for number in range(12):
        factories.make_published(
            certification,
            factories.make_item(1400 + number),
            domain="1" if number < 7 else "2",
        )


@pytest.mark.parametrize("with_token", [True, False])
def test_the_script_takes_a_whole_mock_exam(
    live_server, bank, learner, token_of, with_token
):
    environment = {"COURSEIVA_TOKEN": token_of(learner)} if with_token else {}

    done = subprocess.run(
        [
            sys.executable,
            str(DOCS / "examples" / "take_a_mock_exam.py"),
            live_server.url,
            "pmle",
            "8",
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert re.search(r"\d of 8 right, 6 needed", done.stdout)
    assert "Domain 2 of 2" in done.stdout


def test_the_script_says_how_to_call_it():
    done = subprocess.run(
        [sys.executable, str(DOCS / "examples" / "take_a_mock_exam.py"), "pmle"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("Usage: python take_a_mock_exam.py SITE")


# `make test` asks for python3, pip and make alone; `.ci/run` brings curl, and never skips.
@pytest.mark.skipif(
    shutil.which("curl") is None and not os.environ.get("CI"),
    reason="curl is not installed, and this is not CI",
)
def test_the_lines_of_curl_do_what_the_page_says(live_server, bank, learner, token_of):
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    commands = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    known = {"SITE": live_server.url, "TOKEN": token_of(learner)}

    def run(command):
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            env={**known, "PATH": "/usr/bin:/bin", "no_proxy": "*"},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return json.loads(done.stdout)

    question = run(commands[0])["results"][0]
    known |= {"ID": question["id"], "KEY": "measure"}

    assert run(commands[1])["verdict"] == "right"
    assert run(commands[2])["email"] == learner.email
    run(f'{commands[1].strip()} -H "Authorization: Bearer $TOKEN"')
    assert run(commands[3])[0]["state"] == "not_enough_evidence"
    history = run(commands[4])["results"]
    assert [row["question"] for row in history] == [question["id"]]
    assert len(commands) == 5
