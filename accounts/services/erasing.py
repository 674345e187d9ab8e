"""Erasing a person: asked for, undone within two weeks, or done.

Each room empties what is its own, as ``PERSONAL_ERASERS`` names them, the highest room
first. What is left is in docs/decisions/0033.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages.storage.session import SessionStorage as MessageStorage
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import CASCADE, Model, Q, QuerySet
from django.utils.module_loading import import_string

from accounts.domain.names import Names
from accounts.models import (
    AllowanceRequest,
    AuthorProfile,
    Erasure,
    Participant,
    User,
)

GRACE: Final = datetime.timedelta(days=14)
FORMER_AUTHOR: Final = "A former author"
# As RFC 2606 keeps it: nobody's, for ever.
_NOBODYS_DOMAIN: Final = "erased.invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Who is being erased, and what texts must not say any more."""

    user: User
    names: Names


def ask_to_be_erased(*, user: User, at: datetime.datetime) -> Erasure:
    """Note the wish; asking twice doesn't move the day."""
    erasure, _ = Erasure.objects.get_or_create(
        user=user, defaults={"asked_at": at, "due_at": at + GRACE}
    )
    return erasure


def undo_erasure(*, user: User) -> bool:
    """Forget the wish, if it was not carried out; say whether there was one."""
    gone, _ = Erasure.objects.filter(user=user, erased_at=None).delete()
    return bool(gone)


def due_erasures(*, at: datetime.datetime) -> list[int]:
    """Return the ids of those whose two weeks are over."""
    due = Erasure.objects.filter(erased_at=None, due_at__lte=at).order_by("due_at")
    return list(due.values_list("pk", flat=True))


@transaction.atomic
def erase(*, erasure_id: int, at: datetime.datetime) -> bool:
    """Erase one person in all rooms, or nothing; say whether it was done now.

    An undo that comes first is heard: the row is locked and looked at again.
    """
    erasure = (
        Erasure.objects.select_for_update()
        .filter(pk=erasure_id, erased_at=None, due_at__lte=at)
        .first()
    )
    if erasure is None:
        return False
    user = User.objects.select_for_update().get(pk=erasure.user_id)
    leaving = Leaving(user=user, names=_names_of(user))
    for path in settings.PERSONAL_ERASERS:
        import_string(path)(leaving=leaving, at=at)
    erasure.erased_at = at
    erasure.save(update_fields=["erased_at"])
    return True


def take_names_out(*, leaving: Leaving, rows: QuerySet[Any], field: str) -> None:
    """Replace the person's names in a text that somebody else may have written."""
    found = Q()
    for word in leaving.names.words:
        found |= Q(**{f"{field}__icontains": word})
    for row in rows.filter(found).only("pk", field):
        text = leaving.names.taken_out_of(getattr(row, field))
        rows.model._default_manager.filter(pk=row.pk).update(**{field: text})  # noqa: SLF001


def empty_account(*, leaving: Leaving, at: datetime.datetime) -> None:
    """Empty the account and everything that hangs on it in this room."""
    user = leaving.user
    profile = AuthorProfile.objects.filter(user=user).first()
    _empty_admin_log(leaving=leaving, profile=profile)
    _end_sessions(leaving)
    Participant.objects.filter(user=user).update(user=None)
    _delete_what_is_the_persons(user)
    if profile is not None:
        _empty_profile(profile)
    _empty_user(user, at=at)


def _delete_what_is_the_persons(user: User) -> None:
    """Delete every row that would go with the account: addresses, factors, tokens.

    A table says so by ``on_delete=CASCADE``. The admin log says it too, but is about
    what was done; and of the erasure itself stays that it was done.
    """
    for relation in User._meta.related_objects:  # noqa: SLF001
        model = relation.related_model
        if relation.on_delete is CASCADE and model not in {Erasure, LogEntry}:
            own = model._default_manager.filter(**{relation.field.name: user})  # noqa: SLF001
            own.delete()


def _names_of(user: User) -> Names:
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    profiles = AuthorProfile.objects.filter(user=user).values_list("name", flat=True)
    return Names.of(
        addresses={user.email, *addresses}, names={user.display_name, *profiles}
    )


def _empty_admin_log(*, leaving: Leaving, profile: AuthorProfile | None) -> None:
    # The log keeps what its rows were called. Rows about this person's things lose
    # that; what this person did stays, by an account that has no name any more.
    own: list[tuple[type[Model], Iterable[Any]]] = [(User, [leaving.user.pk])]
    if profile is not None:
        own.append((AuthorProfile, [profile.pk]))
    for model in (EmailAddress, AllowanceRequest, Authenticator, SocialAccount):
        keys = model._default_manager.filter(user=leaving.user).values_list("pk")  # noqa: SLF001
        own.append((model, [key for (key,) in keys]))
    for model, keys in own:
        LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(model),
            object_id__in=[str(key) for key in keys],
        ).update(object_repr="Erased")
    for field in ("object_repr", "change_message"):
        take_names_out(leaving=leaving, rows=LogEntry.objects.all(), field=field)


def _end_sessions(leaving: Leaving) -> None:
    # Each is looked into: some are from before sessions were listed, and those of
    # staff may hold a message about this person that was not shown yet.
    own = str(leaving.user.pk)
    for session in Session.objects.select_for_update().iterator():
        kept = session.get_decoded()
        if str(kept.get(SESSION_KEY)) == own:
            session.delete()
        elif leaving.names.are_in(str(kept)):
            kept.pop(MessageStorage.session_key, None)
            session.session_data = SessionStore().encode(kept)
            session.save(update_fields=["session_data"])


def _empty_profile(profile: AuthorProfile) -> None:
    profile.slug = f"former-author-{secrets.token_hex(4)}"
    profile.name = FORMER_AUTHOR
    profile.credentials = profile.byline = profile.biography = ""
    profile.is_public = False
    profile.user = None
    # Saved, not updated: pages that name the author are made anew by a receiver.
    profile.save()


def _empty_user(user: User, *, at: datetime.datetime) -> None:
    user.email = f"{secrets.token_hex(12)}@{_NOBODYS_DOMAIN}"
    user.display_name = FORMER_AUTHOR if user.is_staff else "Somebody erased"
    user.time_zone = user.theme = ""
    user.time_allowance = User._meta.get_field("time_allowance").get_default()  # noqa: SLF001
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.joined_at = at
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
