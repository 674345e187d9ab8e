"""Measure: ``python -m benchmarks NAME``. Prints ratios; see README.md."""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys

from benchmarks import ground

_WITHOUT_SERVERS = ("calibration", "readiness", "least", "next_answer")
_WITHOUT_WEB = ("calibrate", "dashboard", "learners")


def main(arguments: list[str]) -> None:
    """Start servers, then run one benchmark on them."""
    asked = _parser().parse_args(arguments or ["pages"])
    if asked.name in _WITHOUT_SERVERS:
        importlib.import_module(f"benchmarks.{asked.name}").run(asked=asked)
        return
    if asked.name not in _WITHOUT_WEB and shutil.which("wrk") is None:
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
    api = names.add_parser("api", help="one question by the API")
    api.add_argument("sizes", type=int, nargs="*", default=[1_000, 100_000])
    _runs(api)
    _rates(names.add_parser("saving", help="saving an answer"), sitters=160)
    _rates(names.add_parser("exam", help="the exam page"), sitters=32)
    load = names.add_parser("load", help="many sitters at once")
    _sitters(load, sitters=1_000, seconds=180, every=10.0)
    faults = names.add_parser("faults", help="servers killed in mid-exam")
    _sitters(faults, sitters=200, seconds=75, every=2.0)
    following = names.add_parser("learners", help="states of learners behind the log")
    following.add_argument("--known", type=int, default=1_000_000, help="rows before")
    following.add_argument("--behind", type=int, default=1_000_000, help="rows after")
    following.add_argument("--questions", type=int, default=2_000)
    own = names.add_parser("dashboard", help="a learner's pages beside a long log")
    own.add_argument("--answers", type=int, default=20_000, help="of the learner")
    own.add_argument("--learners", type=int, default=166_000, help="in the long log")
    own.add_argument("--questions", type=int, default=2_000)
    nightly = names.add_parser("calibrate", help="the nightly task, log to statistics")
    nightly.add_argument("--learners", type=int, default=166_000)
    nightly.add_argument("--questions", type=int, default=5_000)
    nightly.add_argument("--seed", type=int, default=1)
    nightly.add_argument(
        "--peers-learners", type=int, default=10_000, help="whom other programs get"
    )
    _plain(names)
    return parser


def _plain(names: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add what needs no servers: the measures of psychometrics."""
    fits = names.add_parser("calibration", help="parameters against known truth")
    fits.add_argument("cases", nargs="*", default=["full", "3m", "10m"])
    fits.add_argument("--seed", type=int, default=1)
    ready = names.add_parser("readiness", help="does readiness come true?")
    ready.add_argument("--seeds", type=int, default=5)
    least = names.add_parser("least", help="how near readiness could come at all")
    least.add_argument("--seeds", type=int, default=5)
    least.add_argument("--learners", type=int, default=1_000, help="of each seed")
    following = names.add_parser("next_answer", help="real answers, predicted")
    following.add_argument("--file", default="../shared/data/assist2009_sequences.csv")
    following.add_argument("--fold", type=int, default=1)


def _rates(parser: argparse.ArgumentParser, *, sitters: int) -> None:
    parser.add_argument("--sitters", type=int, default=sitters)
    _runs(parser)


def _runs(parser: argparse.ArgumentParser) -> None:
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
