"""Measure: ``python -m benchmarks NAME``. Prints ratios; see README.md."""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys

from benchmarks import ground


def main(arguments: list[str]) -> None:
    """Start servers, then run one benchmark on them."""
    asked = _parser().parse_args(arguments or ["pages"])
    if shutil.which("wrk") is None:
        sys.exit("The benchmarks need wrk: apt-get install wrk.")
    with ground.prepared() as prepared:
        # Each reads Django's models, so it can't be loaded before there are settings.
        benchmark = importlib.import_module(f"benchmarks.{asked.name}")
        benchmark.run(ground=prepared, asked=asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    names = parser.add_subparsers(dest="name", required=True)
    pages = names.add_parser("pages", help="the question page, search, first visit")
    pages.add_argument("sizes", type=int, nargs="*", default=[1_000, 100_000])
    _rates(names.add_parser("saving", help="saving an answer"), sitters=160)
    _rates(names.add_parser("exam", help="the exam page"), sitters=32)
    load = names.add_parser("load", help="many sitters at once")
    _sitters(load, sitters=1_000, seconds=180, every=10.0)
    faults = names.add_parser("faults", help="servers killed in mid-exam")
    _sitters(faults, sitters=200, seconds=75, every=2.0)
    return parser


def _rates(parser: argparse.ArgumentParser, *, sitters: int) -> None:
    parser.add_argument("--sitters", type=int, default=sitters)
    parser.add_argument("--runs", type=int, default=5, help="of each server, in turn")
    parser.add_argument("--seconds", type=int, default=5, help="of one run")


def _sitters(
    parser: argparse.ArgumentParser, *, sitters: int, seconds: int, every: float
) -> None:
    parser.add_argument("--sitters", type=int, default=sitters)
    parser.add_argument("--seconds", type=int, default=seconds, help="of the load")
    parser.add_argument(
        "--every", type=float, default=every, help="seconds between two saves, about"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
