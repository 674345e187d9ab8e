"""Loading and dumping bank files: everything or nothing, and nothing twice."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from questions.models import PublishedDocument, Question, Revision
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db

BANK = Path(__file__).resolve().parents[3] / "questions" / "bank"
CHOSEN = 6


@pytest.fixture
def bank(tmp_path):
    """A copy of the starter bank with a few of its questions."""
    for name in ("people.yaml", "pmle/certification.yaml"):
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(BANK / name, target)
    (tmp_path / "pmle" / "questions").mkdir()
    plain = [
        path
        for path in sorted((BANK / "pmle" / "questions").glob("*.yaml"))
        if "image:" not in path.read_text() and "scenario:" not in path.read_text()
    ]
    for path in plain[:CHOSEN]:
        shutil.copy(path, tmp_path / "pmle" / "questions" / path.name)
    return tmp_path


def load(path, **options):
    out, errors = io.StringIO(), io.StringIO()
    call_command("load_bank", str(path), stdout=out, stderr=errors, **options)
    return out.getvalue().strip(), errors.getvalue()


def files(bank):
    return sorted((bank / "pmle" / "questions").glob("*.yaml"))


def test_case_7_the_same_files_again_change_nothing(bank):
    first, _ = load(bank)
    again, _ = load(bank)

    assert first.startswith(f"{CHOSEN} added, 0 changed")
    assert again.startswith(f"0 added, 0 changed, {CHOSEN} unchanged")
    assert Revision.objects.count() == CHOSEN


def test_case_7_one_text_changed_and_one_file_added(bank):
    *most, last = files(bank)
    held = last.read_text()
    last.unlink()
    load(bank)
    slug = most[0].stem
    before = Question.objects.get(slug=slug).published_revision
    most[0].write_text(most[0].read_text().replace("title: ", "title: Anew, ", 1))
    last.write_text(held)

    said, _ = load(bank)

    assert said.startswith(f"1 added, 1 changed, {CHOSEN - 2} unchanged")
    question = Question.objects.get(slug=slug)
    assert question.published_revision.number == 2
    assert question.published_revision.title.startswith("Anew")
    before.refresh_from_db()
    assert not before.title.startswith("Anew")


def test_a_dry_run_says_what_would_be_and_writes_nothing(bank):
    said, _ = load(bank, dry_run=True)

    assert said.startswith(f"Would be: {CHOSEN} added")
    assert not Question.objects.exists()


def test_every_problem_is_told_with_its_line_and_nothing_is_written(bank):
    first, second, third = files(bank)[:3]
    first.write_text(first.read_text().replace("kind: single", "kind: singular", 1))
    second.write_text(second.read_text() + "unknown_field: 1\n")
    third.write_text(
        third.read_text().replace("author: courseiva-writers", "author: x")
    )

    out, errors = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("load_bank", str(bank), stdout=out, stderr=errors)

    told = errors.getvalue()
    for path in (first, second, third):
        assert f"{path.name}:" in told
    assert not Question.objects.exists()


def test_what_cannot_be_published_is_told_by_row_and_stops_the_rest(bank):
    path = files(bank)[0]
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "correct: true" not in line))

    errors = io.StringIO()
    with pytest.raises(CommandError):
        call_command("load_bank", str(bank), stderr=errors)

    assert path.name in errors.getvalue()
    assert not Question.objects.exists()


def test_words_written_at_the_desk_are_left_alone(bank, author):
    load(bank)
    question = Question.objects.get(slug=files(bank)[0].stem)
    authoring.write_revision(
        question=question,
        item=factories.make_item(950),
        base=1,
        by=author,
        at=factories.NOW,
    )

    said, warned = load(bank)

    assert "1 left alone" in said
    assert question.slug in warned
    question.refresh_from_db()
    assert question.latest_revision.written_by == author
    overwritten, _ = load(bank, overwrite=True)
    assert "1 changed" in overwritten
    assert question.revisions.count() == 3


def test_what_the_file_says_of_review_is_recorded_as_said_by_the_import(bank):
    load(bank)

    question = Question.objects.get(slug=files(bank)[0].stem)
    review = question.published_revision.reviews.get()
    assert review.reviewer.slug == "courseiva-reviewers"
    event = question.events.get(kind="publish")
    assert event.by is None
    assert "import" in event.note.lower()


def test_an_author_named_as_approver_is_refused(bank):
    path = files(bank)[0]
    path.write_text(
        path.read_text().replace(
            "approved_by: courseiva-reviewers", "approved_by: courseiva-writers"
        )
    )

    errors = io.StringIO()
    with pytest.raises(CommandError):
        call_command("load_bank", str(bank), stderr=errors)

    assert "somebody other than its author" in errors.getvalue()


def test_the_whole_starter_bank_comes_back_byte_for_byte(tmp_path):
    load(BANK)

    call_command("dump_bank", str(tmp_path), stdout=io.StringIO())

    def contents(folder):
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    assert contents(tmp_path) == contents(BANK)


def test_documents_are_rebuilt_to_the_same(bank):
    load(bank)
    before = dict(PublishedDocument.objects.values_list("pk", "checksum"))
    PublishedDocument.objects.update(checksum="stale", open={})

    call_command("rebuild_documents", stdout=io.StringIO())

    assert dict(PublishedDocument.objects.values_list("pk", "checksum")) == before


def test_the_report_prints_its_figures(bank):
    load(bank)
    out = io.StringIO()

    call_command("bank_report", stdout=out)

    assert f"PMLE 2026-06: {CHOSEN} live questions" in out.getvalue()
    assert "the longest option is a key" in out.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\nb: *a\n",
        "a: !!python/object/apply:os.system ['true']\n",
        "{" * 5000,
        "question: x\nquestion: y\n",
        "\x00",
        "question: [1, 2]\n",
        "- just\n- a list\n",
    ],
)
def test_hostile_yaml_gets_a_row_level_message(bank, text):
    (bank / "pmle" / "questions" / "hostile.yaml").write_text(text)

    errors = io.StringIO()
    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("load_bank", str(bank), stderr=errors)

    assert "hostile.yaml" in errors.getvalue()
    assert not Question.objects.exists()


def test_a_path_that_is_not_there_is_told(tmp_path):
    with pytest.raises(CommandError, match="There is nothing at"):
        call_command("load_bank", str(tmp_path / "nowhere"))


def test_a_question_retired_at_the_desk_stays_retired(bank, editor):
    load(bank)
    question = Question.objects.get(slug=files(bank)[0].stem)
    review.retire_question(
        question=question, by=editor, at=factories.NOW, reason="Outdated."
    )

    said, warned = load(bank)

    assert "1 left alone" in said
    assert question.slug in warned
    question.refresh_from_db()
    assert not question.is_live
