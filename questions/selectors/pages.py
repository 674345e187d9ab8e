"""Read models of the public pages."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Count, F, Max, Min, Prefetch, Q, QuerySet

from accounts.models import AuthorProfile
from questions.domain.items import Exposure
from questions.models import (
    Blueprint,
    Certification,
    Domain,
    Image,
    Objective,
    Question,
    Vendor,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A question as a line in a list."""

    slug: str
    title: str
    difficulty: str
    objective: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An author or reviewer as readers see them; no ``slug`` without a public page.

    Without an account it may be a name that several share, or nobody's.
    """

    name: str
    slug: str
    has_account: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The blueprint version a question was checked against, and where it stands."""

    version: str
    effective_from: datetime.date
    domain_code: str
    domain_name: str
    objective_code: str
    objective_name: str
    objective_slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPage:
    """Everything the page of one question shows, from one look-up.

    ``open`` and ``keyed`` are the published document, without and with the key; letters
    in them are placeholders still.
    """

    id: int
    public_id: str
    slug: str
    exposure: Exposure
    is_retired: bool
    changed_at: datetime.datetime
    provenance: str
    revision_id: int
    revision_number: int
    published_at: datetime.datetime
    open: dict[str, Any]
    keyed: dict[str, Any]
    checksum: str
    certification_slug: str
    certification_code: str
    certification_name: str
    bank_version: int
    vendor_slug: str
    vendor_name: str
    place: Place | None
    author: Person
    reviewer: Person | None
    reviewed_at: datetime.datetime | None
    previous_slug: str
    next_slug: str
    related: tuple[Link, ...]

    @property
    def is_self_reviewed(self) -> bool:
        """Whether one person wrote and approved it, in a house of one."""
        return self.reviewer is not None and self.reviewer == self.author


_PUBLIC = """
    {0}.published_revision_id IS NOT NULL AND {0}.retired_at IS NULL
    AND {0}.exposure = 'public'
"""

# Constants only; what varies is bound by the driver.
_QUESTION_PAGE = f"""
SELECT q.id, q.public_id, q.slug, q.exposure, q.retired_at IS NOT NULL AS is_retired,
       q.changed_at, q.provenance,
       r.id AS revision_id, r.number AS revision_number, r.published_at,
       doc.open, doc.keyed, doc.checksum,
       c.slug AS certification_slug, c.code AS certification_code,
       c.name AS certification_name, c.bank_version,
       v.slug AS vendor_slug, v.name AS vendor_name,
       place.*,
       jsonb_build_object('name', author.name, 'slug',
           CASE WHEN author.is_public THEN author.slug ELSE '' END,
           'has_account', author.user_id IS NOT NULL) AS author,
       review.reviewer, review.reviewed_at,
       (SELECT p.slug FROM questions_question p
         WHERE p.certification_id = q.certification_id AND {_PUBLIC.format("p")}
           AND p.id < q.id ORDER BY p.id DESC LIMIT 1) AS previous_slug,
       (SELECT n.slug FROM questions_question n
         WHERE n.certification_id = q.certification_id AND {_PUBLIC.format("n")}
           AND n.id > q.id ORDER BY n.id LIMIT 1) AS next_slug,
       (SELECT jsonb_agg(near) FROM (
          SELECT o.slug, orev.title, orev.difficulty
            FROM questions_alignment oa
            JOIN questions_question o ON o.id = oa.question_id
            JOIN questions_revision orev ON orev.id = o.published_revision_id
           WHERE {_PUBLIC.format("o")} AND NOT o.bands && q.bands
             AND oa.domain_id = place.domain_id
             AND oa.objective_id IS NOT DISTINCT FROM place.objective_id
             AND oa.question_id > q.id
           ORDER BY oa.question_id LIMIT 4) near) AS after,
       (SELECT jsonb_agg(near) FROM (
          SELECT o.slug, orev.title, orev.difficulty
            FROM questions_alignment oa
            JOIN questions_question o ON o.id = oa.question_id
            JOIN questions_revision orev ON orev.id = o.published_revision_id
           WHERE {_PUBLIC.format("o")} AND NOT o.bands && q.bands
             AND oa.domain_id = place.domain_id
             AND oa.objective_id IS NOT DISTINCT FROM place.objective_id
             AND oa.question_id < q.id
           ORDER BY oa.question_id DESC LIMIT 4) near) AS before
  FROM questions_question q
  JOIN questions_revision r ON r.id = q.published_revision_id
  JOIN questions_publisheddocument doc ON doc.revision_id = r.id
  JOIN questions_certification c ON c.id = q.certification_id
  JOIN questions_vendor v ON v.id = c.vendor_id
  JOIN accounts_authorprofile author ON author.id = q.author_id
  LEFT JOIN LATERAL (
       SELECT b.version, b.effective_from, d.id AS domain_id, d.code AS domain_code,
              d.name AS domain_name, obj.id AS objective_id,
              COALESCE(obj.code, '') AS objective_code,
              COALESCE(obj.name, '') AS objective_name,
              COALESCE(obj.slug, '') AS objective_slug
         FROM questions_alignment a
         JOIN questions_blueprint b ON b.id = a.blueprint_id
         JOIN questions_domain d ON d.id = a.domain_id
         LEFT JOIN questions_objective obj ON obj.id = a.objective_id
        WHERE a.question_id = q.id
        ORDER BY (b.effective_from <= %(on)s) DESC, b.effective_from DESC LIMIT 1
       ) place ON true
  LEFT JOIN LATERAL (
       SELECT jsonb_build_object('name', who.name, 'slug',
                  CASE WHEN who.is_public THEN who.slug ELSE '' END,
                  'has_account', who.user_id IS NOT NULL) AS reviewer,
              rv.reviewed_at
         FROM questions_review rv
         JOIN accounts_authorprofile who ON who.id = rv.reviewer_id
        WHERE rv.revision_id = r.id AND rv.verdict = 'approved'
        ORDER BY rv.reviewed_at DESC LIMIT 1
       ) review ON true
 WHERE q.slug = %(slug)s
"""  # noqa: S608


