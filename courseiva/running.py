"""``make run``, ``make reset`` and ``python -m courseiva.running manage …``.

One process starts everything, watches it and stops it. A lock on ``.courseiva/lock``
says whether a run of this clone is under way: the kernel lets go of it however that
run ends.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from django.core.management import CommandError

from courseiva import preparing, programs
from courseiva.embedded import Home, Servers

CLONE: Final = Path(__file__).resolve().parent.parent
HOME: Final = Home(
    path=Path(os.environ.get("COURSEIVA_HOME") or CLONE / ".courseiva").absolute()
)
FIRST_PORT: Final = 8000
PORTS_TRIED: Final = 100
ANSWER_SECONDS: Final = 60.0
WATCH_SECONDS: Final = 0.3
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})

# Their messages say what to do; a traceback would hide it.
EXPECTED_FAILURES: Final = (
    programs.ProgramEnded,
    CommandError,
    PermissionError,
    ModuleNotFoundError,
)


class Stopped(BaseException):
    """Ctrl-C was pressed, or a signal asked this process to end."""


class Refused(SystemExit):
    """It can't be done; the message says why, and what to do."""


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m courseiva.running")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="start everything, until Ctrl-C")
    commands.add_parser("reset", help="stop everything and forget all data")
    manage = commands.add_parser("manage", help="manage.py, with the servers up")
    manage.add_argument("arguments", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    if chosen.command == "reset":
        return reset()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup asks for
        signal.signal(signal.SIGHUP, _stop)
    try:
        if chosen.command == "manage":
            return manage_py(chosen.arguments)
        run()
    except Stopped:
        print("Stopped.", flush=True)
        return 0
    except EXPECTED_FAILURES as error:
        raise Refused(str(error)) from None


def run() -> NoReturn:
    """Start everything and print the address, until ``Stopped`` is raised."""
    began = time.monotonic()
    with _lock() as is_first:
        if not is_first:
            _run_beside()
        with Servers(home=HOME) as servers:
            port = _free_port()
            own = _own_settings(port=port)
            environment = {**os.environ, **own}
            people = preparing.prepare(home=HOME.path, environment=environment)
            programs.write_privately(HOME.path / "environment.json", json.dumps(own))
            with _started() as started:
                started.append(_web(environment=environment, port=port))
                _wait_for(port=port, started=started)
                started.extend(_workers(environment=environment))
                _welcome(
                    address=environment["SITE_URL"],
                    people=people,
                    seconds=time.monotonic() - began,
                )
                _watch(started=started, servers=servers)


def _run_beside() -> NoReturn:
    # Another run of this clone holds the lock: its database is used, and only a web
    # server started.
    settings = _settings_of_the_first()
    print(
        f"Courseiva already runs from this folder, at {settings['SITE_URL']}\n"
        "This copy shares its database and its worker, and picks another port.",
        flush=True,
    )
    port = _free_port()
    environment = {**os.environ, **settings, **_places(port=port)}
    with _started() as started:
        started.append(_web(environment=environment, port=port))
        _wait_for(port=port, started=started)
        print(f"\n  {environment['SITE_URL']}\n", flush=True)
        _watch(started=started, servers=None)


def manage_py(arguments: list[str]) -> int:
    """Run ``manage.py`` against the servers of this clone, up for that long at least."""
    with contextlib.ExitStack() as stack:
        is_first = stack.enter_context(_lock())
        if is_first:
            stack.enter_context(Servers(home=HOME))
        settings = (
            _own_settings(port=FIRST_PORT) if is_first else _settings_of_the_first()
        )
        command = [sys.executable, str(CLONE / "manage.py"), *arguments]
        environment = {**os.environ, **settings}
        return subprocess.run(command, env=environment, check=False).returncode


def reset() -> int:
    """Stop what runs from this clone and remove its data."""
    with contextlib.suppress(OSError, ValueError):
        pid, born = (HOME.path / "runner").read_text().split()
        programs.Trace(pid=int(pid), born=born).stop(gently=signal.SIGTERM)
    programs.stop_orphans(home=HOME.path)
    shutil.rmtree(HOME.sockets, ignore_errors=True)
    if HOME.path.exists():
        shutil.rmtree(HOME.path)
    print("All data of this clone is gone. make run starts afresh.")
    return 0


# -- where things are ---------------------------------------------------------------


def _host() -> str:
    return os.environ.get("HOST") or "127.0.0.1"


def _places(*, port: int) -> dict[str, str]:
    is_local = _host() in LOOPBACK
    return {
        "SITE_URL": f"http://localhost:{port}",
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]" if is_local else "*",
    }


def _own_settings(*, port: int) -> dict[str, str]:
    return {
        **_places(port=port),
        "COURSEIVA_MODE": "development",
        "DJANGO_SETTINGS_MODULE": "courseiva.settings",
        "SECRET_KEY": _secret_key(),
        "DATABASE_URL": HOME.database_url,
        "REDIS_URL": HOME.redis_url,
        "EMAIL_URL": os.environ.get("EMAIL_URL") or "console:",
        "PYTHONUNBUFFERED": "1",
    }


