"""Shapes of the bank in the API: what is sent is checked, what is answered described."""

from __future__ import annotations

from rest_framework import serializers

from questions.domain.items import Difficulty, Exposure

_KINDS = ("single", "multiple")
_LEVELS = tuple(level.value for level in Difficulty)


class VendorSchema(serializers.Serializer[object]):
    """A company that certifies people."""

    slug = serializers.SlugField()
    name = serializers.CharField()


class ObjectiveSchema(serializers.Serializer[object]):
    """What a candidate must be able to do."""

    code = serializers.CharField()
    slug = serializers.SlugField()
    name = serializers.CharField()


class DomainSchema(serializers.Serializer[object]):
    """A section of a guide. Weights are per cent as published; they need not sum to 100."""

    code = serializers.CharField()
    name = serializers.CharField()
    weight = serializers.IntegerField()
    objectives = ObjectiveSchema(many=True)


class ScaleSchema(serializers.Serializer[object]):
    """The scale on which a vendor reports."""

    lowest = serializers.IntegerField()
    highest = serializers.IntegerField()
    passing = serializers.IntegerField()


class BlueprintSchema(serializers.Serializer[object]):
    """One version of an exam guide. ``mark`` is the share right that passes."""

    version = serializers.CharField()
    effective_from = serializers.DateField()
    effective_to = serializers.DateField(allow_null=True)
    questions_min = serializers.IntegerField()
    questions_max = serializers.IntegerField()
    unscored_questions = serializers.IntegerField()
    minutes = serializers.IntegerField()
    mark = serializers.FloatField()
    mark_source = serializers.ChoiceField(choices=("vendor", "ours"))
    scale = ScaleSchema(allow_null=True)
    domains = DomainSchema(many=True)


class CertificationSchema(serializers.Serializer[object]):
    """A credential that one exam earns."""

    slug = serializers.SlugField()
    code = serializers.CharField()
    name = serializers.CharField()
    level = serializers.CharField()
    vendor = VendorSchema()
    guide_url = serializers.CharField()
    summary = serializers.CharField(allow_blank=True)
    blueprints = serializers.ListField(child=serializers.CharField())


class OptionSchema(serializers.Serializer[object]):
    """An option. ``key`` names it for ever; letters depend on the order shown."""

    key = serializers.CharField()
    html = serializers.CharField()


class ScenarioSchema(serializers.Serializer[object]):
    """A case study shown beside several questions."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    html = serializers.CharField()


class QuestionSchema(serializers.Serializer[object]):
    """A question before it is answered: nothing in it tells the key."""

    id = serializers.CharField()
    slug = serializers.SlugField()
    certification = serializers.SlugField()
    revision = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=_KINDS)
    choose = serializers.IntegerField()
    difficulty = serializers.ChoiceField(choices=_LEVELS)
    exposure = serializers.ChoiceField(
        choices=(Exposure.PUBLIC.value, Exposure.MEMBERS.value)
    )
    scenario = ScenarioSchema(allow_null=True)
    stem_html = serializers.CharField(allow_blank=True)
    exhibits_html = serializers.CharField(allow_blank=True)
    lead_in_html = serializers.CharField(allow_blank=True)
    options = OptionSchema(many=True)
    changed_at = serializers.DateTimeField()


class QuestionPageSchema(serializers.Serializer[object]):
    """One page of questions; ``next`` is the address of the next, or nothing."""

    next = serializers.CharField(allow_null=True)
    results = QuestionSchema(many=True)


class NarrowingInput(serializers.Serializer[object]):
    """What a list of questions is narrowed to."""

    certification = serializers.SlugField(required=False, max_length=60)
    blueprint = serializers.CharField(required=False, max_length=20)
    domain = serializers.CharField(required=False, max_length=10)
    objective = serializers.CharField(required=False, max_length=10)
    kind = serializers.ChoiceField(choices=_KINDS, required=False)
    difficulty = serializers.ChoiceField(choices=_LEVELS, required=False)
    changed_since = serializers.DateTimeField(required=False)
    search = serializers.CharField(required=False, max_length=200)
