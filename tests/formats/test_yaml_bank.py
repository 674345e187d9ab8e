"""The bank's own format: there and back, and what bad files are told."""

import dataclasses
import datetime
import hashlib
import io
import os
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from questions.domain import items
from questions.domain.lifecycle import Status
from questions.formats import records, result, yaml_bank, yaml_text, yaml_tree
from tests import strategies

QUESTION = """\
question: evening-timeouts
certification: pmle
title: Evening timeouts on an endpoint
kind: single
difficulty: hard
exposure: members
provenance: ai_assisted
sources: Written from the vendor's public documentation.
objectives:
  "2026-06": "4.2"
  "3.1": "4.2"
stem: |
  Traffic triples between 18:00 and 20:00.

  A new replica takes about four minutes to load.
exhibits:
  - code: |2
        17:58  1 replica   180 ms
      18:04  1 replica  4900 ms
    language: text
    caption: "Log: one evening"
lead_in: Which change meets both goals?
options:
  - key: peak-minimum
    text: Raise the minimum number of replicas to the evening peak & leave it there.
    rationale: >-
      It ends the timeouts, and tempts for that; it pays for the peak all day, and also
      at night.
  - key: schedule
    correct: true
    text: Raise the minimum on a schedule before 18:00 and lower it after 20:00.
    rationale: Capacity is there before the load is.
  - key: neither
    pinned: true
    text: None of the above
    rationale: One of them does.
trap: Autoscaling feels like the answer to any peak.
explanation: |
  The peak is known in advance.
  {{option:schedule}} is ready.
references:
  - title: Scale inference nodes
    url: https://example.org/autoscaling
enemies:
  - another-question
status: published
author: courseiva-writers
approved_by: courseiva-reviewers
approved_on: 2026-11-30
"""

CERTIFICATION = """\
certification: pmle
code: PMLE
name: Professional Machine Learning Engineer
level: professional
vendor:
  slug: google-cloud
  name: Google Cloud
guide: https://example.org/guide
blueprints:
  - version: "2026-06"
    effective_from: 2026-06-01
    questions_min: 50
    questions_max: 60
    minutes: 120
    item_kinds:
      - single
    mark: 0.7
    mark_source: ours
    domains:
      - code: "4"
        name: Serving
        weight: 20
        objectives:
          - code: "4.2"
            name: Scaling online model serving
  - version: "3.1"
    effective_from: 2024-10-01
    effective_to: 2026-05-31
    questions_min: 50
    questions_max: 60
    minutes: 120
    item_kinds:
      - single
    mark: 0.7
    mark_source: ours
    domains:
      - code: "4"
        name: Serving
        weight: 20
        objectives:
          - code: "4.2"
            name: Scaling
"""

PEOPLE = """\
person: courseiva-reviewers
name: Courseiva reviewers
---
person: courseiva-writers
name: Courseiva writers
"""

SCENARIO = """\
scenario: corner-shop
certification: pmle
title: A corner shop
text: It sells.
"""


def png(size=(30, 20)):
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, "PNG")
    return buffer.getvalue()


PNG = png()
PICTURE = records.ImageFile(
    name="plot.png", sha256=hashlib.sha256(PNG).hexdigest(), content=PNG
)


@pytest.fixture
def bank(tmp_path):
    (tmp_path / "pmle/questions").mkdir(parents=True)
    (tmp_path / "pmle/images").mkdir()
    (tmp_path / "pmle/scenarios").mkdir()
    (tmp_path / "people.yaml").write_text(PEOPLE)
    (tmp_path / "pmle/certification.yaml").write_text(CERTIFICATION)
    (tmp_path / "pmle/images/plot.png").write_bytes(PNG)
    return tmp_path


def put(bank, text, name="q.yaml"):
    file = bank / "pmle/questions" / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def changed(old, new, count=1):
    assert old in QUESTION
    return QUESTION.replace(old, new, count)


def with_image(name):
    return changed("  - code: |2", f"  - image: {name}\n    alt: A\n  - code: |2")


def read_text(text, folder):
    file = Path(folder) / "x.yaml"
    file.write_bytes(text.encode("utf-8"))
    return yaml_bank.read_bank(file)


