"""Settings of the API's frameworks that no environment decides."""

from __future__ import annotations

from typing import Any, Final

FRAMEWORK: Final[dict[str, Any]] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
        "accounts.api.authentication.Session",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["accounts.api.rendering.Json"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsing.Json"],
    "DEFAULT_THROTTLE_CLASSES": ["courseiva.limits.Limit"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "courseiva.api.problem_response",
    "DEFAULT_METADATA_CLASS": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}


def schema(*, site_name: str) -> dict[str, Any]:
    """Return what the published schema says of the API."""
    return {
        "TITLE": f"{site_name} API",
        "DESCRIPTION": "Questions and mock exams of IT certifications. See docs/api.md.",
        "VERSION": "1",
        "OAS_VERSION": "3.1.1",
        "SERVE_INCLUDE_SCHEMA": False,
        "SCHEMA_PATH_PREFIX": "/api/v1/",
        "SCHEMA_PATH_PREFIX_TRIM": False,
        "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
        "POSTPROCESSING_HOOKS": ["courseiva.schema.with_problems"],
        "AUTHENTICATION_WHITELIST": [],
        "SWAGGER_UI_DIST": "SIDECAR",
        "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    }
