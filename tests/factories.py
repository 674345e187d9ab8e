"""Makers of valid rows: each says only what a story is about."""

from __future__ import annotations

import datetime
import itertools
from typing import Any

from accounts.models import AuthorProfile
from questions.domain import items
from questions.domain.lifecycle import Status
from questions.models import (
    Blueprint,
    Certification,
    Domain,
    Objective,
    Question,
    Vendor,
)
from questions.services import authoring, review

NOW = datetime.datetime(2026, 11, 30, 12, 0, tzinfo=datetime.UTC)
_numbers = itertools.count(1)

_TOPICS = (
    "a clinic that reads scans at night",
    "a port that books cranes by the hour",
    "a library that sorts returned books",
    "a farm that waters by satellite pictures",
    "a bakery that guesses tomorrow's bread",
    "a museum that counts visitors per room",
    "a ferry that sells seats by the tide",
    "a school that maps its bus lines",
    "a mill that listens to its bearings",
    "a theatre that prices its last rows",
    "an observatory that sorts faint dots",
    "a brewery that watches its yeast",
)


def make_item(number: int | None = None, **changes: Any) -> items.Item:
    """Return a publishable item; ``number`` makes its words differ from the others'."""
    number = next(_numbers) if number is None else number
    topic = _TOPICS[number % len(_TOPICS)]
    parts: dict[str, Any] = {
        "title": f"Story {number} of {topic}",
        "stem": f"Consider {topic}, in its {number}th year. The team of {number} people "
        f"keeps model{number} in region r{number} and has budget b{number} for it.",
        "lead_in": f"What should the team of {topic} do first?",
        "options": (
            option("wait", text=f"Wait for {number} weeks"),
            option("measure", text=f"Measure model{number} first", is_key=True),
            option("replace", text=f"Replace all {number} parts"),
            option("ask", text=f"Ask vendor v{number} about it"),
        ),
        "trap": "Doing something feels better than finding out what is wrong.",
        "explanation": "What {{option:measure}} finds decides between the others.",
        "references": (
            items.Reference(title="A guide", url="https://example.org/guide"),
        ),
    }
    parts.update(changes)
    if "choose" in parts:
        return items.MultipleChoice(**parts)
    return items.SingleChoice(**parts)


def option(key: str, **changes: Any) -> items.Option:
    """Return an option with a rationale."""
    parts: dict[str, Any] = {
        "key": key,
        "text": f"Text of {key}",
        "is_key": False,
        "rationale": f"Reason why {key} stands as it does, in this case.",
    }
    parts.update(changes)
    return items.Option(**parts)


def make_choose_two(number: int | None = None, **changes: Any) -> items.Item:
    """Return a publishable item that asks for two of five."""
    number = next(_numbers) if number is None else number
    options = (
        option("alpha", text=f"Take the {number}th path", is_key=True),
        option("beta", text=f"Skip the {number}th path"),
        option("gamma", text=f"Mark the {number}th path", is_key=True),
        option("delta", text=f"Sell the {number}th path"),
        option("epsilon", text=f"Paint the {number}th path"),
    )
    parts = {
        "options": options,
        "choose": 2,
        "explanation": "Both {{option:alpha}} and {{option:gamma}} keep the way open.",
        **changes,
    }
    return make_item(number, **parts)


def make_certification(code: str = "TST") -> Certification:
    """Return a certification with two blueprint versions of two domains each."""
    vendor, _ = Vendor.objects.get_or_create(slug="maker", defaults={"name": "Maker"})
    certification = Certification.objects.create(
        vendor=vendor,
        code=code,
        slug=code.lower(),
        name=f"Certified {code}",
        level=Certification.Level.PROFESSIONAL,
        guide_url="https://example.org/guide",
    )
    for version, start, end in (
        ("1", datetime.date(2020, 1, 1), datetime.date(2025, 12, 31)),
        ("2", datetime.date(2026, 1, 1), None),
    ):
        blueprint = Blueprint.objects.create(
            certification=certification,
            version=version,
            effective_from=start,
            effective_to=end,
            questions_min=50,
            questions_max=60,
            minutes=120,
            item_kinds=["single", "multiple"],
            published_mark="0.7",
            mark_source=Blueprint.MarkSource.OURS,
        )
        for number, weight in ((1, 60), (2, 41)):
            domain = Domain.objects.create(
                blueprint=blueprint,
                code=str(number),
                name=f"Domain {number} of {version}",
                weight=weight,
            )
            Objective.objects.create(
                domain=domain,
                code=f"{number}.1",
                slug=f"objective-{number}",
                name=f"Objective {number}.1 of {version}",
            )
    return certification


def make_profile(slug: str, **changes: Any) -> AuthorProfile:
    """Return an author's profile."""
    fields = {"name": slug.replace("-", " ").title(), **changes}
    profile, _ = AuthorProfile.objects.get_or_create(slug=slug, defaults=fields)
    return profile


def make_settings(
    certification: Certification, *, slug: str, domain: str = "1", **changes: Any
) -> authoring.Settings:
    """Return settings that place a question in both blueprint versions."""
    objectives = Objective.objects.filter(
        domain__blueprint__certification=certification, domain__code=domain
    ).select_related("domain")
    fields: dict[str, Any] = {
        "slug": slug,
        "author": make_profile("ada-writer"),
        "provenance": items.Provenance.HUMAN,
        "sources": "",
        "exposure": items.Exposure.PUBLIC,
        "placements": tuple(
            authoring.Placement(domain=objective.domain, objective=objective)
            for objective in objectives
        ),
        **changes,
    }
    return authoring.Settings(**fields)


def make_draft(
    certification: Certification,
    item: items.Item | None = None,
    *,
    by: Any = None,
    **settings: Any,
) -> Question:
    """Return a stored draft."""
    number = next(_numbers)
    return authoring.create_question(
        certification=certification,
        settings=make_settings(
            certification, **{"slug": f"question-{number}", **settings}
        ),
        item=item or make_item(number),
        by=by,
        at=NOW,
    )


def make_published(
    certification: Certification, item: items.Item | None = None, **settings: Any
) -> Question:
    """Return a question that learners can meet, reviewed by somebody else."""
    question = make_draft(certification, item, **settings)
    publish(question)
    return question


def publish(question: Question) -> None:
    """Let learners meet the latest revision of a draft."""
    review.record_import(
        question=question,
        status=Status.PUBLISHED,
        reviewer=make_profile("rex-reader"),
        reviewed_at=NOW,
        at=NOW,
    )
    question.refresh_from_db()
