"""A trained policy as an agent: the most likely legal action, or one drawn by its probability."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.core.game import Box, Game

from .base import Actions, Agent, Masks, Observations, UnknownAgent
from .networks import BadPolicy, Policy, load_policy


class PolicyAgent(Agent):
    """Plays a policy that is in memory.

    Args:
        policy: for the game and options to be played.
        sample: draw actions by their probability, instead of taking the most likely one.
        seed: of its own luck; None takes fresh entropy.
    """

    name = "policy"

    def __init__(self, policy: Policy, *, sample: bool = False, seed: int | None = None) -> None:
        self.policy, self.sample = policy, sample
        self._rng = np.random.default_rng(seed)

    def seed(self, seed: int) -> None:
        """Fix the agent's own luck."""
        self._rng = np.random.default_rng(seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        logits = np.where(mask != 0, self.policy.logits(observation), -np.inf)
        if self.sample:  # the Gumbel-max trick (Gumbel 1954): the largest of logits plus Gumbel noise is a draw
            logits = logits + self._rng.gumbel(size=logits.shape).astype(np.float32)
        chosen: Actions = logits.argmax(axis=1).astype(np.int32)
        return chosen


class PPOAgent(PolicyAgent):
    """Plays a policy file.

    Args:
        path: the `.npz` file that training writes.
        sample: 1 draws actions by their probability, 0 takes the most likely one.

    Raises:
        UnknownAgent: the file is missing, damaged or made for another game.
    """

    name = "ppo"

    def __init__(self, game: Game, box: Box, path: str | None = None, sample: int = 0) -> None:
        if path is None:
            raise UnknownAgent("agent 'ppo' needs a policy file: ppo:path=FILE.npz, made by `train`")
        try:
            policy = load_policy(path, game, box.num_actions)
        except BadPolicy as error:
            raise UnknownAgent(f"agent 'ppo': {error}") from None
        super().__init__(policy, sample=bool(sample))
