"""How answers of the API are written. Apart, as the framework loads it first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer


class Ready(bytes):
    """JSON in UTF-8 that lay ready: sent as it is."""

    __slots__ = ()


class Json(JSONRenderer):
    """JSON in UTF-8; there is one representation."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the answer's bytes; indented only where the client asks for it."""
        if isinstance(data, Ready):
            if (
                self.get_indent(accepted_media_type or "", renderer_context or {})
                is None
            ):
                return bytes(data)
            data = json.loads(data)
        rendered: bytes = super().render(data, accepted_media_type, renderer_context)
        return rendered
