"""What is written about people. Participants are asked for from here."""

from accounts.services.participants import (
    claim_participant,
    learner_for_request,
    new_participant,
    participant_of_user,
    profile_of_user,
)

__all__ = [
    "claim_participant",
    "learner_for_request",
    "new_participant",
    "participant_of_user",
    "profile_of_user",
]
