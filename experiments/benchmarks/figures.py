"""Figures of benchmarks, and how each measurement is repeated."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.game import Game, GameConfig

PER_SECOND, NANOSECONDS, SECONDS, PERCENT, BYTES = "1/s", "ns", "s", "%", "bytes"

# Does some work once; returns its amount and the seconds it took, without preparations.
Work = Callable[[], tuple[float, float]]


def clock(threads: int = 1) -> Callable[[], float]:
    """What measures seconds: of the processor for one thread, as other programs may take turns with it."""
    return time.process_time if threads == 1 else time.perf_counter


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes:
        name: what was measured.
        unit: of median and best.
        median: of the repetitions.
        best: the best of the repetitions.
        repetitions: their number; 1 for a figure that does not vary.
    """

    name: str
    unit: str
    median: float
    best: float
    repetitions: int


@dataclass(frozen=True)
class Bench:
    """What is measured, and for how long.

    Attributes:
        game: any game.
        config: its config.
        repetitions: repetitions of each figure, after a warm-up run.
        seconds: least duration of a repetition.
        sizes: numbers of games side by side.
        growth: the same, for the figures of growth; the largest is also measured with several threads.
        positions: number of different games that batches start from.
        decisions: least number of recorded decisions, which are replayed in each repetition.
        rollout: decisions per game between two updates in training.
        cold: whether to measure compile times, which takes minutes.
    """

    game: Game
    config: GameConfig
    repetitions: int = 5
    seconds: float = 0.3
    sizes: tuple[int, ...] = (1, 64, 1024, 8192)
    growth: tuple[int, ...] = (1, 8, 64, 512, 4096, 16_384, 65_536)
    positions: int = 1024
    decisions: int = 60_000
    rollout: int = 16
    cold: bool = True

    def rate(self, name: str, work: Work) -> Figure:
        """Amount of work per second."""
        return summary(name, PER_SECOND, [amount / spent for amount, spent in self._repeat(work)], max)

    def nanoseconds(self, name: str, work: Work) -> Figure:
        """Nanoseconds per unit of work."""
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
    """A figure that does not vary or is computed from others."""
    return Figure(name, unit, float(value), float(value), 1)


def machine() -> dict[str, Any]:
    """The processor, its cores (all, and those this process may use), the system and its load."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "usable_cores": usable_cores(),
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
