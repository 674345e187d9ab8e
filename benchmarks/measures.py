"""What is measured inside Django: setting up, growing, plans and counts."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlencode

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmarks import bank
from questions.exams.selectors import pages as kept
from questions.models import Question

_BANK = Path(__file__).resolve().parent.parent / "questions" / "bank"


def prepare() -> None:
    """Migrate, load the bank, collect static files."""
    call_command("migrate", verbosity=0)
    call_command("load_bank", str(_BANK))
    call_command("collectstatic", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE bench_row (slug text PRIMARY KEY, body bytea NOT NULL);"
            "CREATE TABLE bench_response (sitting uuid, position int, chosen text,"
            " version int NOT NULL DEFAULT 0, PRIMARY KEY (sitting, position))"
        )


def slugs_at(size: int, sample: int) -> list[str]:
    """Grow the bank to ``size`` and return addresses spread over all of it."""
    bank.grow(size)
    slugs = list(
        Question.objects.public().order_by("pk").values_list("slug", flat=True)
    )
    return random.Random(1).sample(slugs, min(sample, len(slugs)))


def keep_pages(slugs: list[str]) -> None:
    """Visit each page once, give the bare view the same bytes, tell queries and plan."""
    client = Client(headers={"accept-encoding": "gzip", "host": "localhost"})
    counts = set()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE bench_row")
        for slug in slugs:
            client.get(f"/questions/{slug}/")
            with CaptureQueriesContext(
                connection,
            ) as queries:
                reply = client.get(f"/questions/{slug}/")
            counts.add(len(queries))
            cursor.execute(
                "INSERT INTO bench_row VALUES (%s, %s)", [slug, reply.content]
            )
        cursor.execute("VACUUM ANALYZE bench_row")
        today = timezone.now().date().isoformat()
        cursor.execute("VACUUM ANALYZE exams_renderedpage")
        cursor.execute(
            "EXPLAIN (COSTS OFF) " + kept.KEPT,
            {"slug": slugs[0], "edition": f"{kept.edition()}.{today}"},
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    print(f"queries of an anonymous question page: {sorted(counts)}; its plan:\n{plan}")


def queries(count: int) -> list[str]:
    """Return searches as people type them: whole words, beginnings, slips, filters."""
    dice = random.Random(2)
    found = []
    for _ in range(count):
        words = dice.sample(bank.WORDS, dice.choice((1, 2, 2, 3)))
        kind = dice.random()
        if kind < 0.2:
            words[-1] = words[-1][:4]
        elif kind < 0.4:
            word = words[-1]
            words[-1] = word[:2] + word[3:]
        asked = {"q": " ".join(words)}
        if kind > 0.8:
            asked["difficulty"] = "hard"
        found.append(urlencode(asked))
    return found
