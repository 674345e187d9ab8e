"""Public pages that need only the bank."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import AuthorProfile
from questions import forms, selectors, seo
from questions.models import Blueprint, Objective, Question, Vendor
from questions.services import reports

_PAGE_SIZE = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, and ask today's question."""
    today = timezone.now().date()
    slug = selectors.question_of_the_day(on=today)
    question = selectors.question_page(slug=slug, on=today) if slug else None
    context = {
        "meta": seo.home(),
        "certifications": list(selectors.certifications()),
        "today": question,
        "has_session": settings.SESSION_COOKIE_NAME in request.COOKIES,
    }
    return render(request, "questions/home.html", context)


@require_safe
def vendor(request: HttpRequest, slug: str) -> HttpResponse:
    """List a vendor's certifications."""
    row = get_object_or_404(Vendor, slug=slug)
    context = {
        "meta": seo.vendor(row),
        "vendor": row,
        "certifications": selectors.certifications().filter(vendor=row),
    }
    return render(request, "questions/vendor.html", context)


@require_safe
def certification(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what an exam asks, and offer to practise for it."""
    row = get_object_or_404(selectors.certifications(), slug=slug)
    versions = list(row.blueprints.order_by("-effective_from"))
    today = timezone.now().date()
    in_force = selectors.blueprint_in_force(certification=row, on=today)
    shown = _chosen_version(request, versions, in_force)
    context = {
        "meta": seo.certification(row, in_force),
        "certification": row,
        "blueprint": shown,
        "is_in_force": shown == in_force,
        "versions": versions,
        "domains": selectors.blueprint_domains(blueprint=shown) if shown else [],
        "weights_total": sum(d.weight for d in shown.domains.all()) if shown else 0,
        "heaviest": max((d.weight for d in shown.domains.all()), default=1)
        if shown
        else 1,
        "several": Question.objects.live()
        .filter(certification=row, published_revision__kind="multiple")
        .count(),
    }
    return render(request, "questions/certification.html", context)


def _chosen_version(
    request: HttpRequest, versions: list[Blueprint], in_force: Blueprint | None
) -> Blueprint | None:
    asked = request.GET.get("version")
    for version in versions:
        if version.version == asked:
            return version
    return in_force


@require_safe
def objective(
    request: HttpRequest, slug: str, version: str, objective_slug: str
) -> HttpResponse:
    """List the questions of an objective."""
    row = (
        Objective.objects.select_related("domain__blueprint__certification__vendor")
        .filter(
            slug=objective_slug,
            domain__blueprint__version=version,
            domain__blueprint__certification__slug=slug,
        )
        .order_by("domain__code", "code")
        .first()
    )
    if row is None:
        message = "This blueprint version has no such objective."
        raise Http404(message)
    certification_row = row.domain.blueprint.certification
    questions = selectors.questions_of_objective(objective=row, user=request.user)
    page = Paginator(questions, _PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "meta": seo.objective(row, certification_row),
        "objective": row,
        "certification": certification_row,
        "page": page,
    }
    return render(request, "questions/objective.html", context)


@require_safe
def author(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who an author is, and their questions."""
    row = get_object_or_404(AuthorProfile, slug=slug, is_public=True)
    questions = selectors.questions_of_author(author=row, user=request.user)
    page = Paginator(questions, _PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"meta": seo.author(row), "author": row, "page": page}
    return render(request, "questions/author.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Find questions by words and filters."""
    form = forms.SearchForm(request.GET)
    wish = form.wish()
    number = request.GET.get("page", "1")
    found = selectors.search(
        wish=wish,
        user=request.user,
        page=int(number) if number.isdecimal() and len(number) < len("10000") else 1,
    )
    today = timezone.now().date()
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {
        "meta": seo.Meta(title="Search", robots="noindex, follow"),
        "form": form,
        "wish": wish,
        "found": found,
        "domains": selectors.domains_in_force(on=today),
        "objectives": selectors.objectives_in_force(on=today),
        "query": kept.urlencode(),
        "is_asked": bool(request.GET),
    }
    return render(request, "questions/search.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def report_problem(request: HttpRequest, slug: str) -> HttpResponse:
    """Take down what a reader says is wrong with a question."""
    question = get_object_or_404(
        Question.objects.readable_by(request.user).select_related("published_revision"),
        slug=slug,
    )
    revision = question.published_revision
    if revision is None:
        message = "This question has no published words."
        raise Http404(message)
    form = forms.ProblemForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            reports.report_problem(
                revision=revision,
                kind=form.cleaned_data["kind"],
                text=form.cleaned_data["text"],
                chosen=[],
                by=request.user if request.user.is_authenticated else None,
                address=_address(request),
                user_agent=request.headers.get("User-Agent", ""),
                at=timezone.now(),
            )
        except reports.TooManyReports:
            form.add_error(
                None,
                "This address has sent several reports within the hour. "
                "Please try again later; nothing of your text is lost here.",
            )
            status = 429
        else:
            return redirect("report_received", slug=slug)
    elif request.method == "POST":
        status = 422
    context = {
        "meta": seo.private("Report a problem"),
        "question": question,
        "title": revision.title,
        "form": form,
    }
    return render(request, "questions/report_problem.html", context, status=status)


@require_safe
def report_received(request: HttpRequest, slug: str) -> HttpResponse:
    """Thank a reader for a report."""
    question = get_object_or_404(Question.objects.readable_by(request.user), slug=slug)
    context = {"meta": seo.private("Report received"), "question": question}
    return render(request, "questions/report_received.html", context)


def _address(request: HttpRequest) -> str:
    """Return the sender's address, past the proxies that are ours."""
    trusted: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    found = request.META.get("REMOTE_ADDR", "")
    if 0 < trusted <= len(forwarded):
        found = forwarded[-trusted].strip()
    try:
        return str(ipaddress.ip_address(found))
    except ValueError:
        return ""


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Say who makes this, and why."""
    meta = seo.plain(
        title="About",
        description="What Courseiva is, who makes it, and what it promises.",
        name="about",
    )
    return render(request, "questions/about.html", {"meta": meta})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is kept of people, why, and for how long."""
    meta = seo.plain(
        title="Privacy",
        description="What Courseiva keeps of you, why, for how long, and how to end it.",
        name="privacy",
    )
    return render(request, "questions/privacy.html", {"meta": meta})


@require_safe
def editorial_policy(request: HttpRequest) -> HttpResponse:
    """Say how questions are written and reviewed."""
    meta = seo.plain(
        title="How questions are written",
        description="How each question is written, reviewed, published and corrected.",
        name="editorial_policy",
    )
    context = {"meta": meta, "self_approval": settings.SELF_APPROVAL}
    return render(request, "questions/editorial_policy.html", context)


@require_safe
def dumps(request: HttpRequest) -> HttpResponse:
    """Say what sets practice questions apart from exam dumps."""
    meta = seo.plain(
        title="Practice questions and exam dumps: the difference",
        description="Why stolen exam questions harm whoever uses them, and how to tell "
        "them from original practice questions.",
        name="dumps",
    )
    return render(request, "questions/dumps.html", {"meta": meta})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell crawlers what is not for them, and where the sitemap is."""
    lines = (
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /accounts/",
        "Disallow: /practice/sets/",
        "Disallow: /search/",
        "",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
        "",
    )
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
