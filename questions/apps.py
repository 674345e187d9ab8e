"""Django's handle on this app."""

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """The bank."""

    name = "questions"
    verbose_name = "The bank"

    def ready(self) -> None:
        """Connect the receivers."""
        from questions import receivers  # noqa: F401
