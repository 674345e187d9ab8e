"""Bring everybody up to date with the log, in batches that each stand by themselves."""

from __future__ import annotations

import contextlib
import datetime
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from analytics.selectors import behind
from analytics.services import learners

BATCH: Final = 1_000
"""Accounts in one transaction."""

Progress = Callable[[int, int], None]


def nothing(_done: int, _total: int) -> None:
    """Tell nobody how far it is."""


def catch_up(
    *,
    since: datetime.datetime,
    at: datetime.datetime,
    progress: Progress = nothing,
) -> int:
    """Bring accounts up to date that are not; return how many had changed.

    Rows logged up to ``since`` were looked at before. A batch that fails does not keep
    the others: the errors are raised together at the end.
    """
    found = behind.behind(since=since, today=at.date())
    return _in_batches(found, at=at, is_afresh=False, progress=progress)


def rebuild(*, at: datetime.datetime, progress: Progress = nothing) -> int:
    """Make all states and figures again from the log; return of how many accounts."""
    return _in_batches(behind.everybody(), at=at, is_afresh=True, progress=progress)


def _in_batches(
    found: Mapping[int, Sequence[int]],
    *,
    at: datetime.datetime,
    is_afresh: bool,
    progress: Progress,
) -> int:
    total = sum(len(users) for users in found.values())
    done = changed = 0
    failures: list[Exception] = []
    progress(0, total)
    for certification, users in _batches(found):
        try:
            with _nothing_collected():
                changed += learners.update_many(
                    users=users, certification=certification, at=at, is_afresh=is_afresh
                )
        except Exception as failure:  # noqa: BLE001  (raised below, together)
            failures.append(failure)
        done += len(users)
        progress(done, total)
    if failures:
        message = (
            f"{len(failures)} batches of learners could not be brought up to date."
        )
        raise ExceptionGroup(message, failures)
    return changed


@contextlib.contextmanager
def _nothing_collected() -> Iterator[None]:
    """Look for no cycles meanwhile: a batch is a million tuples that have none.

    To look them all through again and again took two fifths of the time. What is no
    longer used is freed as always.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _batches(
    found: Mapping[int, Sequence[int]],
) -> Iterator[tuple[int, Sequence[int]]]:
    for certification, users in found.items():
        for begin in range(0, len(users), BATCH):
            yield certification, users[begin : begin + BATCH]
