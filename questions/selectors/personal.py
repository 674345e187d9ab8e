"""What the bank holds about a person, for the copy a person may ask for."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.domain.records import Table
from accounts.models import User
from accounts.selectors.personal import table
from questions.models import ProblemReport, Question, QuestionEvent, Review, Revision


def records_of(*, user: User) -> Iterator[Table]:
    """Return what this person reported, wrote, reviewed and did in the bank."""
    yield table(
        "problem_reports",
        "Problems you reported.",
        ProblemReport.objects.filter(reported_by=user),
        *("question__slug", "revision__number", "kind", "text", "chosen"),
        *("user_agent", "reported_at", "resolved_at", "resolution"),
    )
    yield table(
        "questions_written",
        "Questions that carry your name.",
        Question.objects.filter(author__user=user),
        *("public_id", "slug", "status", "created_at"),
    )
    yield table(
        "revisions_written",
        "Wordings you saved.",
        Revision.objects.filter(written_by=user),
        *("question__slug", "number", "title", "stem", "written_at"),
    )
    yield table(
        "reviews",
        "Verdicts you gave.",
        Review.objects.filter(reviewer__user=user),
        *("revision__question__slug", "revision__number", "verdict", "comment"),
        "reviewed_at",
    )
    yield table(
        "bank_events",
        "What you did with questions.",
        QuestionEvent.objects.filter(by=user),
        *("question__slug", "kind", "note", "happened_at"),
    )
