"""Forms about people: signing up, and the author desk's."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import SignupForm
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
