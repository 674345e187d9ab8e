"""What answers tell us. Import models from here."""

from analytics.models.log import ResponseLog

__all__ = ["ResponseLog"]
