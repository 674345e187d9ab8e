"""The Celery app and the beat schedule, in one place."""

from __future__ import annotations

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")

app = Celery("courseiva")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.update(
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": 4 * 60 * 60,
        # A request that queues something does not wait for a server that is away, nor
        # for one that accepts and never answers: without these, for six seconds and for
        # ever. A worker asks for work a second at a time (``brpop_timeout`` of kombu);
        # the socket must wait for longer than that.
        "socket_connect_timeout": 2,
        "socket_timeout": 2,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
    },
    task_ignore_result=True,
    # A task is taken off the queue when it has ended, so that a worker which goes away
    # loses none. One whose own process is killed is not tried for ever: sweeps find it.
    task_acks_late=True,
    task_time_limit=60 * 60,
    worker_prefetch_multiplier=1,
    timezone="UTC",
    # What measures waits in a queue of its own, so that it can have a worker of its own.
    task_routes={"analytics.tasks.*": {"queue": "analytics"}},
)

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
    "watch readiness": {
        "task": "analytics.tasks.watch_readiness",
        "schedule": crontab(hour="5", minute="40"),
    },
    "close daily practice": {
        "task": "questions.exams.tasks.close_daily_practice",
        "schedule": crontab(hour="0", minute="10"),
    },
}
