"""What ``make run`` promises, shown on real programs in a folder of its own."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

CLONE = Path(__file__).resolve().parents[2]
SECONDS = 120
# Workers that run beside one another must not take each other's ports.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PORT = 18_700 + 100 * WORKER


class Run:
    """One ``make run``, without make, and what it has said so far."""

    def __init__(self, home: Path):
        # To a file: what a killed run leaves behind would hold a pipe open.
        self.terminal = home.parent / f"terminal-{time.monotonic_ns()}"
        kept = ("PATH", "HOME", "TMPDIR", "LANG")
        with self.terminal.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "courseiva.running", "run"],
                cwd=CLONE,
                env={
                    **{name: os.environ[name] for name in kept if name in os.environ},
                    "COURSEIVA_HOME": str(home),
                    "PORT": str(PORT),
                },
                stdout=file,
                stderr=file,
            )

    @property
    def said(self) -> str:
        return self.terminal.read_text()

    def address(self) -> str:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.search(
                r"^  (http://localhost:\d+)\s", self.said, re.MULTILINE
            ):
                return found[1]
            time.sleep(0.1)
        pytest.fail(f"It did not get ready:\n{self.said}")

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder with a space in its name: the bank is loaded at the first start."""
    return tmp_path_factory.mktemp("running") / "the home"


@pytest.fixture
def home(folder: Path) -> Iterator[Path]:
    """That folder, left without programs whatever the test did."""
    yield folder
    for pid in programs_of(folder):
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()


def reset(home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "courseiva.running", "reset"],
        cwd=CLONE,
        env={**os.environ, "COURSEIVA_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )


def answers(address: str) -> bool:
    port = int(address.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/healthz")
        except ConnectionRefusedError:
            return False
        return connection.getresponse().status == 200


def programs_of(home: Path) -> set[int]:
    # All that is started is started by a path below the home, or works in it.
    found = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            names_home = str(home) in " ".join(process.cmdline())
            works_there = Path(process.cwd()).is_relative_to(home)
            if names_home or works_there:
                found.add(process.pid)
    return found


def test_it_runs_until_it_is_stopped_and_says_where_and_as_whom(home: Path):
    run = Run(home)
    address = run.address()
    is_up = answers(address)
    at_work = programs_of(home)
    code = run.end(signal.SIGINT)

    assert is_up
    assert at_work
    assert code == 0
    assert "learner@example.org" in run.said
    assert "admin@example.org" in run.said
    assert not answers(address)
    assert not programs_of(home)


def test_a_killed_run_is_recovered_by_the_next_at_the_same_address(home: Path):
    killed = Run(home)
    address = killed.address()
    secret = (home / "secret_key").read_text()
    killed.end(signal.SIGKILL)
    orphans = programs_of(home)

    run = Run(home)
    again = run.address()
    is_up = answers(again)
    code = run.end(signal.SIGTERM)

    assert orphans
    assert again == address
    assert is_up
    assert code == 0
    assert (home / "secret_key").read_text() == secret
    assert not programs_of(home)


def test_a_second_copy_says_so_and_picks_another_port_and_stops_alone(home: Path):
    first = Run(home)
    address = first.address()
    second = Run(home)
    other_address = second.address()
    both_are_up = answers(address) and answers(other_address)
    second.end(signal.SIGINT)
    first_is_up = answers(address)
    first.end(signal.SIGINT)

    assert f"already runs from this folder, at {address}" in second.said
    assert other_address != address
    assert both_are_up
    assert first_is_up
    assert not programs_of(home)


def test_reset_stops_what_runs_and_removes_the_data(home: Path):
    run = Run(home)
    address = run.address()

    reset(home)

    assert run.process.wait(SECONDS) == 0
    assert not answers(address)
    assert not home.exists()