def test_a_question_is_read_with_everything_it_says(bank):
    put(bank, QUESTION)

    found = yaml_bank.read_bank(bank)

    assert found.problems == ()
    (question,) = found.of(records.QuestionRecord)
    assert question.slug == "evening-timeouts"
    assert question.exposure is items.Exposure.MEMBERS
    assert question.alignments == {"2026-06": "4.2", "3.1": "4.2"}
    assert question.status is Status.PUBLISHED
    assert question.approved_on == datetime.date(2026, 11, 30)
    assert question.enemies == ("another-question",)
    assert isinstance(question.item, items.SingleChoice)
    assert question.item.stem.endswith("four minutes to load.")
    assert question.item.exhibits[0].text.startswith("  17:58  1 replica")
    assert question.item.options[1].is_key
    assert question.item.options[2].is_pinned
    assert question.item.options[0].rationale.endswith("all day, and also at night.")
    assert {type(record) for record in found.records} == {
        records.QuestionRecord,
        records.CertificationRecord,
        records.PersonRecord,
    }


def test_a_canonical_file_is_written_back_byte_for_byte(bank):
    put(bank, QUESTION)
    (bank / "pmle/scenarios/corner-shop.yaml").write_text(SCENARIO)

    found = yaml_bank.read_bank(bank)

    (question,) = found.of(records.QuestionRecord)
    (certification,) = found.of(records.CertificationRecord)
    (scenario,) = found.of(records.ScenarioRecord)
    assert yaml_bank.write_question(question) == QUESTION
    assert yaml_bank.write_certification(certification) == CERTIFICATION
    assert yaml_bank.write_scenario(scenario) == SCENARIO
    assert yaml_bank.write_people(found.of(records.PersonRecord)) == PEOPLE
    assert yaml_bank.question_path(question) == "pmle/questions/evening-timeouts.yaml"


def test_a_draft_with_hardly_anything_in_it_comes_back(bank):
    item = items.MultipleChoice(
        title="T",
        stem="",
        choose=2,
        options=(items.Option(key="a", text="", is_key=False),),
        exhibits=(
            items.ImageExhibit(sha256=PICTURE.sha256, alt="", width=30, height=20),
            items.CodeExhibit(text=""),
        ),
    )
    record = records.QuestionRecord(
        slug="d",
        certification="pmle",
        item=item,
        author="courseiva-writers",
        images=(PICTURE,),
    )
    put(bank, yaml_bank.write_question(record))
    bare = dataclasses.replace(item, options=(), exhibits=())
    other = dataclasses.replace(record, slug="e", item=bare, images=())
    put(bank, yaml_bank.write_question(other), "e.yaml")

    found = yaml_bank.read_bank(bank)

    assert found.problems == ()
    assert set(map(repr, found.of(records.QuestionRecord))) == {
        repr(record),
        repr(other),
    }


@pytest.mark.parametrize("name", ["My plot (1).PNG", "../x.png", "", "x.gif", ".png"])
def test_a_picture_with_an_odd_name_gets_one_that_a_file_may_use(name):
    given = {"sha256": "ab" * 32, "media_type": "image/webp"}

    assert records.image_name(name=name, **given) == "abababababababab.webp"
    assert records.image_name(name="plot-1.webp", **given) == "plot-1.webp"


def test_several_questions_stand_in_one_file_parted_by_three_hyphens(bank):
    put(
        bank, f"---\n{QUESTION}---\n\n---\n{changed('evening-timeouts', 'second')}...\n"
    )

    found = yaml_bank.read_bank(bank)

    assert found.problems == ()
    assert [each.slug for each in found.of(records.QuestionRecord)] == [
        "evening-timeouts",
        "second",
    ]


def test_a_single_file_is_read_with_what_lies_around_it(bank):
    (bank / "pmle/scenarios/corner-shop.yaml").write_text(SCENARIO)
    file = put(bank, changed("stem:", "scenario: corner-shop\nstem:"))

    found = yaml_bank.read_bank(file)

    assert found.problems == ()
    (question,) = found.records
    assert question.item.scenario == items.Scenario(
        slug="corner-shop", title="A corner shop", text="It sells."
    )


