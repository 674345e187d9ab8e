"""Many sitters at once, each saving at the pace of a person."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

from benchmarks import measures, sitters
from benchmarks.clients import Browser, Tally
from benchmarks.ground import Ground
from benchmarks.ledger import Ledger, compare

MOST_P99 = 500
"""Milliseconds."""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Let them all save, and end with an error if anything was lost or too slow."""
    measures.prepare()
    seated = sitters.seat(count=asked.sitters)
    ledger = Ledger(path=ground.folder / "ledger.jsonl")
    ground.check_durable()
    with ground.serve():
        began = time.process_time()
        tally = asyncio.run(_sit(seated, asked, ledger))
        used = time.process_time() - began
    found = compare(ledger=ledger)
    print(
        f"{asked.sitters:,} sitters, each saving about every {asked.every:g} s for "
        f"{asked.seconds} s: {tally.summary()}"
    )
    print(found)
    print(f"the load generator took {used / asked.seconds:.0%} of one core")
    is_fine = found.is_clean and not (
        tally.failures or tally.refused or tally.unanswered
    )
    if not is_fine or tally.percentile(0.99) >= MOST_P99:
        sys.exit("The load run failed.")


async def _sit(
    seated: list[sitters.Sitter], asked: argparse.Namespace, ledger: Ledger
) -> Tally:
    tally = Tally()
    async with asyncio.TaskGroup() as group:
        for sitter in seated:
            browser = Browser(sitter=sitter, tally=tally)
            group.create_task(
                browser.sit(seconds=asked.seconds, every=asked.every, ledger=ledger)
            )
    return tally
