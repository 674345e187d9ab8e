"""Pages about one's own account, besides those of django-allauth."""

from __future__ import annotations

import logging
import uuid
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)
from kombu.exceptions import OperationalError

from accounts import permissions, selectors
from accounts.forms import PasswordAgainForm
from accounts.models import PersonalExport, User
from accounts.services import erasing, exports
from accounts.tasks import build_export

logger = logging.getLogger(__name__)

_NO_CONTENT: Final = 204
_UNPROCESSABLE: Final = 422


@never_cache
@login_required
@require_safe
def second_factor(request: HttpRequest) -> HttpResponse:
    """Say what the author desk asks for besides a password, and how to get it."""
    back = request.GET.get("next", "")
    # A path: Django would take a bare word for the name of a view.
    if not (back.startswith("/") and url_has_allowed_host_and_scheme(back, None)):
        back = reverse("admin:index")
    if permissions.asks_to_enter_desk(request):
        return redirect(back)
    own = Authenticator.objects.filter(user=_user_of(request))
    kinds = set(own.values_list("type", flat=True))
    context = {
        "has_app": Authenticator.Type.TOTP in kinds,
        "has_key": Authenticator.Type.WEBAUTHN in kinds,
        "back": urlencode({"next": back}),
    }
    return render(request, "accounts/second_factor.html", context)


@login_required
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep light or dark for this person, as the switch in the header says."""
    chosen = request.POST.get("theme", "")
    if chosen in User.Theme.values:
        User.objects.filter(pk=_user_of(request).pk).update(theme=chosen)
    return HttpResponse(status=_NO_CONTENT)


@never_cache
@login_required
@require_safe
def own_records(request: HttpRequest) -> HttpResponse:
    """Say what can be done with what is kept: take a copy, be erased."""
    user = _user_of(request)
    context = {
        "exports": PersonalExport.objects.filter(user=user)
        .defer("content")
        .order_by("-asked_at"),
        "erasure": selectors.erasure_of(user=user),
        "kept_days": exports.KEPT_FOR.days,
        "grace_days": erasing.GRACE.days,
    }
    return render(request, "accounts/own_records.html", context)


@login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def ask_for_export(request: HttpRequest) -> HttpResponse:
    """Have a copy of everything built, and show how far it is."""
    export = exports.ask_for_export(user=_user_of(request), at=timezone.now())
    try:
        build_export.apply_async(args=(export.pk,), retry=False)
    except OperationalError:
        # The queue is away; every ten minutes it is looked for what waits.
        logger.exception("An export could not be queued.")
    return redirect("export", export.public_id)


@never_cache
@login_required
@require_safe
def export(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show how far the copy is; the page asks again by itself until it is built."""
    found = _export_of(request, public_id, with_content=False)
    return render(request, "accounts/export.html", {"export": found})


@never_cache
@login_required
@require_safe
def download_export(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send the copy to whom it is about."""
    found = _export_of(request, public_id, with_content=True)
    if found.content is None or found.built_at is None:
        raise _no_export()
    response = HttpResponse(bytes(found.content), content_type="application/zip")
    name = f"courseiva-{found.built_at:%Y-%m-%d}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def erase_account(request: HttpRequest) -> HttpResponse:
    """Ask for the password, then note the wish and sign out."""
    user = _user_of(request)
    if not user.has_usable_password():
        answer: HttpResponse = _erase_without_password(request)
        return answer
    form = PasswordAgainForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            is_right = get_adapter(request).reauthenticate(
                user, form.cleaned_data["password"]
            )
        except ValidationError as tried_too_often:
            form.add_error("password", tried_too_often)
        else:
            if is_right:
                return _note_the_wish(request, user)
            form.add_error("password", "This is not your password.")
    status = _UNPROCESSABLE if form.errors else None
    return render(request, "accounts/erase.html", _erasing(user, form), status=status)


@reauthentication_required  # type: ignore[untyped-decorator]
def _erase_without_password(request: HttpRequest) -> HttpResponse:
    # Who signs in by a passkey or elsewhere has no password to give: doing that once
    # more stands for it.
    user = _user_of(request)
    if request.method == "POST":
        return _note_the_wish(request, user)
    return render(request, "accounts/erase.html", _erasing(user, None))


@login_required
@require_POST
def undo_erasure(request: HttpRequest) -> HttpResponse:
    """Take the wish back."""
    if erasing.undo_erasure(user=_user_of(request)):
        messages.success(request, "Your account stays as it is.")
    return redirect("own_records")


def _note_the_wish(request: HttpRequest, user: User) -> HttpResponse:
    erasure = erasing.ask_to_be_erased(user=user, at=timezone.now())
    try:
        get_adapter(request).send_mail(
            "accounts/email/erasure", user.email, {"erasure": erasure}
        )
    except OSError:
        # The page says it too, and so does signing in.
        logger.exception("The mail about an erasure could not be sent.")
    logout(request)
    return render(request, "accounts/erasure_noted.html", {"erasure": erasure})


def _erasing(user: User, form: PasswordAgainForm | None) -> dict[str, object]:
    return {
        "form": form,
        "erasure": selectors.erasure_of(user=user),
        "grace_days": erasing.GRACE.days,
    }


def _user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def _export_of(
    request: HttpRequest, public_id: uuid.UUID, *, with_content: bool
) -> PersonalExport:
    own = PersonalExport.objects.filter(user=_user_of(request), public_id=public_id)
    found = (own if with_content else own.defer("content")).first()
    if found is None or (found.expires_at and found.expires_at <= timezone.now()):
        raise _no_export()
    return found


def _no_export() -> Http404:
    return Http404("There is no copy of yours at this address, or not any more.")
