"""A trained policy as an agent, which takes the most likely legal action or samples one."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.rng import OwnGenerator

from ..base import Actions, Agent, Masks, Observations, UnknownAgent, check_range
from . import BadPolicy, Policy, load_policy
from .weights import shipped

_HOTTEST = 1000.0


class PolicyAgent(Agent):
    """Plays a policy held in memory.

    Args:
        policy: a policy for this game and these options.
        temperature: 0 takes the most likely action, 1 samples actions by their probability, more of it makes unlikely
            ones likelier: the logits are divided by it.
        seed: the seed of the sampling; None takes fresh entropy.
    """

    name = "policy"

    def __init__(self, policy: Policy, *, temperature: float = 0.0, seed: int | None = None) -> None:
        self.policy, self.temperature = policy, temperature
        self._rng = OwnGenerator(seed)

    def seed(self, seed: int) -> None:
        """Seed the sampling of actions."""
        self._rng.seed(seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        logits = self.policy.logits(observation, mask)
        if self.temperature:  # the Gumbel-max trick (Gumbel 1954): the argmax of logits plus Gumbel noise is a sample
            logits = logits + (self.temperature * self._rng().gumbel(size=logits.shape)).astype(np.float32)
        chosen: Actions = logits.argmax(axis=1).astype(np.int32)
        return chosen


def read_policy(agent: str, game: Game, config: GameConfig, path: str | PathLike[str] | None) -> Policy:
    """The policy in a file, or the shipped one for the game and the number of players.

    Raises:
        UnknownAgent: the file is missing, damaged or for another game or number of players, or no policy ships for this
            one.
    """
    where = shipped(agent, game, config) if path is None else path
    try:
        policy = load_policy(where, game, config)
    except BadPolicy as error:
        raise UnknownAgent(f"agent {shown(agent)}: {error}") from None
    if config.players not in policy.players:
        trained = " or ".join(map(str, policy.players))
        raise UnknownAgent(f"agent {shown(agent)}: {where}: trained for {trained} players, not for {config.players}")
    return policy


class PPOAgent(PolicyAgent):
    """Plays a policy file.

    Args:
        path: the `.npz` file that training writes; None for the shipped one.
        sample: 1 to sample actions by probability, 0 to take the most likely one.
        temperature: of the sampling, as in `PolicyAgent`; if it is not 0, `sample` does not matter.

    Attributes:
        path: of the file.

    Raises:
        UnknownAgent: the file is missing, damaged or for another game, or none ships for this one.
    """

    name = "ppo"

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        path: str | PathLike[str] | None = None,
        sample: int = 0,
        temperature: float = 0.0,
    ) -> None:
        check_range("ppo", "sample", sample, 0, 1)
        check_range("ppo", "temperature", temperature, 0, _HOTTEST)
        self.path = path or str(shipped("ppo", game, config))
        policy = read_policy("ppo", game, config, self.path)
        super().__init__(policy, temperature=float(temperature) or float(sample > 0))
