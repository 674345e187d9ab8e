"""The parts of the exam screen: for each, what decides its shape, and its stencil.

Shapes hold nothing that anybody wrote. A context is made with marks for a stencil; with
values it gives what the template itself would say, which tests compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from questions import seo
from questions.exams.screens.stencils import Stencil, cut, gap, kept

FRAME: Final = "exams/exam.html"
ITEM: Final = "exams/_exam_item.html"
OPTION: Final = "exams/_exam_option.html"

Put = Callable[[str], Any]


class Frame(NamedTuple):
    """Which parts the page around a question has."""

    is_signed_in: bool
    theme: str
    is_linear: bool
    is_mock: bool
    has_clock: bool
    is_saved: bool
    is_flagged: bool
    has_incomplete: bool
    is_first: bool
    is_last: bool


@kept
def frame(shape: Frame) -> Stencil:
    return cut(template=FRAME, context=frame_context(shape, gap))


def frame_context(shape: Frame, put: Put) -> dict[str, Any]:
    """Return what the page's template is given, values by ``put``."""
    return {
        "SITE_NAME": put("site_name"),
        "meta": seo.private(put("title")),
        "user": {"is_authenticated": shape.is_signed_in, "theme": shape.theme},
        "csrf_token": put("csrf_token"),
        "notices": put("notices"),
        "sitting": {
            "public_id": put("public_id"),
            "is_linear": shape.is_linear,
            "is_mock": shape.is_mock,
            "certification": {"code": put("code")},
        },
        "position": put("position"),
        "previous": put("previous"),
        "total": put("total"),
        "is_first": shape.is_first,
        "is_last": shape.is_last,
        "is_flagged": shape.is_flagged,
        "clock": put("clock") if shape.has_clock else "",
        "clock_at": put("clock_at"),
        "saved": {"iso": put("iso"), "time": put("time")} if shape.is_saved else {},
        "sheet": put("sheet"),
        "counts": {
            "answered": put("answered"),
            "unanswered": put("unanswered"),
            "incomplete": put("incomplete") if shape.has_incomplete else 0,
            "flagged": put("flagged"),
        },
        "question": put("question"),
        "state": put("state"),
    }


class Item(NamedTuple):
    """Which parts the form of one question has."""

    is_copy: bool
    choose: int
    rule: str
    has_scenario: bool
    has_lead_in: bool
    struck: int
    has_note: bool
    has_problem: bool
    has_both: bool


@kept
def item(shape: Item) -> Stencil:
    return cut(template=ITEM, context=item_context(shape, gap))


def item_context(shape: Item, put: Put) -> dict[str, Any]:
    """Return what the template of a question's form is given, values by ``put``."""
    scenario = {"title": put("scenario_title"), "html": put("scenario_html")}
    return {
        "save_id": "" if shape.is_copy else put("save_id"),
        "csrf_token": put("csrf_token"),
        "sitting": {"public_id": put("public_id")},
        "position": put("position"),
        "base_version": put("base_version"),
        "flagged": put("flagged"),
        "struck": [put(f"struck{n}") for n in range(shape.struck)],
        "item": {
            "choose": shape.choose,
            "scenario": scenario if shape.has_scenario else {},
            "stem_html": put("stem_html"),
            "exhibits_html": put("exhibits_html"),
            "lead_in_html": put("lead_in_html") if shape.has_lead_in else "",
        },
        "rule": shape.rule,
        "options": put("options"),
        "note": put("note") if shape.has_note else "",
        "opened_at": put("opened_at"),
        "problem": put("problem") if shape.has_problem else "",
        "mine": put("mine"),
        "theirs": put("theirs") if shape.has_both else "",
    }


class Option(NamedTuple):
    is_multiple: bool
    is_chosen: bool
    is_struck: bool


@kept
def option(shape: Option) -> Stencil:
    return cut(template=OPTION, context=option_context(shape, gap))


def option_context(shape: Option, put: Put) -> dict[str, Any]:
    """Return what an option's template is given, values by ``put``."""
    values = {name: put(name) for name in ("key", "letter", "text")}
    return {**shape._asdict(), **values}
