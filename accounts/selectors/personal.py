"""What this room holds about a person, for the copy a person may ask for."""

from __future__ import annotations

from collections.abc import Iterator

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from accounts.domain.records import Table
from accounts.models import (
    AllowanceRequest,
    ApiToken,
    AuthorProfile,
    Erasure,
    Participant,
    PersonalExport,
    User,
)


def all_records(*, user: User) -> list[Table]:
    """Return the tables of every room, as ``PERSONAL_RECORDS`` names them."""
    tables: list[Table] = []
    for path in settings.PERSONAL_RECORDS:
        tables.extend(import_string(path)(user=user))
    return tables


def table(name: str, about: str, rows: QuerySet, *columns: str) -> Table:  # type: ignore[type-arg]
    """Return the ``columns`` of some rows, by their paths from the model."""
    return Table(
        name=name,
        about=about,
        columns=columns,
        rows=rows.order_by("pk").values(*columns).iterator(),
    )


def records_of(*, user: User) -> Iterator[Table]:
    """Return what is known of the account. Secrets are left out."""
    own = {"user": user}
    yield table(
        "account",
        "Your account.",
        User.objects.filter(pk=user.pk),
        *(
            "email",
            "display_name",
            "time_zone",
            "theme",
            "time_allowance",
            "shows_streak",
        ),
        *("joined_at", "last_login", "is_staff"),
    )
    yield table(
        "roles", "What you may do at the author desk.", user.groups.all(), "name"
    )
    yield table(
        "email_addresses",
        "Your addresses.",
        EmailAddress.objects.filter(**own),
        *("email", "verified", "primary"),
    )
    yield table(
        "second_factors",
        "Your second factors, without their secrets.",
        Authenticator.objects.filter(**own),
        *("type", "created_at", "last_used_at"),
    )
    yield table(
        "sessions",
        "Where you are signed in.",
        UserSession.objects.filter(**own),
        *("created_at", "last_seen_at", "ip", "user_agent"),
    )
    yield table(
        "accounts_elsewhere",
        "Accounts elsewhere that sign you in.",
        SocialAccount.objects.filter(**own),
        *("provider", "uid", "extra_data", "date_joined", "last_login"),
    )
    yield table(
        "author_profile",
        "What readers see of you as an author.",
        AuthorProfile.objects.filter(**own),
        *("slug", "name", "credentials", "byline", "biography", "is_public"),
    )
    yield table(
        "participants",
        "The ids that your work is kept under.",
        Participant.objects.filter(**own),
        *("public_id", "created_at"),
    )
    yield table(
        "allowance_requests",
        "Time allowances you asked for.",
        AllowanceRequest.objects.filter(**own),
        *("wanted", "reason", "asked_at", "granted", "decided_at"),
    )
    yield table(
        "exports",
        "Copies like this one.",
        PersonalExport.objects.filter(**own),
        *("asked_at", "built_at", "expires_at"),
    )
    yield table(
        "api_tokens",
        "Your tokens for the API, without their secrets.",
        ApiToken.objects.filter(**own),
        *("name", "hint", "scopes", "made_at", "expires_at", "used_at", "revoked_at"),
    )
    yield table(
        "erasure",
        "When you asked to be erased, if you did.",
        Erasure.objects.filter(**own),
        *("asked_at", "due_at"),
    )
