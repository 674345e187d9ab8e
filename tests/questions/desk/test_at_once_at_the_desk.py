"""Two hands on one row of the catalogue: the desk writes what was changed there alone."""

from __future__ import annotations

import pytest
from django.test import Client

from questions.domain import items
from questions.models import Certification, Scenario
from questions.services import authoring, documents
from tests import factories
from tests.waiting import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_bank_that_changed_meanwhile_does_not_go_back_to_a_former_version(
    superuser_client: Client,
):
    certification = factories.make_certification()
    before = Certification.objects.get(pk=certification.pk).bank_version
    fields = {
        "vendor": certification.vendor_id,
        "code": certification.code,
        "slug": certification.slug,
        "name": "Another name",
        "level": certification.level,
        "summary": certification.summary,
        "guide_url": "example.org/guide",
    }

    def publish_two():
        documents.touch_bank(certification)
        documents.touch_bank(certification)

    status = waiting_for_a_lock(
        lambda: (
            superuser_client.post(
                f"/admin/questions/certification/{certification.pk}/change/", fields
            ).status_code
        ),
        while_held=publish_two,
    )

    stored = Certification.objects.get(pk=certification.pk)
    assert status == 302
    assert stored.name == "Another name"
    assert stored.bank_version == before + 3
    assert stored.guide_url == "https://example.org/guide"


def test_a_scenario_that_was_reworded_meanwhile_keeps_that_revision(
    superuser_client: Client,
):
    certification = factories.make_certification()

    def reword(text: str) -> None:
        authoring.store_scenario(
            certification=certification,
            scenario=items.Scenario(slug="dairy", title="A dairy", text=text),
            at=factories.NOW,
        )

    reword("It makes cheese.")
    row = Scenario.objects.get()
    fields = {"slug": "dairy", "title": "A dairy", "text": "It makes butter."}

    status = waiting_for_a_lock(
        lambda: (
            superuser_client.post(
                f"/admin/questions/scenario/{row.pk}/change/", fields
            ).status_code
        ),
        while_held=lambda: reword("It makes curd."),
    )

    row.refresh_from_db()
    assert status == 302
    assert list(row.revisions.order_by("number").values_list("text", flat=True)) == [
        "It makes cheese.",
        "It makes curd.",
        "It makes butter.",
    ]
    assert row.latest_revision is not None
    assert row.latest_revision.number == 3
