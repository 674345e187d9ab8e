"""The exam page as its sitter sees it, beside a bare view that sends the same bytes."""

from __future__ import annotations

import argparse
import random
import uuid
from pathlib import Path

from django.db import connection
from django.test import Client
from django.utils import timezone

from benchmarks import measures, sitters
from benchmarks.ground import BARE, BARE_SETTINGS, Ground, Load, side_by_side
from questions.exams.selectors.under_way import Owner
from questions.exams.services import saving

MOODLE = 26
"""Attempt pages per second of Moodle 4.5 on a machine of this class."""

_SCRIPT = """
local pages, place = {{}}, 0
init = function()
  for line in io.lines("{lines}") do
    local path, cookie = line:match("([^\\t]*)\\t([^\\t]*)")
    pages[#pages + 1] = wrk.format("GET", path, {{["Cookie"] = cookie}})
  end
end
request = function()
  place = place % #pages + 1
  return pages[place]
end
"""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Measure pages per second beside the bare view."""
    measures.prepare()
    seated = sitters.seat(count=asked.sitters)
    for sitter in seated:
        _answer_half(sitter)
    script = ground.folder / "exam.lua"
    lines = ground.folder / "pages.tsv"
    script.write_text(_SCRIPT.format(lines=lines))
    sizes = _walk(seated, lines)
    load = Load(script=script, seconds=asked.seconds, runs=asked.runs)
    with ground.serve(), ground.serve(settings=BARE_SETTINGS, port=BARE):
        ours, bare = side_by_side(load=load)
    print(
        f"exam page of {sum(sizes) / len(sizes) / 1000:.0f} KB: {ours:,.0f}/s, "
        f"{ours / MOODLE:.1f} times Moodle's {MOODLE}; bare view with the same bytes: "
        f"{bare:,.0f}/s; ratio {ours / bare:.0%}"
    )


def _answer_half(sitter: sitters.Sitter) -> None:
    """Answer every second question, and flag every eighth."""
    for position, item in enumerate(sitter.items, start=1):
        if position % 2 == 0:
            saving.save_response(
                owner=Owner(user_id=sitter.user_id),
                public_id=uuid.UUID(sitter.sitting),
                position=position,
                work=saving.Work(
                    save_id=uuid.uuid4(),
                    base_version=0,
                    chosen=random.sample(item.options, item.choose),
                    is_flagged=position % 8 == 0,
                    seconds=40,
                ),
                at=timezone.now(),
            )


def _walk(seated: list[sitters.Sitter], lines: Path) -> list[int]:
    """Visit all pages once, give the bare view their bytes, and return their sizes."""
    client = Client(headers={"host": "localhost"})
    walk, sizes = [], []
    with connection.cursor() as cursor:
        for sitter in seated:
            client.cookies.load(sitter.cookie)
            for position in range(1, len(sitter.items) + 1):
                path = f"/sittings/{sitter.sitting}/{position}/"
                page = client.get(path)
                assert page.status_code == 200
                sizes.append(len(page.content))
                cursor.execute(
                    "INSERT INTO bench_row VALUES (%s, %s)",
                    [f"{sitter.sitting}/{position}", page.content],
                )
                walk.append(f"{path}\t{sitter.cookie}\n")
        cursor.execute("VACUUM ANALYZE bench_row")
    random.shuffle(walk)
    lines.write_text("".join(walk))
    return sizes
