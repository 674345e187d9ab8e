"""The author desk: Django's admin, with an editor of our own for questions."""

from questions.admin.catalog import (
    BlueprintAdmin,
    CertificationAdmin,
    DomainAdmin,
    ScenarioAdmin,
    VendorAdmin,
)
from questions.admin.question import QuestionAdmin
from questions.admin.reports import ProblemReportAdmin

__all__ = [
    "BlueprintAdmin",
    "CertificationAdmin",
    "DomainAdmin",
    "ProblemReportAdmin",
    "QuestionAdmin",
    "ScenarioAdmin",
    "VendorAdmin",
]