def question_page(*, slug: str, on: datetime.date) -> QuestionPage | None:
    """Return the page of a question that is, or once was, published; else nothing.

    One query whatever the size of the bank. Mock-only questions are found too: what
    may be shown of them is for the caller to decide.
    """
    with connection.cursor() as cursor:
        cursor.execute(_QUESTION_PAGE, {"slug": slug, "on": on})
        names = [column[0] for column in cursor.description]
        row = cursor.fetchone()
    if row is None:
        return None
    return _page(dict(zip(names, row, strict=True)))


def _page(row: dict[str, Any]) -> QuestionPage:
    place = None
    if row["version"] is not None:
        place = Place(
            version=row["version"],
            effective_from=row["effective_from"],
            domain_code=row["domain_code"],
            domain_name=row["domain_name"],
            objective_code=row["objective_code"],
            objective_name=row["objective_name"],
            objective_slug=row["objective_slug"],
        )
    near = [*(_json(row["after"]) or []), *(_json(row["before"]) or [])]
    reviewer = _json(row["reviewer"])
    return QuestionPage(
        id=row["id"],
        public_id=row["public_id"],
        slug=row["slug"],
        exposure=Exposure(row["exposure"]),
        is_retired=row["is_retired"],
        changed_at=row["changed_at"],
        provenance=row["provenance"],
        revision_id=row["revision_id"],
        revision_number=row["revision_number"],
        published_at=row["published_at"],
        open=_json(row["open"]),
        keyed=_json(row["keyed"]),
        checksum=row["checksum"],
        certification_slug=row["certification_slug"],
        certification_code=row["certification_code"],
        certification_name=row["certification_name"],
        bank_version=row["bank_version"],
        vendor_slug=row["vendor_slug"],
        vendor_name=row["vendor_name"],
        place=place,
        author=Person(**_json(row["author"])),
        reviewer=Person(**reviewer) if reviewer else None,
        reviewed_at=row["reviewed_at"],
        previous_slug=row["previous_slug"] or "",
        next_slug=row["next_slug"] or "",
        related=tuple(Link(**found) for found in near[:4]),
    )


def _json(value: Any) -> Any:
    """Return decoded JSON: a raw cursor hands jsonb over as text under Django."""
    return json.loads(value) if isinstance(value, str) else value


@lru_cache(maxsize=256)
def bank_size(*, certification_slug: str, bank_version: int) -> int:
    """Return how many live questions the bank has, counted once per ``bank_version``."""
    del bank_version  # names the state that the count is kept for
    return (
        Question.objects.live().filter(certification__slug=certification_slug).count()
    )


