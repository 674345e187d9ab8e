"""Whatever is sent, the live server answers within its own schema, and never 5xx."""

from __future__ import annotations

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests import factories

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "15"))


@pytest.fixture
def api(live_server, learner, token_of, settings):
    """The schema of the live server, with something to find behind it."""
    settings.API_TOKEN_RATE = settings.API_ADDRESS_RATE = 10**9
    certification = factories.make_certification()
    for number in range(12):
        factories.make_published(
            certification,
            factories.make_item(1300 + number),
            domain="1" if number < 7 else "2",
        )
    schema = schemathesis.openapi.from_url(f"{live_server.url}/api/v1/schema")
    schema.config.update(headers={"Authorization": f"Bearer {token_of(learner)}"})
    return schema


@pytest.mark.django_db(transaction=True)
def test_every_answer_is_within_the_schema(api):
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 20

    for operation in operations:

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def check(case):
            case.call_and_validate(checks=CHECKS)

        check()
