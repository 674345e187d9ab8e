"""The bank's own format: a folder of YAML that people write and git compares.

``docs/formats.md`` describes it. A document is known by its fields: ``question``,
``scenario``, ``certification``, ``mock_exam`` or ``person``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from questions.domain import items
from questions.formats import records, yaml_catalog, yaml_files, yaml_records
from questions.formats.records import BankRecord
from questions.formats.result import ReadResult, RowProblem
from questions.formats.yaml_fields import Notes
from questions.formats.yaml_files import Document, Shelf
from questions.formats.yaml_writer import (
    write_certification,
    write_mock_exam,
    write_people,
    write_question,
    write_scenario,
)

__all__ = [
    "certification_path",
    "image_path",
    "mock_exam_path",
    "people_path",
    "question_path",
    "read_bank",
    "row_problem",
    "scenario_path",
    "write_certification",
    "write_mock_exam",
    "write_people",
    "write_question",
    "write_scenario",
]


def read_bank(path: Path) -> ReadResult[BankRecord]:
    """Return everything in a folder or a file, with every problem met.

    A single file is read with the scenarios, people and certification that lie around
    it in the bank; those are not among the records then.
    """
    shelf, around = Shelf(), Shelf()
    shelf.open_all(path)
    if path.is_file():
        around.open_around(path)
    context = _Reader(known=())
    context.read_all(around.documents)
    reader = _Reader(known=context.all_records)
    reader.read_all(shelf.documents)
    reader.check_across()
    problems = sorted(
        [*shelf.problems, *reader.problems], key=lambda each: (each.file, each.line)
    )
    return ReadResult(records=reader.sound_records, problems=tuple(problems))


def row_problem(record: BankRecord, *, where: str, message: str) -> RowProblem:
    """Return a problem found later in a record, with its place in the file."""
    return RowProblem(
        file=record.origin.file,
        line=record.origin.line_of(where),
        where=f"{record.slug}, {where}" if where else record.slug,
        message=message,
    )


def question_path(record: records.QuestionRecord) -> str:
    """Return where a question lies in the bank, with slashes."""
    return f"{record.certification}/questions/{record.slug}.yaml"


def scenario_path(record: records.ScenarioRecord) -> str:
    """Return where a scenario lies in the bank, with slashes."""
    return f"{record.certification}/scenarios/{record.slug}.yaml"


def certification_path(record: records.CertificationRecord) -> str:
    """Return where a certification lies in the bank, with slashes."""
    return f"{record.slug}/certification.yaml"


def mock_exam_path(record: records.MockExamRecord) -> str:
    """Return where a mock exam lies in the bank, with slashes."""
    return f"{record.certification}/mock_exams/{record.slug}.yaml"


def image_path(certification: str, image: records.ImageFile) -> str:
    """Return where a picture lies in the bank, with slashes."""
    return f"{certification}/images/{image.name}"


def people_path() -> str:
    """Return where the people lie in the bank."""
    return "people.yaml"


class _Reader:
    """Reads documents into records, and compares the records with each other."""

    def __init__(self, *, known: Iterable[BankRecord]) -> None:
        self.problems: list[RowProblem] = []
        self.all_records: list[BankRecord] = []
        self._unsound: set[int] = set()
        self._known = list(known)

    @property
    def sound_records(self) -> tuple[BankRecord, ...]:
        """Records in which nothing is wrong."""
        return tuple(each for each in self.all_records if id(each) not in self._unsound)

    def read_all(self, documents: Iterable[Document]) -> None:
        """Read the documents, scenarios before the questions that name them."""
        waiting = []
        for document in documents:
            if document.kind == "question":
                waiting.append(document)
            else:
                self._read(document, scenarios={})
        scenarios = {
            record.slug: record.scenario
            for record in [*self._known, *self.all_records]
            if isinstance(record, records.ScenarioRecord)
        }
        for document in waiting:
            self._read(document, scenarios=scenarios)

    def check_across(self) -> None:
        """Note what is wrong between records."""
        self._check_names()
        certifications = {
            record.slug: record
            for record in [*self._known, *self.all_records]
            if isinstance(record, records.CertificationRecord)
        }
        people = {
            record.slug
            for record in [*self._known, *self.all_records]
            if isinstance(record, records.PersonRecord)
        }
        for record in self.sound_records:
            if isinstance(
                record,
                records.QuestionRecord
                | records.ScenarioRecord
                | records.MockExamRecord,
            ):
                self._check_certification(record, certifications)
            if isinstance(record, records.QuestionRecord):
                self._check_people(record, people)
                if record.slug in record.enemies:
                    self._note(record, "enemies", "A question is no enemy of its own.")

    def _read(
        self, document: Document, *, scenarios: dict[str, items.Scenario]
    ) -> None:
        name = document.fields.nodes[document.kind]
        notes = Notes(
            file=str(document.file),
            name=str(getattr(name, "text", ""))[:60],
            line=document.fields.line,
        )
        record = _record(document, notes, scenarios)
        self.all_records.append(record)
        self.problems += notes.problems
        if notes.problems:
            self._unsound.add(id(record))

    def _check_names(self) -> None:
        first: dict[tuple[type, str], BankRecord] = {}
        for record in self.all_records:
            other = first.setdefault((type(record), record.slug), record)
            if other is not record and record.slug:
                self._note(
                    record,
                    "",
                    f"The name is taken: see {other.origin.file}:{other.origin.line}."
                    " Rename one of them.",
                )

    def _check_certification(
        self,
        record: records.QuestionRecord
        | records.ScenarioRecord
        | records.MockExamRecord,
        certifications: dict[str, records.CertificationRecord],
    ) -> None:
        certification = certifications.get(record.certification)
        if certification is None:
            if certifications:
                known = ", ".join(sorted(certifications))
                self._note(
                    record,
                    "certification",
                    f"There is no certification “{record.certification}”; known are"
                    f" {known}.",
                )
        elif isinstance(record, records.QuestionRecord):
            self._check_objectives(record, certification)

    def _check_objectives(
        self,
        record: records.QuestionRecord,
        certification: records.CertificationRecord,
    ) -> None:
        blueprints = {each.version: each for each in certification.blueprints}
        for version, code in record.alignments.items():
            where = f"objectives.{version}"
            blueprint = blueprints.get(version)
            if blueprint is None:
                known = ", ".join(sorted(blueprints))
                self._note(
                    record,
                    where,
                    f"{certification.code} has no blueprint version “{version}”; known"
                    f" are {known}.",
                )
            elif code not in blueprint.codes:
                known = ", ".join(sorted(blueprint.codes))
                self._note(
                    record,
                    where,
                    f"Blueprint {version} has no objective “{code}”; known are {known}.",
                )

    def _check_people(self, record: records.QuestionRecord, people: set[str]) -> None:
        for where in ("author", "approved_by"):
            slug = str(getattr(record, where))
            if slug and people and slug not in people:
                self._note(
                    record,
                    where,
                    f"There is no person “{slug}” in {people_path()}. Add them there.",
                )

    def _note(self, record: BankRecord, where: str, message: str) -> None:
        self.problems.append(row_problem(record, where=where, message=message))
        self._unsound.add(id(record))


def _record(
    document: Document, notes: Notes, scenarios: dict[str, items.Scenario]
) -> BankRecord:
    folder = yaml_files.certification_folder(document.file)
    around = yaml_records.Surroundings(
        scenarios=scenarios, load_image=partial(yaml_files.load_image, folder)
    )
    match document.kind:
        case "question":
            return yaml_records.read_question(
                document.fields, notes=notes, around=around
            )
        case "scenario":
            return yaml_records.read_scenario(
                document.fields, notes=notes, around=around
            )
        case "certification":
            return yaml_catalog.read_certification(document.fields, notes=notes)
        case "mock_exam":
            return yaml_catalog.read_mock_exam(document.fields, notes=notes)
        case _:
            return yaml_catalog.read_person(document.fields, notes=notes)
