"""Bring bank files into the database."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from django.conf import settings as django_settings
from django.db import transaction

from accounts.models import AuthorProfile
from questions.domain import images
from questions.formats import records, yaml_bank
from questions.formats.records import BankRecord, CertificationRecord, QuestionRecord
from questions.formats.result import ReadResult, RowProblem
from questions.models import (
    Blueprint,
    Certification,
    Domain,
    Objective,
    Question,
    Vendor,
)
from questions.services import authoring, locks, review

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class LoadReport:
    """What loading did, or would do. With problems, nothing was written."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    left_alone: list[str] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)


Also: TypeAlias = Callable[[ReadResult[BankRecord], LoadReport], None]


def load_bank(
    *,
    read: ReadResult[BankRecord],
    at: datetime.datetime,
    is_dry_run: bool = False,
    is_overwriting: bool = False,
    progress: Progress = lambda _done, _total: None,
    also: Also = lambda _read, _report: None,
) -> LoadReport:
    """Write what was read: all of it, or nothing if there is any problem.

    A question that differs becomes the next revision of the same question; one that
    does not, nothing. Words that somebody wrote at the desk since are left alone
    unless ``is_overwriting``. A dry run does everything and keeps nothing. ``also`` is
    called in the same transaction, for records that other rooms store.
    """
    report = LoadReport(problems=list(read.problems))
    if report.problems:
        return report
    with transaction.atomic():
        locks.lock_bank()
        _load(read, report, at=at, is_overwriting=is_overwriting, progress=progress)
        also(read, report)
        if report.problems or is_dry_run:
            transaction.set_rollback(True)
    return report


def _load(
    read: ReadResult[BankRecord],
    report: LoadReport,
    *,
    at: datetime.datetime,
    is_overwriting: bool,
    progress: Progress,
) -> None:
    for person in read.of(records.PersonRecord):
        AuthorProfile.objects.update_or_create(
            slug=person.slug,
            defaults={
                "name": person.name,
                "credentials": person.credentials,
                "byline": person.byline,
                "biography": person.biography,
            },
        )
    for record in read.of(CertificationRecord):
        _store_certification(record)
    names = _Names.read()
    questions = read.of(QuestionRecord)
    for done, question in enumerate(questions, start=1):
        _load_question(question, names, report, at=at, is_overwriting=is_overwriting)
        progress(done, len(questions))
    _load_enemies(questions, at=at)


def _load_question(
    record: QuestionRecord,
    names: _Names,
    report: LoadReport,
    *,
    at: datetime.datetime,
    is_overwriting: bool,
) -> None:
    """Load one question in a savepoint, so that every problem of a run is told."""
    try:
        with transaction.atomic():
            came = _store_question(record, names, at=at, is_overwriting=is_overwriting)
    except review.NotPublishable as refused:
        report.problems += [
            yaml_bank.row_problem(record, where=problem.where, message=problem.message)
            for problem in refused.problems
        ]
    except _Unknown as unknown:
        report.problems.append(
            yaml_bank.row_problem(record, where=unknown.where, message=unknown.message)
        )
    except authoring.SlugTaken as taken:
        report.problems.append(
            yaml_bank.row_problem(record, where="question", message=str(taken))
        )
    except images.ImageRefused as refused:
        report.problems.append(
            yaml_bank.row_problem(record, where="exhibits", message=str(refused))
        )
    else:
        getattr(report, came).append(record.slug)


