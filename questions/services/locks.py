"""Who may write at once: one person a question, or one import the whole bank.

Every writer takes the bank first, then a question, then what hangs on it, so that no
two of them wait for each other.
"""

from __future__ import annotations

from django.db import connection

from questions.models import Question

_BANK = 0x_C0_55_1A
"""The key of the advisory lock. Any number that nobody else in the database uses."""


def lock_bank() -> None:
    """Let nobody else write in any question until the transaction ends.

    For imports: they write in many questions, in an order of their own.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_BANK])


def share_bank() -> None:
    """Wait for an import that is under way, and keep the next one waiting."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_BANK])


def lock_question(question: Question) -> Question:
    """Return the question as stored now, its row locked until the transaction ends.

    Answers to it are still stored meanwhile: the lock is none on its key.
    """
    share_bank()
    # Two queries: one that waits for the lock would join the row as it is by then
    # to revisions as they were before, and find no latest one.
    Question.objects.select_for_update(no_key=True).only("pk").get(pk=question.pk)
    return Question.objects.select_related(
        "certification", "author", "latest_revision"
    ).get(pk=question.pk)
