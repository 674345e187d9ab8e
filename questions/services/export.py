"""Write the bank back to files: the canonical form that loading reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from django.db.models import Prefetch, QuerySet

from accounts.models import AuthorProfile
from questions.domain import items
from questions.domain.lifecycle import Status
from questions.formats import records, yaml_bank
from questions.formats.records import CertificationRecord, QuestionRecord
from questions.models import (
    Blueprint,
    Certification,
    Exhibit,
    Question,
    Review,
    Revision,
    Scenario,
)

Progress = Callable[[int, int], None]


def question_record(question: Question, taken: dict[str, str]) -> QuestionRecord:
    """Return a stored question's newest wording as a bank file has it.

    ``taken`` holds the names of pictures that its folder has already.

    Raises:
        ValueError: the question has no words yet.
    """
    revision = question.latest_revision
    if revision is None:
        message = f"{question} has no words yet."
        raise ValueError(message)
    approval = (
        revision.reviews.filter(verdict=Review.Verdict.APPROVED)
        .select_related("reviewer")
        .order_by("-reviewed_at")
        .first()
    )
    return QuestionRecord(
        slug=question.slug,
        certification=question.certification.slug,
        item=revision.to_item(),
        exposure=items.Exposure(question.exposure),
        provenance=items.Provenance(question.provenance),
        sources=question.sources,
        alignments={
            place.blueprint.version: place.objective.code
            if place.objective
            else place.domain.code
            for place in question.alignments.all()
        },
        images=_image_files(revision.exhibits.all(), taken),
        status=Status(question.status),
        author=question.author.slug,
        approved_by=approval.reviewer.slug if approval else "",
        approved_on=approval.reviewed_at.date() if approval else None,
        enemies=tuple(sorted(enemy.slug for enemy in question.enemies.all())),
    )


def _image_files(
    exhibits: Iterable[Exhibit], taken: dict[str, str]
) -> tuple[records.ImageFile, ...]:
    """Return the pictures of ``exhibits`` under names that a folder can hold.

    ``taken`` maps the names in use to digests; two pictures of one name in a folder
    would overwrite each other, so the second is named by its digest.
    """
    found: dict[str, records.ImageFile] = {}
    for exhibit in exhibits:
        image = exhibit.image
        if image is None:
            continue
        name = image.file_name
        if taken.setdefault(name, image.sha256) != image.sha256:
            name = ""
        name = records.image_name(
            name=name, sha256=image.sha256, media_type=image.media_type
        )
        found[image.sha256] = records.ImageFile(
            name=name, sha256=image.sha256, content=bytes(image.content)
        )
    return tuple(found.values())


def for_export(questions: QuerySet[Question]) -> QuerySet[Question]:
    """Fetch what ``question_record`` reads, in order of address."""
    return (
        questions.filter(latest_revision__isnull=False)
        .select_related("certification", "author")
        .prefetch_related(
            Prefetch("latest_revision", Revision.objects.with_content()),
            "enemies",
            "alignments__blueprint",
            "alignments__objective",
            "alignments__domain",
        )
        .order_by("slug")
    )


def export_text(*, questions: QuerySet[Question]) -> str:
    """Return the bank files of some questions as one text, parted by ``---``."""
    return "---\n".join(
        yaml_bank.write_question(question_record(question, {}))
        for question in for_export(questions)
    )


def dump_bank(*, path: Path, progress: Progress = lambda _done, _total: None) -> int:
    """Write the whole bank under ``path`` in canonical form; return how many files.

    Files of questions that are not in the bank stay where they are.
    """
    written = 0
    taken: defaultdict[int, dict[str, str]] = defaultdict(dict)
    people = [
        records.PersonRecord(
            slug=profile.slug,
            name=profile.name,
            credentials=profile.credentials,
            byline=profile.byline,
            biography=profile.biography,
        )
        for profile in AuthorProfile.objects.exclude(questions=None, reviews=None)
        .distinct()
        .order_by("slug")
    ]
    write_file(path=path / yaml_bank.people_path(), text=yaml_bank.write_people(people))
    for certification in Certification.objects.select_related("vendor").order_by(
        "slug"
    ):
        record = certification_record(certification)
        write_file(
            path=path / yaml_bank.certification_path(record),
            text=yaml_bank.write_certification(record),
        )
        written += 1
    for scenario in Scenario.objects.filter(latest_revision__isnull=False):
        scenario_record = _scenario_record(scenario, taken[scenario.certification_id])
        _write_images(path, scenario_record.certification, scenario_record.images)
        write_file(
            path=path / yaml_bank.scenario_path(scenario_record),
            text=yaml_bank.write_scenario(scenario_record),
        )
        written += 1
    questions = for_export(Question.objects.all())
    total = questions.count()
    for done, question in enumerate(questions, start=1):
        question_file = question_record(question, taken[question.certification_id])
        _write_images(path, question_file.certification, question_file.images)
        write_file(
            path=path / yaml_bank.question_path(question_file),
            text=yaml_bank.write_question(question_file),
        )
        progress(done, total)
    return written + total + 1


def certification_record(certification: Certification) -> CertificationRecord:
    """Return a stored certification as its file has it."""
    return CertificationRecord(
        slug=certification.slug,
        code=certification.code,
        name=certification.name,
        level=certification.level,
        vendor_slug=certification.vendor.slug,
        vendor_name=certification.vendor.name,
        guide=certification.guide_url,
        summary=certification.summary,
        blueprints=tuple(
            _blueprint_record(blueprint)
            for blueprint in certification.blueprints.order_by("effective_from")
        ),
    )


def _blueprint_record(blueprint: Blueprint) -> records.BlueprintRecord:
    scale = None
    if (
        blueprint.scale_min is not None
        and blueprint.scale_max is not None
        and blueprint.scale_pass is not None
    ):
        scale = records.ScaleRecord(
            lowest=blueprint.scale_min,
            highest=blueprint.scale_max,
            passing=blueprint.scale_pass,
        )
    return records.BlueprintRecord(
        version=blueprint.version,
        effective_from=blueprint.effective_from,
        effective_to=blueprint.effective_to,
        questions_min=blueprint.questions_min,
        questions_max=blueprint.questions_max,
        unscored_questions=blueprint.unscored_questions,
        minutes=blueprint.minutes,
        item_kinds=tuple(blueprint.item_kinds),
        scale=scale,
        mark=blueprint.published_mark,
        mark_source=blueprint.mark_source,
        terms_changed=blueprint.terms_changed,
        domains=tuple(
            records.DomainRecord(
                code=domain.code,
                name=domain.name,
                weight=domain.weight,
                objectives=tuple(
                    records.ObjectiveRecord(code=objective.code, name=objective.name)
                    for objective in domain.objectives.order_by("code")
                ),
            )
            for domain in blueprint.domains.order_by("code")
        ),
    )


def _scenario_record(
    scenario: Scenario, taken: dict[str, str]
) -> records.ScenarioRecord:
    revision = scenario.latest_revision
    if revision is None:
        message = f"{scenario} has no words yet."
        raise ValueError(message)
    return records.ScenarioRecord(
        certification=scenario.certification.slug,
        scenario=revision.to_scenario(),
        images=_image_files(revision.exhibits.select_related("image"), taken),
    )


def write_file(*, path: Path, text: str) -> None:
    """Write one file of the bank, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_images(
    path: Path, certification: str, pictures: Iterable[records.ImageFile]
) -> None:
    for picture in pictures:
        target = path / yaml_bank.image_path(certification, picture)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(picture.content)