def _settings_of_the_first() -> dict[str, str]:
    deadline = time.monotonic() + ANSWER_SECONDS
    path = HOME.path / "environment.json"
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):
            found: dict[str, str] = json.loads(path.read_text())
            return found
        time.sleep(WATCH_SECONDS)
    message = "Another run of this folder holds the lock but does not get ready."
    raise Refused(message)


def _secret_key() -> str:
    path = HOME.path / "secret_key"
    if not path.exists():
        programs.write_privately(path, secrets.token_urlsafe(60))
    return path.read_text()


@contextlib.contextmanager
def _lock() -> Iterator[bool]:
    # Yields whether this is the first run of the clone.
    HOME.path.mkdir(exist_ok=True)
    with (HOME.path / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        (HOME.path / "environment.json").unlink(missing_ok=True)
        me = programs.Trace.of(os.getpid())
        programs.write_privately(HOME.path / "runner", f"{me.pid} {me.born}")
        yield True


def _free_port() -> int:
    wanted = int(os.environ.get("PORT") or FIRST_PORT)
    for port in range(wanted, wanted + PORTS_TRIED):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((_host(), port))
                if port != wanted:
                    print(f"Port {wanted} is taken; this copy uses {port}.", flush=True)
                return port
    message = f"No port from {wanted} on is free; name one, as in make run PORT=9000."
    raise Refused(message)


# -- what runs ----------------------------------------------------------------------


def _web(*, environment: dict[str, str], port: int) -> programs.Program:
    command = [
        *("granian", "--interface", "wsgi", "courseiva.wsgi:application"),
        *("--host", _host(), "--port", str(port)),
        *("--workers", "1", "--blocking-threads", "4"),
        *("--log-level", "warning", "--no-ws"),
    ]
    return _module(
        "web",
        command,
        environment=environment,
        is_shown=True,
        # Asked in its first half second, granian does not hear it.
        patience=4.0,
    )


def _workers(*, environment: dict[str, str]) -> list[programs.Program]:
    celery = ("celery", "-A", "courseiva.celery")
    worker = [*celery, "worker", "--concurrency", "1", "--loglevel", "INFO"]
    worker += ["--queues", "celery,analytics"]
    schedule = str(HOME.path / "beat-schedule")
    beat = [*celery, "beat", "--schedule", schedule, "--pidfile", ""]
    return [
        _module("worker", worker, environment=environment),
        _module("beat", beat, environment=environment),
    ]


def _module(
    name: str,
    command: list[str],
    *,
    environment: dict[str, str],
    is_shown: bool = False,
    patience: float = programs.STOP_SECONDS,
) -> programs.Program:
    return programs.start(
        name=name,
        command=[sys.executable, "-m", *command],
        home=HOME.path,
        folder=CLONE,
        environment=environment,
        is_shown=is_shown,
        patience=patience,
    )


@contextlib.contextmanager
def _started() -> Iterator[list[programs.Program]]:
    # Yields the list to put programs on; whatever is on it is stopped in the end.
    started: list[programs.Program] = []
    try:
        yield started
    finally:
        # All are asked before the first is waited for.
        for program in started:
            program.ask_to_stop()
        for program in started:
            program.await_end()


def _wait_for(*, port: int, started: list[programs.Program]) -> None:
    host = "127.0.0.1" if _host() == "0.0.0.0" else _host()  # noqa: S104  (compared)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        _check(started)
        with contextlib.suppress(OSError, urllib.error.URLError):
            direct.open(f"http://{host}:{port}/healthz", timeout=ANSWER_SECONDS)
            return
        time.sleep(programs.POLL_SECONDS)
    message = f"The web server does not answer on port {port}; its log is above."
    raise Refused(message)


def _watch(*, started: list[programs.Program], servers: Servers | None) -> NoReturn:
    # Killed outright, make takes nobody with it: its child notices by itself.
    is_made, parent = "MAKELEVEL" in os.environ, os.getppid()
    while True:
        time.sleep(WATCH_SECONDS)
        _check(started)
        if is_made and os.getppid() != parent:
            raise Stopped
        if servers is not None:
            servers.check()
        elif not HOME.sockets.exists():
            message = "The copy that holds the database has ended, so this one ends."
            raise Refused(message)


def _check(started: list[programs.Program]) -> None:
    for program in started:
        program.check()


def _welcome(*, address: str, people: str, seconds: float) -> None:
    print(
        f"""
Courseiva is ready after {seconds:.0f} s:

  {address}           the site
  {address}/admin/    the author desk

{people}
Logs are in {HOME.path.name}/logs. Ctrl-C stops everything; the data stays.
make reset removes the data.
""",
        flush=True,
    )


def _stop(_number: int, _frame: FrameType | None) -> None:
    # Stopping takes a moment, and must not be interrupted by impatience.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Stopped


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
