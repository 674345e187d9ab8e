"""Create a question, write its revisions, change its settings."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from accounts.models import AuthorProfile, User
from questions import selectors
from questions.domain import images, items, lifecycle
from questions.models import (
    Alignment,
    Certification,
    Domain,
    Exhibit,
    FormerSlug,
    Image,
    Objective,
    Question,
    QuestionEvent,
    Revision,
    Scenario,
    ScenarioRevision,
)
from questions.services import documents, locks, parts


class StaleDraft(Exception):
    """Somebody saved a newer revision meanwhile. ``latest`` is what is stored."""

    def __init__(self, latest: Revision) -> None:
        super().__init__(f"Revision {latest.number} was saved meanwhile.")
        self.latest = latest


class SlugTaken(ValueError):
    """Another question has, or had, this address."""

    def __init__(self, slug: str) -> None:
        super().__init__(
            f"“{slug}” is, or was, the address of another question. Choose another."
        )
        self.slug = slug


class HandedAway(ValueError):
    """Giving the question another author would let its owner approve it."""

    def __init__(self) -> None:
        super().__init__("This question is yours. Ask an editor to credit another.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where a question belongs in one blueprint version."""

    domain: Domain
    objective: Objective | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is said of a question beside its words."""

    slug: str
    author: AuthorProfile
    provenance: items.Provenance
    sources: str
    exposure: items.Exposure
    placements: tuple[Placement, ...]
    review_due_date: datetime.date | None = None


@transaction.atomic
def create_question(
    *,
    certification: Certification,
    settings: Settings,
    item: items.Item,
    by: User | None,
    at: datetime.datetime,
    note: str = "",
) -> Question:
    """Create a question with its first revision, a draft.

    Raises:
        SlugTaken: another question has, or had, the address.
    """
    locks.share_bank()
    _claim_slug(settings.slug, question=None)
    question = Question(
        certification=certification,
        slug=settings.slug,
        author=settings.author,
        provenance=settings.provenance,
        sources=settings.sources,
        exposure=settings.exposure,
        review_due_date=settings.review_due_date,
        created_at=at,
        changed_at=at,
    )
    _save_claimed(question)
    _place(question, settings.placements)
    revision = _store_revision(question, item, number=1, note=note, by=by, at=at)
    question.latest_revision = revision
    question.save(update_fields=["latest_revision"])
    record(question, QuestionEvent.Kind.CREATED, by=by, at=at, revision=revision)
    return question


@transaction.atomic
def write_revision(
    *,
    question: Question,
    item: items.Item,
    base: int,
    by: User | None,
    at: datetime.datetime,
    note: str = "",
) -> Revision:
    """Store ``item`` as the next revision, a draft, and return it.

    ``base`` is the number of the revision that the writer had before them. Words that
    did not change make no revision: the latest is returned as it is.

    Raises:
        StaleDraft: somebody saved a newer one meanwhile.
    """
    locked = locks.lock_question(question)
    latest = locked.latest_revision
    if latest is None:
        number = 1
    elif latest.number != base:
        raise StaleDraft(latest)
    elif latest.to_item() == item:
        return latest
    else:
        number = latest.number + 1
    revision = _store_revision(locked, item, number=number, note=note, by=by, at=at)
    locked.latest_revision = revision
    locked.status = lifecycle.AFTER_WRITING
    locked.save(update_fields=["latest_revision", "status"])
    record(
        locked, QuestionEvent.Kind.REVISED, by=by, at=at, revision=revision, note=note
    )
    return revision


@transaction.atomic
def change_settings(
    *, question: Question, settings: Settings, by: User | None, at: datetime.datetime
) -> bool:
    """Change what is said of a question beside its words; tell whether it differed.

    The former address keeps leading to the question.

    Raises:
        SlugTaken: another question has, or had, the new address.
        HandedAway: ``by`` owns the question, and would not any more.
    """
    locked = locks.lock_question(question)
    changes = _differences(locked, settings)
    if not changes:
        return False
    was_own = by is not None and selectors.wrote_in(question=locked, user=by)
    if settings.slug != locked.slug:
        _claim_slug(settings.slug, question=locked)
        FormerSlug.objects.create(slug=locked.slug, question=locked)
        FormerSlug.objects.filter(slug=settings.slug).delete()
    locked.slug = settings.slug
    locked.author = settings.author
    locked.provenance = settings.provenance
    locked.sources = settings.sources
    locked.exposure = settings.exposure
    locked.review_due_date = settings.review_due_date
    locked.changed_at = at
    _save_claimed(locked)
    if by and was_own and not selectors.wrote_in(question=locked, user=by):
        raise HandedAway
    if "objectives" in changes:
        _place(locked, settings.placements)
    record(
        locked,
        QuestionEvent.Kind.SETTINGS_CHANGED,
        by=by,
        at=at,
        note=", ".join(changes),
    )
    met = locked.published_revision if locked.is_live else None
    if met is not None and "objectives" in changes:
        documents.refresh_search(question=locked, item=met.to_item())
    # Answers to a retired question still tell of the domain where it stands.
    if met is not None or "objectives" in changes:
        documents.touch_bank(locked.certification)
    return True


@transaction.atomic
def store_scenario(
    *,
    certification: Certification,
    scenario: items.Scenario,
    at: datetime.datetime,
) -> ScenarioRevision:
    """Return the revision that says exactly ``scenario``, a new one if none does."""
    locks.share_bank()
    found, _ = Scenario.objects.get_or_create(
        slug=scenario.slug, defaults={"certification": certification}
    )
    row = Scenario.objects.select_for_update(no_key=True).get(pk=found.pk)
    latest = row.latest_revision
    if latest is not None and latest.to_scenario() == scenario:
        return latest
    revision = ScenarioRevision.objects.create(
        scenario=row,
        number=1 if latest is None else latest.number + 1,
        title=scenario.title,
        text=scenario.text,
        written_at=at,
    )
    exhibits = [
        Exhibit.from_exhibit(exhibit, position=place)
        for place, exhibit in enumerate(scenario.exhibits, start=1)
    ]
    for exhibit in exhibits:
        exhibit.scenario_revision = revision
    Exhibit.objects.bulk_create(exhibits)
    row.latest_revision = revision
    row.save(update_fields=["latest_revision"])
    return revision


def store_image(
    *, content: bytes, file_name: str, by: User | None, at: datetime.datetime
) -> Image:
    """Keep a picture, once however often it is sent.

    Raises:
        images.ImageRefused: it is too large, no picture, or has something active in it.
    """
    facts = images.inspect_image(content)
    locks.share_bank()
    digest = hashlib.sha256(content).hexdigest()
    image, _ = Image.objects.get_or_create(
        sha256=digest,
        defaults={
            "media_type": facts.media_type,
            "content": content,
            "width": facts.width,
            "height": facts.height,
            "file_name": file_name[:120],
            "added_by": by,
            "added_at": at,
        },
    )
    return image


def record(
    question: Question,
    kind: QuestionEvent.Kind,
    *,
    by: User | None,
    at: datetime.datetime,
    revision: Revision | None = None,
    note: str = "",
) -> None:
    """Add an event to the question's history."""
    QuestionEvent.objects.create(
        question=question,
        revision=revision,
        kind=kind,
        by=by,
        note=note,
        happened_at=at,
    )