def test_a_single_file_is_checked_against_what_lies_around_it(bank):
    file = put(bank, changed('"4.2"', '"9.9"'))

    (problem,) = yaml_bank.read_bank(file).problems

    assert "no objective “9.9”" in problem.message


def test_a_picture_is_read_measured_and_named_by_its_digest(bank):
    exhibit = "exhibits:\n  - image: plot.png\n    alt: A plot\n"
    put(bank, changed("exhibits:\n", exhibit))

    found = yaml_bank.read_bank(bank)

    assert found.problems == ()
    (question,) = found.of(records.QuestionRecord)
    assert question.item.exhibits[0] == items.ImageExhibit(
        sha256=PICTURE.sha256, alt="A plot", width=30, height=20
    )
    assert question.images[0].content == PNG
    assert "image: plot.png" in yaml_bank.write_question(question)


@settings(max_examples=100)
@given(strategies.question_records(pictures=[(PICTURE, 30, 20)]))
def test_case_5_any_question_comes_back_as_it_was(record):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "images").mkdir()
        (Path(folder) / "images/plot.png").write_bytes(PNG)
        written = yaml_bank.write_question(record)

        found = read_text(written, folder)

    assert found.problems == ()
    assert found.records == (record,)
    assert yaml_bank.write_question(found.records[0]) == written


@settings(max_examples=40)
@given(
    strategies.scenario_records(),
    strategies.people_records(),
    strategies.certification_records(),
)
def test_any_other_record_comes_back_as_it_was(scenario, people, certification):
    written = [
        yaml_bank.write_scenario(scenario),
        yaml_bank.write_people(people),
        yaml_bank.write_certification(certification),
    ]
    with tempfile.TemporaryDirectory() as folder:
        found = [read_text(text, folder) for text in written]

    assert [each.problems for each in found] == [(), (), ()]
    assert found[0].records == (scenario,)
    assert list(found[1].records) == people
    assert found[2].records == (certification,)


