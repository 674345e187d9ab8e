"""Answer a question over the API, or read its key where that is allowed."""

from __future__ import annotations

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView, read
from accounts.api.problems import not_found, unprocessable
from accounts.api.scopes import Scope
from accounts.models import User
from questions import selectors as bank
from questions.domain.responses import InvalidResponse, complete
from questions.domain.responses import Response as Answer
from questions.domain.scoring import score
from questions.exams.api import callers, schemas
from questions.exams.domain import feedback
from questions.exams.services import practice
from questions.models import Question, Revision
from questions.selectors import serving

VERDICT = OpenApiExample(
    "A right answer",
    value={
        "verdict": "right",
        "points": 1.0,
        "hits": 1,
        "slips": 0,
        "keys": ["batch-from-registry"],
        "trap_html": "<p>An endpoint is there, so …</p>",
        "explanation_html": "<p>Online serving holds machines ready …</p>",
        "options": [
            {
                "key": "batch-from-registry",
                "is_key": True,
                "is_chosen": True,
                "rationale_html": "<p>The job brings its own machines …</p>",
            }
        ],
        "references": [{"title": "Get batch inferences", "url": "https://…"}],
    },
    response_only=True,
)


def key_of(
    opened: dict[str, Any], keyed: dict[str, Any], answer: Answer | None
) -> dict[str, Any]:
    """Return the key with its reasons, in the order of ``opened``."""
    told = feedback.reveal(opened, keyed, answer)
    return {
        "keys": [choice.key for choice in told.choices if choice.is_key],
        "trap_html": told.trap_html,
        "explanation_html": told.explanation_html,
        "options": [
            {
                "key": choice.key,
                "is_key": choice.is_key,
                "is_chosen": choice.is_chosen,
                "rationale_html": choice.rationale_html,
            }
            for choice in told.choices
        ],
        "references": [
            {"title": each["title"], "url": each["url"]} for each in told.references
        ],
    }


def verdict_of(
    opened: dict[str, Any], keyed: dict[str, Any], answer: Answer | None
) -> dict[str, Any]:
    """Return what an answer came to, with the key."""
    result = score(feedback.answerable(opened, keyed), answer or Answer(frozenset()))
    verdict = "shown" if answer is None else "right" if result.is_full else "wrong"
    return {
        "verdict": verdict,
        "points": float(result.points),
        "hits": result.hits,
        "slips": result.slips,
        **key_of(opened, keyed, answer),
    }


class AnswerQuestion(ApiView):
    """Check an answer."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="answer_question",
        request=schemas.AnswerInput,
        responses=schemas.VerdictSchema,
        examples=[
            VERDICT,
            OpenApiExample(
                "An answer",
                value={"chosen": ["batch-from-registry"], "seconds": 40},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Check an answer to a question, and return the key with every reason.

        With a token it is kept as practice of its person. Without ``chosen`` the key is
        shown, which is kept too: later answers are no first attempts.
        """
        at = timezone.now()
        sent = read(schemas.AnswerInput(data=request.data))
        question = (
            Question.objects.readable_by(request.user)
            .filter(public_id=public_id)
            .select_related("certification")
            .first()
        )
        if question is None:
            raise not_found("There is no question with this id that you may read.")
        if question.pk in callers.withheld(request, at):
            raise callers.key_withheld()
        revision = Revision.objects.select_related("document").get(
            published_of=question
        )
        opened, keyed = revision.document.open, revision.document.keyed
        answer = _answer(opened, keyed, sent.get("chosen"))
        if isinstance(request.user, User):
            _keep(request, question, revision, sent)
        return Response(verdict_of(opened, keyed, answer))


def _answer(
    opened: dict[str, Any], keyed: dict[str, Any], chosen: list[str] | None
) -> Answer | None:
    if chosen is None:
        return None
    try:
        return complete(feedback.answerable(opened, keyed), chosen)
    except InvalidResponse as refused:
        raise unprocessable(refused.code, refused.sentence) from refused


def _keep(
    request: Request, question: Question, revision: Revision, sent: dict[str, Any]
) -> None:
    at = timezone.now()
    blueprint = bank.blueprint_in_force(
        certification=question.certification, on=at.date()
    )
    if blueprint is None:
        return
    practice.answer_on_page(
        learner=callers.learner_for(request, at),
        blueprint=blueprint,
        revision=revision,
        answer=practice.Answer(
            chosen=sent.get("chosen"), seconds=sent.get("seconds", 0)
        ),
        at=at,
    )


class QuestionKey(ApiView):
    """Read a key."""

    scopes = {"GET": Scope.QUESTIONS_READ_KEYS}
    needs_person = True

    @extend_schema(
        operation_id="retrieve_question_key",
        responses=schemas.KeySchema,
        examples=[OpenApiExample("A key", value={"keys": ["batch-from-registry"]})],
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the key of a question that you may edit: authors their own.

        Editors may read all; nobody those kept for mock exams.
        """
        question = serving.question_to_edit(
            public_id=public_id, user=cast("User", request.user)
        )
        if question is None or question.published_revision is None:
            raise not_found("There is no question with this id whose key you may read.")
        if question.pk in callers.withheld(request, timezone.now()):
            raise callers.key_withheld()
        document = question.published_revision.document
        return Response(key_of(document.open, document.keyed, None))
