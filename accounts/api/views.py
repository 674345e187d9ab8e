"""Who the token belongs to."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView, read
from accounts.api.scopes import Scope
from accounts.models import ApiToken, User

_EXAMPLE = OpenApiExample(
    "A profile",
    value={
        "display_name": "Ana",
        "email": "ana@example.org",
        "time_allowance": "1.00",
        "scopes": ["questions:read"],
    },
    response_only=True,
)


class MeSchema(serializers.Serializer[object]):
    """The person of the token. ``scopes`` is nothing for a session, which has all."""

    display_name = serializers.CharField(allow_blank=True)
    email = serializers.CharField()
    time_allowance = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField(), allow_null=True)


class MeInput(serializers.Serializer[object]):
    """What of a profile can be changed."""

    display_name = serializers.CharField(max_length=80, allow_blank=True)


class Me(ApiView):
    """Your profile."""

    scopes = {"GET": Scope.ME_READ, "PATCH": Scope.ME_WRITE}
    needs_person = True

    @extend_schema(operation_id="retrieve_me", responses=MeSchema, examples=[_EXAMPLE])
    def get(self, request: Request) -> Response:
        """Return your profile, and what the token may do."""
        return Response(_shape(request))

    @extend_schema(
        operation_id="change_me",
        request=MeInput,
        responses=MeSchema,
        examples=[
            _EXAMPLE,
            OpenApiExample("A name", value={"display_name": "Ana"}, request_only=True),
        ],
    )
    def patch(self, request: Request) -> Response:
        """Change your display name."""
        sent = read(MeInput(data=request.data))
        user = request.user
        if isinstance(user, User):
            user.display_name = sent["display_name"]
            user.save(update_fields=["display_name"])
        return Response(_shape(request))


def _shape(request: Request) -> dict[str, Any]:
    user = request.user
    token = request.auth
    return {
        "display_name": getattr(user, "display_name", ""),
        "email": getattr(user, "email", ""),
        "time_allowance": str(getattr(user, "time_allowance", "1.00")),
        "scopes": token.scopes if isinstance(token, ApiToken) else None,
    }
