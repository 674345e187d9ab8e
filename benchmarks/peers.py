"""Fit answers with one program, ours or another's: ``python peers.py NAME FILE``.

Run by ``calibrate.py``, under a Python that has the program; nothing else is needed. The
others take whole matrices, with a cell for each learner and question, met or not.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

_MOST_BYTES: Final = 16 << 30
"""More than this, and the program is told that there is no memory."""


def main(name: str, file: Path) -> None:
    """Fit, keep slopes and difficulties beside the file, and print time and memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
    answers = dict(np.load(file))
    fit = PROGRAMS[name]
    said, slope, difficulty, seconds = fit(answers)
    np.savez(file.with_name(f"{name}.npz"), slope=slope, difficulty=difficulty)
    print(json.dumps({"name": said, "seconds": seconds, "peak": peak_of("self")}))


def peak_of(pid: int | str) -> float:
    """Return the most memory a process had, in GB. Its usage tells its parent's too."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(each for each in status.splitlines() if each.startswith("VmHWM"))
    return int(line.split()[1]) / 1e6


def _ours(answers: dict[str, Any]) -> tuple[str, Any, Any, float]:
    calibration = importlib.import_module("analytics.domain.calibration")
    irt = importlib.import_module("analytics.domain.irt")
    asked = irt.Answers(
        learner=answers["learner"],
        question=answers["question"],
        is_right=answers["is_right"],
        learners=int(answers["learner"].max()) + 1,
        questions=len(answers["guess"]),
    )
    begun = time.perf_counter()
    found = calibration.fit(answers=asked, guess=answers["guess"])
    seconds = time.perf_counter() - begun
    return "ours", found.questions.slope, found.questions.difficulty, seconds


def _mirt(answers: dict[str, Any]) -> tuple[str, Any, Any, float]:
    """Leave guessing out: told the floor, it leaves its fast path and takes hours."""
    mirt = importlib.import_module("mirt")
    cells = _matrix(answers, empty=-1, kind=np.int8)
    begun = time.perf_counter()
    found = mirt.fit_mirt(cells, n_quadpts=61)
    seconds = time.perf_counter() - begun
    kept = found.model.parameters
    return (
        f"mirt {mirt.__version__}, without guessing",
        kept["discrimination"].ravel(),
        kept["difficulty"].ravel(),
        seconds,
    )


def _theta(answers: dict[str, Any]) -> tuple[str, Any, Any, float]:
    """Leave guessing out: it can't be told the floor, and its own estimates run away."""
    theta = importlib.import_module("theta")
    cells = _matrix(answers, empty=np.nan, kind=np.float32)
    begun = time.perf_counter()
    found = theta.fit(cells)
    seconds = time.perf_counter() - begun
    return (
        f"theta-irt {theta.__version__}, without guessing",
        np.asarray(found.a),
        np.asarray(found.b),
        seconds,
    )


def _matrix(answers: dict[str, Any], *, empty: float, kind: Any) -> Any:
    shape = (int(answers["learner"].max()) + 1, len(answers["guess"]))
    cells = np.full(shape, empty, dtype=kind)
    cells[answers["learner"], answers["question"]] = answers["is_right"]
    return cells


PROGRAMS: Final = {"ours": _ours, "mirt": _mirt, "theta": _theta}

if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
