"""What the author desk reads: what is wrong, what waits, what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from questions.domain import blueprint as weights
from questions.domain import checks, items, similarity, tells
from questions.domain.items import Exposure
from questions.domain.lifecycle import Status
from questions.models import (
    Alignment,
    Blueprint,
    Domain,
    Objective,
    Question,
    Review,
    Revision,
)


def wrote_in(*, question: Question, user: User) -> bool:
    """Tell whether ``user`` wrote what is not yet published of the question, or owns it.

    Who wrote a revision that was published since has been read by others; who wrote
    a later one has not.
    """
    if question.author.user_id is not None and question.author.user_id == user.pk:
        return True
    since = 0
    if question.published_revision is not None:
        since = question.published_revision.number
    return question.revisions.filter(number__gt=since, written_by=user).exists()


def problems_of(*, question: Question, item: items.Item) -> list[checks.Problem]:
    """List what is wrong with ``item`` as the question's next published words."""
    found = checks.problems(item)
    found += [
        checks.Problem(
            code="near_duplicate",
            where="stem",
            message=(
                f"This is nearly the published question “{twin.slug}”. Change the "
                "situation or the decision, or declare the two as enemies."
            ),
            severity=checks.Severity.BLOCKING,
        )
        for twin in twins_of(question=question, item=item)
    ]
    if not question.alignments.exists():
        found.append(
            checks.Problem(
                code="no_objective",
                where="objectives",
                message=(
                    "Say which objective of the blueprint this question is for: "
                    "exams and practice by topic can't find it otherwise."
                ),
                severity=checks.Severity.BLOCKING,
            )
        )
    return found


def twins_of(*, question: Question, item: items.Item) -> list[Question]:
    """Find live questions that are nearly this one and not declared its enemies."""
    fingerprint = similarity.fingerprint(item)
    candidates = (
        Question.objects.live()
        .filter(
            certification=question.certification, bands__overlap=similarity.bands(item)
        )
        .exclude(pk=question.pk)
        .exclude(enemies=question.pk)
        .select_related("published_revision")[:50]
    )
    return [
        other
        for other in candidates
        if other.published_revision is not None
        and similarity.is_near_duplicate(
            fingerprint, similarity.fingerprint(other.published_revision.to_item())
        )
    ]


def with_marks(questions: QuerySet[Question]) -> QuerySet[Question]:
    """Annotate what the desk's list shows and filters by.

    ``is_modified_since_approval``: an earlier revision was approved, the latest isn't;
    ``lacks_rationale``: an option of the latest revision says not why.
    """
    approved = Review.objects.filter(verdict=Review.Verdict.APPROVED)
    return questions.annotate(
        is_modified_since_approval=Exists(
            approved.filter(revision__question=OuterRef("pk"))
        )
        & ~Exists(approved.filter(revision=OuterRef("latest_revision"))),
        lacks_rationale=Exists(
            Revision.objects.filter(
                pk=OuterRef("latest_revision"), options__rationale=""
            )
        ),
    )


def review_queue(*, status: Status) -> QuerySet[Question]:
    """Return what waits in ``status``: for a reviewer, or for an editor; oldest first."""
    return (
        Question.objects.filter(status=status)
        .select_related("certification", "author", "latest_revision__written_by")
        .order_by("latest_revision__written_at", "pk")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageLine:
    """One objective, or domain: what is published of it, and what it weighs.

    ``share_published`` and ``share_wanted`` are shares of 1; an objective has no
    published weight and shares its domain's equally.
    """

    code: str
    name: str
    is_domain: bool
    published: int
    drafts: int
    by_exposure: dict[str, int]
    share_published: float
    share_wanted: float

    @property
    def percent_published(self) -> int:
        """The share of what is published, in per cent."""
        return round(self.share_published * 100)

    @property
    def percent_wanted(self) -> int:
        """The share that the blueprint gives, in per cent."""
        return round(self.share_wanted * 100)


def coverage(*, blueprint: Blueprint) -> list[CoverageLine]:
    """Compare the live questions of each domain and objective with their weights."""
    domains = list(
        Domain.objects.filter(blueprint=blueprint)
        .order_by("code")
        .prefetch_related("objectives")
    )
    if not domains:
        return []
    are_weighed = any(domain.weight for domain in domains)
    shares = weights.shares(
        {domain.pk: domain.weight if are_weighed else 1 for domain in domains}
    )
    rows: list[Any] = list(
        Question.objects.filter(alignments__blueprint=blueprint)
        .exclude(status=Status.RETIRED)
        .values(
            "exposure",
            domain=F("alignments__domain"),
            objective=F("alignments__objective"),
        )
        .annotate(
            live=Count(
                "pk",
                filter=Q(published_revision__isnull=False, retired_at__isnull=True),
            ),
            all=Count("pk"),
        )
    )
    total = sum(row["live"] for row in rows) or 1
    lines: list[CoverageLine] = []
    for domain in domains:
        own = [row for row in rows if row["domain"] == domain.pk]
        wanted = float(shares[domain.pk])
        lines.append(_line(domain, own, total=total, wanted=wanted))
        objectives = sorted(domain.objectives.all(), key=lambda found: found.code)
        lines += [
            _line(
                objective,
                [row for row in own if row["objective"] == objective.pk],
                total=total,
                wanted=wanted / len(objectives),
            )
            for objective in objectives
        ]
    return lines


def _line(
    place: Domain | Objective,
    rows: Iterable[dict[str, Any]],
    *,
    total: int,
    wanted: float,
) -> CoverageLine:
    by_exposure = dict.fromkeys((str(exposure) for exposure in Exposure), 0)
    drafts = 0
    for row in rows:
        live, everything = row["live"], row["all"]
        by_exposure[row["exposure"]] += live
        drafts += everything - live
    published = sum(by_exposure.values())
    return CoverageLine(
        code=place.code,
        name=place.name,
        is_domain=isinstance(place, Domain),
        published=published,
        drafts=drafts,
        by_exposure=by_exposure,
        share_published=published / total,
        share_wanted=wanted,
    )


def report_rows(*, blueprint: Blueprint) -> list[tells.Row]:
    """Return the live questions of the certification as the bank's report counts them."""
    revisions = Revision.objects.with_content().filter(
        published_of__certification=blueprint.certification,
        published_of__retired_at__isnull=True,
    )
    places = {
        place.question_id: place
        for place in Alignment.objects.filter(blueprint=blueprint).select_related(
            "domain", "objective"
        )
    }
    rows: list[tells.Row] = []
    for revision in revisions.select_related("question").order_by("question__slug"):
        place = places.get(revision.question_id)
        rows.append(
            tells.Row(
                item=revision.to_item(),
                domain=place.domain.code if place else "none",
                objective=place.objective.code if place and place.objective else "none",
                exposure=revision.question.exposure,
            )
        )
    return rows


def unaligned(*, blueprint: Blueprint) -> QuerySet[Question]:
    """Return questions of the certification that have no place in this version.

    The worklist when a new guide comes out.
    """
    return (
        Question.objects.filter(certification=blueprint.certification)
        .exclude(status=Status.RETIRED)
        .exclude(alignments__blueprint=blueprint)
        .select_related("latest_revision")
        .order_by("slug")
    )
