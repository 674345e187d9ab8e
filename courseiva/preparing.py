"""What a fresh database needs before anybody can try Courseiva on it."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import Final

import django
from django.core.management import call_command, get_commands
from django.db import connections

from courseiva import programs

BANK: Final = Path(__file__).resolve().parent.parent / "questions" / "bank"


def prepare(*, home: Path, environment: dict[str, str]) -> str:
    """Bring the database up to date: tables, the starter bank, people to sign in as.

    What the demo learner did so far is left to the worker, once it runs.

    Return what to tell the person at the terminal about the latter.
    """
    os.environ.update(environment)
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    if "load_bank" in get_commands():
        _load_bank(home=home)
    people = io.StringIO()
    call_command("demo_people", stdout=people)
    call_command("demo_history", later=True, stdout=people)
    connections.close_all()
    return people.getvalue()


def _load_bank(*, home: Path) -> None:
    # The command changes nothing where nothing has changed, but takes a while to
    # find out.
    kept, found = home / "bank.sha256", _fingerprint(BANK)
    if kept.exists() and kept.read_text() == found:
        return
    print("Loading the starter bank.", flush=True)
    call_command("load_bank", str(BANK))
    programs.write_privately(kept, found)


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
