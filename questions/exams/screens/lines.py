"""The list of questions in a report, and its filters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.urls import reverse

from questions.exams.models import Sitting
from questions.exams.screens.words import short_duration
from questions.exams.selectors import sittings
from questions.models import Question

FILTERS: Final = (
    ("missed", "Missed"),
    ("flagged", "Flagged"),
    ("unanswered", "Unanswered"),
    ("slow", "Slow"),
    ("all", "All"),
)
NOTHING: Final[dict[str, Any]] = {"items": [], "time": {"slow": []}}
MISSED: Final = frozenset({"wrong", "unanswered", "shown"})


def matches(document: dict[str, Any], line: dict[str, Any], shown: str) -> bool:
    """Say whether a line of the report passes a filter."""
    if shown == "missed":
        return line["state"] in MISSED
    if shown == "slow":
        return line["position"] in document["time"]["slow"]
    if shown == "flagged":
        return bool(line["flagged"])
    if shown == "unanswered":
        return bool(line["state"] == "unanswered")
    return True


def chosen_filter(document: dict[str, Any], shown: str) -> str:
    """Return the filter in force: what was missed first, if anything was."""
    if shown in dict(FILTERS):
        return shown
    has_missed = any(line["state"] in MISSED for line in document["items"])
    return "missed" if has_missed else "all"


def filters(document: dict[str, Any], shown: str) -> list[dict[str, Any]]:
    current = chosen_filter(document, shown)
    return [
        {
            "value": value,
            "name": name,
            "count": sum(
                1 for line in document["items"] if matches(document, line, value)
            ),
            "is_current": value == current,
        }
        for value, name in FILTERS
    ]


def lines(
    sitting: Sitting,
    document: dict[str, Any],
    shown: str,
    withheld: Collection[int],
) -> list[dict[str, Any]]:
    current = chosen_filter(document, shown)
    hidden = public_ids(withheld)
    return [
        {
            **line,
            **_said(line, is_hidden=line["question"] in hidden),
            "time": short_duration(line["seconds"]),
            "address": reverse(
                "sitting_answer", args=[sitting.public_id, line["position"]]
            )
            + f"?show={current}",
        }
        for line in document["items"]
        if matches(document, line, current)
    ]


def _said(line: dict[str, Any], *, is_hidden: bool) -> dict[str, Any]:
    if is_hidden:
        return {"chosen": line["chosen"], "keys": [], "state": "hidden"}
    return {}


def public_ids(questions: Collection[int]) -> set[str]:
    if not questions:
        return set()
    found = Question.objects.filter(pk__in=questions)
    return set(found.values_list("public_id", flat=True))


def left_out(missed: Sequence[dict[str, Any]]) -> int:
    """Return how many of the missed are kept for mock exams, or retired."""
    names = [line["question"] for line in missed]
    live = Question.objects.live().filter(public_id__in=names)
    return len(names) - live.exclude(exposure="mock_only").count()


def questions_to_practise(*, sitting: Sitting, domain: str) -> list[int]:
    """Return the ids of questions missed in the sitting, in one domain or all."""
    report = sittings.report_of(sitting=sitting)
    lines = report.document["items"] if report else []
    wanted = {
        line["question"]
        for line in lines
        if line["state"] in MISSED and domain in {"", line["domain"]}
    }
    found = Question.objects.filter(public_id__in=wanted)
    return list(found.values_list("pk", flat=True))
