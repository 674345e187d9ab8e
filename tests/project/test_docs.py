"""What is documented is what there is."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from accounts.management.commands import demo_people
from courseiva.celery import app
from questions.domain import lifecycle

CLONE = Path(__file__).resolve().parents[2]
OPERATIONS = (CLONE / "docs" / "operations.md").read_text("utf-8")
# What is for development, and where static files were collected.
SETTLED_BY_THE_IMAGE = {"COURSEIVA_MODE", "DEBUG", "STATIC_ROOT"}


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


def services() -> dict[str, Any]:
    text = (CLONE / "docker-compose.yml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["services"]
    return found


@pytest.mark.parametrize("name", ["migrate", "web", "worker", "beat"])
def test_compose_gives_each_program_every_setting_of_a_production(name: str):
    given = services()[name]["environment"]

    assert given.keys() == settings_read() - SETTLED_BY_THE_IMAGE
    settled = {key for key, value in given.items() if f"${{{key}:" not in value}
    assert settled == {"DATABASE_URL", "REDIS_URL"}


def test_compose_reads_all_that_the_example_of_its_settings_names():
    example = (CLONE / ".env.example").read_text("utf-8")
    named = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    text = (CLONE / "docker-compose.yml").read_text("utf-8")

    assert {"SECRET_KEY", "POSTGRES_PASSWORD"} <= named
    assert not {name for name in named if f"${{{name}:" not in text}


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


def test_every_decision_is_listed_under_its_own_title():
    index = (CLONE / "docs" / "index.md").read_text("utf-8")
    listed = re.findall(r"^- \[(.+)\]\(decisions/(.+)\)$", index, re.MULTILINE)
    pages = sorted((CLONE / "docs" / "decisions").glob("*.md"))

    assert listed == [
        (page.read_text("utf-8").partition("\n")[0].removeprefix("# "), page.name)
        for page in pages
    ]


def test_the_glossary_is_in_alphabetical_order_and_says_each_word_once():
    text = (CLONE / "docs" / "glossary.md").read_text("utf-8")
    words = [
        word.casefold() for word in re.findall(r"^\*\*(.+?)\*\*", text, re.MULTILINE)
    ]

    assert len(words) > 40
    assert words == sorted(set(words))


def lifecycle_diagram() -> str:
    """What docs/architecture.md shows between its mermaid fences."""
    lines = ["stateDiagram-v2", f"    [*] --> {lifecycle.AFTER_WRITING}"]
    for (status, move), step in lifecycle.STEPS.items():
        who = f"{step.role}, not one's own" if step.never_own else step.role
        named = move.replace("_", " ")
        lines.append(f"    {status} --> {step.to}: {named} ({who})")
    return "\n".join(lines)


def test_the_diagram_of_a_questions_life_is_that_of_the_code():
    text = (CLONE / "docs" / "architecture.md").read_text("utf-8")
    shown = re.findall(r"^```mermaid\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE)

    assert shown == [lifecycle_diagram()]


def test_every_folder_that_architecture_names_is_there():
    text = (CLONE / "docs" / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", text))
    # Names are short where the room is plain from the sentence.
    rooms = (CLONE, CLONE / "questions", CLONE / "questions" / "exams")

    assert named
    assert not {
        path for path in named if not any((room / path).exists() for room in rooms)
    }


def test_the_readme_says_how_to_sign_in_as_each_demo_person():
    readme = (CLONE / "README.md").read_text("utf-8")

    assert f"`{demo_people.PASSWORD}`" in readme
    assert not [one.email for one in demo_people.PEOPLE if one.email not in readme]


def test_the_readme_names_every_room():
    readme = (CLONE / "README.md").read_text("utf-8")
    rooms = {path.parent.name for path in CLONE.glob("*/__init__.py")}

    assert {"accounts", "courseiva", "questions"} <= rooms
    assert not {room for room in rooms if f"`{room}/`" not in readme}


PAGES = [
    *(CLONE / name for name in ("README.md", "CONTRIBUTING.md")),
    CLONE / "benchmarks" / "README.md",
    *sorted((CLONE / "docs").rglob("*.md")),
]


def test_the_command_takes_every_picture_that_documents_show():
    source = (CLONE / "tests" / "screenshots.py").read_text("utf-8")
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"images/([\w-]+)\.png", page.read_text("utf-8"))
    }

    assert shown
    assert not {name for name in shown if f'"{name}"' not in source}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CLONE)))
def test_links_between_pages_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))

    assert not [link for link in links if not (page.parent / link).exists()]
