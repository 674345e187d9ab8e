"""Sit a mock exam or practise over the API: the services of the pages."""

from __future__ import annotations

import datetime
import hashlib
import uuid
from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import paging
from accounts.api.base import ApiView, read
from accounts.api.problems import (
    FieldProblem,
    Problem,
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
from questions.domain.responses import InvalidResponse
from questions.domain.responses import Response as Answer
from questions.exams.api import callers, schemas
from questions.exams.api.questions import VERDICT, verdict_of
from questions.exams.api.shapes import item_shape, report_shape, sitting_shape
from questions.exams.domain import assembly, clock, orders, visibility
from questions.exams.forms.mock import FULL, OWN, MockForm
from questions.exams.forms.practice import PracticeForm
from questions.exams.models import MockExam, Sitting, SittingItem
from questions.exams.selectors import sittings
from questions.exams.services import finishing, practice, saving, starting
from questions.models import Blueprint, Certification, Domain, Objective

TOKEN: Final = OpenApiParameter(
    callers.HEADER,
    str,
    OpenApiParameter.HEADER,
    description="The secret of a sitting begun without an account.",
)
IDEMPOTENT: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": idempotency.LONGEST},
    OpenApiParameter.HEADER,
    description="Your name for this request: sent again within 24 hours, it gets the "
    "same reply and begins nothing. A replay tells no secret.",
)
ORDERING: Final = paging.Ordering(field="pk", is_descending=True)
_SITTING = OpenApiExample(
    "A mock exam under way",
    value={
        "id": "0d6a3c1e-6a0e-4a6e-9a53-0f6c4d9c2b11",
        "certification": "pmle",
        "blueprint": "2026-06",
        "exam": None,
        "mode": "mock",
        "phase": "running",
        "feedback": "at_end",
        "navigation": "free",
        "question_count": 60,
        "answered_count": 0,
        "started_at": "2026-12-01T09:00:00Z",
        "deadline": "2026-12-01T11:00:00Z",
        "ended_at": None,
        "server_time": "2026-12-01T09:00:00Z",
        "milliseconds_left": 7200000,
        "grace_seconds": 30,
    },
    response_only=True,
)


