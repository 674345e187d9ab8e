"""Banks and sittings that the stories of exams happen with."""

from __future__ import annotations

import uuid

import pytest
from allauth.account.models import EmailAddress

from questions.domain import items
from questions.exams.models import Sitting
from tests import factories


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def bank(certification):
    """Twelve public questions: seven of domain 1, five of domain 2, some choose-two."""
    for number in range(7):
        factories.make_published(certification, factories.make_item(300 + number))
    for number in range(3):
        factories.make_published(
            certification, factories.make_item(320 + number), domain="2"
        )
    for number in range(2):
        factories.make_published(
            certification, factories.make_choose_two(340 + number), domain="2"
        )
    return certification


@pytest.fixture
def big_bank(certification):
    """Thirty questions, some for members and some for mock exams only."""
    exposures = [items.Exposure.PUBLIC] * 18
    exposures += [items.Exposure.MEMBERS] * 4
    exposures += [items.Exposure.MOCK_ONLY] * 8
    for number, exposure in enumerate(exposures):
        factories.make_published(
            certification,
            factories.make_item(400 + number),
            domain="1" if number % 5 < 3 else "2",
            exposure=exposure,
        )
    return certification


@pytest.fixture
def verified(learner):
    """The learner has shown that the address reaches them."""
    EmailAddress.objects.create(
        user=learner, email=learner.email, verified=True, primary=True
    )
    return learner


@pytest.fixture
def begin(bank):
    """Begin a mock exam over HTTP, and return the sitting."""

    def _begin(client, length=6, **more):
        response = client.post(
            "/mocks/tst/rules/", {"exam": "own", "length": length, **more}
        )
        assert response.status_code == 302, response.content.decode()
        return Sitting.objects.latest("pk")

    return _begin


@pytest.fixture
def save():
    """Save work on one item as the page's script does."""

    def _save(client, sitting, position, *chosen, base=None, **more):
        if base is None:
            base = sitting.items.get(position=position).response.version
        fields = {
            "save_id": str(uuid.uuid4()),
            "base_version": base,
            "answer": chosen,
            **more,
        }
        return client.post(
            f"/sittings/{sitting.public_id}/{position}/response/",
            fields,
            headers={"accept": "application/json"},
        )

    return _save
