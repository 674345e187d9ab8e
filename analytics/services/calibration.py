"""The night's work on a bank: parameters, statistics, and what learners compare with.

Nothing is held open while it computes, and everything is written in one transaction at
the end: until then, and if anything fails, the last good run stays in force.
"""

from __future__ import annotations

import contextlib
import datetime
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q

from analytics.domain import advice, filtering, readiness
from analytics.domain.ability import Population
from analytics.domain.arrays import Floats
from analytics.models import (
    CalibrationRun,
    FormStatistic,
    ItemEstimate,
    ItemStatistic,
)
from analytics.selectors import forms, parameters, responses
from analytics.selectors.responses import Asked, FirstAttempts
from analytics.services import estimating, measuring
from analytics.services.estimating import Fitted
from analytics.services.jobs import LOST
from questions.models import Blueprint, Certification, ItemParameters
from questions.selectors.pages import blueprint_in_force
from questions.services import parameters as bank_parameters

METHOD: Final = 1
"""Raised when the same answers would give other figures."""

ENOUGH_LEARNERS: Final = 30
"""Below so many learners, comparing would say who they are."""

_LOCKS: Final = 0x63616C69
_QUANTILES: Final = 101
_BATCH: Final = 1_000

Progress = Callable[[str], None]


class LockLost(RuntimeError):
    """The database was away meanwhile, and another worker has begun."""


def run(
    *, certification: Certification, at: datetime.datetime, progress: Progress
) -> CalibrationRun | None:
    """Calibrate a bank from all answers so far, and put what was found in force.

    Returns the finished run: the last one, if nothing that counts was answered since.
    One without any first attempt is kept and not put in force. None if another worker
    is at it. ``progress`` is told each stage. What fails is kept with the run, raised
    again, and leaves the last good run in force.
    """
    with _alone(certification.pk) as is_alone:
        if not is_alone:
            return None
        begun = time.perf_counter()
        _give_up_lost(certification, at)
        through, rows = responses.mark(certification_id=certification.pk)
        former = CalibrationRun.objects.filter(
            Q(is_in_force=True) | Q(answers=0),
            certification=certification,
            status=CalibrationRun.Status.FINISHED,
            through=through,
            rows=rows,
            code_version=code_version(),
        ).first()
        if former is not None:
            return former
        found = CalibrationRun.objects.create(
            certification=certification,
            status=CalibrationRun.Status.RUNNING,
            through=through,
            rows=rows,
            started_at=at,
            code_version=code_version(),
        )
        try:
            _Calibrating(run=found, begun=begun, progress=progress).work()
        except Exception as error:
            _fail(found, begun, f"{type(error).__name__}: {error}")
            raise
        return found


def code_version() -> str:
    """Return what figures are made by: the release, and the method's own number."""
    return f"{settings.VERSION}, method {METHOD}"


def told(*, run: CalibrationRun, is_new: bool) -> str:
    """Return what a finished run came to, in a sentence."""
    if not run.answers:
        return "No first attempts yet; the authors' difficulties stay."
    if not is_new:
        return (
            "Nothing that counts was answered since the run of"
            f" {run.started_at:%Y-%m-%d %H:%M} (simulated people do not count)."
        )
    in_use = ItemParameters.objects.filter(run=run.pk).count()
    return (
        f"{run.answers:,} first attempts of {run.learners:,} people. Revisions:"
        f" {run.revisions:,} estimated, {in_use:,} in use"
        f" ({estimating.ENOUGH_ANSWERS} answers needed)."
        + (" The fit stopped before it settled." if run.has_converged is False else "")
    )


@contextlib.contextmanager
def _alone(certification_id: int) -> Iterator[bool]:
    """Hold the certification's lock, if it is free; it ends with the connection."""
    if not _locked("pg_try_advisory_lock", certification_id):
        yield False
        return
    try:
        yield True
    finally:
        # A connection that was lost has let go of it already.
        with contextlib.suppress(Exception):
            _locked("pg_advisory_unlock", certification_id)


def _locked(function: str, certification_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [_LOCKS, certification_id])
        (is_done,) = cursor.fetchone()
    return bool(is_done)


def _give_up_lost(certification: Certification, at: datetime.datetime) -> None:
    """Mark runs whose worker is gone: whoever holds the lock knows that none works."""
    CalibrationRun.objects.filter(
        certification=certification, status=CalibrationRun.Status.RUNNING
    ).update(status=CalibrationRun.Status.FAILED, finished_at=at, error=LOST)


def _fail(run: CalibrationRun, begun: float, error: str) -> None:
    run.status = CalibrationRun.Status.FAILED
    run.is_in_force = False
    run.finished_at = _later(run, begun)
    run.error = error
    run.save(update_fields=["status", "is_in_force", "finished_at", "error", "stages"])


def _later(run: CalibrationRun, begun: float) -> datetime.datetime:
    return run.started_at + datetime.timedelta(seconds=time.perf_counter() - begun)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """Everything that one run writes."""

    estimates: list[ItemEstimate]
    statistics: list[ItemStatistic]
    forms: list[FormStatistic]
    parameters: list[ItemParameters]
    beliefs: filtering.Beliefs | None


