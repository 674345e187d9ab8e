"""Django's handle on the wiring."""

from django.apps import AppConfig


class CourseivaConfig(AppConfig):
    """The site as a whole."""

    name = "courseiva"

    def ready(self) -> None:
        """Make the Celery app the one that tasks are sent by, and watch connections."""
        from courseiva import (
            celery,  # noqa: F401
            reconnecting,
        )

        reconnecting.watch()
