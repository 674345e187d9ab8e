"""The tables of sittings. Import models from here.

Direction inside the package: definition knows nothing of sittings; sitting knows it;
contact and report know sitting. Enrolment stands alone.
"""

from questions.exams.models.contact import KeyContact, QuestionFlag
from questions.exams.models.definition import (
    RULES,
    MockExam,
    MockExamItem,
    Navigation,
)
from questions.exams.models.enrolment import EARLIEST_EXAM, Enrolment
from questions.exams.models.page import RenderedPage
from questions.exams.models.report import ScoreReport
from questions.exams.models.sitting import (
    LateAnswer,
    Response,
    Sitting,
    SittingEvent,
    SittingItem,
)

__all__ = [
    "EARLIEST_EXAM",
    "RULES",
    "Enrolment",
    "KeyContact",
    "LateAnswer",
    "MockExam",
    "MockExamItem",
    "Navigation",
    "QuestionFlag",
    "RenderedPage",
    "Response",
    "ScoreReport",
    "Sitting",
    "SittingEvent",
    "SittingItem",
]
