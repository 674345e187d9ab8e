"""What is documented is what there is."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from courseiva.celery import app

CLONE = Path(__file__).resolve().parents[2]
OPERATIONS = (CLONE / "docs" / "operations.md").read_text("utf-8")


def settings_read() -> set[str]:
    source = (CLONE / "courseiva" / "settings.py").read_text("utf-8")
    return set(re.findall(r"\benv\.\w+\(\s*\"([A-Z_]+)\"", source))


def test_settings_are_found_in_the_source():
    assert {"SECRET_KEY", "SELF_APPROVAL", "COURSEIVA_MODE"} <= settings_read()


def test_every_setting_has_its_row():
    assert not {name for name in settings_read() if f"| `{name}`" not in OPERATIONS}


def test_no_row_tells_of_a_setting_that_is_gone():
    rows = set(re.findall(r"^\| `([A-Z_]+)`", OPERATIONS, re.MULTILINE))

    assert rows <= settings_read()


def test_every_command_of_ours_has_its_row():
    rooms = {"accounts", "analytics", "courseiva", "questions", "questions.exams"}
    ours = {name for name, app_name in get_commands().items() if app_name in rooms}

    assert not {name for name in ours if f"| `manage.py {name}" not in OPERATIONS}


def test_every_job_of_the_schedule_has_its_row():
    tasks = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert tasks
    assert not {task for task in tasks if f"| `{task}`" not in OPERATIONS}


def test_every_job_of_the_schedule_is_a_task():
    app.loader.import_default_modules()

    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(
        app.tasks
    )


def test_decisions_have_numbers_of_their_own_and_say_what_was_given_up():
    pages = sorted((CLONE / "docs" / "decisions").glob("*.md"))
    numbers = [page.name[:4] for page in pages]

    assert len(numbers) == len(set(numbers))
    for page in pages:
        text = page.read_text("utf-8")

        assert text.startswith(f"# {page.name[:4]} "), page.name
        assert "given up" in text.lower(), page.name


@pytest.mark.parametrize(
    "page", sorted((CLONE / "docs").rglob("*.md")), ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))

    assert not [link for link in links if not (page.parent / link).exists()]
