"""My exams: all sittings of who asks, and work done before signing in."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from accounts import selectors as people
from accounts import services as participants
from accounts.models import User
from questions import seo
from questions.exams.domain import clock
from questions.exams.screens import history
from questions.exams.selectors import sittings
from questions.exams.services import finishing, practice
from questions.exams.views import doors
from questions.models import Question

_PER_PAGE = 30


@require_safe
def my_sittings(request: HttpRequest) -> HttpResponse:
    """List what is under way and what was finished; none ever disappears."""
    at = timezone.now()
    learner = people.learner_of_request(request)
    finishing.close_own(learner=learner, at=at)
    found = sittings.history(learner=learner)
    page = Paginator(found, _PER_PAGE).get_page(request.GET.get("page"))
    # Mock exams first, as their clock runs; what is left out stands in the pages below.
    running = list(
        found.filter(status=clock.Status.RUNNING, daily_date=None).order_by(
            "mode", "-started_at", "-pk"
        )[: _PER_PAGE + 1]
    )
    context = {
        "running": [history.line(sitting=each, at=at) for each in running[:_PER_PAGE]],
        "has_more_running": len(running) > _PER_PAGE,
        "lines": [history.line(sitting=each, at=at) for each in page.object_list],
        "page": page,
        "allowance": learner.time_allowance,
        "meta": seo.private("My exams"),
    }
    return doors.private(render(request, "exams/mine.html", context))


@require_POST
def claim(request: HttpRequest) -> HttpResponse:
    """Take over what was done on this device before signing in, or leave it."""
    visitor = people.participant_of_session(request)
    if isinstance(request.user, User) and visitor is not None:
        if request.POST.get("mine") == "yes":
            participants.claim_participant(participant=visitor, user=request.user)
            messages.success(request, "The work on this device is in your account now.")
        request.session.pop(people.PARTICIPANT_SESSION_KEY, None)
    return redirect("my_sittings")


@require_POST
def flag_question(request: HttpRequest, slug: str) -> HttpResponse:
    """Set a question aside for later practice, or no longer."""
    at = timezone.now()
    question = get_object_or_404(Question.objects.live(), slug=slug)
    practice.set_flag(
        learner=participants.learner_for_request(request=request, at=at),
        question_id=question.pk,
        is_flagged=request.POST.get("flag") == "on",
        at=at,
    )
    back = request.POST.get("back", "")
    # A path: Django would take a bare word for the name of a view.
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, None):
        return redirect(back)
    return redirect(question)
