"""Shapes of what answers tell. Shares and scores are parts of 1."""

from __future__ import annotations

from rest_framework import serializers

from questions.domain.items import Difficulty
from questions.exams.models import Sitting

READINESS_STATES = ("shown", "not_enough_evidence", "no_questions")
_BOUNDS = ("under", "over")


class NarrowingInput(serializers.Serializer[object]):
    """What figures are narrowed to."""

    certification = serializers.SlugField(required=False, max_length=60)


class ChanceSchema(serializers.Serializer[object]):
    """The chance of passing in steps of 5 %, ``under`` 5 or ``over`` 95 at the ends."""

    text = serializers.CharField()
    percent = serializers.IntegerField()
    bound = serializers.ChoiceField(choices=_BOUNDS, allow_null=True)


class MissingSchema(serializers.Serializer[object]):
    """What there must be before a chance is shown: first attempts, domains by code."""

    first_attempts = serializers.IntegerField()
    domains = serializers.ListField(child=serializers.CharField())


class EvidenceSchema(serializers.Serializer[object]):
    """What stands behind the figures."""

    first_attempts = serializers.IntegerField()
    domains_covered = serializers.IntegerField()
    domains = serializers.IntegerField()


class ReadinessDomainSchema(serializers.Serializer[object]):
    """A domain's part. ``points`` of 100 are added to the score above the mark.

    ``weight`` is its share of a full exam's questions: the guide's weight, in whole
    questions.
    """

    code = serializers.CharField()
    name = serializers.CharField()
    weight = serializers.FloatField()
    first_attempts = serializers.IntegerField()
    expected = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    points = serializers.FloatField()


class GainSchema(serializers.Serializer[object]):
    """What so many new ``questions`` of an objective add to the score, on average.

    Twenty, or as many as are left.
    """

    objective = serializers.CharField()
    name = serializers.CharField()
    domain = serializers.CharField()
    questions = serializers.IntegerField()
    score = serializers.FloatField()
    first_attempts = serializers.IntegerField()
    first_right = serializers.IntegerField()


class TrendPointSchema(serializers.Serializer[object]):
    """The expected score as of the last answer of one week."""

    date = serializers.DateField()
    expected = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    first_attempts = serializers.IntegerField()


class MovedSchema(serializers.Serializer[object]):
    """What weighing questions anew did to the expected score, by itself."""

    at = serializers.DateTimeField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class ReadinessSchema(serializers.Serializer[object]):
    """Readiness for one exam ``on`` a day: that of the exam, or today.

    Without enough evidence there is no ``chance``, and ``missing`` says what is. The
    range of the expected score is there all the same, and wide. ``low`` and ``high``
    hold it nine times in ten. ``mark`` is the share of a full exam's questions that must
    be right: whole questions, so never less than the guide's mark. ``calibration`` is the
    run it rests on; none, the authors' difficulties. ``rows_behind`` answers are not in
    it yet.
    """

    certification = serializers.SlugField()
    blueprint = serializers.CharField()
    is_enrolled = serializers.BooleanField()
    exam_date = serializers.DateField(allow_null=True)
    on = serializers.DateField()
    mark = serializers.FloatField()
    state = serializers.ChoiceField(choices=READINESS_STATES)
    chance = ChanceSchema(allow_null=True)
    missing = MissingSchema()
    expected = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    evidence = EvidenceSchema()
    domains = ReadinessDomainSchema(many=True)
    gains = GainSchema(many=True)
    trend = TrendPointSchema(many=True)
    moved = MovedSchema(allow_null=True)
    calibration = serializers.IntegerField(allow_null=True)
    made_at = serializers.DateTimeField(allow_null=True)
    rows_behind = serializers.IntegerField()


class TallySchema(serializers.Serializer[object]):
    """Answers counted. What a mock left unanswered counts as answered wrong."""

    answered = serializers.IntegerField()
    right = serializers.IntegerField()
    first_attempts = serializers.IntegerField()
    first_right = serializers.IntegerField()
    seconds = serializers.IntegerField()


class TotalSchema(TallySchema):
    """All answers; ``shown`` ones were asked for, and are counted nowhere else."""

    omitted = serializers.IntegerField()
    shown = serializers.IntegerField()


class DaySchema(TallySchema):
    """A day of your time zone with answers."""

    date = serializers.DateField()


class WeekSchema(TallySchema):
    """A week with answers, by its Monday."""

    monday = serializers.DateField()


class StreakSchema(serializers.Serializer[object]):
    """Days in a row with answers, up to today or yesterday, and the most ever."""

    days = serializers.IntegerField()
    longest = serializers.IntegerField()


class ObjectiveTallySchema(TallySchema):
    """An objective."""

    code = serializers.CharField()
    name = serializers.CharField()


class DomainTallySchema(ObjectiveTallySchema):
    """A domain with its objectives."""

    objectives = ObjectiveTallySchema(many=True)


class DifficultyTallySchema(TallySchema):
    """A difficulty, as authors estimate it."""

    difficulty = serializers.ChoiceField(choices=[each.value for each in Difficulty])


class KindTallySchema(TallySchema):
    """A kind of question."""

    kind = serializers.ChoiceField(choices=("single", "multiple"))


class ModeTallySchema(TallySchema):
    """A mode, with the median seconds of a first attempt."""

    mode = serializers.ChoiceField(choices=Sitting.Mode.values)
    median_seconds = serializers.FloatField(allow_null=True)


class TrapSchema(serializers.Serializer[object]):
    """A wrong answer that was given, how often, and the day it was given last."""

    question = serializers.CharField()
    revision = serializers.IntegerField()
    title = serializers.CharField()
    chosen = serializers.ListField(child=serializers.CharField())
    times = serializers.IntegerField()
    last_date = serializers.DateField()


class StatisticsSchema(serializers.Serializer[object]):
    """All that was counted for one exam. ``exam_seconds`` a question is its pace."""

    certification = serializers.SlugField()
    blueprint = serializers.CharField()
    total = TotalSchema()
    streak = StreakSchema()
    days = DaySchema(many=True)
    weeks = WeekSchema(many=True)
    domains = DomainTallySchema(many=True)
    difficulties = DifficultyTallySchema(many=True)
    kinds = KindTallySchema(many=True)
    modes = ModeTallySchema(many=True)
    exam_seconds = serializers.FloatField()
    traps = TrapSchema(many=True)
    made_at = serializers.DateTimeField(allow_null=True)
    rows_behind = serializers.IntegerField()


class HistoryEntrySchema(serializers.Serializer[object]):
    """One answer as it counts now.

    ``is_right`` is nothing if the answer was only asked for. A voided answer counts for
    nothing, and what was ``chosen`` and whether it ``is_right`` are withheld.
    ``is_first_attempt`` says that its key had not been met before.
    """

    question = serializers.CharField()
    revision = serializers.IntegerField()
    certification = serializers.SlugField()
    sitting = serializers.UUIDField()
    position = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=Sitting.Mode.values)
    chosen = serializers.ListField(child=serializers.CharField())
    is_right = serializers.BooleanField(allow_null=True)
    was_shown = serializers.BooleanField()
    is_voided = serializers.BooleanField()
    is_first_attempt = serializers.BooleanField()
    seconds = serializers.IntegerField()
    answered_at = serializers.DateTimeField()


class HistoryPageSchema(serializers.Serializer[object]):
    """One page of answers; ``next`` is the address of the next, or nothing."""

    next = serializers.CharField(allow_null=True)
    results = HistoryEntrySchema(many=True)
