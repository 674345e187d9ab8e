"""Sitters' browsers: each saves at its pace and asks again until it has an answer.

They do what the page's script does: one save at a time, and the same save id again
after a failure, whatever it was. What was acknowledged goes to the ledger.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from benchmarks.ground import OURS
from benchmarks.ledger import Entry, Ledger
from benchmarks.sitters import Sitter
from questions.exams.services.saving import Work

LONGEST_WAIT: Final = 2.0
PATIENCE: Final = 30.0
GIVE_UP: Final = 60.0
"""Seconds after the end of the load in which saves under way may still be answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the server said."""

    status: int
    body: bytes


@dataclass(slots=True, kw_only=True)
class Tally:
    """What all browsers met, with the moments that matter in seconds of the run."""

    began: float = field(default_factory=time.perf_counter)
    acknowledged: list[tuple[float, float]] = field(default_factory=list)
    failures: list[tuple[float, str]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unanswered: int = 0

    @property
    def now(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.began

    def percentile(self, share: float) -> float:
        """Return the time within which ``share`` of the saves were answered, in ms."""
        times = sorted(took for _, took in self.acknowledged)
        return 1000 * times[min(int(share * len(times)), len(times) - 1)]

    def summary(self) -> str:
        """Return the counts and times in one line."""
        kinds = Counter(kind for _, kind in self.failures)
        return (
            f"{len(self.acknowledged):,} saves acknowledged, "
            f"{len(self.acknowledged) / self.acknowledged[-1][0]:.0f}/s; "
            f"median {self.percentile(0.5):.0f} ms, p99 {self.percentile(0.99):.0f} ms, "
            f"worst {self.percentile(1):.0f} ms; failed attempts: "
            f"{dict(kinds) or 'none'}; refused: {dict(self.refused) or 'none'}; "
            f"never answered: {self.unanswered}"
        )


@dataclass(slots=True, kw_only=True)
class Browser:
    """One sitter's browser, with one connection that is kept."""

    sitter: Sitter
    tally: Tally
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _versions: Counter[int] = field(default_factory=Counter)

    async def sit(self, *, seconds: float, every: float, ledger: Ledger) -> None:
        """Save about every ``every`` seconds, and finish what is under way at the end."""
        await asyncio.sleep(random.uniform(0, every))
        while self.tally.now < seconds:
            began = self.tally.now
            await self._save(ledger, until=seconds + GIVE_UP)
            pause = random.uniform(0.5, 1.5) * every
            await asyncio.sleep(max(0, pause - (self.tally.now - began)))
        self.close()

    async def _save(self, ledger: Ledger, *, until: float) -> None:
        position = random.randint(1, len(self.sitter.items))
        item = self.sitter.items[position - 1]
        chosen = random.sample(item.options, random.randint(0, item.choose))
        work = Work(
            save_id=uuid.uuid4(),
            base_version=self._versions[position],
            chosen=chosen,
            note=random.choice(("", "Look again.")),
            seconds=random.randint(1, 9),
        )
        form = [
            ("save_id", str(work.save_id)),
            ("base_version", str(work.base_version)),
            *(("answer", key) for key in work.chosen),
            ("note", work.note),
            ("seconds", str(work.seconds)),
        ]
        began = self.tally.now
        reply = await self.ask(
            path=f"/sittings/{self.sitter.sitting}/{position}/response/",
            form=form,
            until=until,
        )
        if reply is None:
            self.tally.unanswered += 1
        elif reply.status != 200:
            self.tally.refused[f"{reply.status} {reply.body[:60]!r}"] += 1
        else:
            version = json.loads(reply.body)["version"]
            self._versions[position] = version
            ledger.note(
                Entry(
                    sitting=self.sitter.sitting,
                    position=position,
                    version=version,
                    mark=str(work.mark),
                    chosen=tuple(chosen),
                )
            )
            self.tally.acknowledged.append((self.tally.now, self.tally.now - began))

    async def ask(
        self, *, path: str, form: list[tuple[str, str]], until: float
    ) -> Reply | None:
        """Post until the server has answered with anything but a failure of its own."""
        request = self._request(path, urlencode(form).encode())
        wait = 0.25
        while self.tally.now < until:
            try:
                async with asyncio.timeout(PATIENCE):
                    reply = await self._exchange(request)
            except (OSError, EOFError, TimeoutError) as failure:
                self._fail(type(failure).__name__)
            else:
                if reply.status < 500:
                    return reply
                self._fail(str(reply.status))
            await asyncio.sleep(random.uniform(0.5, 1) * wait)
            wait = min(2 * wait, LONGEST_WAIT)
        return None

    def close(self) -> None:
        """Let go of the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    def _fail(self, kind: str) -> None:
        self.tally.failures.append((self.tally.now, kind))
        self.close()

    def _request(self, path: str, body: bytes) -> bytes:
        lines = (
            f"POST {path} HTTP/1.1",
            f"Host: localhost:{OURS}",
            f"Origin: http://localhost:{OURS}",
            f"Cookie: {self.sitter.cookie}",
            f"X-CSRFToken: {self.sitter.token}",
            "Accept: application/json",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        )
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    async def _exchange(self, request: bytes) -> Reply:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", OURS
            )
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        body = await self._reader.readexactly(int(headers["content-length"]))
        return Reply(status=int(first.split()[1]), body=body)
