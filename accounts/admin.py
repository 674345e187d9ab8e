"""People in the author desk."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm

from accounts.forms import NewUserForm, UserForm
from accounts.models import AuthorProfile, User

admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User], ModelAdmin):
    """Accounts: what somebody may do follows from the groups."""

    form = UserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("email", "display_name", "is_staff", "is_active", "joined_at")
    list_filter = ("is_staff", "is_active", "groups")
    search_fields = ("email", "display_name")
    ordering = ("email",)
    readonly_fields = ("last_login", "joined_at")
    fieldsets = (
        (None, {"fields": ("email", "password", "display_name")}),
        ("Exams", {"fields": ("time_allowance",)}),
        ("Author desk", {"fields": ("is_staff", "groups")}),
        ("Account", {"fields": ("is_active", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "joined_at")}),
    )
    add_fieldsets = (
        (None, {"fields": ("email", "display_name", "password1", "password2")}),
    )


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    """The roles."""


@admin.register(AuthorProfile)
class AuthorProfileAdmin(ModelAdmin):
    """What readers learn of authors."""

    list_display = ("name", "credentials", "user", "is_public")
    list_filter = ("is_public",)
    search_fields = ("name", "user__email")
    autocomplete_fields = ("user",)
    prepopulated_fields = {"slug": ("name",)}
