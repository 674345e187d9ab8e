"""Saving an answer, beside a bare view that updates one row and commits."""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import Sum

from benchmarks import measures, sitters
from benchmarks.ground import (
    BARE,
    BARE_SETTINGS,
    OURS,
    Ground,
    Load,
    side_by_side,
)
from questions.exams.models import Response

CONNECTIONS = 16
MOODLE = 59
"""Saves per second of Moodle 4.5 on a machine of this class."""

# One connection a thread, so that a reply is known to be that of the last request.
# Each thread has sitters of its own, as a person sits at one browser.
_SCRIPT = """
local number = 0
setup = function(thread)
  thread:set("mine", number)
  number = number + 1
end
init = function()
  math.randomseed({seed} + mine)
  works, place = {{}}, 0
  for line in io.lines("{lines}") do
    local owner, path, cookie, token, answer, version = line:match(
      "([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)")
    if owner % {threads} == mine then
      works[#works + 1] = {{path = path, answer = answer, version = version, headers = {{
        ["Content-Type"] = "application/x-www-form-urlencoded",
        ["Accept"] = "application/json", ["Origin"] = "{origin}",
        ["Cookie"] = cookie, ["X-CSRFToken"] = token}}}}
    end
  end
end
request = function()
  place = place % #works + 1
  local work = works[place]
  local id = string.format("%08x-0000-4000-8000-%06x%06x", math.random(0, 0x7fffffff),
    math.random(0, 0xffffff), math.random(0, 0xffffff))
  return wrk.format("POST", work.path, work.headers, "save_id=" .. id
    .. "&base_version=" .. work.version .. work.answer .. "&note=&seconds=7")
end
response = function(status, headers, body)
  works[place].version = body:match('"version": (%d+)') or works[place].version
end
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Saves:
    """What wrk sends: every item of every sitter, in an order of its own each run."""

    folder: Path
    seated: list[sitters.Sitter]

    @property
    def script(self) -> Path:
        return self.folder / "saving.lua"

    def write(self) -> None:
        """Write the script and its lines, with the versions as they stand now."""
        time.sleep(0.5)  # until saves that wrk no longer waited for have ended
        lines = self.folder / "saves.tsv"
        lines.write_text("".join(self._lines()))
        self.script.write_text(
            _SCRIPT.format(
                seed=random.randrange(2**31),
                lines=lines,
                threads=CONNECTIONS,
                origin=f"http://localhost:{OURS}",
            )
        )

    def _lines(self) -> list[str]:
        versions = {
            (str(sitting), position): version
            for sitting, position, version in Response.objects.values_list(
                "item__sitting__public_id", "item__position", "version"
            )
        }
        lines = []
        for owner, sitter in enumerate(self.seated):
            for position, item in enumerate(sitter.items, start=1):
                chosen = random.sample(item.options, item.choose)
                line = (
                    str(owner),
                    f"/sittings/{sitter.sitting}/{position}/response/",
                    sitter.cookie,
                    sitter.token,
                    "".join(f"&answer={key}" for key in chosen),
                    str(versions[sitter.sitting, position]),
                )
                lines.append("\t".join(line) + "\n")
        random.shuffle(lines)
        return lines


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Measure saves per second beside the bare view, and check that all are stored."""
    measures.prepare()
    seated = sitters.seat(count=asked.sitters)
    _give_rows(seated)
    saves = _Saves(folder=ground.folder, seated=seated)
    load = Load(
        script=saves.script,
        renew=saves.write,
        connections=CONNECTIONS,
        threads=CONNECTIONS,
        seconds=asked.seconds,
        runs=asked.runs,
    )
    with ground.serve(), ground.serve(settings=BARE_SETTINGS, port=BARE):
        ours, bare = side_by_side(load=load)
    stored = Response.objects.aggregate(saves=Sum("version"))["saves"]
    print(
        f"saving an answer: {ours:,.0f}/s, {ours / MOODLE:.1f} times Moodle's {MOODLE}; "
        f"one update: {bare:,.0f}/s; ratio {ours / bare:.0%}; {stored:,} saves stored"
    )


def _give_rows(seated: list[sitters.Sitter]) -> None:
    """Give the bare view as many rows as there are responses."""
    places = [
        (sitter.sitting, position)
        for sitter in seated
        for position in range(1, len(sitter.items) + 1)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO bench_response (sitting, position) VALUES (%s, %s)", places
        )
        cursor.execute("VACUUM ANALYZE bench_response")
