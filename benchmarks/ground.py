"""Where the benchmarks run: a database of their own, and web servers as deployed."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import django
import psutil
import psycopg2

from benchmarks import peers
from courseiva import programs
from courseiva.embedded import Home, Servers

ROOT: Final = Path(__file__).resolve().parent.parent
OURS: Final = 8911
BARE: Final = 8912
OUR_SETTINGS: Final = "courseiva.settings"
BARE_SETTINGS: Final = "benchmarks.bare_settings"
DURABLE: Final = ("fsync", "full_page_writes", "synchronous_commit")


@dataclass(kw_only=True)
class Ground:
    """The folder and the servers of one run. Django is set up on them."""

    folder: Path
    servers: Servers

    def check_durable(self) -> None:
        """Ask the server itself, and end the run if it could lose what it committed."""
        with contextlib.closing(
            psycopg2.connect(self.servers.home.database_url)
        ) as connection:
            cursor = connection.cursor()
            found = {}
            for setting in DURABLE:
                cursor.execute("SELECT current_setting(%s)", [setting])
                (found[setting],) = cursor.fetchall()[0]
        if set(found.values()) != {"on"}:
            sys.exit(f"The database under test is not durable: {found}")
        print("durable:", ", ".join(f"{name} {value}" for name, value in found.items()))

    def serve(self, *, settings: str = OUR_SETTINGS, port: int = OURS) -> Web:
        """Return a web server that is not started yet."""
        return Web(home=self.folder, settings=settings, port=port)


@dataclass(kw_only=True)
class Web:
    """A web server with the options of our image, on another port; a context manager."""

    home: Path
    settings: str
    port: int
    _running: list[programs.Program] = field(default_factory=list)

    def __enter__(self) -> Web:
        """Start, and wait for an answer."""
        self.start()
        return self

    def __exit__(self, *_reason: object) -> None:
        """Stop."""
        self._running.pop().stop()

    def start(self) -> None:
        """Start, and wait for an answer."""
        place = ("--host", "127.0.0.1", "--port", str(self.port))
        self._running.append(
            programs.start(
                name=f"web-{self.port}",
                command=[
                    *(sys.executable, "-m", *image_command(), *place),
                    *("--log-level", "error"),
                ],
                home=self.home,
                folder=ROOT,
                environment={**os.environ, "DJANGO_SETTINGS_MODULE": self.settings},
            )
        )
        self._wait()

    def crash(self, *, seconds: float) -> None:
        """Kill the server with all its workers, and start it after ``seconds``."""
        program = self._running.pop()
        os.killpg(program.process.pid, signal.SIGKILL)
        program.await_end()
        time.sleep(seconds)
        self.start()

    @property
    def log(self) -> Path:
        """Return where its words go."""
        return self.home / "logs" / f"web-{self.port}.log"

    def peak(self) -> float:
        """Return the most memory that one of its processes had until now, in MB."""
        first = psutil.Process(self._running[-1].process.pid)
        every = [first, *first.children(recursive=True)]
        return max(peers.peak_of(each.pid) for each in every) * 1000

    def _wait(self) -> None:
        for _ in range(300):
            self._running[-1].check()
            try:
                urllib.request.urlopen(f"http://localhost:{self.port}/no", timeout=1)
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
            else:
                return
        sys.exit(f"The server on port {self.port} did not start; see {self.log}.")


def image_command() -> list[str]:
    """Return how the image starts the web server: what is measured is what runs."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    command: list[str] = json.loads(lines[-1].removeprefix("CMD "))
    return command


@contextlib.contextmanager
def prepared() -> Iterator[Ground]:
    """Start the servers in a temporary folder and set Django up in production mode."""
    with (
        tempfile.TemporaryDirectory(prefix="courseiva-bench-") as name,
        Servers(home=Home(path=Path(name)), is_durable=True) as servers,
    ):
        folder = Path(name)
        os.environ.update(
            COURSEIVA_MODE="production",
            DJANGO_SETTINGS_MODULE=OUR_SETTINGS,
            SECRET_KEY=secrets.token_urlsafe(64),
            SITE_URL=f"http://localhost:{OURS}",
            ALLOWED_HOSTS="localhost,127.0.0.1",
            DATABASE_URL=servers.home.database_url,
            REDIS_URL=servers.home.redis_url,
            EMAIL_URL="memory://",
            STATIC_ROOT=str(folder / "static"),
            LOG_LEVEL="ERROR",
        )
        django.setup()
        ground = Ground(folder=folder, servers=servers)
        ground.check_durable()
        yield ground


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How wrk asks. ``renew`` is called before each run, to write the script anew."""

    script: Path
    renew: Callable[[], None] = lambda: None
    connections: int = 16
    threads: int = 1
    seconds: int = 5
    runs: int = 5


def wrk(*, port: int, load: Load, seconds: int | None = None) -> float:
    """Return the answers per second; end the run if one is not 2xx."""
    load.renew()
    out = subprocess.run(
        [
            *("wrk", f"-t{load.threads}", f"-c{load.connections}"),
            *(f"-d{seconds or load.seconds}s", "-s", str(load.script)),
            f"http://localhost:{port}",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"Not every answer was a good one:\n{out}")
    line = next(line for line in out.splitlines() if "Requests/sec" in line)
    return float(line.split(":")[1])


def side_by_side(*, load: Load) -> tuple[float, float]:
    """Return the rates of our server and the bare one: medians of runs in turn."""
    rates: dict[int, list[float]] = {OURS: [], BARE: []}
    for port in (OURS, BARE):
        wrk(port=port, load=load, seconds=2)
    for _ in range(load.runs):
        for port in (BARE, OURS):
            rates[port].append(wrk(port=port, load=load))
    return statistics.median(rates[OURS]), statistics.median(rates[BARE])
