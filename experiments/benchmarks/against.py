"""`bench --against`: the speed of this checkout as a ratio to that of another commit, measured in one run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bdgame_env.engine.quoting import cut, shown

from ..command_name import CHECKOUT
from ..errors import BadInput

LEAST = 0.9  # a game that is slower than this fails
REPETITIONS = 31  # of each side
_UNSET = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")  # what tests set: it would be measured too
_WORKER = Path(__file__).with_name("against_worker.py")

Speed = Callable[[str], float]  # measures a game once: decisions per second


@dataclass(frozen=True)
class Comparison:
    """A game's speed now and before.

    Attributes:
        game: its id.
        now: median of the repetitions, decisions per second.
        before: likewise.
        ratio: median of the ratios of repetitions that follow each other: drifts of the machine's speed cancel.
        low: lower quartile of these ratios.
        high: upper quartile.
    """

    game: str
    now: float
    before: float
    ratio: float
    low: float
    high: float

    @property
    def slower(self) -> bool:
        """Whether it is too slow."""
        return self.ratio < LEAST

    def __str__(self) -> str:
        verdict = f", slower than {LEAST}" if self.slower else ""
        speeds = f"{self.now:,.0f} against {self.before:,.0f} decisions/s"
        return f"{self.game}: {self.ratio:.2f} ({self.low:.2f}-{self.high:.2f}){verdict}; {speeds}"


def against(ref: str, game: str | None) -> bool:
    """Print the ratio of each game; returns whether none is too slow.

    Raises:
        BadInput: in one line, what prevents the comparison.
    """
    if CHECKOUT is None:
        raise BadInput("--against compares commits: it needs a checkout, not an installed package")
    with worktree(CHECKOUT, ref) as (folder, commit), Side(CHECKOUT, "here") as now, Side(folder, commit) as before:
        shared = [name for name in now.games if name in before.games]
        if game is not None and game not in shared:
            raise BadInput(f"{shown(game)} is not a game of both sides; those are: {', '.join(shared)}")
        if not shared:
            raise BadInput(f"{commit} has none of these games: {', '.join(now.games)}")
        print(f"random play, 1024 games, observation and mask, 1 thread; this checkout / {commit}, medians (quartiles)")
        for name in now.games if game is None else ():
            if name not in shared:
                print(f"{name}: not in {commit}")
        slower = False
        for name in shared if game is None else [game]:
            found = compare(name, now.speed, before.speed)
            if found.slower:  # perhaps by chance
                found = max(found, compare(name, now.speed, before.speed), key=lambda one: one.ratio)
            slower |= found.slower
            print(found, flush=True)
    return not slower


def compare(game: str, now: Speed, before: Speed, repetitions: int = REPETITIONS) -> Comparison:
    """Measure both sides in turn, once to warm up; the one that begins changes, as the second may find less cache."""
    sides = (now, before)
    for measure in sides:
        measure(game)
    pairs = []
    for repetition in range(repetitions):
        order = (0, 1) if repetition % 2 == 0 else (1, 0)
        speeds = {side: sides[side](game) for side in order}
        pairs.append((speeds[0], speeds[1]))
    ratios = [first / second for first, second in pairs]
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive") if repetitions > 1 else ratios * 3
    medians = [statistics.median(values) for values in zip(*pairs, strict=True)]
    return Comparison(game, medians[0], medians[1], statistics.median(ratios), low, high)


class Side:
    """A process that measures one checkout.

    Attributes:
        games: the ids of its games.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Start it.

        Args:
            folder: the checkout.
            name: what errors call it.

        Raises:
            BadInput: it does not start, or would measure something else.
        """
        environment = {key: value for key, value in os.environ.items() if key not in _UNSET}
        environment |= {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"}
        self._name = name
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._process = subprocess.Popen(
            [sys.executable, str(_WORKER)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
        )
        try:
            hello = self._answer()
            if not Path(hello["file"]).resolve().is_relative_to(folder.resolve()):
                raise BadInput(f"{name}: bdgame_env was imported from {hello['file']}")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        self.games: Sequence[str] = hello["games"]

    def speed(self, game: str) -> float:
        """Measure a game once; the first time, it is compiled before.

        Raises:
            BadInput: it cannot be measured there.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{game}\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended: the answer says how
        return float(self._answer(f"{game}: ")["speed"])

    def _answer(self, about: str = "") -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line.endswith("\n") else {"error": self._last_words()}
        if "error" in answer:
            raise BadInput(f"{about}cannot be measured at {cut(self._name)}: {answer['error']}")
        return answer

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), f"it ended with exit code {code}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()


@contextmanager
def worktree(root: Path, ref: str) -> Iterator[tuple[Path, str]]:
    """The files of a commit in a folder of their own, as a `git worktree` that is removed afterwards.

    Args:
        root: a checkout.
        ref: anything that git takes for a commit.

    Yields:
        The folder, and the commit in short.

    Raises:
        BadInput: git is missing, knows no such commit, or cannot check it out.
    """
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--short", "--end-of-options", f"{ref}^{{commit}}")
    if not commit:
        raise BadInput(f"--against {shown(ref)}: git knows no such commit here; name a branch, a tag, HEAD~1 or a hash")
    with tempfile.TemporaryDirectory(prefix="bdgame-against-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve() / "checkout"
        if _git(root, "worktree", "add", "--detach", str(folder), commit) is None:
            raise BadInput(f"--against {shown(ref)}: git cannot check out {commit}")
        try:
            yield folder, commit
        finally:
            _git(root, "worktree", "remove", "--force", str(folder))


def _git(root: Path, *arguments: str) -> str | None:
    """What git prints, or None if it fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise BadInput(f"--against needs git: {error.strerror}") from error
    return done.stdout.strip() if done.returncode == 0 else None