def _claim_slug(slug: str, *, question: Question | None) -> None:
    others = Question.objects.filter(slug=slug)
    former = FormerSlug.objects.filter(slug=slug)
    if question is not None:
        others = others.exclude(pk=question.pk)
        former = former.exclude(question=question)
    if others.exists() or former.exists():
        raise SlugTaken(slug)


def _save_claimed(question: Question) -> None:
    """Save under an address that was free a moment ago.

    Raises:
        SlugTaken: somebody else was faster.
    """
    try:
        with transaction.atomic():
            question.save()
    except IntegrityError as error:
        raise SlugTaken(question.slug) from error


def _place(question: Question, placements: Sequence[Placement]) -> None:
    question.alignments.all().delete()
    Alignment.objects.bulk_create(
        Alignment(
            question=question,
            blueprint_id=placement.domain.blueprint_id,
            domain=placement.domain,
            objective=placement.objective,
        )
        for placement in placements
    )


def _differences(question: Question, settings: Settings) -> list[str]:
    """Name the settings that differ from what is stored, in readers' words."""
    placed = {
        (alignment.domain_id, alignment.objective_id)
        for alignment in question.alignments.all()
    }
    wanted = {
        (placement.domain.pk, placement.objective and placement.objective.pk)
        for placement in settings.placements
    }
    pairs: list[tuple[str, object, object]] = [
        ("address", question.slug, settings.slug),
        ("author", question.author_id, settings.author.pk),
        ("provenance", question.provenance, settings.provenance),
        ("sources", question.sources, settings.sources),
        ("exposure", question.exposure, settings.exposure),
        ("review date", question.review_due_date, settings.review_due_date),
        ("objectives", placed, wanted),
    ]
    return [name for name, stored, wished in pairs if stored != wished]


def _store_revision(
    question: Question,
    item: items.Item,
    *,
    number: int,
    note: str,
    by: User | None,
    at: datetime.datetime,
) -> Revision:
    scenario = None
    if item.scenario is not None:
        scenario = store_scenario(
            certification=question.certification, scenario=item.scenario, at=at
        )
    revision = Revision.objects.create(
        question=question,
        number=number,
        kind=items.kind_of(item),
        choose=items.choose_of(item),
        title=item.title,
        stem=item.stem,
        lead_in=item.lead_in,
        difficulty=item.difficulty,
        trap=item.trap,
        explanation=item.explanation,
        scenario_revision=scenario,
        note=note,
        written_by=by,
        written_at=at,
    )
    parts.store_parts(revision=revision, item=item)
    return revision


@transaction.atomic
def declare_enemies(
    *,
    question: Question,
    enemies: Sequence[Question],
    by: User | None,
    at: datetime.datetime,
) -> None:
    """Say which questions are never to be in one exam with this one."""
    others = [enemy for enemy in enemies if enemy.pk != question.pk]
    stored = set(question.enemies.values_list("pk", flat=True))
    if stored == {enemy.pk for enemy in others}:
        return
    question.enemies.set(others)
    record(question, QuestionEvent.Kind.SETTINGS_CHANGED, by=by, at=at, note="enemies")
