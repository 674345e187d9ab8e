"""Rules about the tree itself: who imports whom, how long modules are."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

CLONE = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "analytics", "courseiva", "questions")
LONGEST_MODULE = 400


def modules() -> list[Path]:
    return [
        path
        for room in ROOMS
        for path in sorted((CLONE / room).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def test_imports_only_look_down_the_staircase():
    checked = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout


def test_no_module_is_longer_than_a_person_reads():
    too_long = {
        str(path.relative_to(CLONE)): length
        for path in modules()
        if (length := len(path.read_text("utf-8").splitlines())) > LONGEST_MODULE
    }

    assert not too_long


def test_no_room_is_called_after_nothing():
    nameless = {"core", "common", "utils", "helpers", "lib", "misc"}

    assert not [path for path in modules() if path.stem in nameless]


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_the_lock_names_no_address():
    for name in ("requirements.txt", "requirements-dev.txt", "requirements-audit.txt"):
        lines = (CLONE / name).read_text("utf-8").splitlines()

        assert not [line for line in lines if "://" in line or "index-url" in line]
        assert all("==" in line or "--hash=" in line for line in lines if line)
