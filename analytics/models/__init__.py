"""What answers tell us. Import models from here."""

from analytics.models.calibration import (
    CalibrationRun,
    FormStatistic,
    ItemEstimate,
    ItemStatistic,
)
from analytics.models.jobs import JobRun
from analytics.models.learners import (
    ChanceMap,
    Forecast,
    LearnerFigures,
    LearnerState,
)
from analytics.models.log import ResponseLog

__all__ = [
    "CalibrationRun",
    "ChanceMap",
    "Forecast",
    "FormStatistic",
    "ItemEstimate",
    "ItemStatistic",
    "JobRun",
    "LearnerFigures",
    "LearnerState",
    "ResponseLog",
]
