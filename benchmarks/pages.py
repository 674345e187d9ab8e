"""The anonymous question page, search and a first visit, at several sizes of bank."""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import statistics
import time
import urllib.request

from benchmarks import measures
from benchmarks.ground import BARE, BARE_SETTINGS, OURS, Ground, Load, side_by_side

SAMPLE = 1_000
SEARCHES = 200


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Grow the bank step by step, measure at each size, compare the ratios."""
    measures.prepare()
    ratios = {size: _at_size(size, ground) for size in asked.sizes}
    if len(ratios) > 1:
        small, large = min(ratios), max(ratios)
        print(
            f"\nratio at {large:,} is {ratios[large] / ratios[small]:.0%} of that "
            f"at {small:,}"
        )


def _at_size(size: int, ground: Ground) -> float:
    slugs = measures.slugs_at(size, SAMPLE)
    script = ground.folder / "walk.lua"
    script.write_text(_walk(slugs))
    print(f"\n== {size:,} questions")
    measures.keep_pages(slugs)
    with ground.serve(), ground.serve(settings=BARE_SETTINGS, port=BARE):
        ours, bare = side_by_side(load=Load(script=script))
        print(
            f"question page: {ours:,.0f}/s; bare view with the same bytes: "
            f"{bare:,.0f}/s; ratio {ours / bare:.0%}"
        )
        _search()
        _transfer(slugs[0])
    return ours / bare


def _walk(slugs: list[str]) -> str:
    listed = ",".join(json.dumps(f"/questions/{slug}/") for slug in slugs)
    return f"""
local paths = {{{listed}}}
local place = {random.randrange(len(slugs))}
request = function()
  place = place % #paths + 1
  return wrk.format("GET", paths[place], {{["Accept-Encoding"] = "gzip"}})
end
"""


def _search() -> None:
    times = []
    for query in measures.queries(SEARCHES):
        start = time.perf_counter()
        with urllib.request.urlopen(
            f"http://localhost:{OURS}/search/?{query}"
        ) as reply:
            reply.read()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    print(
        f"search: median {statistics.median(times):.0f} ms, "
        f"p95 {times[int(0.95 * len(times))]:.0f} ms, "
        f"worst {times[-1]:.0f} ms of {len(times)}"
    )


def _transfer(slug: str) -> None:
    """Count what a first visit of a question page brings over the wire."""
    page = _fetch(f"/questions/{slug}/")
    total = len(page)
    html = gzip.decompress(page).decode()
    for path in sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))):
        total += len(_fetch(path))
    print(
        f"first visit of a question page: {total / 1000:.1f} KB over the wire, "
        "all counted"
    )


def _fetch(path: str) -> bytes:
    accepted = "br, gzip" if path.startswith("/static") else "gzip"
    request = urllib.request.Request(
        f"http://localhost:{OURS}{path}", headers={"Accept-Encoding": accepted}
    )
    with urllib.request.urlopen(request) as reply:
        body: bytes = reply.read()
    return body
