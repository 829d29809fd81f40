"""The planner: plays out every plan of the game's compiled players for a turn, and takes the best."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.rng import game_seed

from ..base import Actions, Agent, Masks, Observations, UnknownAgent, check_range
from ..heuristics.compiled_players import compiled_players
from .planner import Planner, PlanSettings
from .playouts import PlayoutSettings, playout_length


class PlannerAgent(Agent):
    """Compares plans for the rest of the turn by playing them out against the game's first compiled player.

    Args:
        deals: determinizations for every plan at first; the better half gets as many again, and so on.
        most: determinizations for the plans that last longest.
        rollout_depth: decisions of a playout after the turn before it is judged; 0 to play to the end, -1 for the
            number that the game's compiled players declare.
        z_score: standard errors by which a plan must beat the default player.
        deviate: 1 to try every legal action besides the plans.
        value_scale: factor of a lead in progress before it is squashed into a value.
        inverse_temperature: `preferences` are in proportion to exp(inverse_temperature * gain).
        threads: 0 for one per core.

    Raises:
        UnknownAgent: the game has no plans, or a setting is out of its range.
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
        rollout_depth: int = -1,
        z_score: float = 1.0,
        deviate: int = 0,
        value_scale: float = 2.0,
        inverse_temperature: float = 30.0,
        threads: int = 0,
    ) -> None:
        players = compiled_players(game)
        if players is None or not players.plans:
            raise UnknownAgent(f"agent 'planner': {game.id} has no plans to try")
        check_range("planner", "deals", deals, 1, 10**6)
        check_range("planner", "most", most, 1, 10**6)
        check_range("planner", "rollout_depth", rollout_depth, -1, 10**9)
        check_range("planner", "z_score", z_score, 0, 100)
        check_range("planner", "inverse_temperature", inverse_temperature, 0, 1000)
        check_range("planner", "threads", threads, 0, 1024)
        length = playout_length(int(rollout_depth), config, players)
        playouts = PlayoutSettings(player=1, playout=length, value_scale=float(value_scale))
        settings = PlanSettings(playouts, int(deals), int(most), float(z_score), bool(deviate))
        self._planner = Planner(game, config, players, settings, threads=int(threads) or None)
        self._inverse_temperature = float(inverse_temperature)
        self._rng = np.random.default_rng(game_seed(None))

    def seed(self, seed: int) -> None:
        """Seed the agent's generator."""
        self._rng = np.random.default_rng(seed)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        if states is None:
            raise ValueError(f"the agent {self.name!r} needs states")
        decided = self._planner.decide(states, self._rng.integers(0, 2**64, len(states), np.uint64))
        self.preferences = sharpened(decided.gains, self._inverse_temperature)
        return decided.actions


def sharpened(gains: npt.NDArray[np.float32], sharpness: float) -> npt.NDArray[np.float32]:
    """Softmax of `sharpness` times the gains (n, actions), -inf for actions not tried; rows add up to 1."""
    weights = np.exp(sharpness * (gains - gains.max(axis=1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(weights, np.float32)
