"""Statements planned once a connection, while the tables under them change."""

from __future__ import annotations

import pytest
from django.db import NotSupportedError, connection, transaction

from accounts.selectors.prepared import Prepared
from questions.models import Vendor

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = Prepared(
    "names_of_vendors",
    "SELECT name FROM questions_vendor WHERE slug = %(slug)s",
    slug="text",
)


@pytest.fixture
def migrate():
    """Give the column that is read another width, as a migration does."""

    def _alter(width):
        with connection.cursor() as cursor:
            cursor.execute(
                f"ALTER TABLE questions_vendor ALTER name TYPE varchar({width})"
            )

    yield _alter
    _alter(Vendor._meta.get_field("name").max_length)
    connection.close()


@pytest.fixture
def vendor():
    return Vendor.objects.create(slug="shop", name="A shop")


def test_a_column_that_was_migrated_is_read_on_as_if_nothing_was(vendor, migrate):
    assert NAMES.rows(slug="shop") == [("A shop",)]

    migrate(301)
    at_once = NAMES.rows(slug="shop")
    planned_anew = NAMES.rows(slug="shop")
    migrate(302)
    again = NAMES.rows(slug="shop")

    assert at_once == planned_anew == again == [("A shop",)]


def test_in_a_transaction_that_is_told_once_and_never_again(vendor, migrate):
    assert NAMES.rows(slug="shop") == [("A shop",)]
    migrate(303)

    with pytest.raises(NotSupportedError), transaction.atomic():
        NAMES.rows(slug="shop")
    with transaction.atomic():
        after = NAMES.rows(slug="shop")

    assert after == [("A shop",)]
