"""What sittings hold about a person, for the copy a person may ask for.

No key is in it: what was chosen, and points once they were given. Of questions that a
mock exam of theirs is asking just now, no former result is in it either.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from accounts.domain.records import Table
from accounts.models import User
from accounts.selectors.personal import table
from questions.exams.domain import clock
from questions.exams.models import (
    Enrolment,
    KeyContact,
    LateAnswer,
    QuestionFlag,
    Response,
    ScoreReport,
    Sitting,
    SittingEvent,
    SittingItem,
)


def records_of(*, user: User) -> Iterator[Table]:
    """Return what this person prepared for, sat, answered and set aside."""
    sitting = "item__sitting__public_id"
    asked = _asked_now(user)
    yield table(
        "enrolments",
        "Certifications you prepare for, and how the exams went.",
        Enrolment.objects.filter(user=user),
        *("certification__code", "exam_date", "result", "score", "resulted_at"),
    )
    yield table(
        "sittings",
        "Mock exams and practice.",
        Sitting.objects.filter(participant__user=user),
        *("public_id", "certification__code", "mode", "status", "started_at"),
        *("minutes", "time_allowance", "deadline", "ended_at", "ending"),
    )
    answers = table(
        "answers",
        "What you did with each question; points once they were given.",
        Response.objects.filter(item__sitting__participant__user=user),
        *(sitting, "item__position", "item__question__slug", "item__revision__number"),
        *("item__reason", "item__option_order", "chosen", "struck", "is_flagged"),
        *("note", "seconds"),
        *("saved_at", "was_shown", "points_numerator", "points_denominator"),
    )
    points = {"points_numerator": None, "points_denominator": None}
    yield _kept_back(answers, of="item__question__slug", asked=asked, blank=points)
    yield table(
        "late_answers",
        "Answers that came after the end.",
        LateAnswer.objects.filter(response__item__sitting__participant__user=user),
        *(f"response__{sitting}", "response__item__position", "chosen"),
        *("received_at", "accepted_at"),
    )
    yield table(
        "score_reports",
        "Your results; the highest number of a sitting counts.",
        ScoreReport.objects.filter(sitting__participant__user=user),
        *("sitting__public_id", "number", "cause", "question_count", "right_count"),
        *("points_numerator", "points_denominator", "is_passed", "made_at"),
    )
    yield table(
        "sitting_events",
        "What staff did with your sittings, and why.",
        SittingEvent.objects.filter(sitting__participant__user=user),
        *("sitting__public_id", "kind", "minutes", "reason", "happened_at"),
    )
    yield table(
        "sitting_events_by_you",
        "What you did with sittings as staff.",
        SittingEvent.objects.filter(by=user),
        *("kind", "minutes", "reason", "happened_at"),
    )
    contacts = table(
        "key_contacts",
        "When you first and later met the answer of a question.",
        KeyContact.objects.filter(participant__user=user),
        *("question__slug", "verdict", "met_at"),
    )
    yield _kept_back(contacts, of="question__slug", asked=asked, blank={"verdict": ""})
    yield table(
        "flags",
        "Questions you set aside for later.",
        QuestionFlag.objects.filter(participant__user=user),
        *("question__slug", "flagged_at"),
    )


def _asked_now(user: User) -> frozenset[str]:
    """Return the slugs of the questions in mock exams of theirs that are not scored."""
    running = SittingItem.objects.filter(
        sitting__participant__user=user,
        sitting__mode=Sitting.Mode.MOCK,
        sitting__status=clock.Status.RUNNING,
    )
    return frozenset(running.values_list("question__slug", flat=True))


def _kept_back(
    found: Table, *, of: str, asked: Collection[str], blank: Mapping[str, str | None]
) -> Table:
    """Return the table without results of the questions ``asked``, named in ``of``."""
    rows = ({**row, **blank} if row[of] in asked else row for row in found.rows)
    return dataclasses.replace(found, rows=rows)
