"""What search engines and link previews are told of a page, from its read model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from accounts.models import AuthorProfile
from questions.models import Blueprint, Certification, Objective, Vendor
from questions.selectors import QuestionPage

_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
_DESCRIPTION_LENGTH = 155


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """One step of the way to a page. The last has no address: it is the page."""

    name: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """The head of a page, and the way to it."""

    title: str
    description: str = ""
    path: str = ""
    robots: str = ""
    crumbs: tuple[Crumb, ...] = ()
    json_ld: SafeString | str = ""

    @property
    def canonical(self) -> str:
        """The one address of the page; empty for pages that are nobody else's."""
        return f"{settings.SITE_URL}{self.path}" if self.path else ""


def question(page: QuestionPage) -> Meta:
    """Describe a question page without a hint of its key.

    Its author is named to machines if an account is behind the name: of another name
    nothing says that it is a person's.
    """
    path = reverse("question", args=[page.slug])
    domain = page.place.domain_name if page.place else page.certification_name
    crumbs = question_crumbs(page)
    title = page.open["title"]
    resource: dict[str, Any] = {
        "@type": "LearningResource",
        "@id": f"{settings.SITE_URL}{path}#question",
        "name": title,
        "url": f"{settings.SITE_URL}{path}",
        "description": page.open["description"],
        "learningResourceType": "Practice question",
        "educationalUse": "Practice",
        "interactivityType": "active",
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "datePublished": page.published_at.date().isoformat(),
        "dateModified": page.changed_at.date().isoformat(),
        "publisher": {"@type": "Organization", "name": settings.SITE_NAME},
        "educationalAlignment": {
            "@type": "AlignmentObject",
            "alignmentType": "assesses",
            "educationalFramework": page.certification_name,
            "targetName": domain,
        },
    }
    if page.author.has_account:
        resource["author"] = _person(page.author.name, page.author.slug)
    return Meta(
        title=f"{title}: {page.certification_code} {domain} practice question",
        description=page.open["description"],
        path=path,
        crumbs=crumbs,
        json_ld=_linked(resource, _breadcrumbs(crumbs, path)),
    )


def question_crumbs(page: QuestionPage) -> tuple[Crumb, ...]:
    """Return the way to a question: certification, objective or domain, title."""
    crumbs = [
        Crumb(name="Exams", address=reverse("home")),
        Crumb(
            name=page.certification_code,
            address=reverse("certification", args=[page.certification_slug]),
        ),
    ]
    if page.place and page.place.objective_slug:
        crumbs.append(
            Crumb(
                name=page.place.objective_name,
                address=reverse(
                    "objective",
                    args=[
                        page.certification_slug,
                        page.place.version,
                        page.place.objective_slug,
                    ],
                ),
            )
        )
    return (*crumbs, Crumb(name=page.open["title"]))


def closed_question(page: QuestionPage) -> Meta:
    """Describe the door of a members-only question."""
    return Meta(
        title=f"{page.open['title']}: for members",
        robots="noindex",
        crumbs=question_crumbs(page),
    )


def retired_question(page: QuestionPage) -> Meta:
    """Describe the notice at the address of a retired question."""
    return Meta(
        title=f"{page.open['title']}: retired",
        robots="noindex",
        crumbs=question_crumbs(page),
    )


def home() -> Meta:
    """Describe the home page."""
    path = reverse("home")
    site = {
        "@type": "WebSite",
        "name": settings.SITE_NAME,
        "url": f"{settings.SITE_URL}{path}",
        "potentialAction": {
            "@type": "SearchAction",
            "target": {
                "@type": "EntryPoint",
                "urlTemplate": f"{settings.SITE_URL}{reverse('search')}"
                "?q={search_term_string}",
            },
            "query-input": "required name=search_term_string",
        },
    }
    return Meta(
        title="Practice questions that explain themselves",
        description="Original practice questions for IT certification exams. Each "
        "explains every option, the right one and the tempting ones.",
        path=path,
        json_ld=_linked(site),
    )


def vendor(row: Vendor) -> Meta:
    """Describe a vendor's page."""
    path = row.get_absolute_url()
    crumbs = (Crumb(name="Exams", address=reverse("home")), Crumb(name=row.name))
    return Meta(
        title=f"{row.name} certification exams",
        description=f"Original practice questions for the exams of {row.name}, each "
        "with the reasons for and against every option.",
        path=path,
        crumbs=crumbs,
        json_ld=_linked(_breadcrumbs(crumbs, path)),
    )


