"""Examples of what answers tell, for the schema."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

_READINESS: Final[dict[str, Any]] = {
    "certification": "pmle",
    "blueprint": "2026-06",
    "is_enrolled": True,
    "exam_date": "2027-02-01",
    "on": "2027-02-01",
    "mark": 0.7,
    "state": "shown",
    "chance": {"text": "70 %", "percent": 70, "bound": None},
    "missing": {"first_attempts": 0, "domains": []},
    "expected": 0.7214,
    "low": 0.6402,
    "high": 0.7893,
    "evidence": {"first_attempts": 412, "domains_covered": 6, "domains": 6},
    "domains": [
        {
            "code": "4",
            "name": "Serving and scaling models",
            "weight": 0.2,
            "first_attempts": 84,
            "expected": 0.7561,
            "low": 0.6604,
            "high": 0.8377,
            "points": 1.122,
        }
    ],
    "gains": [
        {
            "objective": "3.2",
            "name": "Training models",
            "domain": "3",
            "questions": 20,
            "score": 0.0083,
            "first_attempts": 21,
            "first_right": 12,
        }
    ],
    "trend": [
        {
            "date": "2026-11-29",
            "expected": 0.7188,
            "low": 0.6391,
            "high": 0.7874,
            "first_attempts": 398,
        }
    ],
    "moved": None,
    "calibration": 17,
    "made_at": "2026-12-01T09:00:00Z",
    "rows_behind": 0,
}
READINESS: Final = OpenApiExample(
    "Enough is known", value=_READINESS, response_only=True
)
TOO_LITTLE: Final = OpenApiExample(
    "Not enough evidence yet",
    value={
        **_READINESS,
        "state": "not_enough_evidence",
        "chance": None,
        "missing": {"first_attempts": 18, "domains": ["3"]},
        "expected": 0.6127,
        "low": 0.4411,
        "high": 0.7705,
        "evidence": {"first_attempts": 12, "domains_covered": 2, "domains": 6},
        "trend": [],
    },
    response_only=True,
)

_TALLY: Final = {
    "answered": 480,
    "right": 341,
    "first_attempts": 412,
    "first_right": 288,
    "seconds": 32640,
}
STATISTICS: Final = OpenApiExample(
    "Figures",
    value={
        "certification": "pmle",
        "blueprint": "2026-06",
        "total": {**_TALLY, "omitted": 3, "shown": 9},
        "streak": {"days": 4, "longest": 12},
        "days": [{"date": "2026-12-01", **_TALLY}],
        "weeks": [{"monday": "2026-11-30", **_TALLY}],
        "domains": [
            {
                "code": "3",
                "name": "Scaling prototypes into models",
                **_TALLY,
                "objectives": [{"code": "3.2", "name": "Training models", **_TALLY}],
            }
        ],
        "difficulties": [{"difficulty": "medium", **_TALLY}],
        "kinds": [{"kind": "single", **_TALLY}],
        "modes": [{"mode": "practice", **_TALLY, "median_seconds": 71.0}],
        "exam_seconds": 120.0,
        "traps": [
            {
                "question": "k3v9w2m7x4pq",
                "revision": 1,
                "title": "A backfill through the front door",
                "chosen": ["slower-script"],
                "times": 2,
                "last_date": "2026-11-28",
            }
        ],
        "made_at": "2026-12-01T09:00:00Z",
        "rows_behind": 0,
    },
    response_only=True,
)

ENTRY: Final = OpenApiExample(
    "An answer",
    value={
        "question": "k3v9w2m7x4pq",
        "revision": 1,
        "certification": "pmle",
        "sitting": "0d6a3c1e-6a0e-4a6e-9a53-0f6c4d9c2b11",
        "position": 3,
        "mode": "practice",
        "chosen": ["batch-from-registry"],
        "is_right": True,
        "was_shown": False,
        "is_voided": False,
        "is_first_attempt": True,
        "seconds": 64,
        "answered_at": "2026-12-01T09:00:00Z",
    },
    response_only=True,
)
