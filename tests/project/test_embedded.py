"""Real servers in any folder, gone when they should be, also after a crash."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg2
import pytest
import redis

from courseiva import programs
from courseiva.embedded import Home, Servers

CLONE = Path(__file__).resolve().parents[2]
HOLD = """
import sys, time
from pathlib import Path
from courseiva.embedded import Home, Servers
with Servers(home=Home(path=Path(sys.argv[1])), is_durable=False):
    print("up", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home that is deep, has spaces, and is empty of programs in the end."""
    home = Home(path=tmp_path / "a folder" / ("deep " * 40).strip() / "home")
    home.path.parent.mkdir(parents=True)
    yield home
    with contextlib.suppress(OSError):
        Servers(home=home, is_durable=False).__enter__().stop()


def execute(home: Home, command: str) -> list[tuple[object, ...]]:
    connection = psycopg2.connect(home.database_url)
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute(command)
        return list(cursor.fetchall()) if cursor.description else []


def running(home: Home) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            is_ours = Path(process.cwd()).is_relative_to(home.path)
            if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def hold(home: Home) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home.path)],
        cwd=CLONE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "up\n"
    return holder


def test_both_servers_answer_and_then_are_gone(home: Home):
    with Servers(home=home, is_durable=False):
        execute(home, "CREATE EXTENSION pg_trgm")
        version = execute(home, "SHOW server_version_num")
        pong = redis.Redis.from_url(home.redis_url).ping()
        at_work = len(running(home))

    assert int(str(version[0][0])) >= 170000
    assert pong is True
    assert at_work > 1


def test_what_was_committed_outlives_a_crash_of_either_server(home: Home):
    with Servers(home=home) as servers:
        execute(home, "CREATE TABLE kept (word text)")
        execute(home, "INSERT INTO kept VALUES ('committed')")
        servers.crash(name="postgres", by=signal.SIGQUIT, seconds=0)
        servers.crash(name="valkey", by=signal.SIGKILL, seconds=0)
        kept = execute(home, "SELECT word FROM kept")
        pong = redis.Redis.from_url(home.redis_url).ping()
        servers.check()

    assert kept == [("committed",)]
    assert pong is True
    assert running(home) == []
    assert not running(home)
    assert not home.sockets.exists()


def test_no_server_listens_on_the_network(home: Home):
    with Servers(home=home, is_durable=False):
        listening = []
        for process in running(home):
            with contextlib.suppress(psutil.NoSuchProcess):
                listening += process.net_connections(kind="inet")

    assert not listening


def test_data_survives_a_restart(home: Home):
    with Servers(home=home, is_durable=False):
        execute(home, "CREATE TABLE kept AS SELECT 7 AS number")
        redis.Redis.from_url(home.redis_url).set("kept", "seven")

    with Servers(home=home, is_durable=False):
        row = execute(home, "SELECT number FROM kept")
        value = redis.Redis.from_url(home.redis_url).get("kept")

    assert row == [(7,)]
    assert value == b"seven"


def test_servers_that_outlive_a_killed_run_are_replaced_by_the_next(home: Home):
    holder = hold(home)
    execute(home, "CREATE TABLE kept AS SELECT 7 AS number")
    orphans = running(home)
    holder.kill()
    holder.communicate()

    with Servers(home=home, is_durable=False):
        row = execute(home, "SELECT number FROM kept")
        survivors = [orphan for orphan in orphans if orphan in running(home)]

    assert row == [(7,)]
    assert orphans
    assert not survivors
    assert not running(home)


def test_what_another_living_run_started_is_left_alone(home: Home, tmp_path: Path):
    other = Home(path=tmp_path / "other")
    with Servers(home=other, is_durable=False):
        with Servers(home=home, is_durable=False):
            pass
        answer = execute(other, "SELECT 1")

    assert answer == [(1,)]


def test_a_half_made_cluster_is_made_again(home: Home):
    unfinished = home.path / "postgres.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")

    with Servers(home=home, is_durable=False):
        answer = execute(home, "SELECT 1")

    assert answer == [(1,)]


def test_a_server_that_ends_is_named_with_the_end_of_its_log(home: Home):
    with Servers(home=home, is_durable=False) as servers:
        lock_file = (home.postgres / "postmaster.pid").read_text()
        os.kill(int(lock_file.split()[0]), signal.SIGQUIT)

        with pytest.raises(programs.ProgramEnded, match=r"(?s)postgres stopped.*log"):
            _until_checked(servers)


def _until_checked(servers: Servers) -> None:
    for _ in range(100):
        servers.check()
        time.sleep(0.05)


def test_a_number_that_was_given_to_another_process_is_left_alone(tmp_path: Path):
    stranger = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
    )
    note = tmp_path / "started" / "web-1"
    note.parent.mkdir()
    note.write_text(f"{stranger.pid} 1.00 {signal.SIGTERM.value} 999999 1.00")

    programs.stop_orphans(home=tmp_path)

    is_alive = stranger.poll() is None
    stranger.kill()
    stranger.wait()
    assert is_alive
    assert not note.exists()


def test_a_note_cut_short_by_a_crash_is_thrown_away(tmp_path: Path):
    note = tmp_path / "started" / "web-1"
    note.parent.mkdir()
    note.write_text("123")

    programs.stop_orphans(home=tmp_path)

    assert not note.exists()
