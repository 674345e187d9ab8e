"""Banks that learners answer from."""

from __future__ import annotations

import datetime

import pytest

from questions.exams.services import conducting
from questions.services import authoring
from tests import factories
from tests.analytics.people import NOW


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def bank(certification):
    """Sixteen questions: nine of domain 1, seven of domain 2, one choose-two each."""
    for number in range(14):
        factories.make_published(
            certification,
            factories.make_item(500 + number),
            domain="1" if number < 8 else "2",
        )
    for number, domain in enumerate("12"):
        factories.make_published(
            certification, factories.make_choose_two(520 + number), domain=domain
        )
    return certification


@pytest.fixture
def questions(bank):
    """The bank's questions, in order."""
    return list(bank.questions.select_related("published_revision").order_by("pk"))


@pytest.fixture
def regrade(author, editor):
    """Correct the key of a question, and grade all answers by it."""

    def _regrade(question, *, to):
        wrong = question.published_revision
        authoring.write_revision(
            question=question,
            item=factories.make_item(
                998,
                options=tuple(
                    factories.option(key, is_key=key == to)
                    for key in ("wait", "measure", "replace", "ask")
                ),
                explanation="The other way round.",
            ),
            base=wrong.number,
            by=author,
            at=NOW,
        )
        question.refresh_from_db()
        factories.publish(question)
        conducting.apply_regrade(
            regrade=conducting.Regrade(
                wrong=wrong,
                corrected=question.published_revision,
                reason="Wrong key.",
                only_if_improves=False,
            ),
            by=editor,
            at=NOW + datetime.timedelta(hours=2),
        )

    return _regrade
