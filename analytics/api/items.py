"""How a question performs, for who may edit it."""

from __future__ import annotations

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ApiView
from accounts.api.problems import not_found
from accounts.api.scopes import Scope
from accounts.models import User
from analytics.domain.ctt import Concern
from analytics.models import ItemEstimate, ItemStatistic
from analytics.screens import analysis
from analytics.selectors import items
from questions.exams.api import callers
from questions.exams.models import Sitting
from questions.models import Question
from questions.selectors import serving

_EXAMPLE = OpenApiExample(
    "A question",
    value={
        "question": "k3v9w2m7x4pq",
        "calibration": 17,
        "made_at": "2026-12-01T02:30:00Z",
        "answers_since": 12,
        "least_attempts": 30,
        "statistics": [
            {
                "revision": 1,
                "mode": None,
                "attempts": 240,
                "omitted": 2,
                "facility": 0.61,
                "discrimination": 0.34,
                "efficiency": 0.52,
                "median_seconds": 71.0,
                "options": [
                    {
                        "key": "batch-from-registry",
                        "chosen": 146,
                        "share": 0.6083,
                        "mean_ability": 0.41,
                        "correlation": 0.34,
                    }
                ],
                "flags": [
                    {
                        "concern": "idle_distractor",
                        "option": "slower-script",
                        "text": "Under 5 % chose it.",
                    }
                ],
            }
        ],
        "estimates": [
            {
                "calibration": 17,
                "made_at": "2026-12-01T02:30:00Z",
                "revision": 1,
                "attempts": 240,
                "slope": 1.12,
                "slope_error": 0.16,
                "difficulty": -0.31,
                "difficulty_error": 0.14,
                "guess": 0.25,
            }
        ],
    },
    response_only=True,
)


class OptionStatisticSchema(serializers.Serializer[object]):
    """Who chose an option. ``correlation`` is that of choosing it with ability."""

    key = serializers.CharField()
    chosen = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    mean_ability = serializers.FloatField(allow_null=True)
    correlation = serializers.FloatField(allow_null=True)


class FlagSchema(serializers.Serializer[object]):
    """What to look at. ``option`` is a key, where one is meant."""

    concern = serializers.ChoiceField(choices=[each.value for each in Concern])
    option = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_blank=True)


class ItemStatisticSchema(serializers.Serializer[object]):
    """How a revision did in a mode, or in all together; first attempts only.

    Below ``least_attempts`` there are counts and no figures.
    """

    revision = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=Sitting.Mode.values, allow_null=True)
    attempts = serializers.IntegerField()
    omitted = serializers.IntegerField()
    facility = serializers.FloatField(allow_null=True)
    discrimination = serializers.FloatField(allow_null=True)
    efficiency = serializers.FloatField(allow_null=True)
    median_seconds = serializers.FloatField(allow_null=True)
    options = OptionStatisticSchema(many=True)
    flags = FlagSchema(many=True)


class ItemEstimateSchema(serializers.Serializer[object]):
    """What a run found of a revision, in logits; no difficulty if it is beyond 6."""

    calibration = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    revision = serializers.IntegerField()
    attempts = serializers.IntegerField()
    slope = serializers.FloatField()
    slope_error = serializers.FloatField(allow_null=True)
    difficulty = serializers.FloatField(allow_null=True)
    difficulty_error = serializers.FloatField(allow_null=True)
    guess = serializers.FloatField()


class QuestionStatisticsSchema(serializers.Serializer[object]):
    """How a question performs, by the calibration in force, and what former runs found.

    Before the first calibration there is none. ``answers_since`` counts up to 1,001.
    """

    question = serializers.CharField()
    calibration = serializers.IntegerField(allow_null=True)
    made_at = serializers.DateTimeField(allow_null=True)
    answers_since = serializers.IntegerField(allow_null=True)
    least_attempts = serializers.IntegerField()
    statistics = ItemStatisticSchema(many=True)
    estimates = ItemEstimateSchema(many=True)


class QuestionStatistics(ApiView):
    """How a question performs."""

    scopes = {"GET": Scope.ANALYTICS_READ}
    needs_person = True

    @extend_schema(
        operation_id="retrieve_question_statistics",
        responses=QuestionStatisticsSchema,
        examples=[_EXAMPLE],
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return how a question performs that you may edit: authors their own.

        Editors may read all. As option shares give keys away, learners may read none,
        and nobody those kept for mock exams.
        """
        question = serving.question_to_edit(
            public_id=public_id, user=cast("User", request.user)
        )
        if question is None:
            raise not_found("There is no question with this id that you may edit.")
        if question.pk in callers.withheld(request, timezone.now()):
            raise callers.key_withheld()
        return Response(_shape(question))


def _shape(question: Question) -> dict[str, Any]:
    run = items.run_in_force(certification=question.certification)
    found = [] if run is None else items.statistics_of(question=question, run=run)
    return {
        "question": question.public_id,
        "calibration": run and run.pk,
        "made_at": run and run.started_at,
        "answers_since": run and items.answers_since(run=run, question=question),
        "least_attempts": analysis.ENOUGH,
        "statistics": [_statistic(each) for each in found],
        "estimates": [
            _estimate(each) for each in items.estimates_of(question=question)
        ],
    }


def _statistic(statistic: ItemStatistic) -> dict[str, Any]:
    return {
        "revision": statistic.revision.number,
        "mode": statistic.mode or None,
        "attempts": statistic.attempts,
        "omitted": statistic.omitted,
        "facility": statistic.facility,
        "discrimination": statistic.discrimination,
        "efficiency": statistic.efficiency,
        "median_seconds": statistic.median_seconds,
        # Which of them is the key is another scope's business.
        "options": [
            {name: option[name] for name in OptionStatisticSchema().fields}
            for option in statistic.options
        ],
        "flags": [
            {
                "concern": flag["concern"],
                "option": flag["option"] or None,
                "text": flag["text"],
            }
            for flag in analysis.flags_of(statistic)
        ],
    }


def _estimate(estimate: ItemEstimate) -> dict[str, Any]:
    is_known = not estimate.is_runaway
    return {
        "calibration": estimate.run_id,
        "made_at": estimate.run.started_at,
        "revision": estimate.revision.number,
        "attempts": estimate.attempts,
        "slope": estimate.slope,
        "slope_error": estimate.slope_error,
        "difficulty": estimate.difficulty if is_known else None,
        "difficulty_error": estimate.difficulty_error if is_known else None,
        "guess": estimate.guess,
    }
