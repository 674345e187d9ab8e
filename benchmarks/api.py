"""One question by the API, beside a bare view and beside the framework as it comes."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import urllib.request

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.api.scopes import Scope
from accounts.models import User
from accounts.services import tokens
from benchmarks import bank, measures
from benchmarks.ground import (
    BARE,
    BARE_SETTINGS,
    OURS,
    Ground,
    Load,
    side_by_side,
    wrk,
)
from questions.models import Question

PLAIN_SETTINGS = "benchmarks.plain_settings"
SAMPLE = 500
MOST_GROWTH = 1.2
"""Of the export's memory, from the smallest size to the largest."""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Measure at each size: with a token and the limit on, as clients ask."""
    measures.prepare()
    user = User.objects.create_user("bench-api@example.org", "nobody signs in")
    secret = tokens.make_token(
        user=user,
        name="bench",
        scopes=[scope.value for scope in Scope],
        days=None,
        at=timezone.now(),
    ).secret
    peaks = [_at_size(size, ground, secret, asked) for size in asked.sizes]
    if max(peaks) > MOST_GROWTH * min(peaks):
        sys.exit("The export takes more memory of a larger bank.")


def _at_size(
    size: int, ground: Ground, secret: str, asked: argparse.Namespace
) -> float:
    """Print the rates, and return the peak memory of the export in MB."""
    bank.grow(size)
    ids = list(Question.objects.public().values_list("public_id", flat=True))
    ids = random.Random(1).sample(ids, min(SAMPLE, len(ids)))
    headers = {"Authorization": f"Bearer {secret}"}
    _give_bytes(ids, headers)
    script = ground.folder / "api.lua"
    _write(script, ids, headers)
    load = Load(script=script, runs=asked.runs, seconds=asked.seconds)
    print(f"\n== {size:,} questions")
    with ground.serve(), ground.serve(settings=BARE_SETTINGS, port=BARE):
        ours, bare = side_by_side(load=load)
        print(
            f"one question: {ours:,.0f}/s; bare view with the same bytes: {bare:,.0f}/s; "
            f"ratio {ours / bare:.0%}"
        )
        etags = [_etag(each, headers) for each in ids[:1]]
        _write(script, ids[:1], {**headers, "If-None-Match": etags[0]})
        print(f"not changed (304): {wrk(port=OURS, load=load):,.0f}/s")
        _write(script, None, headers)
        print(f"list of 50: {wrk(port=OURS, load=load):,.0f}/s")
    _write(script, ids, headers)
    with ground.serve(), ground.serve(settings=PLAIN_SETTINGS, port=BARE):
        ours, plain = side_by_side(load=load)
        print(
            f"the framework as it comes: {plain:,.0f}/s; ours {ours / plain:.1f} times"
        )
    return _export(ground, headers)


def _write(script: object, ids: list[str] | None, headers: dict[str, str]) -> None:
    paths = (
        ["/api/v1/questions?page_size=50"]
        if ids is None
        else [f"/api/v1/questions/{each}" for each in ids]
    )
    listed = ",".join(json.dumps(path) for path in paths)
    named = ",".join(f"[{json.dumps(k)}]={json.dumps(v)}" for k, v in headers.items())
    script.write_text(  # type: ignore[attr-defined]
        f"""
local paths = {{{listed}}}
local headers = {{{named}}}
local place = 0
request = function()
  place = place % #paths + 1
  return wrk.format("GET", paths[place], headers)
end
"""
    )


def _give_bytes(ids: list[str], headers: dict[str, str]) -> None:
    """Give the bare view the bytes that the API answers."""
    client = Client(headers={**headers, "host": "localhost"})
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE bench_row")
        for each in ids:
            reply = client.get(f"/api/v1/questions/{each}")
            cursor.execute(
                "INSERT INTO bench_row VALUES (%s, %s)", [each, reply.content]
            )
        cursor.execute("VACUUM ANALYZE bench_row")


def _etag(public_id: str, headers: dict[str, str]) -> str:
    client = Client(headers={**headers, "host": "localhost"})
    return client.get(f"/api/v1/questions/{public_id}").headers["ETag"]


def _export(ground: Ground, headers: dict[str, str]) -> float:
    """Fetch all from a server that has done nothing else, so that the peak is of this."""
    asked = urllib.request.Request(
        f"http://localhost:{OURS}/api/v1/questions/export", headers=headers
    )
    with ground.serve() as web:
        before = web.peak()
        start = time.perf_counter()
        with urllib.request.urlopen(asked) as reply:
            count = sum(1 for _ in reply)
        seconds = time.perf_counter() - start
        peak = web.peak()
    print(
        f"export: {count:,} rows, {count / seconds:,.0f}/s; peak memory {peak:,.0f} MB,"
        f" {peak - before:,.0f} MB more than before"
    )
    return peak
