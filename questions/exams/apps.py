"""Django's handle on this app."""

from django.apps import AppConfig


class ExamsConfig(AppConfig):
    """Sits learners down. Tables and migrations follow the label, not the path."""

    name = "questions.exams"
    label = "exams"
    verbose_name = "Sittings"
