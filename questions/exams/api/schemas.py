"""Shapes of sittings in the API."""

from __future__ import annotations

from rest_framework import serializers

from questions.api.schemas import OptionSchema, ScenarioSchema
from questions.domain.items import Difficulty
from questions.exams.domain.clock import Phase
from questions.exams.domain.visibility import Feedback
from questions.exams.selectors.pool import Standing
from questions.exams.services.saving import LONGEST_NOTE

_MODES = ("mock", "practice")
_LEVELS = tuple(level.value for level in Difficulty)


class AnswerInput(serializers.Serializer[object]):
    """An answer to check. Without ``chosen``, the key is shown and nothing is scored."""

    chosen = serializers.ListField(
        child=serializers.CharField(max_length=40),
        max_length=20,
        required=False,
        help_text="Keys of the options chosen.",
    )
    seconds = serializers.IntegerField(required=False, min_value=0, max_value=86_400)


class RevealedOptionSchema(serializers.Serializer[object]):
    """An option after the answer: whether it is right, and why."""

    key = serializers.CharField()
    is_key = serializers.BooleanField()
    is_chosen = serializers.BooleanField()
    rationale_html = serializers.CharField(allow_blank=True)


class ReferenceSchema(serializers.Serializer[object]):
    """Where to read more."""

    title = serializers.CharField()
    url = serializers.CharField()


class KeySchema(serializers.Serializer[object]):
    """The key of a question with its reasons. Options are named by key in texts."""

    keys = serializers.ListField(child=serializers.CharField())
    trap_html = serializers.CharField(allow_blank=True)
    explanation_html = serializers.CharField(allow_blank=True)
    options = RevealedOptionSchema(many=True)
    references = ReferenceSchema(many=True)


class VerdictSchema(KeySchema):
    """What an answer came to, and the key."""

    verdict = serializers.ChoiceField(choices=("right", "wrong", "shown"))
    points = serializers.FloatField()
    hits = serializers.IntegerField()
    slips = serializers.IntegerField()


class SittingInput(serializers.Serializer[object]):
    """Which sitting to begin."""

    certification = serializers.SlugField(max_length=60)
    mode = serializers.ChoiceField(choices=_MODES)
    exam = serializers.SlugField(
        required=False, max_length=120, help_text="A defined mock exam, by its slug."
    )
    length = serializers.IntegerField(required=False, min_value=1, max_value=1000)
    domains = serializers.ListField(
        child=serializers.CharField(max_length=10), required=False, max_length=50
    )
    objectives = serializers.ListField(
        child=serializers.CharField(max_length=10), required=False, max_length=200
    )
    difficulties = serializers.ListField(
        child=serializers.ChoiceField(choices=_LEVELS), required=False, max_length=3
    )
    standing = serializers.ChoiceField(
        choices=[each.value for each in Standing], required=False
    )
    feedback = serializers.ChoiceField(
        choices=[each.value for each in Feedback], required=False
    )
    is_timed = serializers.BooleanField(required=False)


class SittingSchema(serializers.Serializer[object]):
    """A sitting as it stands. Times are the server's."""

    id = serializers.UUIDField()
    certification = serializers.SlugField()
    blueprint = serializers.CharField()
    exam = serializers.SlugField(allow_null=True)
    mode = serializers.ChoiceField(choices=("mock", "practice", "review"))
    phase = serializers.ChoiceField(choices=[each.value for each in Phase])
    feedback = serializers.ChoiceField(choices=[each.value for each in Feedback])
    navigation = serializers.ChoiceField(choices=("free", "linear"))
    question_count = serializers.IntegerField()
    answered_count = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    server_time = serializers.DateTimeField()
    milliseconds_left = serializers.IntegerField(allow_null=True)
    grace_seconds = serializers.IntegerField()
    token = serializers.CharField(
        required=False, help_text="Told once, to who begins without an account."
    )


class SittingPageSchema(serializers.Serializer[object]):
    """One page of sittings."""

    next = serializers.CharField(allow_null=True)
    results = SittingSchema(many=True)


class SittingItemSchema(serializers.Serializer[object]):
    """One question of a sitting, in its order of options, with what was done.

    ``reason`` says why it was chosen for you, where it was.
    """

    position = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=("single", "multiple"))
    choose = serializers.IntegerField()
    rule = serializers.ChoiceField(choices=("exact_match", "right_minus_wrong"))
    scenario = ScenarioSchema(allow_null=True)
    stem_html = serializers.CharField(allow_blank=True)
    exhibits_html = serializers.CharField(allow_blank=True)
    lead_in_html = serializers.CharField(allow_blank=True)
    options = OptionSchema(many=True)
    version = serializers.IntegerField()
    chosen = serializers.ListField(child=serializers.CharField())
    struck = serializers.ListField(child=serializers.CharField())
    is_flagged = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField()
    saved_at = serializers.DateTimeField(allow_null=True)


class ResponseInput(serializers.Serializer[object]):
    """All of the work on one item. A retry keeps its ``save_id``."""

    save_id = serializers.UUIDField()
    base_version = serializers.IntegerField(min_value=0, max_value=2_147_483_647)
    chosen = serializers.ListField(
        child=serializers.CharField(max_length=40), max_length=20
    )
    struck = serializers.ListField(
        child=serializers.CharField(max_length=40), max_length=20, required=False
    )
    is_flagged = serializers.BooleanField(required=False)
    note = serializers.CharField(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        max_length=LONGEST_NOTE,
    )
    seconds = serializers.IntegerField(required=False, min_value=0, max_value=86_400)


class SavedSchema(serializers.Serializer[object]):
    """What a save became."""

    version = serializers.IntegerField()
    saved_at = serializers.DateTimeField()
    is_complete = serializers.BooleanField()
    milliseconds_left = serializers.IntegerField(allow_null=True)


class ReportSchema(serializers.Serializer[object]):
    """What a finished sitting came to; frozen when it was made."""

    number = serializers.IntegerField()
    cause = serializers.CharField()
    made_at = serializers.DateTimeField()
    format = serializers.IntegerField()
    points = serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2
    )
    questions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unanswered = serializers.IntegerField()
    shown = serializers.IntegerField()
    incomplete = serializers.IntegerField()
    mark = serializers.DictField(
        allow_null=True,
        help_text="share, the mark as two whole numbers; needed, how many of the "
        "questions that is, rounded up; source. Where parts of questions count, only "
        "share decides. Nothing in practice.",
    )
    passed = serializers.BooleanField(allow_null=True)
    scaled = serializers.DictField(
        child=serializers.IntegerField(), allow_null=True, required=False
    )
    unscored = serializers.IntegerField()
    time = serializers.DictField()
    domains = serializers.ListField(child=serializers.DictField())
    difficulties = serializers.ListField(child=serializers.DictField())
    items = serializers.ListField(child=serializers.DictField())
