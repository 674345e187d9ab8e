"""A mock exam: choose one, read its rules, begin."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts import selectors as people
from accounts import services as participants
from accounts.selectors import Learner
from questions import selectors as bank
from questions import seo
from questions.domain.scoring import Rule
from questions.exams.domain import assembly, clock
from questions.exams.domain import report as reports
from questions.exams.forms.mock import OWN, MockForm
from questions.exams.models import MockExam
from questions.exams.selectors import sittings
from questions.exams.services import starting
from questions.exams.views import doors
from questions.models import Blueprint, Certification


@require_safe
def mocks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which mock exams there are for a certification."""
    blueprint = _blueprint(slug)
    learner = people.learner_of_request(request)
    form = MockForm(blueprint=blueprint, offered=_offered(blueprint))
    return doors.private(
        render(request, "exams/mocks.html", _choice(request, form, learner))
    )


@require_http_methods(["GET", "HEAD", "POST"])
def mock_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Say the rules of the chosen exam for this person, and begin it."""
    at = timezone.now()
    blueprint = _blueprint(slug)
    learner = people.learner_of_request(request)
    sent = request.POST if request.method == "POST" else request.GET
    form = MockForm(sent, blueprint=blueprint, offered=_offered(blueprint))
    if not form.is_valid():
        context = _choice(request, form, learner)
        return doors.private(
            render(request, "exams/mocks.html", context, status=doors.UNPROCESSABLE)
        )
    terms = form.terms()
    refused: starting.MockRefused | None = None
    shortage: assembly.Shortage | None = None
    drawn: list[int] = []
    try:
        if request.method == "POST":
            started = starting.start_mock(
                terms=terms,
                learner=participants.learner_for_request(request=request, at=at),
                seed=uuid.uuid4().int >> 66,
                at=at,
            )
            return redirect("sitting", public_id=started.sitting.public_id)
        starting.check_may_begin(terms=terms, learner=learner, at=at)
        drawn = starting.draw_form(terms=terms, learner=learner, seed=0)
    except starting.MockRefused as refusal:
        refused = refusal
    except assembly.Shortage as short:
        shortage = short
    context = {
        "form": form,
        "blueprint": blueprint,
        "certification": blueprint.certification,
        "terms": terms,
        "allowance": learner.time_allowance,
        "own_minutes": _minutes(terms, learner),
        "needed": _needed(terms),
        "mark_percent": reports.percents(terms.mark, None)[0],
        "several": _asks_several(blueprint),
        "left_out": _left_out(drawn, blueprint),
        "refused": refused,
        "running": _running(request, blueprint),
        "is_member": learner.user is not None,
        "exposures": starting.exposures_for(learner=learner, length=terms.length),
        "meta": seo.private(f"Before you begin: {blueprint.certification.code}"),
        **_short(shortage, blueprint, learner),
    }
    status = doors.CONFLICT if request.method == "POST" else 200
    return doors.private(
        render(request, "exams/mock_rules.html", context, status=status)
    )


def _blueprint(slug: str) -> Blueprint:
    certification = get_object_or_404(
        Certification.objects.select_related("vendor"), slug=slug
    )
    found = bank.blueprint_in_force(
        certification=certification, on=timezone.now().date()
    )
    if found is None:
        message = "This certification has no blueprint yet."
        raise Http404(message)
    found.certification = certification
    return found


def _offered(blueprint: Blueprint) -> list[MockExam]:
    return list(
        MockExam.objects.filter(blueprint=blueprint, is_open=True).order_by("name")
    )


def _choice(request: HttpRequest, form: MockForm, learner: Learner) -> dict[str, Any]:
    blueprint = form.blueprint
    full = starting.standard_terms(blueprint=blueprint)
    half = starting.standard_terms(blueprint=blueprint, length=form.half)
    return {
        "form": form,
        "blueprint": blueprint,
        "certification": blueprint.certification,
        "full_minutes": _minutes(full, learner),
        "half_minutes": _minutes(half, learner),
        "offered": [
            {
                "exam": exam,
                "terms": (terms := starting.terms_of_exam(mock_exam=exam)),
                "minutes": _minutes(terms, learner),
            }
            for exam in form.offered.values()
        ],
        "longest": starting.longest_mock(blueprint=blueprint, learner=learner),
        "running": _running(request, blueprint),
        "is_own": form.data.get("exam") == OWN,
        "meta": seo.mocks(blueprint.certification),
    }


def _minutes(terms: starting.Terms, learner: Learner) -> int:
    """Return this person's minutes, allowance included."""
    return round(terms.minutes * learner.time_allowance)


def _needed(terms: starting.Terms) -> str:
    least = reports.least_points(
        mark=terms.mark, total=terms.length, is_whole=terms.rule is Rule.EXACT_MATCH
    )
    return reports.points_text(least)


def _asks_several(blueprint: Blueprint) -> bool:
    return "multiple" in blueprint.item_kinds


def _left_out(drawn: list[int], blueprint: Blueprint) -> list[str]:
    """Return the domains that a form asks nothing of, as short ones may."""
    if not drawn:
        return []
    asked = blueprint.domains.filter(alignments__question__in=drawn)
    return list(
        blueprint.domains.exclude(pk__in=asked)
        .order_by("pk")
        .values_list("name", flat=True)
    )


def _running(request: HttpRequest, blueprint: Blueprint) -> Any:
    at = timezone.now()
    for sitting in sittings.running_mocks_of_request(request, at):
        if sitting.certification_id == blueprint.certification_id:
            return sitting if sitting.phase(at) is clock.Phase.RUNNING else None
    return None


def _short(
    shortage: assembly.Shortage | None, blueprint: Blueprint, learner: Learner
) -> dict[str, Any]:
    """Return which domains have too few questions, and the exam that is possible."""
    if shortage is None:
        return {"lacking": [], "longest": 0}
    names = dict(blueprint.domains.values_list("pk", "name"))
    lacking = [
        {
            "name": names[domain],
            "wanted": wanted,
            "found": shortage.found.get(domain, 0),
        }
        for domain, wanted in shortage.wanted.items()
        if shortage.found.get(domain, 0) < wanted
    ]
    longest = starting.longest_mock(blueprint=blueprint, learner=learner)
    return {"lacking": lacking, "longest": longest}
