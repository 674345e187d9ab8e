"""A kept page is sent only while it shows the truth."""

from __future__ import annotations

import datetime
import gzip

import pytest
import time_machine
from django.test import Client

from accounts.models import AuthorProfile
from questions.domain.items import Exposure
from questions.exams.models import RenderedPage
from questions.models import Blueprint, Domain, Objective, Question
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def question(certification):
    return factories.make_published(certification)


def shown(question):
    """Return the page as the next stranger gets it."""
    return Client().get(question.get_absolute_url()).content.decode()


def test_a_person_renamed_is_renamed_on_pages(question):
    assert "Ada Writer" in shown(question)

    for slug, name in (("ada-writer", "Ada Scribe"), ("rex-reader", "Rex Redactor")):
        profile = AuthorProfile.objects.get(slug=slug)
        profile.name = name
        profile.save()

    html = shown(question)
    assert "Ada Scribe" in html
    assert "Rex Redactor" in html
    assert "Ada Writer" not in html


def test_what_a_page_names_of_its_exam_is_renamed_with_it(question, certification):
    shown(question)
    renamed = {
        certification: ("code", "NEW"),
        Blueprint.objects.get(version="2"): ("version", "2b"),
        Domain.objects.get(blueprint__version="2", code="1"): ("name", "New domain"),
        Objective.objects.get(domain__blueprint__version="2", code="1.1"): (
            "name",
            "New objective",
        ),
    }

    for row, (field, value) in renamed.items():
        setattr(row, field, value)
        row.save()
        assert value in shown(question)


def test_a_blueprint_version_shows_from_the_day_it_is_in_force(question, certification):
    with time_machine.travel(datetime.datetime(2025, 12, 31, 12, tzinfo=datetime.UTC)):
        before = shown(question)
        assert before == shown(question)
    with time_machine.travel(datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)):
        after = shown(question)

    assert "Blueprint 1" in before
    assert "Blueprint 2" in after


def test_a_page_kept_while_public_is_no_way_past_the_door(question):
    shown(question)
    page = RenderedPage.objects.get()
    assert b"measure" in gzip.decompress(page.gzipped)

    # Past the services, so that the kept page is as fresh as ever.
    for exposure, status in ((Exposure.MEMBERS, 403), (Exposure.MOCK_ONLY, 404)):
        Question.objects.update(exposure=exposure)
        response = Client().get(question.get_absolute_url())
        assert response.status_code == status