class _Calibrating:
    """One run's work, stage by stage."""

    def __init__(
        self, *, run: CalibrationRun, begun: float, progress: Progress
    ) -> None:
        self.run = run
        self.begun = begun
        self.progress = progress
        self.blueprint: Blueprint | None = blueprint_in_force(
            certification=run.certification, on=run.started_at.date()
        )

    def work(self) -> None:
        blueprint_id = None if self.blueprint is None else self.blueprint.pk
        with self._stage("read"):
            where = {
                "certification_id": self.run.certification_id,
                "through": self.run.through,
            }
            asked = responses.bank(
                certification_id=self.run.certification_id, blueprint_id=blueprint_id
            )
            attempts, chosen = responses.first_attempts(**where, asked=asked)
            sat = forms.form_sittings(**where, asked=asked, chosen=chosen)
        with self._stage("fit"):
            fitted = estimating.fit(asked=asked, attempts=attempts)
        with self._stage("filter"):
            beliefs, ability = self._replay(asked, attempts, fitted)
        with self._stage("measure"):
            found = _Found(
                estimates=estimating.estimates(asked=asked, fitted=fitted),
                statistics=measuring.item_statistics(
                    asked=asked, attempts=attempts, chosen=chosen, ability=ability
                ),
                forms=measuring.form_statistics(asked=asked, chosen=chosen, forms=sat),
                parameters=estimating.parameters(asked=asked, fitted=fitted),
                beliefs=beliefs,
            )
        self.run.rows = attempts.rows
        self.run.learners = attempts.learners
        self.run.answers = len(attempts.learner)
        self._write(found, fitted)

    @contextlib.contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        self.progress(name)
        begun = time.perf_counter()
        yield
        self.run.stages[name] = round(time.perf_counter() - begun, 3)

    def _replay(
        self, asked: Sequence[Asked], attempts: FirstAttempts, fitted: Fitted | None
    ) -> tuple[filtering.Beliefs | None, Floats]:
        """Return what is believed of learners, and the ability before each attempt."""
        if fitted is None:
            return None, np.zeros(0)
        questions = fitted.calibration.questions
        place = np.full(len(asked), -1)
        place[fitted.used] = np.arange(len(fitted.used))
        number = {pk: n for n, pk in enumerate(self._domains())}
        domain = np.array([number.get(each.domain or 0, -1) for each in asked])
        if not number:
            domain[:] = 0
        entry = place[attempts.revision]
        return filtering.replay(
            log=filtering.Log(
                learner=attempts.learner,
                domain=domain[attempts.revision],
                slope=questions.slope[entry],
                difficulty=questions.difficulty[entry],
                guess=questions.guess[entry],
                is_right=attempts.is_right,
                day=attempts.day,
            ),
            learners=attempts.learners,
            domains=max(len(number), 1),
            population=Population(),
        )

    def _domains(self) -> list[int]:
        """Return the domains in the order in which learners' abilities have them."""
        if self.blueprint is None:
            return []
        return list(self.blueprint.domains.order_by("pk").values_list("pk", flat=True))

    def _write(self, found: _Found, fitted: Fitted | None) -> None:
        """Write everything and put it in force if it rests on anything; or nothing."""
        run = self.run
        with transaction.atomic():
            if not _locked("pg_try_advisory_xact_lock", run.certification_id):
                raise LockLost
            with self._stage("write"):
                rows: list[ItemEstimate | ItemStatistic | FormStatistic] = [
                    *found.estimates,
                    *found.statistics,
                    *found.forms,
                ]
                for row in rows:
                    row.run = run
                ItemEstimate.objects.bulk_create(found.estimates, batch_size=_BATCH)
                ItemStatistic.objects.bulk_create(found.statistics, batch_size=_BATCH)
                FormStatistic.objects.bulk_create(found.forms, batch_size=_BATCH)
                bank_parameters.record(
                    parameters=found.parameters, at=run.started_at, run=run.pk
                )
                run.status = CalibrationRun.Status.FINISHED
                if fitted is not None:
                    self._put_in_force(len(found.estimates), fitted)
            with self._stage("compare"):
                self._compare(found.beliefs)
            run.finished_at = _later(run, self.begun)
            run.save()

    def _put_in_force(self, revisions: int, fitted: Fitted) -> None:
        run = self.run
        CalibrationRun.objects.filter(
            certification=run.certification_id, is_in_force=True
        ).update(is_in_force=False)
        convergence = fitted.calibration.convergence
        run.is_in_force = True
        run.revisions = revisions
        run.finished_at = _later(run, self.begun)
        run.nodes = convergence.nodes
        run.steps = convergence.steps
        run.has_converged = convergence.has_converged
        run.log_likelihood = convergence.log_likelihood
        run.save()

    def _compare(self, beliefs: filtering.Beliefs | None) -> None:
        """Keep the quantiles of expected scores, as of each learner's last answer."""
        if beliefs is None or self.blueprint is None:
            return
        exam = parameters.question_table(blueprint=self.blueprint).exam
        if exam is None:
            return
        is_heavy = exam.weights > advice.HEAVY_DOMAIN
        is_enough = (beliefs.answers.sum(axis=1) >= advice.ENOUGH_ANSWERS) & (
            beliefs.answers[:, is_heavy] > 0
        ).all(axis=1)
        every = np.arange(beliefs.mean.shape[1])
        scores = readiness.expected_scores(
            exam=exam,
            mean=beliefs.mean[is_enough],
            variance=beliefs.covariance[is_enough][:, every, every],
        )
        if len(scores) >= ENOUGH_LEARNERS:
            steps = np.linspace(0.0, 1.0, _QUANTILES)
            self.run.cohort = np.quantile(scores, steps).tolist()
            self.run.cohort_learners = len(scores)
