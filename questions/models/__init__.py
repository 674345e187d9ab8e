"""The bank's tables. Import models from here.

Direction inside the package: catalog, blueprint and media know nothing of questions;
question knows them; revision knows question; review knows both.
"""

from questions.models.blueprint import Blueprint, Domain, Objective
from questions.models.catalog import Certification, Vendor
from questions.models.media import Image
from questions.models.parameters import ItemParameters
from questions.models.question import (
    EXPOSURES,
    PROVENANCES,
    Alignment,
    FormerSlug,
    ProblemReport,
    Question,
    SearchWord,
)
from questions.models.review import QuestionEvent, Review
from questions.models.revision import (
    Exhibit,
    Option,
    PublishedDocument,
    Reference,
    Revision,
    Scenario,
    ScenarioRevision,
)

__all__ = [
    "EXPOSURES",
    "PROVENANCES",
    "Alignment",
    "Blueprint",
    "Certification",
    "Domain",
    "Exhibit",
    "FormerSlug",
    "Image",
    "ItemParameters",
    "Objective",
    "Option",
    "ProblemReport",
    "PublishedDocument",
    "Question",
    "QuestionEvent",
    "Reference",
    "Review",
    "Revision",
    "Scenario",
    "ScenarioRevision",
    "SearchWord",
    "Vendor",
]
