"""What a token may be allowed to do."""

from __future__ import annotations

from enum import StrEnum


class Scope(StrEnum):
    """One permission of a token. A person signed in by session has them all."""

    QUESTIONS_READ = "questions:read"
    QUESTIONS_READ_KEYS = "questions:read_keys"
    SITTINGS_READ = "sittings:read"
    SITTINGS_WRITE = "sittings:write"
    ME_READ = "me:read"
    ME_WRITE = "me:write"
    ANALYTICS_READ = "analytics:read"


DESCRIPTIONS = {
    Scope.QUESTIONS_READ: "Read questions without their keys",
    Scope.QUESTIONS_READ_KEYS: "Read keys and explanations of questions you may edit",
    Scope.SITTINGS_READ: "Read your sittings and reports",
    Scope.SITTINGS_WRITE: "Begin sittings, answer and submit",
    Scope.ME_READ: "Read your profile",
    Scope.ME_WRITE: "Change your profile",
    Scope.ANALYTICS_READ: "Read your statistics, and those of questions you may edit",
}
