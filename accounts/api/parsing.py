"""How bodies sent to the API are read. Apart, as the framework loads it first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Json(JSONParser):
    """JSON as the standard has it; what is nested too deeply to be read is refused."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return what the body says.

        Raises:
            ParseError: it is no JSON that can be read.
        """
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as endless:
            raise ParseError from endless
