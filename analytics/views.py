"""Pages on which learners read what their answers tell."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import services as participants
from accounts.models import User
from analytics.screens import dashboard as screen
from analytics.screens import method
from analytics.selectors import standing
from analytics.services import choosing
from questions import seo
from questions.exams.selectors import sittings
from questions.exams.services import starting
from questions.exams.views import doors
from questions.models import Certification

_NO_EXAM = "There is no such exam here."


@login_required
@require_safe
def dashboards(request: HttpRequest) -> HttpResponse:
    """Lead to the exam that comes next, or to what was studied last."""
    user = _user_of(request)
    enrolments = standing.open_enrolments(user=user)
    if enrolments:
        return redirect("dashboard", enrolments[0].certification.slug)
    last = standing.last_studied(user=user)
    if last is not None:
        return redirect("dashboard", last.slug)
    context = {
        **screen.nothing_yet(user=user, at=timezone.now()),
        "meta": seo.private("Dashboard"),
    }
    return doors.private(render(request, "analytics/dashboard_empty.html", context))


@login_required
@require_safe
def dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where a learner stands for one exam, and what would help most."""
    user = _user_of(request)
    at = timezone.now()
    certification, others = standing.exam_and_others(user=user, slug=slug)
    if certification is None:
        raise Http404(_NO_EXAM)
    context = screen.dashboard(
        user=user, certification=certification, others=others, at=at
    )
    # The page's head asks for mock exams under way, and they are here already.
    if "sittings" in context:
        sittings.note_running_mocks(request, context["sittings"], at)
    page = "dashboard_empty" if context.get("is_empty") else "dashboard"
    return _page(request, page, context, "Dashboard")


@login_required
@require_safe
def readiness_how(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the figures of the dashboard apart with the learner's own answers."""
    at = timezone.now()
    context = screen.how(
        user=_user_of(request),
        certification=_certification(slug),
        withheld=sittings.withheld_questions(request, at),
        at=at,
    )
    if context is None:
        return redirect("dashboard", slug)
    return _page(request, "how", context, "How do we know?")


@login_required
@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everything that was counted."""
    at = timezone.now()
    context = screen.statistics(
        user=_user_of(request),
        certification=_certification(slug),
        withheld=sittings.withheld_questions(request, at),
        at=at,
    )
    return _page(request, "statistics", context, "Your figures")


@login_required
@require_POST
def show_streak(request: HttpRequest, slug: str) -> HttpResponse:
    """Show days in a row on the dashboard, or no longer."""
    wanted = request.POST.get("show")
    if wanted in {"yes", "no"}:
        user = _user_of(request)
        user.shows_streak = wanted == "yes"
        user.save(update_fields=["shows_streak"])
    return redirect("dashboard", slug)


@login_required
@require_POST
def choose_for_me(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin practice of the questions that would tell most, or go on with it."""
    at = timezone.now()
    certification = _certification(slug)
    learner = participants.learner_for_request(request=request, at=at)
    going_on = standing.open_choice(learner=learner, certification=certification)
    if going_on is not None:
        messages.info(request, "These were chosen for you before. Finish them first.")
        return redirect("sitting", public_id=going_on.public_id)
    try:
        begun = choosing.start(
            learner=learner,
            certification=certification,
            withheld=sittings.withheld_questions(request, at),
            length=choosing.USUAL_LENGTH,
            seed=uuid.uuid4().int >> 66,
            at=at,
        )
    except starting.NothingMatches:
        messages.info(
            request,
            "You were given every question that is open to practice. Some may wait in "
            "practice that you have open, under My exams.",
        )
        return redirect("practice", slug)
    count = begun.items.count()
    if count < choosing.USUAL_LENGTH:
        messages.info(request, f"Only {count} more were new to you.")
    return redirect("sitting_item", public_id=begun.public_id, position=1)


@require_safe
def readiness_method(request: HttpRequest) -> HttpResponse:
    """Say how readiness is worked out, and how often it came true."""
    context = {
        **method.method_page(is_staff=bool(request.user.is_staff)),
        "meta": seo.plain(
            title="How readiness is worked out",
            description=(
                "What the chance of passing says, what it rests on, where it is weak, "
                "and how often it came true."
            ),
            name="readiness_method",
        ),
    }
    return render(request, "analytics/method.html", context)


def _certification(slug: str) -> Certification:
    found = Certification.objects.filter(slug=slug).first()
    if found is None:
        raise Http404(_NO_EXAM)
    return found


def _page(
    request: HttpRequest, name: str, context: dict[str, Any], title: str
) -> HttpResponse:
    code = context["certification"].code
    filled = {**context, "meta": seo.private(f"{title}, {code}")}
    return doors.private(render(request, f"analytics/{name}.html", filled))


def _user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        message = "Nobody is signed in."
        raise Http404(message)
    return request.user
