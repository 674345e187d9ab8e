"""Pictures of questions, for those who may see a question that shows them."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts import permissions
from accounts import selectors as people
from questions import selectors as bank
from questions.exams.selectors import sittings
from questions.models import Image

_YEAR: Final = 31_536_000


@require_safe
def image(request: HttpRequest, sha256: str) -> HttpResponse:
    """Send a picture of a readable question, or of one in a sitting of who asks."""
    found, is_public = _find(request, sha256)
    if found is None:
        message = "There is no image at this address."
        raise Http404(message)
    response = HttpResponse(bytes(found.content), content_type=found.media_type)
    scope = "public" if is_public else "private"
    response.headers["Cache-Control"] = f"{scope}, max-age={_YEAR}, immutable"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Disposition"] = "inline"
    # A drawing opened by itself is a document: it may run and load nothing.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


def _find(request: HttpRequest, sha256: str) -> tuple[Image | None, bool]:
    """Return the picture, if who asks may see it, and whether everybody may."""
    public = bank.image_for(sha256=sha256, user=None, is_desk=False)
    if public is not None:
        return public, True
    user = request.user
    found = bank.image_for(
        sha256=sha256, user=user, is_desk=permissions.asks_to_enter_desk(request)
    )
    if found is None:
        learner = people.learner_of_request(request)
        found = sittings.image_in_a_sitting(learner=learner, sha256=sha256)
    return found, False