class _Unknown(Exception):
    """A record names something that is neither in the files nor in the database."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(message)
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class _Names:
    """What records name, looked up once a load."""

    people: dict[str, AuthorProfile]
    certifications: dict[str, Certification]
    placements: dict[tuple[str, str, str], authoring.Placement]

    @classmethod
    def read(cls) -> _Names:
        """Read all of it: people, certifications, and places by version and code."""
        placements = {
            (*_version_of(domain), domain.code): authoring.Placement(
                domain=domain, objective=None
            )
            for domain in Domain.objects.select_related("blueprint__certification")
        }
        objectives = Objective.objects.select_related(
            "domain__blueprint__certification"
        )
        placements |= {
            (*_version_of(objective.domain), objective.code): authoring.Placement(
                domain=objective.domain, objective=objective
            )
            for objective in objectives
        }
        return cls(
            people={person.slug: person for person in AuthorProfile.objects.all()},
            certifications={row.slug: row for row in Certification.objects.all()},
            placements=placements,
        )

    def person(self, slug: str, where: str) -> AuthorProfile:
        """Return the profile that ``slug`` names."""
        if slug not in self.people:
            raise _Unknown(
                where, f"There is no person “{slug}”. Add them to people.yaml."
            )
        return self.people[slug]

    def certification(self, slug: str) -> Certification:
        """Return the certification that ``slug`` names."""
        if slug not in self.certifications:
            raise _Unknown(
                "certification",
                f"There is no certification “{slug}”. Load its certification.yaml first.",
            )
        return self.certifications[slug]

    def placement(
        self, certification: str, version: str, code: str
    ) -> authoring.Placement:
        """Return the objective, or the domain, that ``code`` names in a version."""
        found = self.placements.get((certification, version, code))
        if found is None:
            raise _Unknown(
                f"objectives.{version}",
                f"Blueprint {version} has no objective or domain {code}.",
            )
        return found


def _version_of(domain: Domain) -> tuple[str, str]:
    return domain.blueprint.certification.slug, domain.blueprint.version


def _store_question(
    record: QuestionRecord,
    names: _Names,
    *,
    at: datetime.datetime,
    is_overwriting: bool,
) -> str:
    """Store one question; return the list of the report that it belongs to."""
    certification = names.certification(record.certification)
    for image in record.images:
        authoring.store_image(
            content=image.content, file_name=image.name, by=None, at=at
        )
    question = (
        Question.objects.filter(slug=record.slug)
        .select_related("latest_revision")
        .first()
    )
    # A file says when a question was reviewed, not when next: that stays.
    due = question.review_due_date if question else None
    settings = _settings(record, names, review_due_date=due)
    if question is None:
        question = authoring.create_question(
            certification=certification,
            settings=settings,
            item=record.item,
            by=None,
            at=at,
        )
        _settle(question, record, names, at=at)
        return "added"
    latest = question.latest_revision
    differs = latest is None or latest.to_item() != record.item
    status_differs = question.status != record.status
    if (differs or status_differs) and not is_overwriting and _is_of_the_desk(question):
        return "left_alone"
    if differs:
        authoring.write_revision(
            question=question,
            item=record.item,
            base=latest.number if latest else 0,
            by=None,
            at=at,
            note="From the bank's files",
        )
    settings_differ = authoring.change_settings(
        question=question, settings=settings, by=None, at=at
    )
    if differs or status_differs:
        question.refresh_from_db()
        _settle(question, record, names, at=at)
    return "changed" if differs or settings_differ or status_differs else "unchanged"


def _is_of_the_desk(question: Question) -> bool:
    """Tell whether a person had the last word on the question, not an import."""
    last = question.events.order_by("-pk").first()
    return last is not None and last.by_id is not None


def _settle(
    question: Question,
    record: QuestionRecord,
    names: _Names,
    *,
    at: datetime.datetime,
) -> None:
    reviewer = None
    if record.approved_by:
        reviewer = names.person(record.approved_by, "approved_by")
    reviewed_at = None
    if record.approved_on is not None:
        reviewed_at = datetime.datetime.combine(
            record.approved_on, datetime.time(12), datetime.UTC
        )
    is_own = reviewer is not None and reviewer.pk == question.author_id
    if is_own and not django_settings.SELF_APPROVAL:
        raise _Unknown(
            "approved_by", "A question is approved by somebody other than its author."
        )
    review.record_import(
        question=question,
        status=record.status,
        reviewer=reviewer,
        reviewed_at=reviewed_at,
        at=at,
    )


def _settings(
    record: QuestionRecord, names: _Names, *, review_due_date: datetime.date | None
) -> authoring.Settings:
    return authoring.Settings(
        slug=record.slug,
        author=names.person(record.author, "author"),
        provenance=record.provenance,
        sources=record.sources,
        exposure=record.exposure,
        placements=tuple(
            names.placement(record.certification, version, code)
            for version, code in record.alignments.items()
        ),
        review_due_date=review_due_date,
    )


def _load_enemies(
    questions: Iterable[QuestionRecord], *, at: datetime.datetime
) -> None:
    for record in questions:
        if not record.enemies:
            continue
        question = Question.objects.filter(slug=record.slug).first()
        if question is not None:
            enemies = list(Question.objects.filter(slug__in=record.enemies))
            authoring.declare_enemies(
                question=question, enemies=enemies, by=None, at=at
            )


def _store_certification(record: CertificationRecord) -> None:
    vendor, _ = Vendor.objects.update_or_create(
        slug=record.vendor_slug, defaults={"name": record.vendor_name}
    )
    certification, _ = Certification.objects.update_or_create(
        slug=record.slug,
        defaults={
            "vendor": vendor,
            "code": record.code,
            "name": record.name,
            "level": record.level,
            "summary": record.summary,
            "guide_url": record.guide,
        },
    )
    for version in record.blueprints:
        _store_blueprint(certification, version)


def _store_blueprint(
    certification: Certification, record: records.BlueprintRecord
) -> None:
    scale = record.scale
    blueprint, _ = Blueprint.objects.update_or_create(
        certification=certification,
        version=record.version,
        defaults={
            "effective_from": record.effective_from,
            "effective_to": record.effective_to,
            "questions_min": record.questions_min,
            "questions_max": record.questions_max,
            "unscored_questions": record.unscored_questions,
            "minutes": record.minutes,
            "item_kinds": list(record.item_kinds),
            "scale_min": scale.lowest if scale else None,
            "scale_max": scale.highest if scale else None,
            "scale_pass": scale.passing if scale else None,
            "published_mark": record.mark,
            "mark_source": record.mark_source,
            "terms_changed": record.terms_changed,
        },
    )
    for entry in record.domains:
        domain, _ = Domain.objects.update_or_create(
            blueprint=blueprint,
            code=entry.code,
            defaults={"name": entry.name, "weight": entry.weight},
        )
        for objective in entry.objectives:
            Objective.objects.update_or_create(
                domain=domain,
                code=objective.code,
                defaults={"name": objective.name, "slug": objective.slug},
            )
