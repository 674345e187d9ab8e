"""Mock exams from bank files, and back."""

from __future__ import annotations

from collections.abc import Iterator

from questions.domain.scoring import Rule
from questions.exams.models import MockExam, MockExamItem
from questions.formats import yaml_bank
from questions.formats.records import BankRecord, MockExamRecord
from questions.formats.result import ReadResult
from questions.models import Blueprint, Question
from questions.services.interchange import LoadReport


def load_mock_exams(read: ReadResult[BankRecord], report: LoadReport) -> None:
    """Store the mock exams that were read; problems go into the report.

    An exam that is no longer in the files stays, as sittings may belong to it.
    """
    for record in read.of(MockExamRecord):
        blueprint = Blueprint.objects.filter(
            certification__slug=record.certification, version=record.blueprint
        ).first()
        if blueprint is None:
            _refuse(record, report, "blueprint", "There is no such blueprint version.")
            continue
        found = Question.objects.live().filter(
            certification=blueprint.certification_id, slug__in=record.questions
        )
        questions = {question.slug: question for question in found}
        missing = [slug for slug in record.questions if slug not in questions]
        if missing:
            _refuse(
                record,
                report,
                "questions",
                f"There is no published question “{missing[0]}”.",
            )
            continue
        _store(record, blueprint, [questions[slug] for slug in record.questions])


def _refuse(
    record: MockExamRecord, report: LoadReport, where: str, message: str
) -> None:
    problem = yaml_bank.row_problem(record, where=where, message=message)
    report.problems.append(problem)


def _store(
    record: MockExamRecord, blueprint: Blueprint, questions: list[Question]
) -> None:
    exam, _ = MockExam.objects.update_or_create(
        slug=record.slug,
        defaults={
            "certification_id": blueprint.certification_id,
            "blueprint": blueprint,
            "name": record.name,
            "description": record.description,
            "length": record.length,
            "minutes": record.minutes,
            "navigation": record.navigation,
            "rule": record.rule,
            "mark": record.mark,
        },
    )
    wanted = [question.pk for question in questions]
    stored = exam.items.order_by("position").values_list("question", flat=True)
    if list(stored) != wanted:
        exam.items.all().delete()
        MockExamItem.objects.bulk_create(
            MockExamItem(mock_exam=exam, position=position, question=question)
            for position, question in enumerate(questions, start=1)
        )


def mock_exam_records() -> Iterator[MockExamRecord]:
    """Yield every mock exam as a bank file has it."""
    exams = MockExam.objects.select_related("certification", "blueprint")
    for exam in exams.order_by("slug"):
        questions = exam.items.order_by("position")
        yield MockExamRecord(
            slug=exam.slug,
            certification=exam.certification.slug,
            blueprint=exam.blueprint.version,
            name=exam.name,
            description=exam.description,
            length=exam.length,
            minutes=exam.minutes,
            navigation=exam.navigation,
            rule=Rule(exam.rule),
            mark=exam.mark,
            questions=tuple(questions.values_list("question__slug", flat=True)),
        )
