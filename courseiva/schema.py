"""The schema of the API: what every operation has in common."""

from __future__ import annotations

from typing import Any, Final

from accounts.api.problems import MEDIA_TYPE

PROBLEM: Final = {
    "type": "object",
    "description": "A refusal, as in RFC 9457. `code` is stable, `detail` says how to "
    "mend it; some codes carry more members.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "fields": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "detail": {"type": "string"},
                },
                "required": ["name", "detail"],
            },
        },
    },
    "required": ["type", "title", "status", "code", "detail"],
}
_METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})


def with_problems(result: dict[str, Any], **_unused: Any) -> dict[str, Any]:
    """Add the shape of refusals, and ways to sign in, to every operation."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
    }
    refusal = {
        "description": "Refused, with the reason.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path in result["paths"].values():
        for method, operation in path.items():
            if method not in _METHODS:
                continue
            operation["security"] = [{}, {"token": []}, {"session": []}]
            operation["responses"]["default"] = refusal
            names = {each["name"] for each in operation.get("parameters", ())}
            if "If-None-Match" in names:
                operation["responses"]["304"] = {"description": "Nothing changed."}
    return result