def question_of_the_day(*, on: datetime.date) -> str:
    """Return the slug of the public question for this day; empty in an empty bank."""
    public = Question.objects.public().order_by("id")
    ends = public.aggregate(least=Min("id"), most=Max("id"))
    if ends["least"] is None:
        return ""
    span = ends["most"] - ends["least"] + 1
    # Knuth's multiplicative step, so that neighbours in time are no neighbours in
    # the bank.
    start = ends["least"] + on.toordinal() * 2654435761 % span
    slug = public.filter(id__gte=start).values_list("slug", flat=True).first()
    return slug or ""


def vendors() -> QuerySet[Vendor]:
    """Return vendors with their certifications, each with its number of questions."""
    return Vendor.objects.prefetch_related(
        Prefetch("certifications", certifications())
    ).order_by("name")


def certifications() -> QuerySet[Certification]:
    """Return certifications with ``public_count`` and ``live_count``, by name."""
    live = Q(
        questions__published_revision__isnull=False, questions__retired_at__isnull=True
    )
    return (
        Certification.objects.select_related("vendor")
        .annotate(
            live_count=Count("questions", filter=live),
            public_count=Count(
                "questions", filter=live & Q(questions__exposure=Exposure.PUBLIC)
            ),
        )
        .order_by("-public_count", "name")
    )


def blueprint_in_force(
    *, certification: Certification, on: datetime.date
) -> Blueprint | None:
    """Return the version that an exam taken ``on`` this day follows, or the nearest."""
    versions = certification.blueprints.order_by("-effective_from")
    return versions.in_force(on=on).first() or versions.first()


def blueprint_domains(*, blueprint: Blueprint) -> list[Domain]:
    """Return the domains in order, each with ``objectives`` and live public counts.

    Domains and objectives carry ``public_count``; two queries.
    """
    live = Q(
        alignments__question__published_revision__isnull=False,
        alignments__question__retired_at__isnull=True,
        alignments__question__exposure=Exposure.PUBLIC,
    )
    counted = Count("alignments", filter=live)
    return list(
        Domain.objects.filter(blueprint=blueprint)
        .annotate(public_count=counted)
        .order_by("code")
        .prefetch_related(
            Prefetch(
                "objectives",
                Objective.objects.annotate(public_count=counted).order_by("code"),
            )
        )
    )


def domains_in_force(*, on: datetime.date) -> QuerySet[Domain]:
    """Return the domains of all blueprint versions in force, by exam."""
    return (
        Domain.objects.filter(blueprint__in=Blueprint.objects.in_force(on=on))
        .select_related("blueprint__certification")
        .order_by("blueprint__certification__code", "code")
    )


def objectives_in_force(*, on: datetime.date) -> QuerySet[Objective]:
    """Return the objectives of all blueprint versions in force, by exam."""
    return (
        Objective.objects.filter(
            domain__blueprint__in=Blueprint.objects.in_force(on=on)
        )
        .select_related("domain__blueprint__certification")
        .order_by("domain__blueprint__certification__code", "code")
    )


def questions_of_objective(*, objective: Objective, user: object) -> QuerySet[Question]:
    """Return the questions of an objective that ``user`` may read, in their order."""
    return _listed(Question.objects.readable_by(user)).filter(
        alignments__objective=objective
    )


def questions_of_author(*, author: AuthorProfile, user: object) -> QuerySet[Question]:
    """Return the author's questions that ``user`` may read, newest first."""
    return (
        _listed(Question.objects.readable_by(user))
        .filter(author=author)
        .order_by("-published_revision__published_at", "-id")
    )


def _listed(questions: QuerySet[Question]) -> QuerySet[Question]:
    return (
        questions.select_related("certification")
        .annotate(
            title=F("published_revision__title"),
            difficulty=F("published_revision__difficulty"),
            kind=F("published_revision__kind"),
        )
        .order_by("id")
    )


def image_for(*, sha256: str, user: object, is_desk: bool) -> Image | None:
    """Return a picture that ``user`` may see: one that a readable question shows.

    Who works at the author desk may see all of them.
    """
    images = Image.objects.filter(sha256=sha256)
    if is_desk:
        return images.first()
    readable = Question.objects.readable_by(user)
    return images.filter(
        Q(exhibits__revision__published_of__in=readable)
        | Q(exhibits__scenario_revision__revisions__published_of__in=readable)
    ).first()
