"""Measure: ``python -m benchmarks [SIZE ...]``. Prints ratios; see README.md."""

from __future__ import annotations

import json
import os
import random
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from courseiva.embedded import Home, Servers

ROOT = Path(__file__).resolve().parent.parent
SIZES = (1_000, 100_000)
RUNS = 5
SECONDS = 5
CONNECTIONS = 16
WORKERS = 2
OURS, BARE = 8911, 8912
SAMPLE = 1_000
SEARCHES = 200


def main(sizes: tuple[int, ...]) -> None:
    """Start servers, grow the bank step by step, measure at each size."""
    if shutil.which("wrk") is None:
        sys.exit("The benchmarks need wrk: apt-get install wrk.")
    with (
        tempfile.TemporaryDirectory(prefix="courseiva-bench-") as folder,
        Servers(home=Home(path=Path(folder)), is_durable=True) as servers,
    ):
        _set_up(servers.home, Path(folder))
        from benchmarks import measures  # noqa: PLC0415  (needs the settings)

        measures.prepare()
        ratios = {}
        for size in sizes:
            ratios[size] = _at_size(size, measures, Path(folder))
        _compare(ratios)


def _set_up(home: Home, folder: Path) -> None:
    os.environ.update(
        COURSEIVA_MODE="production",
        DJANGO_SETTINGS_MODULE="courseiva.settings",
        SECRET_KEY=secrets.token_urlsafe(64),
        SITE_URL=f"http://localhost:{OURS}",
        ALLOWED_HOSTS="localhost,127.0.0.1",
        DATABASE_URL=home.database_url,
        REDIS_URL=home.redis_url,
        EMAIL_URL="memory://",
        STATIC_ROOT=str(folder / "static"),
        LOG_LEVEL="ERROR",
    )
    import django  # noqa: PLC0415  (after the environment is set)

    django.setup()


def _at_size(size: int, measures: object, folder: Path) -> float:
    slugs = measures.slugs_at(size, SAMPLE)  # type: ignore[attr-defined]
    script = folder / "walk.lua"
    script.write_text(_walk(slugs))
    print(f"\n== {size:,} questions")
    measures.keep_pages(slugs)  # type: ignore[attr-defined]
    with _server("courseiva.settings", OURS), _server("benchmarks.bare_settings", BARE):
        rates: dict[int, list[float]] = {OURS: [], BARE: []}
        for port in (OURS, BARE):
            _wrk(port, script, seconds=2)
        for _ in range(RUNS):
            for port in (BARE, OURS):
                rates[port].append(_wrk(port, script, seconds=SECONDS))
        ours = statistics.median(rates[OURS])
        bare = statistics.median(rates[BARE])
        print(
            f"question page: {ours:,.0f}/s; bare view with the same bytes: {bare:,.0f}/s; ratio {ours / bare:.0%}"
        )
        _search(measures)
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


@contextmanager
def _server(settings: str, port: int) -> Iterator[None]:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "granian", "--interface", "wsgi"),
            *("--workers", str(WORKERS), "--port", str(port), "--log-level", "error"),
            "courseiva.wsgi:application",
        ],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": settings},
    )
    try:
        _wait(port)
        yield
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/nothing", timeout=1)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"The server on port {port} did not start.")


def _wrk(port: int, script: Path, *, seconds: int) -> float:
    out = subprocess.run(
        [
            *("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script)),
            f"http://localhost:{port}",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    if "Non-2xx" in out:
        sys.exit(f"Not every answer was a page:\n{out}")
    line = next(line for line in out.splitlines() if "Requests/sec" in line)
    return float(line.split(":")[1])


def _search(measures: object) -> None:
    times = []
    for query in measures.queries(SEARCHES):  # type: ignore[attr-defined]
        start = time.perf_counter()
        with urllib.request.urlopen(
            f"http://localhost:{OURS}/search/?{query}"
        ) as reply:
            reply.read()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    print(
        f"search: median {statistics.median(times):.0f} ms, p95 {times[int(0.95 * len(times))]:.0f} ms, worst {times[-1]:.0f} ms of {len(times)}"
    )


def _transfer(slug: str) -> None:
    """Count what a first visit of a question page brings over the wire."""
    total = 0
    page = _fetch(f"/questions/{slug}/")
    import gzip  # noqa: PLC0415
    import re  # noqa: PLC0415

    total += len(page)
    html = gzip.decompress(page).decode()
    for path in sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))):
        total += len(_fetch(path))
    print(
        f"first visit of a question page: {total / 1000:.1f} KB over the wire, all counted"
    )


def _fetch(path: str) -> bytes:
    request = urllib.request.Request(
        f"http://localhost:{OURS}{path}",
        headers={
            "Accept-Encoding": "br, gzip" if path.startswith("/static") else "gzip"
        },
    )
    with urllib.request.urlopen(request) as reply:
        body: bytes = reply.read()
    return body


def _compare(ratios: dict[int, float]) -> None:
    if len(ratios) > 1:
        small, large = ratios[min(ratios)], ratios[max(ratios)]
        print(
            f"\nratio at {max(ratios):,} is {large / small:.0%} of that at {min(ratios):,}"
        )


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