@settings(max_examples=250)
@given(st.text(min_size=1), st.sampled_from(["", "a" * 60 + " "]))
@example("a\n\n b\n", "")
@example("\n x", "")
@example("a\u2028b\u0085c\ufeff", "")
@example("# a: b #c", "")
@example(" \n\t", "")
@example("---", "")
@example("a\r\nb", "")
def test_any_text_is_written_so_that_any_yaml_reader_gets_it_back(text, before):
    text = before + text.encode("utf-8", "replace").decode()

    written = yaml_text.write_fields({"a": {"b": [{"c": text}]}})

    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        (read,) = yaml.load(written, Loader=loader)["a"]["b"]  # noqa: S506
        # A block always ends its text with a line break, which the bank doesn't keep.
        assert read["c"].rstrip("\n") == text.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        (
            changed("kind: single", "kind: singl"),
            "kind: singl",
            "Did you mean “single”",
        ),
        (changed("lead_in:", "lead-in:"), "lead-in", "Did you mean “lead_in”"),
        (changed("difficulty: hard", "difficulty: tough"), "tough", "easy, medium"),
        (changed("provenance: ai_assisted\n", ""), "question", "missing"),
        (changed("kind: single\n", "kind: single\nchoose: 2\n"), "choose", "Remove it"),
        (changed("kind: single", "kind: multiple"), "question", "choose: 2"),
        (
            changed("title: Evening timeouts on an endpoint", "title:"),
            "title",
            "missing",
        ),
        (changed("title: Evening", "title: [x]\n# Evening"), "title", "must be a text"),
        (changed("title: Evening", "title: Why # Evening"), "title", "comment"),
        (changed("title: Evening", f"title: {'x' * 121}"), "title", "120"),
        (changed("key: schedule", "key: Schedule"), "Schedule", "key of an option"),
        (
            changed("key: schedule", 'key: "peak-minimum"'),
            '"peak-minimum"',
            "line 24 has the key",
        ),
        (changed("correct: true", "correct: yes"), "correct", "true or false"),
        (changed("https://example.org/autoscaling", "example.org"), "url:", "https://"),
        (changed("2026-11-30", "30.11.2026"), "approved_on", "Write it as"),
        (changed("2026-11-30", "2026-11-31"), "approved_on", "no day"),
        (changed("approved_on: 2026-11-30\n", ""), "approved_by", "approved_on"),
        (changed("approved_by: courseiva-reviewers\n", ""), "status", "by whom"),
        (changed("author: courseiva-writers", "author: nobody"), "author", "no person"),
        (changed('"3.1": "4.2"', '"3.2": "4.2"'), '"3.2"', "2026-06, 3.1"),
        (
            changed('"2026-06": "4.2"', '"2026-06": "4.3"'),
            '"4.3"',
            "no objective “4.3”",
        ),
        (
            changed("certification: pmle", "certification: pmla"),
            "pmla",
            "known are pmle",
        ),
        (changed("stem: |", "scenario: nowhere\nstem: |"), "scenario", "no scenario"),
        (changed("question: evening-timeouts", "question: Evening"), "Ev", "name here"),
        (
            changed("  - another-question", "  - evening-timeouts"),
            "enemies",
            "no enemy",
        ),
        (with_image("no.png"), "image:", "no file"),
        (with_image("../people.yaml"), "image:", "name of a"),
        (with_image("/etc/passwd"), "image:", "name of a"),
        (with_image("C:x.png"), "image:", "name of a"),
        (with_image("..%2fplot.png"), "image:", "name of a"),
        (with_image("plot.png/../plot.png"), "image:", "name of a"),
        (changed("title: Evening", "title: |\n  a\n  b\n#"), "title", "one line"),
        (changed("certification: pmle", "certification:"), "certification", "missing"),
        (
            changed("kind: single", "kind: single\nchoose: two"),
            "choose",
            "whole number",
        ),
        (changed("  - another-question", "  - [a]"), "- [a]", "must be a word"),
        (changed("enemies:\n  - another", "enemies: a"), "enemies", "must be a list"),
        (changed('"3.1": "4.2"', '"3.1": [a]'), '"3.1"', "must be a word"),
        (
            changed('objectives:\n  "2026-06": "4.2"\n  "3.1": "4.2"', "objectives: x"),
            "objectives",
            "must be pairs",
        ),
        (changed("references:\n", "references:\n  - x\n"), "- x", "must be fields"),
        (QUESTION + "x: [" + "y," * 50_001 + "]\n", "x: [", "too many fields"),
        (changed("stem: |", "stem: x\n'stem': |"), "'stem'", "twice"),
        (changed("title: Evening", "title: &a Evening"), "title", "quotes"),
        (
            changed("title: Evening timeouts on an endpoint", "title: *a"),
            "title",
            "quotes",
        ),
        (changed("title: Evening", "title: !!str Evening"), "title", "type"),
        (changed("title: Evening", "title: Evening: x"), "title", "colon"),
        (changed("title: Evening", "\ttitle: Evening"), "title", "spaces, not tabs"),
        (
            changed("title: Evening", 'title: "Evening'),
            '"2026-06"',
            "every quote closed",
        ),
        ("just words\n", "just", "Begin it with"),
        ("- a\n- b\n", "- a", "Begin it with"),
        ("a: b\n", "a: b", "Begin it with"),
        ("question: x\n[a, b]: c\n", "[a", "name must be a word"),
        (
            "question:\n" + "".join(f"{' ' * n}a{n}:\n" for n in range(1, 40)),
            "a10:",
            "deeply",
        ),
        ("question: " + "[" * 50_000, "question", "nest"),
        (b"question: x\ntitle: \xff\n", "title", "UTF-8"),
        (b"question: x\n\ntitle: a\x00b\n", "title", "U+0000"),
        (b"question: x\ntitle: a\x07b\n", "title", "U+0007"),
        ('question: x\ntitle: "a\\0b"\n', "title", "U+0000"),
        (
            "a: &a [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"{n}: &{n} [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" for n in "bcdefghi"),
            "a: &a",
            "names a part",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_mend(bank, text, at, words):
    content = text if isinstance(text, bytes) else text.encode()
    lines = content.decode("utf-8", "replace").split("\n")
    line = next(number for number, each in enumerate(lines, start=1) if at in each)
    put(bank, content)

    found = yaml_bank.read_bank(bank)

    told = [problem for problem in found.problems if words in problem.message]
    assert told, [str(problem) for problem in found.problems]
    assert told[0].line == line, str(told[0])
    assert told[0].file.endswith("q.yaml")
    assert found.of(records.QuestionRecord) == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  - version: ", "  - versio: ", "Did you mean “version”"),
        ('version: "3.1"', 'version: "2026-06"', "same version"),
        ('version: "3.1"', 'version: "a b"', "can't be a code"),
        ("code: PMLE\n", "", "missing"),
        ("questions_max: 60", "questions_max: 40", "less than questions_min"),
        ("questions_max: 60", "questions_max: 6000", "whole number"),
        ("    minutes: 120\n", "", "missing"),
        ("effective_to: 2026-05-31", "effective_to: 2020-01-01", "before"),
        ("    effective_from: 2026-06-01\n", "", "missing"),
        ('code: "4.2"', 'code: "4"', "stands here twice"),
        ("mark: 0.7", "mark: 70 %", "share"),
        ("mark: 0.7", "mark: 1.5", "share"),
        ("mark: 0.7", "mark: NaN", "share"),
        ("mark: 0.7", "mark: 0.12345", "share"),
        ("mark_source: ours", "mark_source: mine", "vendor, ours"),
        ("level: professional", "level: expert", "specialty"),
        ("vendor:\n  slug: google-cloud\n  name: Google Cloud\n", "", "missing"),
        ("vendor:\n  slug: google-cloud\n  name: Google Cloud", "vendor: x", "fields"),
        ("  name: Google Cloud\n", "  name: Google Cloud\n  x: y\n", "no field “x”"),
        ("guide: https://example.org/guide", "guide: example", "web address"),
        (
            "    mark: 0.7",
            "    scaled_score:\n      min: 9\n      max: 9\n      pass: 9\n    mark: 0.7",
            "between min and max",
        ),
        (CERTIFICATION[CERTIFICATION.index("blueprints") :], "", "missing"),
    ],
)
def test_what_is_wrong_with_a_certification_is_told(bank, old, new, words):
    assert old in CERTIFICATION
    (bank / "pmle/certification.yaml").write_text(CERTIFICATION.replace(old, new, 1))

    found = yaml_bank.read_bank(bank)

    assert any(words in problem.message for problem in found.problems), found.problems
    assert all(problem.line for problem in found.problems)
    assert found.of(records.CertificationRecord) == ()


