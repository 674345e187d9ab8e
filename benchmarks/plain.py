"""One question with nested serializers over the same rows."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from rest_framework import generics, serializers

from questions.models import Certification, Option, Question, Revision


class OptionSerializer(serializers.ModelSerializer[Option]):
    """An option without its key."""

    class Meta:
        model = Option
        fields: ClassVar = ["key", "text"]


class RevisionSerializer(serializers.ModelSerializer[Revision]):
    """The words."""

    options = OptionSerializer(many=True)

    class Meta:
        model = Revision
        fields: ClassVar = [
            "number",
            "title",
            "kind",
            "choose",
            "difficulty",
            "stem",
            "lead_in",
            "options",
        ]


class QuestionSerializer(serializers.ModelSerializer[Question]):
    """The question."""

    certification: serializers.SlugRelatedField[Certification] = (
        serializers.SlugRelatedField(slug_field="slug", read_only=True)
    )
    published_revision = RevisionSerializer()

    class Meta:
        model = Question
        fields: ClassVar = [
            "public_id",
            "slug",
            "certification",
            "exposure",
            "changed_at",
            "published_revision",
        ]


class OneQuestion(generics.RetrieveAPIView[Question]):
    """As the framework's own pages teach it."""

    queryset = (
        Question.objects.public()
        .select_related("certification", "published_revision")
        .prefetch_related("published_revision__options")
    )
    serializer_class = QuestionSerializer
    lookup_field = "public_id"


urlpatterns = [path("api/v1/questions/<slug:public_id>", OneQuestion.as_view())]
