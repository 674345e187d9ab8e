"""What calibration found, as rows."""

from __future__ import annotations

import datetime

from analytics.models import CalibrationRun, ItemEstimate, ItemStatistic
from questions.models import ItemParameters

NOW = datetime.datetime(2026, 12, 1, 2, 30, tzinfo=datetime.UTC)


def make_run(certification, *, at=NOW, in_force=True, **changes):
    usual = {
        "status": CalibrationRun.Status.FINISHED,
        "through": 0,
        "rows": 120,
        "answers": 120,
        "learners": 60,
        "has_converged": True,
        "code_version": "test",
    }
    return CalibrationRun.objects.create(
        certification=certification,
        started_at=at,
        finished_at=at + datetime.timedelta(minutes=1),
        is_in_force=in_force,
        **{**usual, **changes},
    )


def make_statistic(run, revision, *, attempts=60, mode="", **changes):
    """Record that the last option, a distractor, drew the able."""
    options = list(revision.options.order_by("position"))
    shares = [0.0] * len(options)
    shares[0], shares[-1] = 0.4, 0.6
    usual = {
        "facility": 0.4,
        "discrimination": 0.05,
        "median_seconds": 71.0,
        "options": [
            {
                "key": option.key,
                "is_key": option.is_key,
                "chosen": round(share * attempts),
                "share": share,
                "mean_ability": 0.2,
                "correlation": 0.3 if option is options[-1] else 0.0,
            }
            for option, share in zip(options, shares, strict=True)
        ],
        "curves": [
            {"attempts": attempts // 2, "ability": ability, "shares": shares}
            for ability in (-1.0, 1.0)
        ],
        "concerns": ["wrong_key", "no_discrimination", "idle_distractor"],
    }
    return ItemStatistic.objects.create(
        run=run,
        revision=revision,
        mode=mode,
        attempts=attempts,
        **{**usual, **changes},
    )


def make_estimate(run, revision, difficulty=0.4, **changes):
    usual = {
        "attempts": 60,
        "slope": 1.1,
        "slope_error": 0.2,
        "difficulty": difficulty,
        "difficulty_error": 0.25,
        "guess": 0.25,
    }
    return ItemEstimate.objects.create(
        run=run, revision=revision, **{**usual, **changes}
    )


def put_in_use(run, revisions):
    """Have these revisions stand as that run found them."""
    return [
        ItemParameters.objects.create(
            revision=revision,
            slope=1.1,
            difficulty=0.4,
            guess=0.25,
            slope_error=0.2,
            difficulty_error=0.25,
            attempts=60,
            run=run.pk,
            recorded_at=run.started_at,
        )
        for revision in revisions
    ]
