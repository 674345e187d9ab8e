"""The nightly task as a whole: from millions of logged answers to written statistics.

A worker of its own takes the task from the queue, so that time and memory are those of
the task. Where ``PEERS`` names a Python that has them, other programs fit the answers of
some of the same learners, each in a process of its own, and so do we.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import psutil

from analytics import tasks
from analytics.domain import irt
from analytics.domain.arrays import Floats, Ints
from analytics.models import CalibrationRun, ItemEstimate, JobRun
from analytics.models.calibration import STAGES
from analytics.selectors import responses
from benchmarks import bank, log_rows, measures, peers
from benchmarks.ground import ROOT, Ground
from benchmarks.log_rows import Written
from courseiva import programs
from questions.models import Certification

_SECONDS: Final = 120.0
_GIGABYTES: Final = 2.5
_AWAY: Final = 0.115
_PATIENCE: Final = 600
"""Seconds for the task, and for each program; then it is stopped."""


def run(*, ground: Ground, asked: argparse.Namespace) -> None:
    """Write a log, have it calibrated, and say how long each stage took."""
    measures.prepare()
    bank.grow(asked.questions)
    certification = Certification.objects.get(slug="pmle")
    written = log_rows.write(
        certification=certification, learners=asked.learners, seed=asked.seed
    )
    print(
        f"{written.rows:,} rows of {asked.learners:,} learners,"
        f" {len(written.revisions):,} questions of {asked.questions:,} in the bank",
        flush=True,
    )
    found, job, used = _by_a_worker(ground, certification)
    _tell_stages(found, job, used)
    _tell_distance(found, written)
    _tell_peers(ground.folder, found, written, asked.peers_learners)


def _by_a_worker(
    ground: Ground, certification: Certification
) -> tuple[CalibrationRun, JobRun, str]:
    """Return the run, its job, and what the worker used of processor and memory."""
    worker = programs.start(
        name="worker",
        command=[
            *(sys.executable, "-m", "celery", "-A", "courseiva.celery", "worker"),
            *("--pool", "solo", "--queues", "analytics", "--loglevel", "ERROR"),
        ],
        home=ground.folder,
        folder=ROOT,
        environment=dict(os.environ),
    )
    try:
        tasks.calibrate.delay(certification.pk)
        job = None
        for _ in range(2 * _PATIENCE):
            time.sleep(0.5)
            worker.check()
            job = JobRun.objects.filter(finished_at__isnull=False).first()
            if job is not None:
                break
        if job is None or not job.is_good:
            sys.exit(f"The task failed: {job.said if job else 'it took too long'}")
        times = psutil.Process(worker.process.pid).cpu_times()
        used = (
            f"{times.user + times.system:.1f} s |"
            f" {peers.peak_of(worker.process.pid):.2f} GB (aim {_GIGABYTES:g})"
        )
    finally:
        worker.stop()
    return CalibrationRun.objects.get(is_in_force=True), job, used


def _tell_stages(found: CalibrationRun, job: JobRun, used: str) -> None:
    if job.finished_at is None:
        return
    whole = (job.finished_at - job.started_at).total_seconds()
    stages = {name: found.stages[name] for name in STAGES}
    stages["rest"] = whole - sum(stages.values())
    settled = "settled" if found.has_converged else "did not settle"
    print(f"{job.said} {found.nodes} nodes, {settled} in {found.steps} steps.\n")
    print(f"| {' | '.join(stages)} | whole task | CPU of the worker | peak |")
    print("| --- " * (len(stages) + 3) + "|")
    print(
        f"| {' | '.join(f'{seconds:.1f}' for seconds in stages.values())}"
        f" | {whole:.1f} s (aim {_SECONDS:g}) | {used} |\n",
        flush=True,
    )


def _tell_distance(found: CalibrationRun, written: Written) -> None:
    place = {revision: n for n, revision in enumerate(written.revisions.tolist())}
    rows = ItemEstimate.objects.filter(run=found).values_list(
        "revision", "slope", "difficulty"
    )
    known = [row for row in rows if row[0] in place]
    where = np.array([place[row[0]] for row in known])
    slope, difficulty = np.array([row[1:] for row in known]).T
    print(
        "Distance from the truth: "
        + _distance(slope, difficulty, written.questions, where)
        + f" (aim {_AWAY:g} for b without guessing)\n",
        flush=True,
    )


def _distance(slope: Floats, difficulty: Floats, truth: irt.Questions, at: Ints) -> str:
    b, a = truth.difficulty[at], truth.slope[at]
    near = np.abs(b) < 2
    return (
        f"b RMSE {_away(difficulty, b):.3f}, within 2 logits"
        f" {_away(difficulty[near], b[near]):.3f},"
        f" r {np.corrcoef(difficulty, b)[0, 1]:.4f}; a RMSE {_away(slope, a):.3f}"
    )


def _away(found: Floats, truth: Floats) -> float:
    return float(np.sqrt(np.mean((found - truth) ** 2)))


def _tell_peers(
    folder: Path, found: CalibrationRun, written: Written, learners: int
) -> None:
    """Have the answers of some learners fitted by each program."""
    place = {revision: n for n, revision in enumerate(written.revisions.tolist())}
    asked = [
        each
        for each in responses.bank(
            certification_id=found.certification_id, blueprint_id=None
        )
        if each.revision in place
    ]
    attempts, _ = responses.first_attempts(
        certification_id=found.certification_id, through=found.through, asked=asked
    )
    is_ours = attempts.learner < learners
    used, question = np.unique(attempts.revision[is_ours], return_inverse=True)
    where = np.array([place[asked[n].revision] for n in used.tolist()])
    answers = folder / "answers.npz"
    np.savez(
        answers,
        learner=attempts.learner[is_ours],
        question=question,
        is_right=attempts.is_right[is_ours],
        guess=written.questions.guess[where],
    )
    print(f"The same answers of {learners:,} learners, {is_ours.sum():,} in all\n")
    print("| program | seconds | peak | distance from the truth |")
    print("| --- | --- | --- | --- |")
    theirs = os.environ.get("PEERS")
    for name in peers.PROGRAMS if theirs else ("ours",):
        python = sys.executable if name == "ours" else str(theirs)
        told = _fitted(python, name, answers)
        if "failed" in told:
            print(f"| {name} | – | – | {told['failed']} |", flush=True)
            continue
        fit = np.load(answers.with_name(f"{name}.npz"))
        away = _distance(fit["slope"], fit["difficulty"], written.questions, where)
        print(
            f"| {told['name']} | {told['seconds']:.1f} | {told['peak']:.2f} GB | {away} |",
            flush=True,
        )


def _fitted(python: str, name: str, answers: Path) -> dict[str, Any]:
    """Have a program fit the answers; return what it says of it."""
    try:
        done = subprocess.run(
            [python, str(ROOT / "benchmarks" / "peers.py"), name, str(answers)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"stopped after {_PATIENCE} s"}
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        return {"failed": f"ended with {done.returncode}: {reason}"}
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said
