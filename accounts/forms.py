"""The author desk's forms about people."""

from __future__ import annotations

from unfold.forms import UserChangeForm, UserCreationForm

from accounts.models import User


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
