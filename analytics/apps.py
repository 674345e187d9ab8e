"""Django's handle on this app."""

from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    """Measures."""

    name = "analytics"

    def ready(self) -> None:
        """Listen to what is scored."""
        from analytics import receivers  # noqa: F401
