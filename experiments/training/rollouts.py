"""Playing a window: what is to be played, who plays it in this process, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import Floats, Network, view
from bdgame_env.agents.networks.row_plan import Plan, plan_network
from bdgame_env.agents.search.network_forest import GumbelSettings
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.threads import run_ranges

from .codes import RIVAL_GAMES, RIVAL_WINS
from .config import TrainConfig
from .gradients import add_returns
from .matches import Matches
from .samples import Window
from .search_teacher import SearchTeacher


@dataclass(frozen=True, eq=False)
class Rival:
    """A network that is met, by its weights and shape."""

    weights: Floats
    width: int
    layers: int

    def network(self, plan: Plan) -> Network:
        """The weights in their shapes."""
        return view(self.weights, plan, self.width, self.layers)


@dataclass(frozen=True, eq=False)
class Order:
    """How a window is to be played; who has which seat is in `Matches.lineups`.

    Attributes:
        play: a `matches.PLAY` record, shape (1,).
        weights: of the network that learns.
        rival: the network at the seats of RIVAL; None if there are none.
        updates: how many updates made these weights.
        teach: whether the teacher's choices are the labels.
    """

    play: npt.NDArray[Any]
    weights: Floats
    rival: Rival | None
    updates: int
    teach: bool


@dataclass
class Filled:
    """A window that was filled.

    Attributes:
        counts: see `rollout_loops.play_window`.
        met: of each rival, its games and the learner's first ranks in these.
        figures: for the charts.
    """

    counts: npt.NDArray[np.float64]
    met: list[tuple[Rival | None, float, float]]
    figures: dict[str, float]


class Rollouts(Protocol):
    """Whoever fills windows."""

    def fill(self, window: Window, matches: Sequence[Matches], order: Order) -> Filled:
        """Play all matches on, write their decisions to the window, and their returns."""

    def close(self) -> None:
        """Stop."""


class WindowPlayer:
    """Plays windows in this process.

    Args:
        game: the game of the run.
        config: the settings of the run.
        threads: that share the work; results do not depend on their number.
    """

    def __init__(self, game: Game, config: TrainConfig, threads: int) -> None:
        self.game, self.config, self.threads = game, config, threads
        self.configs = [self.game.config(players=players, **config.options) for players in config.players]
        self.plan = plan_network(self.game, self.configs[0])
        self._searches: dict[int, SearchTeacher] = {}  # by number of players
        self._rooms: dict[tuple[int, int], Matches] = {}  # by number of players and of matches

    def matches(self, players: int, count: int) -> Matches:
        """Room for matches whose states come from elsewhere; the same one each time."""
        if (players, count) not in self._rooms:
            config = self.configs[self.config.players.index(players)]
            self._rooms[players, count] = Matches(self.game, config, count, 0, self.threads)
        return self._rooms[players, count]

    def play(
        self, window: Window, matches: Matches, order: Order, first: int = 0, of: int | None = None
    ) -> npt.NDArray[np.float64]:
        """Play matches on, write their decisions and returns; returns what was counted.

        Args:
            window: room for their samples.
            matches: all matches with a number of players, or some of these.
            order: how to play.
            first: the number of the first of them, among all with this number of players.
            of: how many of these there are; None if `matches` holds all.
        """
        config = self.config
        learner = view(order.weights, self.plan, config.width, config.layers)
        rival = order.rival.network(self.plan) if order.rival else learner
        counts = matches.play_window(window, config.steps, order.play, learner, rival, self.plan)
        if config.search_every and not order.teach:
            self._search(window, matches, order, first * config.steps, (of or matches.count) * config.steps)
        trace = np.float32(config.trace)
        run_ranges(partial(_add_returns, window, config.steps, trace), matches.count, self.threads, least=1)
        return counts

    def _search(self, window: Window, matches: Matches, order: Order, first: int, of: int) -> None:
        """Improve the policy where a search was asked for. `first`, `of`: as in `play`, of samples."""
        config, players = self.config, matches.config.players
        if players not in self._searches:
            self._searches[players] = self._teacher(matches.config, order.weights)
        every = config.search_every
        seeds = np.random.default_rng([config.seed, order.updates, 1]).integers(0, 2**64, of // every, np.uint64)
        mine = seeds[first // every :]
        self._searches[players].improve(window, matches.asked, every, order.weights, mine)

    def _teacher(self, game_config: GameConfig, weights: Floats) -> SearchTeacher:
        config = self.config
        settings = GumbelSettings(
            value_scale=config.search_scale,
            rollout_turns=config.search_turns,
            noise=1.0,
            margin=config.margin,
            truncation=config.truncation,
        )
        policy = Policy(self.plan, weights, config.width, config.layers, {"players": list(config.players)})
        return SearchTeacher(self.game, game_config, policy, config.search_sims, settings, self.threads)


class LocalRollouts:
    """Plays all matches in this process."""

    def __init__(self, player: WindowPlayer) -> None:
        self._player = player

    def fill(self, window: Window, matches: Sequence[Matches], order: Order) -> Filled:
        """See `Rollouts.fill`."""
        counts: Any = 0.0
        start, steps = 0, self._player.config.steps
        for some in matches:
            stop = start + some.count * steps
            counts = counts + self._player.play(window.part(start, stop), some, order)
            start = stop
        return Filled(counts, [(order.rival, counts[RIVAL_GAMES], counts[RIVAL_WINS])], {})

    def close(self) -> None:
        """Nothing is left to stop."""


def part_size(matches: int, parts: int, config: TrainConfig) -> int:
    """How many matches make one of so many parts."""
    unit = search_unit(config)
    return -(-max(1, matches // parts) // unit) * unit


def search_unit(config: TrainConfig) -> int:
    """A part of the matches begins at a multiple of this, so that the same samples are searched as in one piece."""
    return config.search_every // gcd(config.steps, config.search_every) if config.search_every else 1


def _add_returns(window: Window, steps: int, trace: np.float32, thread: int, lo: int, hi: int) -> None:
    add_returns(window, steps, trace, lo, hi)
