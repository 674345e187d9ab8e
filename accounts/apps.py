"""Django's handle on this app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People."""

    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Connect the receivers."""
        from accounts import receivers  # noqa: F401
