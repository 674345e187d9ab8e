"""May this person do it? One named question per line.

The permissions themselves are granted to groups by migrations, so a house can split
or join the roles in the admin. Whose question it is, is the lifecycle's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

if TYPE_CHECKING:
    from accounts.models import User

# The id of the factor that was set up in this session.
SECOND_FACTOR_SESSION_KEY: Final = "second_factor"

Person: TypeAlias = "User | AnonymousUser"


def may_enter_desk(user: Person) -> bool:
    """May this person enter the author desk?"""
    return user.is_staff and user.has_perm("accounts.enter_author_desk")


def asks_to_enter_desk(request: HttpRequest) -> bool:
    """May whoever sent this request enter the desk, with what this session has shown?

    Where ``DESK_NEEDS_SECOND_FACTOR`` says so, a password alone is not enough.
    """
    return may_enter_desk(request.user) and (
        not settings.DESK_NEEDS_SECOND_FACTOR or has_shown_second_factor(request)
    )


def has_shown_second_factor(request: HttpRequest) -> bool:
    """Has this session shown a second factor that the account still has?

    By signing in with one, by confirming with one, or by setting one up. A session from
    before the factor was set up elsewhere has not.
    """
    shown = {
        record.get("id")
        for record in get_authentication_records(request, request.user)
        if record.get("method") == "mfa"
    }
    shown.add(request.session.get(SECOND_FACTOR_SESSION_KEY))
    own = Authenticator.objects.filter(user_id=request.user.pk)
    return bool(own.filter(pk__in=shown - {None}).exists())


def may_author(user: Person) -> bool:
    """May this person write questions and submit them for review?"""
    return user.has_perm("questions.author_question")


def may_review(user: Person) -> bool:
    """May this person approve questions or send them back?"""
    return user.has_perm("questions.review_question")


def may_publish(user: Person) -> bool:
    """May this person publish and retire questions?"""
    return user.has_perm("questions.publish_question")


def may_export(user: Person) -> bool:
    """May this person take the bank out, keys and all?"""
    return user.has_perm("questions.export_question")


def asks_to_author(request: HttpRequest) -> bool:
    """May whoever sent this request write questions?"""
    return may_author(request.user)


def asks_to_see_people(request: HttpRequest) -> bool:
    """May whoever sent this request see the list of people?"""
    return request.user.has_perm("accounts.view_user")


def may_conduct(user: Person) -> bool:
    """May this person extend, void and regrade sittings?"""
    return user.has_perm("exams.conduct_sitting")


def asks_to_conduct(request: HttpRequest) -> bool:
    """May whoever sent this request do something with sittings?"""
    return may_conduct(request.user)
