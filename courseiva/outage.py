"""What a visitor gets when something fails on our side."""

from __future__ import annotations

import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

from courseiva.lost import is_away

RETRY_AFTER_SECONDS: Final = 30


def failed(request: HttpRequest) -> HttpResponse:
    """Answer 503 when a server that we lean on is away, 500 to everything else.

    Django calls this while it handles the exception and has logged nothing yet; the
    traceback goes to the log either way. Signing in needs no Valkey (courseiva/caches.py).
    """
    if not is_away(sys.exception()):
        return server_error(request)
    # Without the request: looking up who asks could fail once more.
    response = HttpResponse(loader.render_to_string("503.html"), status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response
