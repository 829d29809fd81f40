"""Checks that the rule tests find faults: `python -m tests.support.mutants [game ...]` (`make mutants`).

Each fault listed in mutants.toml is made in a copy of the checkout, and the rule tests of its game run there without
the JIT until one fails. A mutant that survives, or whose text is not found, fails the run. JOBS (2) run at once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("bdgame_env", "agents", "experiments", "tests", "pyproject.toml")
LINKS = ("agents", "experiments")  # in bdgame_env, set by `make venv`
KILLED, SURVIVED = 1, 0  # exit codes of pytest


@dataclass(frozen=True)
class Mutant:
    """One fault: a text in a module of a game or of the engine, and its replacement."""

    part: str
    rule: str
    file: str
    old: str
    new: str

    @property
    def path(self) -> Path:
        """The module's path, relative to the root."""
        return Path("bdgame_env") / ("engine" if self.part == "engine" else f"games/{self.part}") / self.file

    @property
    def tests(self) -> list[str]:
        """The tests of the rules that the module implements."""
        if self.part == "engine":
            return ["tests/engine/test_rng.py", "tests/engine/test_batch.py"]
        folder = ROOT / "tests" / "games" / self.part
        return [path.relative_to(ROOT).as_posix() for path in sorted(folder.glob("test_[a-z][0-9]*.py"))]

    def applied_to(self, text: str) -> str:
        """The module's text with the fault.

        Raises:
            ValueError: the text to replace does not occur, or occurs more than once.
        """
        if text.count(self.old) != 1:
            raise ValueError(f"{self.path}: {self.old!r} is there {text.count(self.old)} times, must be once")
        return text.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """All mutants listed in mutants.toml."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return [Mutant(part, **entry) for part, entries in listed.items() for entry in entries]


def copy_checkout(into: Path) -> Path:
    """Copy what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", *(LINKS if name == "bdgame_env" else ()))
            shutil.copytree(source, into / name, ignore=ignored)
        else:
            shutil.copy(source, into / name)
    return into


def killer_of(mutant: Mutant, checkout: Path) -> str:
    """The first test that fails with this fault; "" if none does."""
    path = checkout / mutant.path
    sound = path.read_text("utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        path.write_text(mutant.applied_to(sound), "utf-8")
        done = subprocess.run(
            [*command, *mutant.tests], cwd=checkout, env=environment, capture_output=True, text=True, check=False
        )
    finally:
        path.write_text(sound, "utf-8")
    found = re.search(r"^FAILED (\S+)", done.stdout, re.M)
    if done.returncode == KILLED and found:
        return found.group(1)
    if done.returncode == SURVIVED:
        return ""
    raise RuntimeError(f"{mutant.rule}: pytest exits with {done.returncode}\n{done.stdout}{done.stderr}")


def main(parts: list[str]) -> None:
    """Try all mutants, or those of some parts, and print what killed each."""
    chosen = [mutant for mutant in mutants() if not parts or mutant.part in parts]
    for mutant in chosen:  # before anything is run
        mutant.applied_to((ROOT / mutant.path).read_text("utf-8"))
    jobs = int(os.environ.get("JOBS", "2"))
    with tempfile.TemporaryDirectory() as folder:
        checkouts: Queue[Path] = Queue()
        for number in range(jobs):
            checkouts.put(copy_checkout(Path(folder) / str(number)))

        def run(mutant: Mutant) -> str:
            checkout = checkouts.get()
            try:
                return killer_of(mutant, checkout)
            finally:
                checkouts.put(checkout)

        survivors = 0
        with ThreadPoolExecutor(jobs) as pool:
            for mutant, killer in zip(chosen, pool.map(run, chosen), strict=True):
                survivors += not killer
                print(f"{mutant.part:13}{mutant.rule:62}{killer or 'SURVIVES'}", flush=True)
    print(f"{len(chosen)} mutants, {survivors} survive")
    raise SystemExit(bool(survivors))


if __name__ == "__main__":
    main(sys.argv[1:])
