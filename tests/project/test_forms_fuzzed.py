"""Whatever is posted to a page, it answers below 500, and writes whole rows or none."""

from __future__ import annotations

import os

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from questions.exams.models import Sitting
from questions.models import Question
from tests import factories

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "200"))
NAMES = (
    "answer",
    "revision",
    "show",
    "seconds",
    "save_id",
    "base_version",
    "struck",
    "is_flagged",
    "note",
    "toggle",
    "go",
    "domains",
    "objectives",
    "difficulty",
    "standing",
    "feedback",
    "is_timed",
    "length",
    "exam",
    "mine",
    "flag",
    "back",
    "kind",
    "text",
    "name",
    "scopes",
    "days",
    "domain",
    "opened_at",
)
LIKELY = (
    "",
    "0",
    "1",
    "-1",
    "5",
    "6",
    "99999999999999999999",
    "measure",
    "wait",
    "on",
    "yes",
    "full",
    "own",
    "at_end",
    "missed",
    "easy",
    "next",
    "review",
    "clear",
    "strike:ask",
    "flag",
    "//evil.example.org",
    "wrong_key",
    "me:read",
    "00000000-0000-0000-0000-000000000001",
    "%s",
    "{{option:wait}}",
    "<script>",
    "\x00",
    "\u2028",
    "𝔘" * 50,
)
values = st.one_of(st.sampled_from(LIKELY), st.text(max_size=60))
forms = st.dictionaries(
    st.sampled_from(NAMES), st.lists(values, min_size=1, max_size=4), max_size=8
)


@pytest.fixture
def doors(learner_client):
    """Every page that takes a form, with something behind it."""
    certification = factories.make_certification()
    for number in range(12):
        factories.make_published(
            certification,
            factories.make_item(1600 + number),
            domain="1" if number < 7 else "2",
        )
    learner_client.post("/mocks/tst/rules/", {"exam": "own", "length": "6"})
    learner_client.post("/practice/tst/", {"length": "3"})
    mock, practice = Sitting.objects.order_by("mode")
    slug = Question.objects.first().slug
    return [
        f"/questions/{slug}/",
        f"/questions/{slug}/flag/",
        f"/questions/{slug}/report/",
        "/practice/tst/",
        "/mocks/tst/rules/",
        "/sittings/claim/",
        f"/sittings/{mock.public_id}/1/response/",
        f"/sittings/{practice.public_id}/1/answer/",
        f"/sittings/{practice.public_id}/practise/",
        f"/sittings/{practice.public_id}/flags/",
        "/accounts/tokens/",
        "/accounts/login/",
        "/accounts/signup/",
    ]


def rows():
    """Return how many rows there are of each kind that a form can make."""
    tables = [
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.app_label in {"accounts", "exams", "analytics"}
    ] + ["questions_problemreport"]
    counts = ", ".join(f"(SELECT count(*) FROM {name})" for name in tables)  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts}")
        return dict(zip(tables, cursor.fetchone(), strict=True))


@pytest.mark.parametrize("place", range(13))
def test_no_form_breaks_a_page(doors, learner_client, place):
    address = doors[place]
    before = rows()  # the same for each example: what one does is undone

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(form=forms, as_script=st.booleans())
    def check(form, as_script):
        headers = {"accept": "application/json"} if as_script else {}
        mark = transaction.savepoint()
        try:
            reply = learner_client.post(address, form, headers=headers)
            assert reply.status_code < 500, (address, form)
            if reply.status_code >= 400:
                assert rows() == before, (address, form)
        finally:
            transaction.savepoint_rollback(mark)
            connection.needs_rollback = False

    check()


def test_the_list_of_doors_is_long_enough(doors, client: Client):
    assert len(doors) == 13
