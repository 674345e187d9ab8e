"""The Celery app and the beat schedule, in one place."""

from __future__ import annotations

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")

app = Celery("courseiva")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# Times are UTC. docs/operations.md says what each job is for.
app.conf.beat_schedule = {
    "clear expired sessions": {
        "task": "accounts.tasks.clear_expired_sessions",
        "schedule": crontab(hour="3", minute="20"),
    },
    "build waiting exports": {
        "task": "accounts.tasks.build_waiting_exports",
        "schedule": crontab(minute="*/10"),
    },
    "sweep what has expired": {
        "task": "accounts.tasks.sweep_expired",
        "schedule": crontab(minute="40"),
    },
    "erase who asked for it": {
        "task": "accounts.tasks.erase_due",
        "schedule": crontab(hour="4", minute="10"),
    },
    "close overdue sittings": {
        "task": "questions.exams.tasks.close_overdue_sittings",
        "schedule": 30.0,
    },
    "calibrate": {
        "task": "analytics.tasks.calibrate_all",
        "schedule": crontab(hour="2", minute="30"),
    },
    "sweep learners": {
        "task": "analytics.tasks.sweep_learners",
        "schedule": crontab(),
    },
    "rebuild learners": {
        "task": "analytics.tasks.rebuild_learners",
        "schedule": crontab(hour="5", minute="10"),
    },
    "close daily practice": {
        "task": "questions.exams.tasks.close_daily_practice",
        "schedule": crontab(hour="0", minute="10"),
    },
}