class Sittings(ApiView):
    """Begin a sitting, or list one's own."""

    scopes = {"GET": Scope.SITTINGS_READ, "POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="list_sittings",
        parameters=[TOKEN, *PAGING],
        responses=schemas.SittingPageSchema,
        examples=[
            OpenApiExample("A page", value={"next": None, "results": [_SITTING.value]})
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
            _SITTING,
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
        reply = _once(request, sent, at, lambda: _begin(request, sent, at))
        return Response(reply.body, status=reply.status)


def _once(request: Request, sent: Any, at: datetime.datetime, create: Any) -> Any:
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return create()
    if len(key) > idempotency.LONGEST or not key.isprintable():
        detail = f"Use up to {idempotency.LONGEST} printable characters."
        raise invalid([FieldProblem(name="Idempotency-Key", detail=detail)])
    try:
        return idempotency.once(
            caller=_caller(request),
            route="create_sitting",
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
        secret = callers.secret_of(request) or tokens.new_secret()
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


class OneSitting(ApiView):
    """How a sitting stands."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_sitting",
        parameters=[TOKEN],
        responses=schemas.SittingSchema,
        examples=[_SITTING],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return the sitting with the server's time and the time left."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        return Response(sitting_shape(own, at))


def _open_items(request: Request, public_id: uuid.UUID) -> list[SittingItem]:
    """Return the items of a sitting that may be read now.

    Raises:
        Problem: it has ended, or its time is up.
    """
    at = timezone.now()
    own = callers.own_sitting(request, public_id, at)
    sight = visibility.sight(
        phase=own.phase(at), feedback=own.feedback, is_answered=False
    )
    if not sight.question:
        raise conflict("not_running", "Time is up, or this sitting is void.")
    items = sittings.items_with_documents(sitting=own)
    if own.is_linear and own.status == clock.Status.RUNNING:
        items = [item for item in items if item.position == own.reached]
    return items


class Items(ApiView):
    """The questions of a sitting."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="list_sitting_items",
        parameters=[TOKEN],
        responses=schemas.SittingItemSchema(many=True),
        examples=[OpenApiExample("An item", value={"position": 1, "version": 0})],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return all questions with what was done, without keys.

        A linear sitting shows the one it stands at.
        """
        return Response([item_shape(item) for item in _open_items(request, public_id)])


class OneItem(ApiView):
    """One question of a sitting."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_sitting_item",
        parameters=[TOKEN],
        responses=schemas.SittingItemSchema,
        examples=[OpenApiExample("An item", value={"position": 1, "version": 0})],
    )
    def get(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Return one question with what was done, without its key."""
        for item in _open_items(request, public_id):
            if item.position == position:
                return Response(item_shape(item))
        raise not_found("This sitting has no such question now.")


class SaveResponse(ApiView):
    """Save the work on one item."""

    scopes = {"PUT": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="save_response",
        parameters=[TOKEN],
        request=schemas.ResponseInput,
        responses=schemas.SavedSchema,
        examples=[
            OpenApiExample(
                "A first answer",
                value={
                    "save_id": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
                    "base_version": 0,
                    "chosen": ["batch-from-registry"],
                    "seconds": 41,
                },
                request_only=True,
            ),
            OpenApiExample(
                "Saved",
                value={
                    "version": 1,
                    "saved_at": "2026-12-01T09:02:11Z",
                    "is_complete": True,
                    "milliseconds_left": 7069000,
                },
                response_only=True,
            ),
        ],
    )
    def put(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Save choice, flag, struck options, note and seconds of one item.

        It is committed before the reply. Retry with the same save_id. A stale
        base_version gets 409 with what is stored: choose, and save on that version. In
        a linear sitting a save with a choice leaves the question.
        """
        sent = read(schemas.ResponseInput(data=request.data))
        at = timezone.now()
        work = saving.Work(
            save_id=sent["save_id"],
            base_version=sent["base_version"],
            chosen=sent["chosen"],
            struck=sent.get("struck", ()),
            is_flagged=sent.get("is_flagged", False),
            note=sent.get("note", ""),
            seconds=sent.get("seconds", 0),
        )
        owner = callers.owner_of(request, "item__sitting")
        try:
            saved = saving.save_response(
                owner=callers.saver(request),
                public_id=public_id,
                position=position,
                work=work,
                at=at,
            )
        except saving.NoSuchItem as missing:
            raise not_found("There is no such question in a sitting of yours.") from (
                missing
            )
        except saving.StaleResponse as stale:
            raise _stale(stale) from stale
        except InvalidResponse as refused:
            raise unprocessable(refused.code, refused.sentence) from refused
        except saving.SittingClosed as closed:
            raise _closed(owner, public_id, position, work, closed) from closed
        left = saved.time_left
        return Response(
            {
                "version": saved.version,
                "saved_at": saved.saved_at,
                "is_complete": saved.is_complete,
                "milliseconds_left": None
                if left is None
                else left // datetime.timedelta(milliseconds=1),
            }
        )


def _stale(stale: saving.StaleResponse) -> Problem:
    stored = stale.stored
    return conflict(
        "stale",
        "Something else was saved meanwhile. Choose which stands, and save on its "
        "version.",
        stored={
            "version": stored.version,
            "chosen": stored.chosen,
            "struck": stored.struck,
            "is_flagged": stored.is_flagged,
            "note": stored.note,
        },
    )


def _closed(
    owner: Any,
    public_id: uuid.UUID,
    position: int,
    work: saving.Work,
    closed: saving.SittingClosed,
) -> Problem:
    is_kept = closed.code in {"time_is_up", "closed"} and saving.keep_late_answer(
        owner=owner,
        public_id=public_id,
        position=position,
        work=work,
        at=timezone.now(),
    )
    if is_kept:
        return conflict(
            "late", "Time was up when this arrived. It is kept, and does not count."
        )
    return conflict(closed.code, closed.sentence)


class LeaveItem(ApiView):
    """Go on in a linear sitting."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="leave_item",
        parameters=[TOKEN],
        request=None,
        responses=schemas.SittingSchema,
        examples=[_SITTING],
    )
    def post(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Leave a question of a linear sitting for the next. There is no way back."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if not own.is_linear:
            raise conflict("not_linear", "This sitting is free: any question is open.")
        saving.go_on(sitting=own, leaving=position, at=at)
        return Response(sitting_shape(own, at))


class CheckItem(ApiView):
    """Check an answer in practice."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="check_item",
        parameters=[TOKEN],
        request=schemas.AnswerInput,
        responses=schemas.VerdictSchema,
        examples=[VERDICT],
    )
    def post(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Check an answer in practice with feedback at once. The first one stands."""
        at = timezone.now()
        sent = read(schemas.AnswerInput(data=request.data))
        own = callers.own_sitting(request, public_id, at)
        try:
            practice.answer_item(
                owner=callers.owner_of(request, "item__sitting"),
                public_id=public_id,
                position=position,
                answer=practice.Answer(
                    chosen=sent.get("chosen"), seconds=sent.get("seconds", 0)
                ),
                withheld=callers.withheld(request, at),
                at=at,
            )
        except saving.NoSuchItem as missing:
            raise not_found("This is no question of a practice of yours.") from missing
        except practice.KeyWithheld as hidden:
            raise conflict(
                "withheld", "This question is in the mock exam you have under way."
            ) from hidden
        except saving.SittingClosed as closed:
            raise conflict(closed.code, closed.sentence) from closed
        except InvalidResponse as refused:
            raise unprocessable(refused.code, refused.sentence) from refused
        return Response(_reviewed(request, own, position, at))


def _reviewed(
    request: Request, own: Sitting, position: int, at: datetime.datetime
) -> dict[str, Any]:
    """Return one answered item with its key, if that may be seen.

    Raises:
        Problem: there is no such item, or its key may not be seen now.
    """
    item = sittings.item_at(sitting=own, position=position)
    if item is None:
        raise not_found("This sitting has no such question.")
    response = item.response
    own.refresh_from_db(fields=["status"])
    is_answered = response.answered_at is not None
    sight = visibility.sight(
        phase=own.phase(at),
        feedback=own.feedback,
        is_answered=is_answered,
        is_withheld=item.question_id in callers.withheld(request, at),
    )
    if not sight.key:
        raise conflict("not_yet", "The key of this question can't be shown now.")
    opened = orders.arranged(item.revision.document.open, item.option_order)
    answer = None if response.was_shown else Answer(frozenset(response.chosen))
    told = verdict_of(opened, finishing.keyed_of(item), answer)
    points = response.points
    return {**told, "points": float(points) if points is not None else 0.0}


class ReviewItem(ApiView):
    """One question of a finished sitting, with its key."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="review_item",
        parameters=[TOKEN],
        responses=schemas.VerdictSchema,
        examples=[VERDICT],
    )
    def get(self, request: Request, public_id: uuid.UUID, position: int) -> Response:
        """Return the answer to one question with its key, once that may be seen."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        told = _reviewed(request, own, position, at)
        _note_seen(own, at)
        return Response(told)


class Submit(ApiView):
    """End a sitting."""

    scopes = {"POST": Scope.SITTINGS_WRITE}

    @extend_schema(
        operation_id="submit_sitting",
        parameters=[TOKEN],
        request=None,
        responses=schemas.SittingSchema,
        examples=[_SITTING],
    )
    def post(self, request: Request, public_id: uuid.UUID) -> Response:
        """End the sitting and score it. Again is the same as once."""
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if own.status == clock.Status.RUNNING:
            finishing.submit(sitting=own, at=at)
            own.refresh_from_db(fields=["status", "ended_at", "ending"])
        return Response(sitting_shape(own, at))


class Report(ApiView):
    """What a sitting came to."""

    scopes = {"GET": Scope.SITTINGS_READ}

    @extend_schema(
        operation_id="retrieve_report",
        parameters=[TOKEN],
        responses=schemas.ReportSchema,
        examples=[OpenApiExample("A report", value={"right": 41, "questions": 60})],
    )
    def get(self, request: Request, public_id: uuid.UUID) -> Response:
        """Return the report that counts, as it was frozen.

        Letters in it are those of the sitting: A is the first option that was shown.
        """
        at = timezone.now()
        own = callers.own_sitting(request, public_id, at)
        if own.phase(at) is not clock.Phase.FINISHED:
            raise conflict("not_finished", "There is a report once the sitting ends.")
        report = sittings.report_of(sitting=own)
        if report is None:
            raise not_found("This sitting has no report.")
        _note_seen(own, at)
        return Response(report_shape(report, callers.withheld(request, at)))


def _note_seen(own: Sitting, at: datetime.datetime) -> None:
    if own.status == clock.Status.FINISHED and own.report_seen_at is None:
        Sitting.objects.filter(pk=own.pk).update(report_seen_at=at)
