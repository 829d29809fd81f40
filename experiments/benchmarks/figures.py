"""What a benchmark measures with: figures, and the one way in which each of them is repeated."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bdgame_env.engine.game import Game, GameConfig

PER_SECOND, NANOSECONDS, SECONDS, PERCENT, BYTES = "1/s", "ns", "s", "%", "bytes"

# Does some work once; returns how much it was and the seconds it took, whatever was prepared for it left out.
Work = Callable[[], tuple[float, float]]


@dataclass(frozen=True)
class Figure:
    """One line of the result.

    Attributes:
        name: what was measured.
        unit: of median and best.
        median: of the repetitions.
        best: the greatest of them if more is better, else the least.
        repetitions: how many; 1 for what does not vary.
    """

    name: str
    unit: str
    median: float
    best: float
    repetitions: int


@dataclass(frozen=True)
class Bench:
    """What is measured, and how long.

    Attributes:
        game: any game.
        config: its config.
        repetitions: of each figure, after one run that does not count.
        seconds: the least that a repetition takes.
        sizes: numbers of games side by side.
        positions: different games that batches start from.
        decisions: at least so many are recorded, to be played again in each repetition.
        rollout: decisions per game between two updates in training.
        cold: whether to measure compiling, which takes minutes.
    """

    game: Game
    config: GameConfig
    repetitions: int = 5
    seconds: float = 0.3
    sizes: tuple[int, ...] = (1, 64, 1024, 8192)
    positions: int = 1024
    decisions: int = 60_000
    rollout: int = 16
    cold: bool = True

    def rate(self, name: str, work: Work) -> Figure:
        """How much of the work is done in a second."""
        return summary(name, PER_SECOND, [amount / spent for amount, spent in self._repeat(work)], max)

    def nanoseconds(self, name: str, work: Work) -> Figure:
        """How long one piece of the work takes."""
        return summary(name, NANOSECONDS, [1e9 * spent / amount for amount, spent in self._repeat(work)], min)

    def _repeat(self, work: Work) -> list[tuple[float, float]]:
        work()
        sums = []
        for _ in range(self.repetitions):
            amount = spent = 0.0
            while spent < self.seconds:
                more, took = work()
                amount, spent = amount + more, spent + took
            sums.append((amount, spent))
        return sums


def summary(name: str, unit: str, values: list[float], best: Callable[[list[float]], float]) -> Figure:
    """The figure of some repetitions; `best` is `max` or `min`."""
    return Figure(name, unit, float(statistics.median(values)), float(best(values)), len(values))


def exactly(name: str, unit: str, value: float) -> Figure:
    """A figure that does not vary, or that follows from others."""
    return Figure(name, unit, float(value), float(value), 1)


def machine() -> dict[str, Any]:
    """The processor's name, its cores (all, and those this process may use), the system, and how busy it was."""
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return {
        "processor": _processor(),
        "cores": cores,
        "usable_cores": usable,
        "system": platform.platform(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
