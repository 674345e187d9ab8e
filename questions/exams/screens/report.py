"""The report and its answers, made from what was frozen when the sitting ended."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, Final

from django.db.models import Q

from accounts.selectors import Learner
from questions.domain.responses import Response as Answer
from questions.domain.scoring import Rule
from questions.exams.domain import clock, feedback, orders, visibility
from questions.exams.domain import report as reports
from questions.exams.models import (
    LateAnswer,
    QuestionFlag,
    Sitting,
    SittingItem,
)
from questions.exams.screens import lines, plots
from questions.exams.screens.words import duration
from questions.exams.selectors import sittings
from questions.exams.services.finishing import keyed_of

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def report_page(
    *,
    sitting: Sitting,
    learner: Learner,
    shown: str,
    withheld: Collection[int],
) -> dict[str, Any]:
    """Return everything the report shows, from the report that counts."""
    kept = sittings.reports_of(sitting=sitting)
    last = kept[-1]
    document = last.document
    former = sittings.former_reports(sitting=sitting, learner=learner)
    mark = document["mark"]
    share = plots.share_of(document)
    bar = Fraction(*mark["share"]) if mark else None
    percent, mark_percent = reports.percents(share, bar)
    listed = lines.lines(sitting, document, shown, withheld)
    flagged = [line for line in document["items"] if line["flagged"]]
    missed = [line for line in document["items"] if line["state"] in lines.MISSED]
    return {
        "sitting": sitting,
        "document": document,
        "headline": _headline(sitting, document),
        "percent": percent,
        "mark_percent": mark_percent,
        "is_whole": _is_whole(sitting),
        "points": reports.points_text(Fraction(*document["points"])),
        "needed": mark and reports.points_text(_least(sitting, document)),
        "score": plots.score_plot(document, former, share, bar),
        "domains": plots.domain_rows(document, former, bar),
        "former": former[-1] if former else None,
        "weakest": _weakest(document),
        "difficulties": _with_percent(document["difficulties"]),
        "time": plots.time_plot(document),
        "filters": lines.filters(document, shown),
        "lines": listed,
        "shown": lines.chosen_filter(document, shown),
        "missed": len(missed),
        "left_out": lines.left_out(missed),
        "flagged": len(flagged),
        "flags_kept": _flags_kept(sitting, learner),
        "late": _late(sitting),
        "earlier": kept[:-1],
        "report": last,
        "events": list(sitting.events.order_by("happened_at", "pk")),
    }


def _headline(sitting: Sitting, document: dict[str, Any]) -> str:
    mark = document["mark"]
    if mark is None:
        answered = document["questions"] - document["unanswered"]
        return f"{document['right']} of {answered} right"
    beyond = Fraction(*document["points"]) - _least(sitting, document)
    if document["passed"]:
        return "Above the mark" if beyond > 0 else "At the mark"
    short = math.ceil(-beyond)
    word = _NUMBERS[short] if short < len(_NUMBERS) else str(short)
    return f"{word.capitalize()} question{'' if short == 1 else 's'} short"


def _is_whole(sitting: Sitting) -> bool:
    return sitting.rule == Rule.EXACT_MATCH


def _least(sitting: Sitting, document: dict[str, Any]) -> Fraction:
    return reports.least_points(
        mark=Fraction(*document["mark"]["share"]),
        total=document["questions"],
        is_whole=_is_whole(sitting),
    )


def _weakest(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the two domains with the lowest share, if anything was missed in them."""
    found = [d for d in document["domains"] if d["right"] < d["questions"]]
    found.sort(key=lambda d: (Fraction(d["right"], d["questions"]), d["code"]))
    return [{**d, "missed": d["questions"] - d["right"]} for d in found[:2]]


def _with_percent(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **each,
            "percent": reports.percents(
                Fraction(*each["points"]) / each["questions"], None
            )[0],
        }
        for each in found
    ]


def _flags_kept(sitting: Sitting, learner: Learner) -> bool:
    """Say whether all that was flagged here is set aside for practice."""
    flagged = SittingItem.objects.filter(sitting=sitting, response__is_flagged=True)
    kept = QuestionFlag.objects.filter(participant__in=learner.ids).values("question")
    return not flagged.exclude(question__in=kept).exists()


def _late(sitting: Sitting) -> list[LateAnswer]:
    return list(
        LateAnswer.objects.filter(response__item__sitting=sitting)
        .select_related("response__item")
        .order_by("received_at")
    )


def answer_page(
    *,
    sitting: Sitting,
    item: SittingItem,
    shown: str,
    withheld: Collection[int],
    learner: Learner,
) -> dict[str, Any]:
    """Return one question of a finished sitting, as it was asked, with its answer."""
    report = sittings.report_of(sitting=sitting)
    document: dict[str, Any] = report.document if report else lines.NOTHING
    current = shown if shown in dict(lines.FILTERS) else "all"
    places = [
        line["position"]
        for line in document["items"]
        if lines.matches(document, line, current)
    ]
    response = item.response
    sight = visibility.sight(
        phase=clock.Phase(sitting.status),
        feedback=sitting.feedback,
        is_answered=response.answered_at is not None,
        is_withheld=item.question_id in withheld,
    )
    opened = orders.arranged(item.revision.document.open, item.option_order)
    given = Answer(frozenset(response.chosen)) if response.chosen else None
    reveal = None
    if sight.key:
        reveal = feedback.reveal(
            opened,
            keyed_of(item),
            None if response.was_shown else given or Answer(frozenset()),
        )
    return {
        "sitting": sitting,
        "position": item.position,
        "total": len(document["items"]),
        "item": opened,
        "revision_id": item.revision_id,
        "choices": feedback.choices(opened, frozenset(response.chosen)),
        "reveal": reveal,
        "response": response,
        "is_withheld": item.question_id in withheld,
        "is_regraded": item.graded_by_id is not None,
        "points": response.points,
        "rule": item.rule,
        "domain": item.domain,
        "time": duration(response.seconds) if response.seconds else "",
        "shown": current,
        "shown_name": dict(lines.FILTERS)[current].lower(),
        "shown_count": len(places),
        "previous": max((p for p in places if p < item.position), default=None),
        "next": min((p for p in places if p > item.position), default=None),
        "may_practise": item.question.is_live and item.question.exposure != "mock_only",
        "is_flagged": sittings.is_flagged(
            owner=Q(participant__in=learner.ids), question_id=item.question_id
        ),
        "slug": item.question.slug,
    }
