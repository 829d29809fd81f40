"""Any agent, made weaker: now and then it takes a random legal action instead of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.rng import OwnGenerator

from .base import Actions, Agent, Masks, Observations, check_range

EPSILON = "epsilon"  # the setting, which every agent of the package takes


class RandomMoves(Agent):
    """Plays as another agent does, but takes a uniformly random legal action with a probability.

    Args:
        agent: the other one. It is not asked where the action is random.
        epsilon: the probability, for each decision.
    """

    def __init__(self, agent: Agent, epsilon: float) -> None:
        self.agent, self.epsilon = agent, epsilon
        self.name, self.needs_states, self.games_at_once = agent.name, agent.needs_states, agent.games_at_once
        self._rng = OwnGenerator(None)

    def seed(self, seed: int) -> None:
        """Seed the random actions and the other agent."""
        mine, other = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        self._rng.seed(int(mine))
        self.agent.seed(int(other))

    def close(self) -> None:
        """Release what the other agent holds."""
        self.agent.close()

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        rng = self._rng()
        actions: Actions = np.where(mask != 0, rng.random(mask.shape), -1.0).argmax(axis=1).astype(np.int32)
        own = np.flatnonzero(rng.random(len(mask)) >= self.epsilon)
        if len(own):
            actions[own] = self.agent.act(observation[own], mask[own], None if states is None else states[own])
        return actions


def with_random_moves(
    factory: Callable[..., Agent], game: Game, config: GameConfig, *, epsilon: float, **settings: Any
) -> Agent:
    """The agent of a factory as `RandomMoves`.

    Raises:
        UnknownAgent: `epsilon` is no number from 0 to 1, or the factory refuses the other settings.
    """
    check_range(getattr(factory, "name", "agent"), EPSILON, epsilon, 0, 1)
    return RandomMoves(factory(game, config, **settings), float(epsilon))
