"""Mock exams come from bank files, and go back as they came."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from questions.exams.models import MockExam
from tests import factories

pytestmark = pytest.mark.django_db

FIXED = """\
mock_exam: first
certification: tst
blueprint: "2"
name: First fixed form
minutes: 10
navigation: linear
rule: right_minus_wrong
mark: 0.5
questions:
  - one
  - two
"""
DRAWN = """\
mock_exam: drawn
certification: tst
blueprint: "2"
name: Drawn for each
length: 2
minutes: 4
"""


@pytest.fixture
def folder(tmp_path, certification):
    for number, slug in enumerate(("one", "two", "three")):
        factories.make_published(
            certification, factories.make_item(960 + number), slug=slug
        )
    return tmp_path


def load(folder, text, name="exam.yaml"):
    (folder / name).write_text(text, encoding="utf-8")
    call_command("load_bank", str(folder / name))


def test_a_fixed_form_and_a_drawn_one_come_back_byte_for_byte(folder, tmp_path):
    load(folder, FIXED)
    load(folder, DRAWN, "drawn.yaml")
    call_command("dump_bank", str(tmp_path / "out"))

    kept = tmp_path / "out" / "tst" / "mock_exams"
    assert (kept / "first.yaml").read_text(encoding="utf-8") == FIXED
    assert (kept / "drawn.yaml").read_text(encoding="utf-8") == DRAWN
    assert MockExam.objects.get(slug="first").length == 2


def test_loading_again_changes_nothing(folder):
    load(folder, FIXED)
    before = list(MockExam.objects.get().items.values_list("pk", flat=True))

    load(folder, FIXED)

    assert list(MockExam.objects.get().items.values_list("pk", flat=True)) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("- two", "- four"), "no published question “four”"),
        (("- two", "- one"), "stands there twice"),
        (('"2"', '"9"'), "no such blueprint version"),
        (("minutes: 10", "minutes: 0"), "whole number from 1"),
        (("minutes: 10", "minutes: 10\nlength: 2"), "as long as its questions"),
        (("navigation: linear", "navigation: round"), "none of"),
        (("mark: 0.5", "mark: 2"), "share between 0 and 1"),
        (("name: First fixed form", "nome: x"), "nome"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_written(folder, capsys, change, said):
    with pytest.raises(CommandError):
        load(folder, FIXED.replace(*change))

    assert said in capsys.readouterr().err
    assert not MockExam.objects.exists()
