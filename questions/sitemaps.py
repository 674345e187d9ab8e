"""What search engines should know of, and when it last changed."""

from __future__ import annotations

import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.db.models import Max, Q, QuerySet
from django.urls import reverse

from questions.domain.items import Exposure
from questions.models import Certification, Objective, Question


class _OurSitemap(Sitemap):  # type: ignore[type-arg]
    """Addresses under SITE_URL, whatever host the request named."""

    protocol = urlsplit(settings.SITE_URL).scheme

    def get_domain(self, site: object = None) -> str:
        """Return our own host."""
        return urlsplit(settings.SITE_URL).netloc


class QuestionSitemap(_OurSitemap):
    """Every public question."""

    limit = 5000

    def items(self) -> QuerySet[Question]:
        """Return them in a fixed order."""
        return Question.objects.public().only("slug", "changed_at").order_by("id")

    def lastmod(self, item: Question) -> datetime.datetime:
        """Return when its page last changed."""
        return item.changed_at


class CertificationSitemap(_OurSitemap):
    """Every certification."""

    def items(self) -> QuerySet[Certification]:
        """Return them with the last change of a public question."""
        public = Q(
            questions__published_revision__isnull=False,
            questions__retired_at__isnull=True,
            questions__exposure=Exposure.PUBLIC,
        )
        return Certification.objects.annotate(
            changed_at=Max("questions__changed_at", filter=public)
        ).order_by("id")

    def lastmod(self, item: Certification) -> datetime.datetime | None:
        """Return when a question of it last changed."""
        return getattr(item, "changed_at", None)


class ObjectiveSitemap(_OurSitemap):
    """Every objective that has a public question."""

    def items(self) -> QuerySet[Objective]:
        """Return them with the last change of a question of theirs."""
        public = Q(
            alignments__question__published_revision__isnull=False,
            alignments__question__retired_at__isnull=True,
            alignments__question__exposure=Exposure.PUBLIC,
        )
        return (
            Objective.objects.select_related("domain__blueprint__certification")
            .annotate(changed_at=Max("alignments__question__changed_at", filter=public))
            .filter(changed_at__isnull=False)
            .order_by("id")
        )

    def lastmod(self, item: Objective) -> datetime.datetime | None:
        """Return when a question of it last changed."""
        return getattr(item, "changed_at", None)


class TextSitemap(_OurSitemap):
    """The pages that are only text."""

    def items(self) -> list[str]:
        """Return their names in the map of addresses."""
        return [
            "home",
            "about",
            "editorial_policy",
            "readiness_method",
            "privacy",
            "dumps",
        ]

    def location(self, item: str) -> str:
        """Return the address."""
        return reverse(item)


SITEMAPS = {
    "questions": QuestionSitemap,
    "certifications": CertificationSitemap,
    "objectives": ObjectiveSitemap,
    "pages": TextSitemap,
}
