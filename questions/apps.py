"""Django's handle on this app."""

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """The bank."""

    name = "questions"
    verbose_name = "The bank"
