"""Begin sittings over the API, and list one's own."""

from __future__ import annotations

import datetime
import hashlib
import uuid
from collections.abc import Callable
from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import paging
from accounts.api.base import ApiView, read
from accounts.api.problems import (
    FieldProblem,
    conflict,
    invalid,
    not_found,
    unprocessable,
)
from accounts.api.scopes import Scope
from accounts.models import User
from accounts.services import idempotency, tokens
from questions import selectors as bank
from questions.api.views import PAGING
from questions.exams.api import callers, schemas
from questions.exams.api.examples import IDEMPOTENT, SITTING, TOKEN
from questions.exams.api.shapes import sitting_shape
from questions.exams.domain import assembly
from questions.exams.forms.mock import FULL, OWN, MockForm
from questions.exams.forms.practice import PracticeForm
from questions.exams.models import MockExam, Sitting
from questions.exams.selectors import sittings
from questions.exams.services import finishing, starting
from questions.models import Blueprint, Certification, Domain, Objective

ORDERING: Final = paging.Ordering(field="pk", is_descending=True)


class Sittings(ApiView):
    """Begin a sitting, or list one's own."""

    scopes = {"GET": Scope.SITTINGS_READ, "POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="list_sittings",
        parameters=[TOKEN, *PAGING],
        responses=schemas.SittingPageSchema,
        examples=[
            OpenApiExample("A page", value={"next": None, "results": [SITTING.value]})
        ],
    )
    def get(self, request: Request) -> Response:
        """List your sittings, the newest first; none ever disappears."""
        at = timezone.now()
        learner = callers.learner_of(request)
        finishing.close_own(learner=learner, at=at)
        return Response(
            paging.page(
                request=request,
                rows=sittings.history(learner=learner).select_related("blueprint"),
                ordering=ORDERING,
                show=lambda row: sitting_shape(
                    row, at, counts=(row.item_count, row.answered_count)
                ),
            )
        )

    @extend_schema(
        operation_id="create_sitting",
        parameters=[IDEMPOTENT],
        request=schemas.SittingInput,
        responses={200: schemas.SittingSchema, 201: schemas.SittingSchema},
        examples=[
            SITTING,
            OpenApiExample(
                "Half a mock exam",
                value={"certification": "pmle", "mode": "mock", "length": 30},
                request_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        """Begin a mock exam or practice.

        A mock exam of yours that runs already is returned with 200 instead. Without an
        account the reply holds a secret, told once: send it as Sitting-Token.
        """
        sent = read(schemas.SittingInput(data=request.data))
        at = timezone.now()
        reply = once(
            request, "create_sitting", sent, at, lambda: _begin(request, sent, at)
        )
        return Response(reply.body, status=reply.status)


def once(
    request: Request,
    route: str,
    sent: Any,
    at: datetime.datetime,
    create: Callable[[], idempotency.Reply],
) -> idempotency.Reply:
    """Return what ``create`` replies, or replied before to the same Idempotency-Key.

    Raises:
        Problem: the key can't be used, or came before with another body.
    """
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return create()
    if len(key) > idempotency.LONGEST or not key.isprintable():
        detail = f"Use up to {idempotency.LONGEST} printable characters."
        raise invalid([FieldProblem(name="Idempotency-Key", detail=detail)])
    try:
        return idempotency.once(
            caller=_caller(request),
            route=route,
            key=key,
            body=sent,
            at=at,
            create=create,
            secrets=("token",),
        )
    except idempotency.KeyReused as reused:
        raise unprocessable(
            "key_reused",
            "This Idempotency-Key came before with another body. Use a new one.",
        ) from reused


def _caller(request: Request) -> str:
    """Name who asks: a person, or an address without one."""
    if isinstance(request.user, User):
        return f"u{request.user.pk}"
    address = str(request.META.get("REMOTE_ADDR", ""))
    return "a" + hashlib.sha256(address.encode()).hexdigest()[:32]


def _begin(
    request: Request, sent: dict[str, Any], at: datetime.datetime
) -> idempotency.Reply:
    certification = get_object_or_404(Certification, slug=sent["certification"])
    blueprint = bank.blueprint_in_force(certification=certification, on=at.date())
    if blueprint is None:
        raise not_found("This certification has no blueprint yet.")
    blueprint.certification = certification
    if sent["mode"] == Sitting.Mode.MOCK:
        started = _begin_mock(request, blueprint, sent, at)
    else:
        started = _begin_practice(request, blueprint, sent, at)
    body = sitting_shape(started.sitting, at)
    if started.is_new and not isinstance(request.user, User):
        # A secret counts only if we made it: one that was made up, others guess too.
        is_ours = bool(callers.learner_of(request).ids)
        secret = callers.secret_of(request) if is_ours else tokens.new_secret()
        Sitting.objects.filter(pk=started.sitting.pk).update(
            token_digest=tokens.digest(secret)
        )
        body["token"] = secret
    return idempotency.Reply(status=201 if started.is_new else 200, body=body)


def _begin_mock(
    request: Request, blueprint: Blueprint, sent: dict[str, Any], at: datetime.datetime
) -> starting.Started:
    offered = MockExam.objects.filter(blueprint=blueprint, is_open=True)
    exam = sent.get("exam") or (OWN if sent.get("length") is not None else FULL)
    form = MockForm(
        {"exam": exam, "length": sent.get("length")},
        blueprint=blueprint,
        offered=list(offered),
    )
    _check(form)
    try:
        return starting.start_mock(
            terms=form.terms(),
            learner=callers.learner_for(request, at),
            seed=uuid.uuid4().int >> 66,
            at=at,
        )
    except starting.MockRefused as refused:
        raise conflict(refused.code, refused.sentence) from refused
    except assembly.Shortage as short:
        longest = starting.longest_mock(
            blueprint=blueprint, learner=callers.learner_of(request)
        )
        raise conflict(
            "too_few_questions",
            f"Some domains have too few questions for you now; the longest exam that "
            f"can be drawn has {longest}.",
            longest=longest,
        ) from short


def _begin_practice(
    request: Request, blueprint: Blueprint, sent: dict[str, Any], at: datetime.datetime
) -> starting.Started:
    learner = callers.learner_for(request, at)
    domains = Domain.objects.filter(
        blueprint=blueprint, code__in=sent.get("domains", ())
    )
    objectives = Objective.objects.filter(
        domain__blueprint=blueprint, code__in=sent.get("objectives", ())
    )
    form = PracticeForm(
        {
            "domains": _known(sent, "domains", domains),
            "objectives": _known(sent, "objectives", objectives),
            "difficulty": sent.get("difficulties", []),
            "standing": sent.get("standing", ""),
            "feedback": sent.get("feedback", ""),
            "is_timed": sent.get("is_timed", False),
            "length": sent.get("length", ""),
        },
        blueprint=blueprint,
        learner=learner,
        withheld=callers.withheld(request, at),
    )
    _check(form)
    sitting = starting.start_practice(
        terms=form.terms(),
        learner=learner,
        questions=form.pool,
        seed=uuid.uuid4().int >> 66,
        at=at,
    )
    return starting.Started(sitting=sitting, is_new=True)


def _known(sent: dict[str, Any], name: str, found: Any) -> list[int]:
    """Return the ids of what was named by code.

    Raises:
        Problem: a code is not of the blueprint in force.
    """
    ids = dict(found.values_list("code", "pk"))
    missing = [code for code in sent.get(name, ()) if code not in ids]
    if missing:
        detail = f"The blueprint in force has no “{missing[0]}”."
        raise invalid([FieldProblem(name=name, detail=detail)])
    return list(ids.values())


def _check(form: Any) -> None:
    if not form.is_valid():
        raise invalid(
            [
                FieldProblem(
                    name="" if name == "__all__" else name, detail=" ".join(messages)
                )
                for name, messages in form.errors.items()
            ]
        )
