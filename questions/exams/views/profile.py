"""The profile: a name, a time zone, a theme, more time, and exams to come."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import selectors as people
from accounts.forms import AllowanceForm, ProfileForm
from accounts.models import User
from accounts.services import allowances, profiles
from questions import seo
from questions.exams.forms.profile import EnrolmentForm, ResultForm
from questions.exams.models import Enrolment
from questions.exams.services import enrolling
from questions.exams.views import doors

_UNPROCESSABLE: Final = 422


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show the profile, and keep what is changed in it."""
    user = _user_of(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        profiles.keep_profile(user=user, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("profile")
    return _page(request, form=form, enrolment_form=EnrolmentForm())


@login_required
@require_POST
def enrol(request: HttpRequest) -> HttpResponse:
    """Note an exam to prepare for."""
    user = _user_of(request)
    form = EnrolmentForm(request.POST)
    if form.is_valid():
        try:
            enrolling.enrol(
                user=user,
                certification=form.cleaned_data["certification"],
                exam_date=form.cleaned_data["exam_date"],
                at=timezone.now(),
            )
        except enrolling.ImpossibleDate as impossible:
            form.add_error("exam_date", str(impossible))
        else:
            return redirect("profile")
    return _page(request, form=ProfileForm(instance=user), enrolment_form=form)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def exam_result(request: HttpRequest, pk: int) -> HttpResponse:
    """Hear how the real exam went."""
    enrolment = _own(request, pk)
    given = {
        "result": enrolment.result,
        "exam_date": enrolment.exam_date,
        "score": enrolment.score,
    }
    form = ResultForm(request.POST or None, initial=given)
    if request.method == "POST" and form.is_valid():
        try:
            enrolling.tell_result(
                enrolment=enrolment,
                result=Enrolment.Result(form.cleaned_data["result"]),
                score=form.cleaned_data["score"],
                exam_date=form.cleaned_data["exam_date"],
                at=timezone.now(),
            )
        except enrolling.ImpossibleDate as impossible:
            form.add_error("exam_date", str(impossible))
        else:
            return redirect("profile")
    context = {
        "form": form,
        "enrolment": enrolment,
        "meta": seo.private("How the exam went"),
    }
    status = _UNPROCESSABLE if form.errors else None
    return render(request, "exams/exam_result.html", context, status=status)


@login_required
@require_POST
def leave_exam(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget an exam that was prepared for."""
    enrolling.leave(enrolment=_own(request, pk))
    return redirect("profile")


@never_cache
@require_http_methods(["GET", "POST"])
def time_allowance(request: HttpRequest) -> HttpResponse:
    """Say what is in force and what was asked for, and take what is asked."""
    learner = people.learner_of_request(request)
    form = AllowanceForm(request.POST or None)
    if request.method == "POST" and learner.user is not None and form.is_valid():
        allowances.ask_for_allowance(
            user=learner.user,
            wanted=form.cleaned_data["wanted"],
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
        )
        messages.success(request, "Asked for. You see here when it is decided.")
        return redirect("time_allowance")
    context = {
        "allowance": learner.time_allowance,
        "is_member": learner.user is not None,
        "asked": people.open_allowance_request(user=learner.user)
        if learner.user
        else None,
        "form": form,
        "meta": seo.private("More time"),
    }
    status = _UNPROCESSABLE if form.errors else None
    return doors.private(
        render(request, "exams/time_allowance.html", context, status=status)
    )


def _page(
    request: HttpRequest, *, form: ProfileForm, enrolment_form: EnrolmentForm
) -> HttpResponse:
    user = _user_of(request)
    context: dict[str, Any] = {
        "form": form,
        "enrolment_form": enrolment_form,
        "enrolments": Enrolment.objects.filter(user=user)
        .select_related("certification")
        .order_by("result", "exam_date", "pk"),
        "asked": people.open_allowance_request(user=user),
        "allowance": user.time_allowance,
        "today": timezone.localdate(),
        "meta": seo.private("Profile"),
    }
    status = _UNPROCESSABLE if form.errors or enrolment_form.errors else None
    return render(request, "exams/profile.html", context, status=status)


def _own(request: HttpRequest, pk: int) -> Enrolment:
    return get_object_or_404(
        Enrolment.objects.select_related("certification", "user"),
        pk=pk,
        user=_user_of(request),
    )


def _user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
