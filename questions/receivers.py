"""Hears that something changed which question pages name: they are made anew.

Whoever changed it, at the desk or from a file. What hangs on a question itself is
seen to where it is written.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Model, Q
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from accounts.models import AuthorProfile
from questions.models import Blueprint, Certification, Domain, Objective
from questions.services import documents, locks


@receiver(pre_save, sender=AuthorProfile)
@receiver(pre_save, sender=Certification)
@receiver(pre_save, sender=Blueprint)
@receiver(pre_save, sender=Domain)
@receiver(pre_save, sender=Objective)
def wait_for_imports(*, instance: Model, **_unused: Any) -> None:
    """Take the bank before a row of it, as every writer does, so that none waits."""
    if instance.pk is not None:
        locks.share_bank()


@receiver([post_save, post_delete], sender=Certification)
@receiver([post_save, post_delete], sender=Blueprint)
@receiver([post_save, post_delete], sender=Domain)
@receiver([post_save, post_delete], sender=Objective)
def renew_pages_of_the_catalog(
    *, instance: Certification | Blueprint | Domain | Objective, **_unused: Any
) -> None:
    """Renew the pages of the certifications that the row belongs to."""
    for certification in Certification.objects.filter(_above(instance)):
        documents.touch_bank(certification)


@receiver(post_save, sender=AuthorProfile)
def renew_pages_of_a_person(*, instance: AuthorProfile, **_unused: Any) -> None:
    """Renew the pages that name this author or reviewer."""
    named = Q(questions__author=instance) | Q(
        questions__published_revision__reviews__reviewer=instance
    )
    for certification in Certification.objects.filter(named).distinct():
        documents.touch_bank(certification)


def _above(row: Certification | Blueprint | Domain | Objective) -> Q:
    match row:
        case Certification():
            return Q(pk=row.pk)
        case Blueprint():
            return Q(pk=row.certification_id)
        case Domain():
            return Q(blueprints=row.blueprint_id)
        case Objective():
            return Q(blueprints__domains=row.domain_id)
