"""How questions perform, in the author desk."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError
from unfold.admin import ModelAdmin

from accounts import permissions
from analytics import tasks
from analytics.models import CalibrationRun
from analytics.screens import analysis, background, bank
from analytics.selectors import items
from questions.models import Certification, Question


def _let_in(request: HttpRequest) -> None:
    """Let in who may read questions at the desk."""
    if not (
        permissions.may_enter_desk(request.user)
        and request.user.has_perm("questions.view_question")
    ):
        raise PermissionDenied


@admin.register(CalibrationRun)
class CalibrationRunAdmin(ModelAdmin):
    """Pages made of what calibration found; the runs themselves are written by it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: a run is made by running it."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: what a run found stays as it found it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: runs are kept, so that drift can be shown."""
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Keep it out of the index: the menu has the pages."""
        return False

    def get_urls(self) -> list[Any]:
        """Add the addresses of the pages."""
        wrap = self.admin_site.admin_view
        return [
            path("bank/", wrap(self.banks_view), name="analytics_banks"),
            path("bank/<int:pk>/", wrap(self.bank_view), name="analytics_bank"),
            path(
                "bank/<int:pk>/file/", wrap(self.file_view), name="analytics_bank_file"
            ),
            path(
                "question/<int:pk>/",
                wrap(self.question_view),
                name="analytics_question",
            ),
            path("status/", wrap(self.status_view), name="analytics_status"),
            path(
                "status/<int:pk>/calibrate/",
                wrap(require_POST(self.calibrate_view)),
                name="analytics_calibrate",
            ),
            *super().get_urls(),
        ]

    def banks_view(self, request: HttpRequest) -> HttpResponse:
        """List the certifications; with only one, show it at once."""
        _let_in(request)
        found = list(Certification.objects.order_by("code"))
        if len(found) == 1:
            return self.bank_view(request, found[0].pk)
        context = {
            **self.admin_site.each_context(request),
            "title": "How questions perform",
            "banks": [
                {"certification": each, "run": items.run_in_force(certification=each)}
                for each in found
            ],
        }
        return TemplateResponse(request, "admin/analytics/banks.html", context)

    def bank_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how the questions of a certification perform."""
        _let_in(request)
        certification = get_object_or_404(Certification, pk=pk)
        context = {
            **self.admin_site.each_context(request),
            "title": f"How questions perform: {certification.code}",
            **bank.bank_page(
                certification=certification,
                sort=request.GET.get("sort", ""),
                concern=request.GET.get("concern", ""),
                page=request.GET.get("page", "1"),
            ),
        }
        return TemplateResponse(request, "admin/analytics/bank.html", context)

    def file_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send the worklist as a file."""
        _let_in(request)
        certification = get_object_or_404(Certification, pk=pk)
        run = items.run_in_force(certification=certification)
        if run is None:
            message = "No figures have been worked out yet."
            raise Http404(message)
        response = HttpResponse(
            bank.bank_file(run=run), content_type="text/csv; charset=utf-8"
        )
        name = f"{certification.slug}-{run.started_at:%Y-%m-%d}.csv"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    def question_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how a question performs, by revision and mode."""
        _let_in(request)
        question = get_object_or_404(
            Question.objects.select_related("certification", "latest_revision"), pk=pk
        )
        latest = question.latest_revision
        context = {
            **self.admin_site.each_context(request),
            "title": f"How it performs: {latest.title if latest else question.slug}",
            "question": question,
            **analysis.question_page(question=question),
        }
        return TemplateResponse(request, "admin/analytics/question.html", context)

    def status_view(self, request: HttpRequest) -> HttpResponse:
        """Show how the work in the background stands."""
        _let_in(request)
        context = {
            **self.admin_site.each_context(request),
            "title": "Background work",
            "may_calibrate": permissions.may_publish(request.user),
            **background.background_page(at=timezone.now()),
        }
        return TemplateResponse(request, "admin/analytics/background.html", context)

    def calibrate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have a certification calibrated by the worker, for who may publish."""
        _let_in(request)
        if not permissions.may_publish(request.user):
            raise PermissionDenied
        code = get_object_or_404(Certification, pk=pk).code
        try:
            tasks.calibrate.apply_async(args=(pk,), retry=False)
        except OperationalError:
            self.message_user(
                request,
                "The queue doesn’t answer, so nothing was begun. The nightly run does it,"
                f" or “manage.py calibrate {code}” at once.",
                messages.ERROR,
            )
        else:
            self.message_user(
                request,
                f"{code} is queued for calibration. How it went will stand below.",
            )
        return redirect("admin:analytics_status")
