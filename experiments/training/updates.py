"""The weights that learn: gradients in threads, their norm, and steps of Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.network import Floats, Network, size_of, view
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.layout import record
from bdgame_env.engine.threads import run_ranges

from . import adam
from .gradients import LOSSES, add_gradients
from .samples import Window

UPDATE = record(
    [
        ("loss", np.int32),
        ("clip_range", np.float32),
        ("entropy", np.float32),
        ("value_weight", np.float32),
        ("other_weight", np.float32),
        ("search_weight", np.float32),
    ]
)
_BETAS = 0.9, 0.999

Result = TypeVar("Result")


class Diverged(ArithmeticError):
    """A loss or gradient that is not a finite number; the weights are as they were before."""


class Learner:
    """The weights of a network, and the optimizer's memory of them.

    Attributes:
        weights: float32 (size,), the network as one vector; `network` is a view of it.
        means, squares: float32 (size,), Adam's averages.
        steps: how many steps it has made.
    """

    def __init__(self, plan: Plan, width: int, layers: int, weights: Floats, threads: int) -> None:
        size = size_of(plan, width, layers)
        self.weights = np.ascontiguousarray(weights, np.float32).copy()
        self.means, self.squares = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.steps = 0
        self.network: Network = view(self.weights, plan, width, layers)
        self._threads = threads
        self._grads = np.zeros((threads, size), np.float32)
        self._parts = [view(part, plan, width, layers) for part in self._grads]
        self._rows, self._width = plan.rows + plan.cards, width
        self._touched = np.zeros((threads, self._rows), np.int8)

    def learn(
        self, window: Window, chosen: npt.NDArray[np.int64], update: npt.NDArray[Any], rate: float, max_norm: float
    ) -> npt.NDArray[np.float64]:
        """Make one step on some samples.

        Args:
            window: where the samples are.
            chosen: their numbers.
            update: an `UPDATE` record, shape (1,).
            rate: the learning rate.
            max_norm: gradients whose norm is larger are scaled down to it.

        Returns:
            The mean of each part of the loss, float64 (LOSSES,).

        Raises:
            Diverged: the loss or the gradient is not finite.
        """
        losses, norm = self.gradient(window, chosen, update)
        if not (np.isfinite(norm) and np.isfinite(losses).all()):
            self._grads[:] = 0.0
            self._touched[:] = 0
            raise Diverged(f"the loss is not a finite number after {self.steps:,} steps")
        scale = np.float32(min(1.0, max_norm / (norm + 1e-12)) / len(chosen))
        self.steps += 1
        first, second = (1 - beta**self.steps for beta in _BETAS)
        step, shrink = np.float32(rate / first), np.float32(second**-0.5)
        memory = self.means, self.squares
        self._run(
            lambda _, lo, hi: adam.step_rows(
                self.weights, self._grads, self._touched, *memory, self._width, scale, step, shrink, lo, hi
            ),
            self._rows,
        )
        start = self._rows * self._width
        self._run(
            lambda _, lo, hi: adam.step_rest(self.weights, self._grads, *memory, scale, step, shrink, start, lo, hi),
            len(self.weights) - start,
        )
        return losses

    def gradient(
        self, window: Window, chosen: npt.NDArray[np.int64], update: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float64], float]:
        """Sum the gradients of some samples; the mean losses and the norm of the mean gradient."""
        losses = np.zeros((self._threads, LOSSES), np.float64)
        self._run(
            lambda part, lo, hi: add_gradients(
                window, chosen, self.network, self._parts[part], self._touched[part], update, losses[part], lo, hi
            ),
            len(chosen),
        )
        squares = self._run(
            lambda _, lo, hi: adam.sum_rows(self._grads, self._touched, self._width, lo, hi), self._rows
        )
        start = self._rows * self._width
        squares += self._run(lambda _, lo, hi: adam.sum_rest(self._grads, start, lo, hi), len(self.weights) - start)
        return losses.sum(axis=0) / len(chosen), float(np.sqrt(sum(squares)) / len(chosen))

    def _run(self, work: Callable[[int, int, int], Result], rows: int) -> list[Result]:
        return run_ranges(work, rows, self._threads, least=1, sliced=False)

    @property
    def grads(self) -> Network:
        """The gradients that `gradient` has summed."""
        return self._parts[0]
