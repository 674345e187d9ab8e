"""Sittings in the author desk: look at one, give time, void, accept, regrade."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from accounts import permissions
from accounts.models import User
from questions.exams.forms.conducting import ExtendForm, ReasonForm, RegradeForm
from questions.exams.models import LateAnswer, Sitting
from questions.exams.screens import conducting as screens
from questions.exams.services import conducting, finishing
from questions.forms.numbers import number_in

_UNPROCESSABLE = 422


@admin.register(Sitting)
class SittingAdmin(ModelAdmin):
    """What participants sat, and what staff may do with it. Nothing is deleted."""

    list_display = (
        "started_at",
        "certification",
        "mode",
        "whose",
        "status",
        "deadline",
        "ended_at",
    )
    list_filter = ("mode", "status", "certification")
    list_select_related = ("certification", "participant__user")
    search_fields = ("participant__user__email", "public_id")
    ordering = ("-started_at",)

    @admin.display(description="Whose")
    def whose(self, sitting: Sitting) -> str:
        """Name the person, where there is an account."""
        user = sitting.participant.user
        return str(user) if user else "No account"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Participants begin sittings."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a sitting is somebody's work."""
        return False

    def get_urls(self) -> list[Any]:
        """Add the addresses of what staff do."""
        wrap = self.admin_site.admin_view

        def at(route: str, view: Any, name: str) -> Any:
            return path(route, wrap(view), name=f"exams_sitting_{name}")

        return [
            at("regrade/", self.regrade_view, "regrade"),
            at("<int:pk>/extend/", require_POST(self.extend_view), "extend"),
            at("<int:pk>/void/", require_POST(self.void_view), "void"),
            at("late/<int:pk>/", require_POST(self.late_view), "late"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponseBase:
        """Show one sitting with its answers, events and late answers."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._show(request, self._sitting(object_id))

    def _sitting(self, object_id: str) -> Sitting:
        sitting = (
            Sitting.objects.filter(pk=number_in(object_id) or 0)
            .select_related("certification", "blueprint", "participant__user")
            .first()
        )
        if sitting is None:
            message = "There is no such sitting."
            raise Http404(message)
        return finishing.settle(sitting=sitting, at=timezone.now())

    def _show(
        self, request: HttpRequest, sitting: Sitting, status: int = 200, **more: Any
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": str(sitting),
            "opts": self.opts,
            "may_conduct": permissions.may_conduct(_person(request)),
            "extend_form": ExtendForm(),
            "void_form": ReasonForm(),
            **screens.sitting_page(sitting=sitting, at=timezone.now()),
            **more,
        }
        return TemplateResponse(
            request, "admin/exams/sitting.html", context, status=status
        )

    def extend_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Give a running sitting more time."""
        by = _conductor(request)
        sitting = self._sitting(str(pk))
        form = ExtendForm(request.POST)
        if not form.is_valid():
            return self._show(request, sitting, _UNPROCESSABLE, extend_form=form)
        try:
            conducting.extend(
                sitting=sitting,
                minutes=form.cleaned_data["minutes"],
                reason=form.cleaned_data["reason"],
                by=by,
                at=timezone.now(),
            )
        except conducting.Refused as refused:
            self.message_user(request, str(refused), messages.ERROR)
        else:
            self.message_user(
                request, f"{form.cleaned_data['minutes']} minutes were added."
            )
        return redirect("admin:exams_sitting_change", pk)

    def void_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Declare a sitting void, and grant another."""
        by = _conductor(request)
        sitting = self._sitting(str(pk))
        form = ReasonForm(request.POST)
        if not form.is_valid():
            return self._show(request, sitting, _UNPROCESSABLE, void_form=form)
        try:
            conducting.void(
                sitting=sitting,
                reason=form.cleaned_data["reason"],
                by=by,
                at=timezone.now(),
            )
        except conducting.Refused as refused:
            self.message_user(request, str(refused), messages.ERROR)
        else:
            self.message_user(request, "The sitting is void; another may be begun.")
        return redirect("admin:exams_sitting_change", pk)

    def late_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Count a late answer."""
        by = _conductor(request)
        late = (
            LateAnswer.objects.filter(pk=pk)
            .select_related("response__item__sitting")
            .first()
        )
        if late is None:
            message = "There is no such late answer."
            raise Http404(message)
        form = ReasonForm(request.POST)
        sitting = late.response.item.sitting
        if not form.is_valid():
            return self._show(request, sitting, _UNPROCESSABLE, late_form=form)
        try:
            conducting.accept_late(
                late=late, reason=form.cleaned_data["reason"], by=by, at=timezone.now()
            )
        except conducting.Refused as refused:
            self.message_user(request, str(refused), messages.ERROR)
        else:
            self.message_user(request, "The answer counts; a new report was made.")
        return redirect("admin:exams_sitting_change", sitting.pk)

    def regrade_view(self, request: HttpRequest) -> HttpResponseBase:
        """Lay a corrected key over answers given: a dry run first, then for real."""
        by = _conductor(request)
        form = RegradeForm(request.POST or None, question=request.GET.get("question"))
        context: dict[str, Any] = {"form": form, "lines": None}
        if request.method == "POST" and form.is_valid():
            regrade = form.regrade()
            try:
                if "apply" in request.POST and form.has_reason():
                    changed = conducting.apply_regrade(
                        regrade=regrade, by=by, at=timezone.now()
                    )
                    self.message_user(request, f"{changed} sittings were regraded.")
                    return redirect("admin:exams_sitting_changelist")
                context["lines"] = screens.regrade_lines(regrade=regrade)
            except conducting.Refused as refused:
                form.add_error(None, str(refused))
        return TemplateResponse(
            request,
            "admin/exams/regrade.html",
            {
                **self.admin_site.each_context(request),
                "title": "Regrade a wrong key",
                "opts": self.opts,
                **context,
            },
            status=_UNPROCESSABLE if form.errors else 200,
        )


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _conductor(request: HttpRequest) -> User:
    """Return who asks, if they may do something with sittings."""
    user = _person(request)
    if not permissions.may_conduct(user):
        raise PermissionDenied
    return user
