"""A trained policy as an agent, which takes the most likely legal action or samples one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig

from ..base import Actions, Agent, Masks, Observations, UnknownAgent
from ..heuristics.advice import Advisers
from . import BadPolicy, Policy, load_policy
from .weights import shipped


class PolicyAgent(Agent):
    """Plays a policy held in memory.

    Args:
        policy: a policy for this game and these options.
        game: the declaration of the game.
        config: its cards and options.
        sample: whether to sample actions by probability instead of taking the most likely one.
        seed: the seed of the sampling; None takes fresh entropy.

    Raises:
        UnknownAgent: the game has another number of advisers than the policy was trained with.
    """

    name = "policy"

    def __init__(
        self, policy: Policy, game: Game, config: GameConfig, *, sample: bool = False, seed: int | None = None
    ) -> None:
        self.policy, self.sample = policy, sample
        self.needs_states = policy.advisers > 0  # advisers look at positions
        self._advisers = advisers_of(policy, game, config)
        self._rng = np.random.default_rng(seed)

    def seed(self, seed: int) -> None:
        """Seed the sampling of actions."""
        self._rng = np.random.default_rng(seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        advice = None
        if self._advisers is not None:
            if states is None:
                raise ValueError(f"the agent {self.name!r} needs states")
            advice = self._advisers.ask(states, mask)
        logits = np.where(mask != 0, self.policy.logits(observation, advice), -np.inf)
        if self.sample:  # the Gumbel-max trick (Gumbel 1954): the argmax of logits plus Gumbel noise is a sample
            logits = logits + self._rng.gumbel(size=logits.shape).astype(np.float32)
        chosen: Actions = logits.argmax(axis=1).astype(np.int32)
        return chosen


def advisers_of(policy: Policy, game: Game, config: GameConfig) -> Advisers | None:
    """The advisers that a policy uses, or None.

    Raises:
        UnknownAgent: the game has another number of advisers.
    """
    if not policy.advisers:
        return None
    advisers = Advisers(game, config)
    if len(advisers) != policy.advisers:
        raise UnknownAgent(f"the policy listens to {policy.advisers} advisers, {game.id} has {len(advisers)}")
    return advisers


def read_policy(agent: str, game: Game, config: GameConfig, path: str | None) -> Policy:
    """The policy in a file, or the shipped one for the game and the number of players.

    Raises:
        UnknownAgent: the file is missing, damaged or for another game, or no policy ships for this one.
    """
    where = shipped(agent, game, config) if path is None else path
    try:
        return load_policy(where, game, config.num_actions)
    except BadPolicy as error:
        raise UnknownAgent(f"agent {agent!r}: {error}") from None


class PPOAgent(PolicyAgent):
    """Plays a policy file.

    Args:
        path: the `.npz` file that training writes; None for the shipped one.
        sample: 1 to sample actions by probability, 0 to take the most likely one.

    Raises:
        UnknownAgent: the file is missing, damaged or for another game, or none ships for this one.
    """

    name = "ppo"

    def __init__(self, game: Game, config: GameConfig, path: str | None = None, sample: int = 0) -> None:
        super().__init__(read_policy("ppo", game, config, path), game, config, sample=bool(sample))
