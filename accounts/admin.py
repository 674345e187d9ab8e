"""People in the author desk."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm

from accounts import selectors
from accounts.forms import NewUserForm, UserForm
from accounts.models import AllowanceRequest, AuthorProfile, User
from accounts.services import allowances

admin.site.unregister(Group)


class WritesWhatChanged(ModelAdmin):
    """Writes what was changed in the form, and not the rest as it was read.

    A row is read when a page is sent in and may wait before it is written: whatever
    somebody else changed meanwhile stays.
    """

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001  (Django's)
    ) -> None:
        """Save a new row, or the fields that were changed of one that is there."""
        if not change:
            super().save_model(request, obj, form, change)
            return
        fields = {field.name for field in obj._meta.concrete_fields}  # noqa: SLF001
        obj.save(update_fields=fields.intersection(form.changed_data))


class AllowanceAsked(admin.SimpleListFilter):
    """Those who wait for an answer about more time."""

    title = "time allowance"
    parameter_name = "allowance"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer the one question."""
        del request, model_admin
        return [("asked", "Asked for and not decided")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[User]
    ) -> QuerySet[User]:
        """Keep those who asked."""
        del request
        if self.value() == "asked":
            return queryset.filter(
                pk__in=AllowanceRequest.objects.filter(decided_at=None).values("user")
            )
        return queryset


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User], WritesWhatChanged):
    """Accounts: what somebody may do follows from the groups."""

    form = UserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    list_display = (
        *("email", "display_name", "is_staff", "is_active", "joined_at"),
        "asked_allowance",
    )
    list_filter = (AllowanceAsked, "is_staff", "is_active", "groups")
    actions = ("grant_asked_allowance", "decline_asked_allowance")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    readonly_fields = ("last_login", "joined_at", "asked_allowance")
    fieldsets = (
        (None, {"fields": ("email", "password", "display_name")}),
        ("Exams", {"fields": ("time_allowance", "asked_allowance")}),
        ("Author desk", {"fields": ("is_staff", "groups")}),
        ("Account", {"fields": ("is_active", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "joined_at")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "display_name", "password1", "password2")}),
    )

    @admin.display(description="Allowance asked for")
    def asked_allowance(self, user: User) -> str:
        """Say what is open, and the reason given."""
        request = selectors.open_allowance_request(user=user)
        return (
            f"{request.wanted}: {request.reason or 'no reason given'}"
            if request
            else ""
        )

    @admin.action(
        description="Grant the time allowance asked for", permissions=["change"]
    )
    def grant_asked_allowance(
        self, request: HttpRequest, queryset: QuerySet[User]
    ) -> None:
        """Give each of them what they asked for."""
        by, at = _staff(request), timezone.now()
        done = [
            allowances.grant_allowance(user=user, by=by, at=at) for user in queryset
        ]
        messages.success(request, f"Granted: {sum(done)}.")

    @admin.action(
        description="Decline the time allowance asked for", permissions=["change"]
    )
    def decline_asked_allowance(
        self, request: HttpRequest, queryset: QuerySet[User]
    ) -> None:
        """Close what each of them asked for."""
        by, at = _staff(request), timezone.now()
        done = [
            allowances.decline_allowance(user=user, by=by, at=at) for user in queryset
        ]
        messages.success(request, f"Declined: {sum(done)}.")


def _staff(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    """The roles."""


@admin.register(AuthorProfile)
class AuthorProfileAdmin(WritesWhatChanged):
    """What readers learn of authors."""

    list_display = ("name", "credentials", "user", "is_public")
    list_filter = ("is_public",)
    search_fields = ("name", "user__email")
    autocomplete_fields = ("user",)
    prepopulated_fields = {"slug": ("name",)}
