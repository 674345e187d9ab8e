"""The page on which a person makes API tokens, and takes them back."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.api.scopes import DESCRIPTIONS, Scope
from accounts.models import ApiToken, User
from accounts.services import tokens

_UNPROCESSABLE: Final = 422
_LIFETIMES: Final = (
    ("30", "30 days"),
    ("90", "90 days"),
    ("365", "A year"),
    ("", "Until it is revoked"),
)
_MOST: Final = 20


class TokenForm(forms.Form):
    """What a token is for, what it may do, and for how long."""

    name = forms.CharField(
        max_length=60, error_messages={"required": "Say what the token is for."}
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, DESCRIPTIONS[scope]) for scope in Scope],
        error_messages={"required": "Choose what the token may do."},
    )
    days = forms.ChoiceField(choices=_LIFETIMES, required=False)

    def __init__(self, sent: Any = None, *, owned: int = 0) -> None:
        super().__init__(sent)
        self.owned = owned

    def clean(self) -> dict[str, Any]:
        """Refuse more tokens than a person can keep an eye on."""
        cleaned = super().clean() or {}
        if self.owned >= _MOST:
            self.add_error(
                None, f"You have {_MOST} tokens in force. Revoke one you don't use."
            )
        return cleaned


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def api_tokens(request: HttpRequest) -> HttpResponse:
    """List a person's tokens and make one; its secret is shown this once."""
    user = _person(request)
    owned = ApiToken.objects.filter(user=user).order_by("-made_at")
    in_force = owned.filter(revoked_at=None).count()
    made: tokens.NewToken | None = None
    form = TokenForm(request.POST or None, owned=in_force)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            days = form.cleaned_data["days"]
            made = tokens.make_token(
                user=user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                days=int(days) if days else None,
                at=timezone.now(),
            )
            form = TokenForm(owned=in_force + 1)
        else:
            status = _UNPROCESSABLE
    context = {
        "form": form,
        "made": made,
        "tokens": owned,
        "now": timezone.now(),
        "chosen": [] if made else request.POST.getlist("scopes"),
        "meta": {"title": "API tokens", "robots": "noindex"},
    }
    return render(request, "accounts/api_tokens.html", context, status=status)


@login_required
@require_POST
def revoke_api_token(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of a person's tokens."""
    token = get_object_or_404(ApiToken, pk=pk, user=_person(request))
    tokens.revoke_token(token=token, at=timezone.now())
    return redirect("api_tokens")


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        message = "The page is for people who are signed in."
        raise TypeError(message)
    return request.user
