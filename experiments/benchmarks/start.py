"""How long a program takes from the start of Python to its first step: without compiled code on disk, and with it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from ..errors import BadInput
from .figures import SECONDS, Bench, Figure, summary

_ROOT = Path(__file__).resolve().parents[2]
_BYTECODE_KEPT = {"PYTHONDONTWRITEBYTECODE": ""}  # as Python does if nobody forbids it

PROGRAMS: Mapping[str, str] = {
    "make_match": "import bdgame_env; env = bdgame_env.make_match({game!r}); env.play(env.legal_actions()[0])",
    "make_batch, N = 1024": (
        "import bdgame_env; env = bdgame_env.make_batch({game!r}, 1024); env.step(env.mask.argmax(1))"
    ),
}
FLOORS: Mapping[str, str] = {
    "python -c pass": "pass",
    "python -c 'import numba, numpy, gymnasium'": "import numba, numpy, gymnasium",
}


def start_figures(bench: Bench, programs: Mapping[str, str] = PROGRAMS) -> list[Figure]:
    """Seconds from the start of Python to the first step.

    Each program is run once with an empty cache folder (if `bench.cold`), then repeatedly with the same folder; the
    first of these runs does not count, as it may read files from the disk.
    """
    figures = [_figure(name, program, None, bench.repetitions) for name, program in FLOORS.items()]
    for name, program in programs.items():
        with tempfile.TemporaryDirectory() as fresh:
            folder = fresh if bench.cold else None  # None: the user's own, with what is compiled there
            text = program.format(game=bench.game.id)
            if bench.cold:
                figures.append(summary(start_name(name, cold=True), SECONDS, [_seconds(text, folder)], min))
            figures.append(_figure(start_name(name, cold=False), text, folder, bench.repetitions))
    return figures


def start_name(program: str, cold: bool) -> str:
    """The name of the figure for a program."""
    return f"from python's start to the first step, {program}, {'cold (compiles)' if cold else 'cached'}"


def _figure(name: str, program: str, folder: str | None, repetitions: int) -> Figure:
    _seconds(program, folder)
    return summary(name, SECONDS, [_seconds(program, folder) for _ in range(repetitions)], min)


def _seconds(program: str, folder: str | None) -> float:
    """Seconds until the program reports that it is done; its exit is not timed.

    Raises:
        BadInput: the program failed.
    """
    command = [sys.executable, "-c", f"{program}\nprint('done', flush=True)"]
    variables = {**os.environ, **_BYTECODE_KEPT, **({} if folder is None else {"BDGAME_ENV_CACHE_DIR": folder})}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        began = time.perf_counter()
        with subprocess.Popen(
            command, cwd=_ROOT, env=variables, stdout=subprocess.PIPE, stderr=complaints, text=True
        ) as process:
            assert process.stdout is not None
            said = process.stdout.readline()
            took = time.perf_counter() - began
        if said != "done\n":
            complaints.seek(0)
            last = complaints.read().strip().rpartition("\n")[2]
            raise BadInput(f"bench: a timed program failed: {last}")
    return took
