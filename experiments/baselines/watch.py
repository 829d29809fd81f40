"""The budget of a run, and when its learner is measured; knows no learner."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bdgame_env.agents.base import Agent

POINTS = 6  # of a learning curve; the last one is the end of the run


@dataclass(frozen=True)
class Budget:
    """What a run may spend: minutes, or decisions to learn from.

    Attributes:
        minutes: of processor time for learning, which on a free core is time; being measured does not count. 0 if
            `decisions` says when to stop.
        decisions: or 0.
    """

    minutes: float = 0.0
    decisions: int = 0

    def __str__(self) -> str:
        return f"{self.decisions:,} decisions" if self.decisions else f"{self.minutes:g} minutes"

    @property
    def option(self) -> str:
        """What the command line says for it, without the dashes."""
        return f"decisions {self.decisions}" if self.decisions else f"minutes {self.minutes:g}"

    @property
    def file_name(self) -> str:
        """The part of a file's name that stands for it."""
        return f"{self.decisions}-decisions" if self.decisions else f"{self.minutes:g}-minutes"


@dataclass(frozen=True)
class Point:
    """A point of a learning curve: after so many decisions and so many seconds of learning, the score."""

    decisions: int
    seconds: float
    score: float


class Watch:
    """Called by a learner after each of its steps; measures it now and then, and says when to stop.

    Args:
        budget: of the run.
        measure: the score of an agent; its argument says whether this is the end.
        clock: seconds; those of the processor do not depend on what else the machine does.

    Attributes:
        points: of the learning curve.
    """

    def __init__(
        self, budget: Budget, measure: Callable[[Agent, bool], float], clock: Callable[[], float] = time.process_time
    ) -> None:
        self._budget, self._measure, self._clock = budget, measure, clock
        self._paused, self._started = 0.0, clock()
        self.points: list[Point] = []
        self._seconds, self._decisions = 0.0, 0

    def start(self) -> None:
        """Start the clock, once everything is compiled."""
        self._paused, self._started = 0.0, self._clock()

    @property
    def share(self) -> float:
        """Of the budget that is spent."""
        budget = self._budget
        spent = self._decisions / budget.decisions if budget.decisions else self._seconds / (60 * budget.minutes)
        return min(1.0, spent)

    def goes_on(self, decisions: int, agent: Callable[[], Agent]) -> bool:
        """Whether the learner, after so many decisions, is to go on; `agent` makes what it has learned an agent."""
        now = self._clock()
        self._decisions, self._seconds = decisions, now - self._started - self._paused
        share = self.share
        if share >= (len(self.points) + 1) / POINTS:
            score = self._measure(agent(), share >= 1.0)
            self.points.append(Point(decisions, round(self._seconds, 2), round(score, 2)))
            self._paused += self._clock() - now
        return share < 1.0
