"""The question page: answer first, then see why."""

from __future__ import annotations

import gzip
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts import selectors as people
from accounts import services as participants
from questions import selectors as bank
from questions import seo
from questions.domain.items import Exposure
from questions.domain.responses import InvalidResponse, Response, complete
from questions.exams.domain import feedback
from questions.exams.selectors import pages, sittings
from questions.exams.services import pages as keeping
from questions.exams.services import practice as practising
from questions.exams.views import doors
from questions.forms.numbers import number_in
from questions.models import FormerSlug, Revision
from questions.selectors import QuestionPage

_GONE = 410
_GZIP_LEVEL = 6


@csrf_exempt  # a visitor without a session changes nothing; others are checked below
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a question; checked or shown, show its answer in the same place."""
    try:
        return (
            _answer(request, slug) if request.method == "POST" else _show(request, slug)
        )
    except Moved as moved:
        return redirect(moved.address, permanent=True, preserve_request=True)


def _show(request: HttpRequest, slug: str) -> HttpResponse:
    if _has_session(request):
        return _page(request, _readable(request, slug))
    page = _readable(request, slug)
    response = _page(request, page)
    kept: pages.KeptPage | None = getattr(request, "kept_page", None)
    if kept is not None and _may_be_kept(page, response):
        gzipped = gzip.compress(response.content, _GZIP_LEVEL, mtime=0)
        keeping.keep_page(question_id=page.id, stamp=kept.stamp, gzipped=gzipped)
    response.headers["Vary"] = "Accept-Encoding, Cookie"
    return response


def _has_session(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES


def _may_be_kept(page: QuestionPage, response: HttpResponse) -> bool:
    return (
        response.status_code == HttpResponse.status_code
        and page.exposure is Exposure.PUBLIC
        and not page.is_retired
    )


def _readable(request: HttpRequest, slug: str) -> QuestionPage:
    """Return the page of a question that exists for this visitor.

    Raises:
        Http404: no such question was ever published, or it is for mock exams only.
        Moved: it has another address now.
    """
    page = bank.question_page(slug=slug, on=timezone.now().date())
    if page is None:
        former = FormerSlug.objects.filter(slug=slug).select_related("question").first()
        if former is not None:
            raise Moved(former.question.get_absolute_url())
    if page is None or page.exposure is Exposure.MOCK_ONLY:
        message = "There is no question at this address."
        raise Http404(message)
    return page


class Moved(Exception):
    """The question has another address now."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def _answer(request: HttpRequest, slug: str) -> HttpResponse:
    page = _readable(request, slug)
    if page.is_retired or _is_closed(request, page):
        return _page(request, page)
    chosen = frozenset(request.POST.getlist("answer"))
    if request.POST.get("revision", "") != str(page.revision_id):
        return _page(
            request,
            page,
            chosen=chosen,
            problem="This question was changed while you were reading. "
            "Please read it once more, then check your answer.",
            status=doors.CONFLICT,
        )
    if page.id in sittings.withheld_questions(request, timezone.now()):
        return _page(
            request, page, chosen=chosen, problem=doors.WITHHELD, status=doors.CONFLICT
        )
    try:
        response = _response(page, request.POST)
    except InvalidResponse as invalid:
        return _page(
            request,
            page,
            chosen=chosen,
            problem=invalid.sentence,
            status=doors.UNPROCESSABLE,
        )
    if _has_session(request):
        if not _came_from_our_page(request):
            return _page(
                request,
                page,
                chosen=chosen,
                problem="You signed in or out after this page was loaded. "
                "Your choice is still here: check it once more.",
                status=doors.FORBIDDEN,
            )
        _keep_answer(request, page, response)
    return _page(
        request,
        page,
        chosen=response.chosen if response else frozenset(),
        reveal=feedback.reveal(page.open, page.keyed, response),
    )


def _response(page: QuestionPage, posted: QueryDict) -> Response | None:
    """Return the response posted, or nothing if the answer is only to be shown."""
    if "show" in posted:
        return None
    item = feedback.answerable(page.open, page.keyed)
    return complete(item, posted.getlist("answer"))


def _came_from_our_page(request: HttpRequest) -> bool:
    """Check the CSRF token, which only visitors with a session need."""
    guard = CsrfViewMiddleware(lambda _: HttpResponse())
    return guard.process_view(request, _page, (), {}) is None


def _keep_answer(
    request: HttpRequest, page: QuestionPage, response: Response | None
) -> None:
    at = timezone.now()
    revision = Revision.objects.select_related(
        "document", "question__certification"
    ).get(pk=page.revision_id)
    blueprint = bank.blueprint_in_force(
        certification=revision.question.certification, on=at.date()
    )
    if blueprint is None:
        return  # between two versions of the guide nothing is measured
    practising.answer_on_page(
        learner=participants.learner_for_request(request=request, at=at),
        blueprint=blueprint,
        revision=revision,
        answer=practising.Answer(
            chosen=sorted(response.chosen) if response else None,
            seconds=number_in(request.POST.get("seconds", "")) or 0,
        ),
        at=at,
    )


def _is_closed(request: HttpRequest, page: QuestionPage) -> bool:
    return page.exposure is Exposure.MEMBERS and not request.user.is_authenticated


def _page(
    request: HttpRequest,
    page: QuestionPage,
    *,
    chosen: frozenset[str] = frozenset(),
    problem: str = "",
    reveal: feedback.Reveal | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a question page, or for htmx the part of it that changes."""
    if page.is_retired:
        gone = {"page": page, "meta": seo.retired_question(page)}
        return render(request, "exams/question_retired.html", gone, status=_GONE)
    if _is_closed(request, page):
        door = {"page": page, "meta": seo.closed_question(page)}
        return render(
            request, "exams/question_members.html", door, status=doors.FORBIDDEN
        )
    has_session = _has_session(request)
    for_crawlers = (
        settings.EXPLANATION_FOR_CRAWLERS
        and not has_session
        and reveal is None
        and page.exposure is Exposure.PUBLIC
    )
    context: dict[str, Any] = {
        "page": page,
        "item": page.open,
        "revision_id": page.revision_id,
        "choices": feedback.choices(page.open, chosen),
        "problem": problem,
        "reveal": reveal,
        "has_session": has_session,
        "action": reverse("question", args=[page.slug]),
        "next_address": page.next_slug and reverse("question", args=[page.next_slug]),
    }
    # Only for answers: what is shown to a GET may be kept, and sent to everybody.
    if request.method == "POST" and request.htmx:  # type: ignore[attr-defined]
        return render(request, "exams/_question.html", context, status=status)
    context["folded"] = (
        feedback.reveal(page.open, page.keyed, None) if for_crawlers else None
    )
    context["meta"] = seo.question(page)
    if has_session:
        owner = people.owner_filter(request, "participant")
        context["is_flagged"] = sittings.is_flagged(owner=owner, question_id=page.id)
        withheld = sittings.withheld_questions(request, timezone.now())
        context["contact"] = None
        if reveal is None and page.id not in withheld:
            context["contact"] = sittings.first_contact(
                owner=owner, question_id=page.id
            )
    context["bank_size"] = bank.bank_size(
        certification_slug=page.certification_slug, bank_version=page.bank_version
    )
    return render(request, "exams/question.html", context, status=status)