def test_a_problem_reads_as_one_line():
    problem = result.RowProblem(file="q.yaml", line=3, where="x, title", message="No.")

    assert str(problem) == "q.yaml:3: x, title: No."
    assert str(dataclasses.replace(problem, line=0, where="")) == "q.yaml: No."


def test_a_file_that_is_too_large_is_not_read(bank):
    put(bank, QUESTION + "#" * 1_000_000)

    (problem,) = yaml_bank.read_bank(bank).problems

    assert "bytes" in problem.message


def test_a_comment_on_a_line_of_its_own_and_a_number_sign_in_a_word_are_fine(bank):
    put(bank, changed("title: Evening", "# why\ntitle: Issue#5 of"))

    assert yaml_bank.read_bank(bank).problems == ()


def test_every_problem_of_a_file_is_told_at_once(bank):
    put(bank, changed("hard", "tough").replace("members", "friends"))

    assert [problem.line for problem in yaml_bank.read_bank(bank).problems] == [5, 6]


def test_the_same_question_in_two_files_is_told(bank):
    put(bank, QUESTION, "a.yaml")
    put(bank, QUESTION, "b.yaml")

    (problem,) = yaml_bank.read_bank(bank).problems

    assert problem.file.endswith("b.yaml")
    assert "a.yaml:1" in problem.message


