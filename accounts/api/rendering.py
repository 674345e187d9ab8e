"""How answers of the API are written. Apart, as the framework loads it first."""

from __future__ import annotations

from rest_framework.renderers import JSONRenderer


class Json(JSONRenderer):
    """JSON in UTF-8; there is one representation."""

    charset = None
