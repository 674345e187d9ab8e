"""The exam screen as HTML: what fills the gaps of its parts.

The markup is in the templates alone; ``exam_parts`` cuts them into stencils.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.models import User
from questions.exams.domain import clock, feedback
from questions.exams.models import Response, Sitting
from questions.exams.screens import exam, sheet
from questions.exams.screens import exam_parts as parts
from questions.exams.selectors import sittings
from questions.exams.selectors.under_way import OpenItem, Place
from questions.exams.services import saving


class Work(Protocol):
    """What the page shows as the learner's work: stored, or just sent."""

    @property
    def chosen(self) -> Sequence[str]: ...
    @property
    def struck(self) -> Sequence[str]: ...
    @property
    def is_flagged(self) -> bool: ...
    @property
    def note(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why a save was refused, with both answers where somebody is to choose.

    The form then stands on the stored version, so sending it again is a decision.
    """

    problem: str
    work: Work | None = None
    base_version: int | None = None
    mine: str = ""
    theirs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads the page, with this request's token and notices."""

    user: User | None
    token: str
    notices: Sequence[object] = ()


def both(
    *, order: Sequence[str], mine: saving.Work, stored: Response, why: str
) -> Trouble:
    """Return an own change beside what was stored meanwhile, by their letters."""
    letters = feedback.letters_of(order)

    def listed(keys: Sequence[str]) -> str:
        chosen = [letters[key] for key in order if key in keys]
        return " and ".join(chosen) or "nothing"

    return Trouble(
        problem=why,
        work=mine,
        base_version=stored.version,
        mine=listed(mine.chosen),
        theirs=listed(stored.chosen),
    )


def page(
    *,
    place: Place,
    item: OpenItem,
    reader: Reader,
    at: datetime.datetime,
    trouble: Trouble | None = None,
) -> SafeString:
    """Return the page of one question, which is ``item`` at ``place``, without its key."""
    sitting, position, rows = place.sitting, place.position, place.rows
    stored = rows[position - 1]
    left = exam.clock_text(clock.time_left(deadline=sitting.deadline, at=at))
    saved = exam.saved_words(place.saved_at)
    counts = exam.counts(rows)
    total = len(rows)
    work = (trouble and trouble.work) or stored
    frame = parts.frame(
        parts.Frame(
            is_signed_in=reader.user is not None,
            theme=reader.user.theme if reader.user else "",
            is_linear=sitting.is_linear,
            is_mock=sitting.is_mock,
            has_clock=bool(left),
            is_saved=bool(saved),
            is_flagged=work.is_flagged,
            has_incomplete=counts["incomplete"] > 0,
            is_first=position == 1,
            is_last=position == total,
        )
    )
    return frame.fill(
        {
            "site_name": settings.SITE_NAME,
            "title": f"Question {position} of {total}",
            "csrf_token": reader.token,
            "public_id": sitting.public_id,
            "position": position,
            "previous": max(position - 1, 1),
            "total": total,
            "code": sitting.certification.code,
            "clock": left,
            "clock_at": exam.clock_at(at),
            "sheet": sheet.buttons(rows, sitting=sitting, current=position),
            "question": _form(place, item, work, reader, at, trouble),
            "state": exam.state_json(
                sitting=sitting, position=position, told=place.told, at=at
            ),
            **counts,
            **saved,
            "notices": _notices(reader),
        }
    )


def all_items(*, sitting: Sitting) -> Iterator[dict[str, Any]]:
    """Yield every question of a sitting as the screen shows it, without its state."""
    for found in sittings.items_with_documents(sitting=sitting):
        item = OpenItem(found.revision.document.open, found.option_order, found.rule)
        stencil = parts.item(_shape_of(item, is_copy=True))
        values = _values_of(item, chosen=(), struck=())
        html = stencil.fill({**values, "position": found.position, "note": ""})
        yield {"position": found.position, "html": html}


def _notices(reader: Reader) -> str:
    if not reader.notices:
        return ""
    return render_to_string("_messages.html", {"messages": reader.notices})


def _form(
    place: Place,
    item: OpenItem,
    work: Work,
    reader: Reader,
    at: datetime.datetime,
    trouble: Trouble | None,
) -> SafeString:
    # What was sent may name anything; a shape must not.
    struck = [key for key in item.option_order if key in work.struck]
    shape = _shape_of(
        item,
        struck=len(struck),
        has_note=bool(work.note),
        has_problem=trouble is not None,
        has_both=trouble is not None and bool(trouble.theirs),
    )
    base = None if trouble is None else trouble.base_version
    return parts.item(shape).fill(
        {
            **_values_of(item, chosen=work.chosen, struck=struck),
            "csrf_token": reader.token,
            "public_id": place.sitting.public_id,
            "position": place.position,
            "save_id": uuid.uuid4(),
            "base_version": place.rows[place.position - 1].version
            if base is None
            else base,
            "flagged": "on" if work.is_flagged else "",
            "note": work.note,
            "opened_at": int(at.timestamp()),
            "problem": trouble and trouble.problem,
            "mine": trouble and trouble.mine,
            "theirs": trouble and trouble.theirs,
            **{f"struck{n}": key for n, key in enumerate(struck)},
        }
    )


def _shape_of(
    item: OpenItem,
    *,
    is_copy: bool = False,
    struck: int = 0,
    has_note: bool = False,
    has_problem: bool = False,
    has_both: bool = False,
) -> parts.Item:
    return parts.Item(
        is_copy=is_copy,
        choose=item.opened["choose"],
        rule=item.rule,
        has_scenario=bool(item.opened["scenario"]),
        has_lead_in=bool(item.opened["lead_in_html"]),
        struck=struck,
        has_note=has_note,
        has_problem=has_problem,
        has_both=has_both,
    )


def _values_of(
    item: OpenItem, *, chosen: Sequence[str], struck: Sequence[str]
) -> dict[str, Any]:
    """Return what is the question's own. Documents hold HTML that was made safe."""
    opened = item.opened
    scenario = opened["scenario"] or {"title": "", "html": ""}
    return {
        "scenario_title": scenario["title"],
        "scenario_html": SafeString(scenario["html"]),
        "stem_html": SafeString(opened["stem_html"]),
        "exhibits_html": SafeString(opened["exhibits_html"]),
        "lead_in_html": SafeString(opened["lead_in_html"]),
        "options": _options(item, chosen, struck),
    }


def _options(
    item: OpenItem, chosen: Sequence[str], struck: Sequence[str]
) -> SafeString:
    """Return the options in the sitting's order, with their letters."""
    is_multiple = item.opened["kind"] == "multiple"
    html = {option["key"]: option["html"] for option in item.opened["options"]}
    shown = (
        parts.option(parts.Option(is_multiple, key in chosen, key in struck)).fill(
            {"key": key, "letter": letter, "text": SafeString(html[key])}
        )
        for key, letter in feedback.letters_of(item.option_order).items()
    )
    return SafeString("".join(shown))
