"""Programs that are started, watched and stopped, also by the run after a crash.

Each is noted in the folder ``started`` with its number, its birth and those of the
process that started it. What is noted there and has lost its owner is an orphan.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

STOP_SECONDS: Final = 20.0
POLL_SECONDS: Final = 0.05


class ProgramEnded(Exception):
    """A program ended by itself; the message quotes its log."""

    def __init__(self, *, name: str, log: Path) -> None:
        """Quote the end of the log."""
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        tail = "\n".join(f"  {line}" for line in lines[-12:])
        super().__init__(f"{name} stopped. Its log, {log}, ends:\n{tail}")


@dataclass(frozen=True, kw_only=True)
class Trace:
    """A process, known by its number and its birth, as numbers are used again."""

    pid: int
    born: str

    @classmethod
    def of(cls, pid: int) -> Trace:
        """Return the trace of a running process."""
        return cls(pid=pid, born=f"{psutil.Process(pid).create_time():.2f}")

    @property
    def is_alive(self) -> bool:
        """Return whether that very process still runs."""
        try:
            process = psutil.Process(self.pid)
            is_same = f"{process.create_time():.2f}" == self.born
            return is_same and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False

    def stop(self, *, gently: signal.Signals) -> None:
        """Ask the process to end, wait, then kill what is left of its group."""
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, gently)
        deadline = time.monotonic() + STOP_SECONDS
        while self.is_alive and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        # No new process gets the number while a group still bears it, so where the
        # leader is gone the group is still the one it led.
        if self.is_alive or not psutil.pid_exists(self.pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program that this process started, in a session of its own."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    note: Path
    stop_signal: signal.Signals
    patience: float

    def check(self) -> None:
        """Raise ``ProgramEnded`` if it has."""
        if self.process.poll() is not None:
            raise ProgramEnded(name=self.name, log=self.log)

    def ask_to_stop(self) -> None:
        """Ask the program to end, and return at once."""
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def stop(self) -> None:
        """End the program and what it started."""
        self.ask_to_stop()
        self.await_end()

    def await_end(self) -> None:
        """Wait for a program that was asked, and kill what does not end in time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(self.patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.note.unlink(missing_ok=True)


def start(
    *,
    name: str,
    command: list[str],
    home: Path,
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    is_shown: bool = False,
    stop_signal: signal.Signals = signal.SIGTERM,
    patience: float = STOP_SECONDS,
) -> Program:
    """Start a program in ``folder`` that no signal from the terminal reaches.

    What it says goes to a log in ``home``, or to the terminal if ``is_shown``. Asked to
    stop, it gets ``patience`` seconds for it.
    """
    log = home / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=None if is_shown else file,
            stderr=None if is_shown else file,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
    service, owner = Trace.of(process.pid), Trace.of(os.getpid())
    note = home / "started" / f"{name}-{owner.pid}"
    note.parent.mkdir(exist_ok=True)
    note.write_text(
        f"{service.pid} {service.born} {stop_signal.value} {owner.pid} {owner.born}"
    )
    return Program(
        name=name,
        process=process,
        log=log,
        note=note,
        stop_signal=stop_signal,
        patience=patience,
    )


def stop_orphans(*, home: Path) -> None:
    """Stop what was started for ``home`` by a process that is no more."""
    notes = (home / "started").glob("*")
    # The last first: a worker whose broker is gone takes long to end.
    for note in sorted(notes, key=lambda note: note.stat().st_mtime_ns, reverse=True):
        words = note.read_text().split()
        # Cut short by the crash: nothing is known, so nothing is stopped.
        if len(words) == 5:  # noqa: PLR2004
            pid, born, stop_signal, owner_pid, owner_born = words
            if Trace(pid=int(owner_pid), born=owner_born).is_alive:
                continue
            Trace(pid=int(pid), born=born).stop(gently=signal.Signals(int(stop_signal)))
        note.unlink(missing_ok=True)


def write_privately(path: Path, text: str) -> None:
    """Write a file, whole or not at all, that nobody else may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(text)
    fresh.replace(path)
