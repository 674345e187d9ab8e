"""What the operations on sittings have in common in the schema."""

from __future__ import annotations

from typing import Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from accounts.services import idempotency
from questions.exams.api import callers

TOKEN: Final = OpenApiParameter(
    callers.HEADER,
    str,
    OpenApiParameter.HEADER,
    description="The secret of a sitting begun without an account.",
)
IDEMPOTENT: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": idempotency.LONGEST},
    OpenApiParameter.HEADER,
    description="Your name for this request: sent again within 24 hours, it gets the "
    "same reply and begins nothing. A replay tells no secret.",
)
SITTING: Final = OpenApiExample(
    "A mock exam under way",
    value={
        "id": "0d6a3c1e-6a0e-4a6e-9a53-0f6c4d9c2b11",
        "certification": "pmle",
        "blueprint": "2026-06",
        "exam": None,
        "mode": "mock",
        "phase": "running",
        "feedback": "at_end",
        "navigation": "free",
        "question_count": 60,
        "answered_count": 0,
        "started_at": "2026-12-01T09:00:00Z",
        "deadline": "2026-12-01T11:00:00Z",
        "ended_at": None,
        "server_time": "2026-12-01T09:00:00Z",
        "milliseconds_left": 7200000,
        "grace_seconds": 30,
    },
    response_only=True,
)
