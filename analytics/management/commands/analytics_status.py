"""How the work in the background stands: ``manage.py analytics_status``."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import timezone
from rich.console import Console
from rich.table import Table

from analytics.selectors import status
from analytics.selectors.status import BankStatus, JobStatus, Status

_WIDTH: Final = 110


class Command(BaseCommand):
    """Tables of queues, jobs and calibrations."""

    help = "Tell how the work in the background stands."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the tables."""
        console = Console(width=_WIDTH)
        with console.capture() as printed:
            for table in _tables(status.status(at=timezone.now())):
                console.print(table)
        self.stdout.write(printed.get())


def _tables(found: Status) -> list[Table]:
    return [
        _table(
            ("Queue", "Tasks waiting"),
            [
                (name, "unknown" if depth is None else str(depth))
                for name, depth in found.queues.items()
            ],
        ),
        _table(
            ("Job", "Last began (UTC)", "Took", "Result"), map(_job_row, found.jobs)
        ),
        _table(
            ("Bank", "Calibrated (UTC)", "Rows behind", "Rests on"),
            map(_bank_row, found.banks),
        ),
    ]


def _table(names: tuple[str, ...], rows: Any) -> Table:
    table = Table(*names, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def _job_row(job: JobStatus) -> tuple[str, ...]:
    took = "under way" if job.seconds is None else f"{job.seconds:.1f} s"
    said = f"failed: {job.said}" if job.is_good is False else job.said
    return (job.name, _moment(job.started_at), took, said)


def _bank_row(bank: BankStatus) -> tuple[str, ...]:
    code, behind = bank.certification.code, f"{bank.rows_behind:,}"
    if bank.error:
        behind += f"; the last run failed: {bank.error}"
    if bank.run is None or bank.age is None or bank.run.finished_at is None:
        return (code, "never", behind, "authors' estimates")
    rests_on = (
        f"{bank.run.answers:,} first attempts of {bank.run.learners:,} people,"
        f" {bank.in_use:,} revisions in use"
    )
    made_at = f"{_moment(bank.run.finished_at)}, {bank.age.days} days ago"
    return (code, made_at, behind, rests_on)


def _moment(at: datetime.datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
