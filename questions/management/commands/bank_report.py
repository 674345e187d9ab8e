"""Print what the bank holds, and what could give its keys away."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from questions import selectors
from questions.domain import tells
from questions.models import Certification

_DASH = "–"


class Command(BaseCommand):
    """Count the live questions of each certification, and measure their tells."""

    help = "Print the figures of the bank: what there is, and what gives keys away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take one certification, or none for all."""
        parser.add_argument(
            "certification", nargs="*", help="slugs; all if none is given"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a report a certification."""
        found = Certification.objects.order_by("slug")
        if options["certification"]:
            found = found.filter(slug__in=options["certification"])
        for certification in found:
            blueprint = selectors.blueprint_in_force(
                certification=certification, on=timezone.now().date()
            )
            if blueprint is None:
                self.stdout.write(f"{certification.code}: no blueprint")
                continue
            rows = selectors.report_rows(blueprint=blueprint)
            self._print(f"{certification.code} {blueprint.version}", tells.report(rows))

    def _print(self, name: str, report: tells.Report) -> None:
        counts = report.counts
        self.stdout.write(f"{name}: {counts.n} live questions")
        for title, tally in (
            ("by domain", counts.by_domain),
            ("by objective", counts.by_objective),
            ("by kind", counts.by_kind),
            ("by difficulty", counts.by_difficulty),
            ("by exposure", counts.by_exposure),
        ):
            self.stdout.write(f"  {title}: {_listing(tally)}")
        self.stdout.write(
            f"  with an exhibit: {counts.with_exhibit}; "
            f"in a scenario: {counts.with_scenario}"
        )
        for title, cue in (
            ("the longest option is a key", report.longest),
            ("the shortest option is a key", report.shortest),
            ("the option sharing most words with the stem is a key", report.overlap),
        ):
            self.stdout.write(
                f"  {title}: {_percent(cue.share)} of {cue.n}, "
                f"by chance {_percent(cue.chance)} (p {_figure(cue.p_value)})"
            )
        places = report.positions
        self.stdout.write(
            "  keys by position: "
            + ", ".join(
                f"{chr(ord('A') + place)} {count} (even: {even:.1f})"
                for place, (count, even) in enumerate(
                    zip(places.counts, places.expected, strict=True)
                )
            )
            + f"; p {_figure(places.p_value)}"
        )
        words = report.wording
        self.stdout.write(
            f"  absolute words: {words.absolute_keys} of {words.keys} keys, "
            f"{words.absolute_distractors} of {words.distractors} distractors"
        )
        means = report.lengths
        self.stdout.write(
            f"  mean length: stem {_figure(means.stem, 0)}, key {_figure(means.key, 0)}, "
            f"distractor {_figure(means.distractor, 0)}, "
            f"rationale {_figure(means.rationale, 0)}, "
            f"explanation {_figure(means.explanation, 0)} characters"
        )


def _listing(tally: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in tally.items()) or _DASH


def _percent(share: float | None) -> str:
    return _DASH if share is None else f"{share:.0%}"


def _figure(value: float | None, places: int = 2) -> str:
    return _DASH if value is None else f"{value:.{places}f}"