def certification(row: Certification, blueprint: Blueprint | None) -> Meta:
    """Describe a certification's page."""
    path = row.get_absolute_url()
    crumbs = _certification_crumbs(row, is_last=True)
    course: dict[str, Any] = {
        "@type": "EducationalOccupationalCredential",
        "name": row.name,
        "credentialCategory": "certification",
        "url": row.guide_url,
        "recognizedBy": {"@type": "Organization", "name": row.vendor.name},
    }
    return Meta(
        title=f"{row.code} practice questions: {row.name}",
        description=_cut(
            row.summary
            or f"Practice questions for {row.name}, by domain and objective"
            + (f" of the {blueprint.version} exam guide." if blueprint else ".")
        ),
        path=path,
        crumbs=crumbs,
        json_ld=_linked(course, _breadcrumbs(crumbs, path)),
    )


def objective(row: Objective, certification_row: Certification) -> Meta:
    """Describe an objective's page."""
    path = row.get_absolute_url()
    crumbs = (
        *_certification_crumbs(certification_row, is_last=False),
        Crumb(name=row.name),
    )
    return Meta(
        title=f"{row.name}: {certification_row.code} practice questions",
        description=_cut(
            f"Practice questions for objective {row.code} of "
            f"{certification_row.name}: {row.name}."
        ),
        path=path,
        crumbs=crumbs,
        json_ld=_linked(_breadcrumbs(crumbs, path)),
    )


def author(row: AuthorProfile) -> Meta:
    """Describe an author's page."""
    path = reverse("author", args=[row.slug])
    person = {**_person(row.name, row.slug), "description": row.byline}
    return Meta(
        title=row.name,
        description=_cut(row.byline or f"Questions written by {row.name}."),
        path=path,
        crumbs=(Crumb(name="Exams", address=reverse("home")), Crumb(name=row.name)),
        json_ld=_linked(person) if row.user_id is not None else "",
    )


def practice(row: Certification) -> Meta:
    """Describe the page on which practice is put together."""
    return Meta(
        title=f"Practise for {row.code}",
        description=f"Put together a set of {row.code} practice questions by domain, "
        "objective and difficulty. No account needed.",
        path=reverse("practice", args=[row.slug]),
        crumbs=(
            *_certification_crumbs(row, is_last=False),
            Crumb(name="Practise"),
        ),
    )


def mocks(row: Certification) -> Meta:
    """Describe the page on which a mock exam is chosen."""
    return Meta(
        title=f"{row.code} mock exams",
        description=f"Timed {row.code} mock exams, built to the weights of the exam "
        "guide, scored as the exam is, with every answer explained afterwards.",
        path=reverse("mocks", args=[row.slug]),
        crumbs=(
            *_certification_crumbs(row, is_last=False),
            Crumb(name="Mock exams"),
        ),
    )


def plain(*, title: str, description: str, name: str) -> Meta:
    """Describe a page of text at the address called ``name``."""
    return Meta(title=title, description=description, path=reverse(name))


def private(title: str) -> Meta:
    """Describe a page that is only its owner's."""
    return Meta(title=title, robots="noindex")


def _certification_crumbs(row: Certification, *, is_last: bool) -> tuple[Crumb, ...]:
    return (
        Crumb(name="Exams", address=reverse("home")),
        Crumb(name=row.vendor.name, address=row.vendor.get_absolute_url()),
        Crumb(name=row.code, address="" if is_last else row.get_absolute_url()),
    )


def _person(name: str, slug: str) -> dict[str, Any]:
    person: dict[str, Any] = {"@type": "Person", "name": name}
    if slug:
        person["url"] = f"{settings.SITE_URL}{reverse('author', args=[slug])}"
    return person


def _breadcrumbs(crumbs: tuple[Crumb, ...], path: str) -> dict[str, Any]:
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": place,
                "name": crumb.name,
                "item": f"{settings.SITE_URL}{crumb.address or path}",
            }
            for place, crumb in enumerate(crumbs, start=1)
        ],
    }


def _linked(*nodes: dict[str, Any]) -> SafeString:
    """Return the nodes as JSON-LD that can't end the element it stands in."""
    graph = {"@context": "https://schema.org", "@graph": list(nodes)}
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(text.translate(_ESCAPES))  # noqa: S308  (escaped the line above)


def _cut(text: str) -> str:
    if len(text) <= _DESCRIPTION_LENGTH:
        return text
    return text[:_DESCRIPTION_LENGTH].rpartition(" ")[0].rstrip(" ,;:.") + "…"
