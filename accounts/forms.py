"""Forms about people: signing up, the profile, one's data, and the author desk's."""

from __future__ import annotations

import zoneinfo
from decimal import Decimal
from functools import cache
from typing import Any, Final

from allauth.account.forms import SignupForm
from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from unfold.forms import UserChangeForm, UserCreationForm

from accounts.models import User


class SignUpForm(SignupForm):
    """Make an account for oneself."""

    def try_save(self, request: HttpRequest) -> Any:
        """Save; the second of two clicks is sent to sign in."""
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.info(request, "This account was just made. Sign in to go on.")
            return None, redirect("account_login")


class NewUserForm(UserCreationForm):
    """Make an account for somebody."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("email", "display_name")


class UserForm(UserChangeForm):
    """Change an account."""

    class Meta(UserChangeForm.Meta):
        model = User
        fields = "__all__"
        field_classes = None


@cache
def _time_zones() -> list[tuple[str, str]]:
    names = sorted(
        name
        for name in zoneinfo.available_timezones()
        if "/" in name and not name.startswith(("Etc/", "SystemV/", "posix", "right"))
    )
    return [("", "UTC"), *((name, name.replace("_", " ")) for name in names)]


class ProfileForm(forms.ModelForm[User]):
    """What a person is called here, and how pages look to them."""

    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=_time_zones,
        required=False,
        help_text="Times on pages follow it.",
    )
    theme = forms.ChoiceField(
        label="Light or dark", choices=User.Theme.choices, required=False
    )

    class Meta:
        model = User
        fields = ("display_name", "time_zone", "theme")
        labels = {"display_name": "Name"}
        help_texts = {"display_name": "Only you see it."}


ALLOWANCES: Final = (
    ("1.25", "A quarter more (1.25)"),
    ("1.50", "Half as much again (1.5)"),
    ("2.00", "Twice the time (2)"),
    ("3.00", "Three times (3)"),
)


class AllowanceForm(forms.Form):
    """How much more time somebody asks for, and why, if they want to say."""

    wanted = forms.TypedChoiceField(
        label="How much more",
        choices=ALLOWANCES,
        coerce=Decimal,
        widget=forms.RadioSelect,
        initial="1.25",
    )
    reason = forms.CharField(
        label="Why, if you want to say",
        required=False,
        max_length=1000,
        widget=forms.Textarea({"rows": 3}),
        help_text="Read by the staff who decide. No proof is asked for.",
    )


class PasswordAgainForm(forms.Form):
    """The password once more, before something that can't be taken back."""

    password = forms.CharField(
        label="Your password",
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )
