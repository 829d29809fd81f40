"""The weights that learn: epochs over a window, gradients in threads, their norm, and steps of Adam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.network import Floats, Network, rows_in, size_of, view, work_out
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.agents.networks.sums import hand_down
from bdgame_env.engine.threads import run_ranges

from . import adam
from .codes import OPEN
from .gradients import LOSSES, SAMPLES, Task, add_gradients
from .row_gradients import mark_rows
from .samples import Window
from .stage import Stages

Losses = npt.NDArray[np.float64]  # (LOSSES,)
Result = TypeVar("Result")


class Diverged(ArithmeticError):
    """A loss, gradient or weight that is not a finite number."""


@dataclass
class Learned:
    """What was learned from a window.

    Attributes:
        decisions: how many were learned from.
        steps: of Adam.
        losses: sums over the steps.
    """

    decisions: int
    steps: int
    losses: Losses


class Learner:
    """The weights of a network, and the optimizer's memory of them.

    Attributes:
        weights: float32 (size,), the network as one vector; `network` is a view of it.
        means, squares: float32 (size,), Adam's averages.
        steps: how many steps it has made.
        grads: the gradients that `gradient` has summed.
    """

    def __init__(self, plan: Plan, width: int, layers: int, weights: Floats, threads: int) -> None:
        size = size_of(plan, width, layers)
        self.weights = np.ascontiguousarray(weights, np.float32).copy()
        self.means, self.squares = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.steps = 0
        self.network: Network = view(self.weights, plan, width, layers)
        self._threads, self._plan, self._layers = threads, plan, layers
        self._rows, self._width = plan.rows + plan.cards, width
        grads, touched = np.zeros((threads, size), np.float32), np.zeros((threads, self._rows), np.int8)
        self._memory = adam.Memory(self.weights, self.means, self.squares, grads, touched)
        self._parts = [view(part, plan, width, layers) for part in grads]
        self.grads = self._parts[0]
        self._always = np.zeros(self._rows, np.int8)  # sums that every step needs: parts of others, and card rows
        self._always[plan.sum_parts] = self._always[plan.rows :] = 1

    def learn_window(self, window: Window, stage: Stages, rng: np.random.Generator) -> Learned:
        """Learn from a window whose returns are known; its advantages are normalized.

        Raises:
            Diverged: loss or weights are no longer finite numbers.
        """
        usable, begins = np.flatnonzero(window.next != OPEN), np.flatnonzero(window.begins)
        advantage = window.advantage[usable]
        if len(usable):
            window.advantage[usable] = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        learned = Learned(len(usable), 0, np.zeros(LOSSES))
        if not len(usable):
            return learned
        begins = begins[np.add.reduceat(window.next != OPEN, begins, dtype=np.int64) > 0]
        size = max(1, round(int(stage[0].batch_size) * len(begins) / len(usable)))
        for _ in range(stage[0].epochs):
            order = rng.permutation(begins)
            last = max(1, len(order) - size // 2)  # half a batch or less is left out, unless it is all
            for k in range(0, last, size):
                learned.losses += self.step(window, order[k : k + size], stage, False)
                learned.steps += 1
        self._work_out()
        if not np.isfinite(self.weights).all():
            raise Diverged(f"weights are no longer finite numbers after {self.steps:,} steps")
        return learned

    def step(self, window: Window, begins: npt.NDArray[np.int64], stage: Stages, whole: bool = True) -> Losses:
        """Make one step of Adam on the segments that begin at some samples; gradients longer than `max_norm` are scaled
        down to it. Returns the mean of each part of the loss, and SAMPLES.

        `whole`: also work out the sums, of which there may be a hundred times as many as a batch looks at.

        Raises:
            Diverged: the loss or the gradient is not finite; the weights are as they were before.
        """
        losses, norm = self.gradient(window, begins, stage)
        if not (np.isfinite(norm) and np.isfinite(losses).all()):
            self._memory.grads[:] = 0.0
            self._memory.touched[:] = 0
            raise Diverged(f"the loss is not a finite number after {self.steps:,} steps")
        scale = np.float32(min(1.0, stage[0].max_norm / (norm + 1e-12)) / losses[SAMPLES])
        self.steps += 1
        first, second = (1 - beta**self.steps for beta in adam.BETAS)
        how = scale, np.float32(stage[0].learning_rate / first), np.float32(second**-0.5)
        start = self._rows * self._width
        self._run(lambda _, lo, hi: adam.step_rows(self._memory, self._width, *how, lo, hi), self._rows)
        self._run(lambda _, lo, hi: adam.step_rest(self._memory, start, *how, lo, hi), len(self.weights) - start)
        if whole:
            self._work_out()
        return losses

    def _work_out(self, needed: npt.NDArray[np.int8] | None = None) -> None:
        work_out(self.weights, self._plan, self._width, self._layers, self._run, needed)

    def gradient(self, window: Window, begins: npt.NDArray[np.int64], stage: Stages) -> tuple[Losses, float]:
        """Sum the gradients of some segments; losses as in `step`, and the norm of the mean gradient."""
        if len(self._plan.sums):
            needed = self._always.copy()
            mark_rows(window, begins, needed)
            self._work_out(needed)
        losses = np.zeros((self._threads, LOSSES), np.float64)
        tasks = [
            Task(window, self.network, grads, touched, stage, sums)
            for grads, touched, sums in zip(self._parts, self._memory.touched, losses, strict=True)
        ]
        self._run(lambda part, lo, hi: add_gradients(tasks[part], begins, lo, hi), len(begins))
        self._hand_down()
        start = self._rows * self._width
        squares = self._run(lambda _, lo, hi: adam.sum_rows(self._memory, self._width, lo, hi), self._rows)
        squares += self._run(lambda _, lo, hi: adam.sum_rest(self._memory, start, lo, hi), len(self.weights) - start)
        total = losses.sum(axis=0)
        count = total[SAMPLES]
        total[:SAMPLES] /= count
        return total, float(np.sqrt(sum(squares)) / count)

    def _hand_down(self) -> None:
        """Turn gradients of rows that are sums into those of the rows that they are made of."""
        plan, memory = self._plan, self._memory
        if not len(plan.sums):
            return
        self._run(lambda _, lo, hi: adam.gather_rows(memory, self._width, plan.sums, lo, hi), len(plan.sums))
        grads, touched = rows_in(memory.grads[0], plan, self._width), memory.touched[0]
        self._run(lambda _, lo, hi: hand_down(grads, touched, plan, lo, hi), len(plan.sum_groups) - 1)
        for part in self._parts:
            part.actions[plan.nameless], part.action_bias[plan.nameless] = 0.0, 0.0

    def _run(self, work: Callable[[int, int, int], Result], rows: int) -> list[Result]:
        return run_ranges(work, rows, self._threads, least=1, sliced=False)
