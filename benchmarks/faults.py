"""Servers killed in mid-exam: what was called saved is there, once, and is scored."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks import measures, sitters
from benchmarks.clients import Browser, Tally
from benchmarks.ground import Ground, Web
from benchmarks.ledger import Ledger, compare, wrong_scores

DOWN = 3.0
"""Seconds for which each server stays away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is done to a server, and at which share of the run."""

    name: str
    share: float
    do: Callable[[], None]


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Let sitters save while servers die, submit, and compare with the ledger."""
    measures.prepare()
    seated = sitters.seat(count=asked.sitters)
    ledger = Ledger(path=ground.folder / "ledger.jsonl")
    ground.check_durable()
    with ground.serve() as web:
        tally = asyncio.run(_sit(seated, asked, ledger, _faults(ground, web)))
        ground.check_durable()
        found = compare(ledger=ledger)
        unsubmitted = asyncio.run(_submit(seated))
    wrong = wrong_scores(ledger=ledger)
    print(tally.summary())
    print(found)
    print(f"{unsubmitted} sittings not submitted, {wrong} scored otherwise")
    recovered = "automatic recovery in progress" in (
        ground.servers.home.logs / "postgres.log"
    ).read_text(errors="replace")
    print(f"PostgreSQL recovered from its log: {'yes' if recovered else 'no'}")
    is_fine = found.is_clean and recovered and not (wrong or unsubmitted)
    if not is_fine or tally.unanswered or tally.refused:
        sys.exit("The fault run failed.")


def _faults(ground: Ground, web: Web) -> list[Fault]:
    crash = partial(ground.servers.crash, seconds=DOWN)
    return [
        Fault(name="web killed", share=0.2, do=partial(web.crash, seconds=DOWN)),
        Fault(
            name="Valkey killed",
            share=0.45,
            do=partial(crash, name="valkey", by=signal.SIGKILL),
        ),
        Fault(
            name="PostgreSQL stopped at once",
            share=0.7,
            do=partial(crash, name="postgres", by=signal.SIGQUIT),
        ),
    ]


async def _sit(
    seated: list[sitters.Sitter],
    asked: argparse.Namespace,
    ledger: Ledger,
    faults: list[Fault],
) -> Tally:
    tally = Tally()
    async with asyncio.TaskGroup() as group:
        for sitter in seated:
            browser = Browser(sitter=sitter, tally=tally)
            group.create_task(
                browser.sit(seconds=asked.seconds, every=asked.every, ledger=ledger)
            )
        for fault in faults:
            await asyncio.sleep(fault.share * asked.seconds - tally.now)
            began = tally.now
            await asyncio.to_thread(fault.do)
            back = tally.now
            await asyncio.sleep(2 * DOWN)
            _tell(fault, tally, began=began, back=back)
    return tally


def _tell(fault: Fault, tally: Tally, *, began: float, back: float) -> None:
    kinds = Counter(kind for moment, kind in tally.failures if moment >= began)
    after = next((moment for moment, _ in tally.acknowledged if moment > back), None)
    during = sum(began <= moment < back for moment, _ in tally.acknowledged)
    print(
        f"{fault.name} at {began:.0f} s, up again after {back - began:.1f} s; "
        f"saves acknowledged meanwhile: {during}; first save after: "
        f"{'none' if after is None else f'{after - back:.2f} s later'}; "
        f"failed attempts: {dict(kinds) or 'none'}"
    )


async def _submit(seated: list[sitters.Sitter]) -> int:
    """Submit all sittings; return how many were not taken."""
    tally = Tally()
    missing = 0
    for sitter in seated:
        browser = Browser(sitter=sitter, tally=tally)
        path = f"/sittings/{sitter.sitting}/submit/"
        # A double click gives one result.
        replies = [
            await browser.ask(path=path, form=[], until=tally.now + 30)
            for _ in range(2)
        ]
        missing += any(reply is None or reply.status != 302 for reply in replies)
        browser.close()
    return missing
