"""Vendors, certifications, blueprints and what hangs on them, at the desk."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from questions.models import Blueprint, Domain, Objective
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.mark.parametrize("version", ["2026/06", "..", "a b", "2#", "", "б"])
def test_a_version_that_cannot_stand_in_an_address_is_refused(certification, version):
    blueprint = Blueprint.objects.get(version="2")
    blueprint.version = version

    with pytest.raises(ValidationError) as refused:
        blueprint.full_clean()

    assert set(refused.value.error_dict) == {"version"}


def test_a_version_does_not_end_before_it_starts(certification):
    blueprint = Blueprint.objects.get(version="1")
    blueprint.effective_to = blueprint.effective_from.replace(year=2019)

    with pytest.raises(ValidationError, match="before the start"):
        blueprint.full_clean()


def test_an_address_belongs_to_one_objective_of_a_version(certification):
    domain = Domain.objects.get(blueprint__version="2", code="1")
    twin = Objective(domain=domain, code="1.9", slug="objective-2", name="Twin")

    with pytest.raises(ValidationError, match="has this address"):
        twin.full_clean()


def test_two_objectives_with_one_address_do_not_break_its_page(client, certification):
    domain = Domain.objects.get(blueprint__version="2", code="2")
    Objective.objects.create(domain=domain, code="2.9", slug="objective-1", name="Twin")

    response = client.get("/certifications/tst/2/objective-1/")

    assert response.status_code == 200
    assert "Objective 1.1 of 2" in response.content.decode()


def test_a_domain_stays_in_its_blueprint_version(superuser_client, certification):
    domain = Domain.objects.get(blueprint__version="2", code="1")
    other = Blueprint.objects.get(version="1")

    superuser_client.post(
        reverse("admin:questions_domain_change", args=[domain.pk]),
        {
            "blueprint": other.pk,
            "code": "1",
            "name": "Renamed",
            "weight": "60",
            "objectives-TOTAL_FORMS": "0",
            "objectives-INITIAL_FORMS": "0",
        },
    )

    domain.refresh_from_db()
    assert domain.name == "Renamed"
    assert domain.blueprint.version == "2"


def test_coverage_can_be_seen_before_domains_have_weights(
    superuser_client, certification
):
    Domain.objects.update(weight=0)

    response = superuser_client.get("/admin/questions/question/coverage/")

    assert response.status_code == 200