def test_case_7_two_questions_of_the_same_title_are_both_kept(bank):
    put(bank, QUESTION, "a.yaml")
    put(bank, changed("evening-timeouts", "second"), "b.yaml")

    found = yaml_bank.read_bank(bank)

    assert found.problems == ()
    assert len(found.of(records.QuestionRecord)) == 2


def test_a_link_out_of_the_folder_is_not_followed(bank, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text(QUESTION)
    (bank / "pmle/questions/link.yaml").symlink_to(outside / "secret.yaml")
    (bank / "pmle/more").symlink_to(outside)

    found = yaml_bank.read_bank(bank)

    assert found.of(records.QuestionRecord) == ()
    assert ["leads away" in problem.message for problem in found.problems] == [
        True,
        True,
    ]


def test_a_picture_that_is_a_link_out_of_the_folder_is_not_read(bank, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "plot.png"
    outside.write_bytes(PNG)
    (bank / "pmle/images/link.png").symlink_to(outside)
    put(bank, with_image("link.png"))

    (problem,) = yaml_bank.read_bank(bank).problems

    assert "leads away" in problem.message


def test_an_active_picture_is_refused_with_its_line(bank):
    (bank / "pmle/images/x.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'
    )
    put(bank, with_image("x.svg"))

    (problem,) = yaml_bank.read_bank(bank).problems

    assert problem.line == QUESTION[: QUESTION.index("  - code")].count("\n") + 1
    assert "<script>" in problem.message


@pytest.mark.parametrize("name", ["nothing", "empty"])
def test_a_path_without_files_is_told(tmp_path, name):
    (tmp_path / "empty").mkdir()

    (problem,) = yaml_bank.read_bank(tmp_path / name).problems

    assert "There is no" in problem.message


def test_a_file_that_may_not_be_read_is_told(bank):
    file = put(bank, QUESTION)
    file.chmod(0)
    if os.access(file, os.R_OK):
        file.unlink()
        file.symlink_to(file)

    assert yaml_bank.read_bank(bank).problems


def test_a_problem_found_later_has_its_line(bank):
    put(bank, QUESTION)
    (question,) = yaml_bank.read_bank(bank).of(records.QuestionRecord)

    def line(where):
        return yaml_bank.row_problem(question, where=where, message="x").line

    def line_with(text):
        return QUESTION[: QUESTION.index(text)].count("\n") + 1

    assert line("options.schedule.text") == line_with("text: Raise the minimum on")
    assert line("options.schedule.nothing") == line_with("- key: schedule")
    assert line("references.1.url") == line_with("url:")
    assert line("exhibits.1.code") == line_with("- code:")
    assert line("scenario") == 1


@settings(max_examples=200)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_give_a_result(content):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.yaml"
        file.write_bytes(b"question: x\n" + content)

        found = yaml_bank.read_bank(file)

    assert found.records == ()
    assert found.problems


@given(st.text(alphabet="[]{},:-?&*!|>'\"%@`#\n \tab", max_size=60))
def test_any_signs_are_read_or_refused_by_name(text):
    try:
        lines = [document.line for document in yaml_tree.read_documents(text)]
    except yaml_tree.YamlRefused as refused:
        lines = [refused.line or 1]

    assert all(line >= 1 for line in lines)


def test_the_address_of_an_objective_comes_from_its_name():
    objective = records.ObjectiveRecord(code="1", name="Café & co.: " + "word " * 60)

    assert objective.slug.startswith("cafe-co-word")
    assert len(objective.slug) <= 120
    assert not objective.slug.endswith("-")


def test_a_record_is_compared_by_what_it_says_not_by_where_it_was_read(bank):
    put(bank, QUESTION)
    (question,) = yaml_bank.read_bank(bank).of(records.QuestionRecord)

    assert dataclasses.replace(question, origin=records.Origin()) == question


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Serving models", "serving-models"),
        ("Überwachung für Modelle", "uberwachung-fur-modelle"),
        ("モデルの提供", "objective-4-1"),
        ("x" * 300, "x" * 120),
        (f"{'long ' * 40}end", "-".join(["long"] * 24)),
    ],
)
def test_an_objective_has_an_address_whatever_its_script(name, address):
    assert records.ObjectiveRecord(code="4.1", name=name).slug == address
