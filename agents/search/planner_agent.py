"""The planner: plays out every plan of the game's compiled players for a turn, and takes the best.

With a network it improves on that: the network plays on, for every seat, and judges positions (policy rollout: Tesauro
and Galperin 1997).
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.rng import OwnGenerator

from ..base import Actions, Agent, Masks, Observations, UnknownAgent, check_range, check_whole
from ..heuristics.compiled_players import compiled_players
from ..networks import Policy
from ..networks.ppo_agent import read_policy
from .network_forest import GumbelSettings
from .planner import Decisions, Planner, PlanSettings
from .playouts import playout_length
from .tree_agent import MOST_SIMULATIONS, check_budget

SHIPPED = "shipped"


class PlannerAgent(Agent):
    """Compares plans for the rest of the turn by playing them out against the game's rule-based player.

    Args:
        deals: determinizations for every plan at first; the better half gets as many again, and so on.
        most: determinizations for the plans that last longest.
        sims: about how many playouts a decision takes, instead of `deals` and `most`.
        time: about how many seconds of one core a decision takes, instead of `deals`, `most` and `sims`.
        path: a policy file: its network plays on, for all seats, and judges positions; its own choice is the default,
            and what it likes is tried too. "shipped" is the one that ships with the package, "" none.
        considered: how many of the actions that the network likes best are tried.
        rollout_depth: decisions of a playout after the turn before it is judged; 0 to play to the end, -1 for the
            number that the game's compiled players declare.
        z_score: standard errors by which a plan must beat the default player.
        deviate: 1 to try every legal action besides the plans.
        value_scale: factor of a lead in progress before it is squashed into a value.
        inverse_temperature: `preferences` are in proportion to exp(inverse_temperature * gain).
        threads: 0 for one per core.
        policy: a policy in memory, instead of a file.

    Raises:
        UnknownAgent: the game has no plans and no network is given, the file cannot be read, or a setting is out of its
            range.
    """

    name = "planner"
    needs_states = True
    games_at_once = 16

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        deals: int = 2,
        most: int = 8,
        sims: int = 0,
        time: float = 0.0,
        path: str | PathLike[str] = "",
        considered: int = PlanSettings.considered,
        rollout_depth: int = -1,
        z_score: float = 1.0,
        deviate: int = 0,
        value_scale: float = 2.0,
        inverse_temperature: float = 30.0,
        threads: int = 0,
        policy: Policy | None = None,
    ) -> None:
        players = compiled_players(game)
        if policy is None and path:
            policy = read_policy(self.name, game, config, None if path == SHIPPED else path)
        if policy is None and (players is None or not players.plans):
            raise UnknownAgent(f"agent {shown(self.name)}: {game.id} has no plans to try")
        check_whole(self.name, "deals", deals, 1, 10**6)
        check_whole(self.name, "most", most, 1, 10**6)
        check_whole(self.name, "considered", considered, 2, 10**6)
        check_whole(self.name, "rollout_depth", rollout_depth, -1, 10**9)
        check_range(self.name, "deviate", deviate, 0, 1)
        check_range(self.name, "value_scale", value_scale, 0, 1000)
        check_range(self.name, "z_score", z_score, 0, 100)
        check_range(self.name, "inverse_temperature", inverse_temperature, 0, 1000)
        check_budget(self.name, sims, time, threads, fewest=0)
        length = playout_length(int(rollout_depth), config, players)
        settings = PlanSettings(
            player=int(policy is None),
            playout=length,
            value_scale=float(value_scale),
            margin=PlanSettings.margin if policy is None else GumbelSettings.margin,
            deals=int(deals),
            most_deals=int(most),
            z_score=float(z_score),
            deviate=bool(deviate) or policy is not None,
            considered=int(considered),
        )
        self._planner = Planner(game, config, players, settings, policy=policy, threads=int(threads) or None)
        self._sims, self._time = int(sims), float(time)
        self._inverse_temperature = float(inverse_temperature)
        self._rng = OwnGenerator()

    def seed(self, seed: int) -> None:
        """Seed the agent's generator."""
        self._rng.seed(seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        if states is None:
            raise ValueError(f"the agent {shown(self.name)} needs states")
        seeds = self._rng().integers(0, 2**64, len(states), np.uint64)
        if self._time:
            decided = self._planner.decide_within(states, seeds, self._time, MOST_SIMULATIONS)
        else:
            decided = self._planner.decide(states, seeds, self._sims)
        self.preferences = sharpened(decided.gains, self._inverse_temperature)
        self.values = expected(decided)
        return decided.actions


class StrongPlannerAgent(PlannerAgent):
    """The planner with four times the determinizations, which also tries every legal action.

    Its settings are those of `PlannerAgent`.
    """

    name = "strong-planner"

    def __init__(
        self, game: Game, config: GameConfig, deals: int = 8, most: int = 32, deviate: int = 1, **settings: Any
    ) -> None:
        super().__init__(game, config, deals=deals, most=most, deviate=deviate, **settings)


class NetworkPlannerAgent(PlannerAgent):
    """The planner with a network, which is the shipped one unless `path` or `policy` says otherwise.

    Its settings are those of `PlannerAgent`.
    """

    name = "network-planner"

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        deals: int = 4,
        most: int = 16,
        path: str | PathLike[str] = SHIPPED,
        **settings: Any,
    ) -> None:
        super().__init__(game, config, deals=deals, most=most, path=path, **settings)


def sharpened(gains: npt.NDArray[np.float32], sharpness: float) -> npt.NDArray[np.float32]:
    """Softmax of `sharpness` times the gains (n, actions), -inf for actions not tried; rows add up to 1."""
    tried = np.isfinite(gains)
    lost = np.where(tried, gains - gains.max(axis=1, keepdims=True), np.float32(0.0))
    weights = tried * np.exp(sharpness * lost)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(weights, np.float32)


def expected(decided: Decisions) -> npt.NDArray[np.float32]:
    """See `Agent.values`: what each action gains or loses by the chosen one, whose mean outcome is known."""
    games = np.arange(len(decided.actions))
    chosen = decided.gains[games, decided.actions]
    values = decided.values[:, None] + decided.gains - chosen[:, None]
    tried = np.isfinite(decided.gains) & (decided.playouts > 0)[:, None]
    return np.where(tried, np.clip(values, -1, 1), np.nan).astype(np.float32)
