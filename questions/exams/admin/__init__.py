"""Exams in the author desk: what is offered, and what staff do with sittings."""

from questions.exams.admin.definition import MockExamAdmin
from questions.exams.admin.sitting import SittingAdmin

__all__ = ["MockExamAdmin", "SittingAdmin"]
