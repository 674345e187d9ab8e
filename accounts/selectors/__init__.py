"""Reads about people."""

from accounts.selectors.learners import (
    PARTICIPANT_SESSION_KEY,
    Learner,
    displayed_name,
    erasure_of,
    has_verified_address,
    learner_of_request,
    open_allowance_request,
    owner_filter,
    participant_of_session,
)

__all__ = [
    "PARTICIPANT_SESSION_KEY",
    "Learner",
    "displayed_name",
    "erasure_of",
    "has_verified_address",
    "learner_of_request",
    "open_allowance_request",
    "owner_filter",
    "participant_of_session",
]
