"""Matches side by side, and windows of play that they fill, in this process."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from types import ModuleType
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.networks import accumulator, forward
from bdgame_env.agents.networks.face_plan import FACE, TooManyDecks, has_faces, plan_by
from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.loop_builder import built_once, instantiate, loops_of, seams_of
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.rng import Stream
from bdgame_env.engine.seam import gathered
from bdgame_env.engine.struct import GameState, Settings
from bdgame_env.engine.threads import run_ranges

from ..errors import BadInput
from . import rollout_loops
from .codes import COUNTS, LEARNER
from .config import TrainConfig, training_sets
from .samples import Window, add_returns
from .search_teacher import SearchTeacher
from .stage import Stages

Counts = npt.NDArray[np.float64]  # (COUNTS,), see `rollout_loops.play_window`


@built_once
def rollout_loops_of(game: Game) -> ModuleType:
    """The game's own copy of `rollout_loops`, with its compiled players."""
    exploring = gathered("exploring", explore=game.explore or no_start)
    seams = {
        **seams_of(game, compiled_players(game)),
        "forward": forward,
        "accumulator": accumulator,
        "exploring": exploring,
    }
    return instantiate(rollout_loops, game, seams)


@kernel
def no_start(s: GameState, config: Settings, rng: Stream) -> None:
    """Stands in for `Game.explore` where a game has none."""


class Matches:
    """Matches side by side, all with the same number of players, that a network plays to learn or to be measured.

    Args:
        game: the declaration of the game.
        game_config: its cards and options.
        count: how many matches.
        seed: of their games and of all choices in them.
        threads: how many share them; results do not depend on their number.

    Attributes:
        games: the matches' records. rng: AGENT_RNG records, for the choices. lineups: int8 (count, MAX_SEATS), who
            plays each seat; see `rollout_loops`. asked: states kept for searches.
    """

    def __init__(self, game: Game, game_config: GameConfig, count: int, seed: int, threads: int) -> None:
        self.game_config, self.count = game_config, count
        players = compiled_players(game)
        self._loops, self._threads = rollout_loops_of(game), threads
        self.games = np.zeros(count, game.state)
        deals = np.random.SeedSequence([seed, game_config.players]).generate_state(count, np.uint64)
        loops_of(game).reset_games(self.games, game_config.record, deals, 0, count)
        self.rng = np.zeros(count, AGENT_RNG)
        self.rng["rng"] = np.random.default_rng([seed, game_config.players, 1]).integers(0, 2**64, count, np.uint64)
        self.asked = np.zeros(1, game.state)
        self.lineups = np.full((count, MAX_SEATS), LEARNER, np.int8)
        self._states = self.games, game_config.record, self.rng, self.lineups
        self._rooms = []
        for _ in range(threads):
            words = np.zeros((1, -(-game.obs.itemsize // 8)), np.uint64)
            seen = words.view(np.int8)
            scratch = np.zeros(1, players.scratch if players else AGENT_RNG)
            mask = np.zeros((1, game_config.num_actions), np.int8)
            self._rooms.append((seen[0, : game.obs.itemsize].view(game.obs), seen, words, mask, scratch))

    def play_window(
        self,
        window: Window,
        steps: int,
        stage: Stages,
        learner: Network,
        rivals: Sequence[Network],
        plan: Plan,
        first: int = 0,
    ) -> Counts:
        """Play until each match has `steps` samples, see `play_some`; returns what was counted."""
        self.make_room(stage, steps)
        counts = np.zeros((self._threads, COUNTS), np.float64)
        run_ranges(
            lambda part, lo, hi: self.play_some(
                *(part, lo, hi, counts[part], window, steps, stage, learner, rivals, plan, first)
            ),
            *(self.count, self._threads, 1),
        )
        total: Counts = counts.sum(axis=0)
        return total

    def make_room(self, stage: Stages, steps: int) -> None:
        """Make room for the states that this stage keeps for searches."""
        every = int(stage[0].search_every)
        if every and len(self.asked) < self.count * steps // every:
            self.asked = np.zeros(self.count * steps // every, self.games.dtype)

    def play_some(
        self,
        thread: int,
        lo: int,
        hi: int,
        counts: Counts,
        window: Window,
        steps: int,
        stage: Stages,
        learner: Network,
        rivals: Sequence[Network],
        plan: Plan,
        first: int = 0,
    ) -> None:
        """In this thread, play the matches lo..hi-1 until each has `steps` samples, and add to `counts`.

        The rivals take turns: match i has number (first + i) % len(rivals).
        """
        size = max(1, hi - lo) if len(rivals) == 1 else 1
        for at in range(lo, hi, size):
            rival, room = rivals[(first + at) % len(rivals)], self._rooms[thread]
            self._loops.play_window(
                *(self._states, stage, window, steps, self.asked, learner, rival, plan, room, counts, at, at + size)
            )

    def play_to_the_end(
        self, stage: Stages, learner: Network, rival: Network, plan: Plan, rival_plan: Plan | None = None
    ) -> npt.NDArray[np.int32]:
        """Play all matches to the end; see `rollout_loops` for the results. Both networks have one plan unless said."""
        results = np.zeros((self.count, 2 * MAX_SEATS + 2), np.int32)
        run_ranges(
            lambda part, lo, hi: self._loops.play_to_the_end(
                *(self._states, stage, learner, rival, plan, rival_plan or plan, self._rooms[part], results, lo, hi)
            ),
            *(self.count, self._threads, 1),
        )
        return results

    def packed(self, lo: int, hi: int) -> bytes:
        """The states and generators of the matches lo..hi-1, compressed."""
        return zlib.compress(self.games[lo:hi].tobytes() + self.rng[lo:hi].tobytes(), 1)

    def unpack(self, packed: bytes, lo: int, hi: int) -> None:
        """Set the states and generators of the matches lo..hi-1 to what as many matches have packed."""
        data, size = zlib.decompress(packed), (hi - lo) * self.games.itemsize
        self.games[lo:hi] = np.frombuffer(data[:size], self.games.dtype)
        self.rng[lo:hi] = np.frombuffer(data[size:], self.rng.dtype)


class Rollouts(Protocol):
    """Whoever fills windows: `WindowPlayer`, or workers of a cluster."""

    def fill(
        self, window: Window, matches: Sequence[Matches], stage: Stages, learner: Network, rivals: Sequence[Network]
    ) -> tuple[Counts, dict[str, float]]:
        """Play all matches on, write their decisions and returns to the window; what was counted, figures for charts.

        Args:
            window: room for `steps` samples of each match.
            matches: of each config; `Matches.lineups` says who has which seat.
            stage: where the run is.
            learner: the network that learns.
            rivals: those at the seats of RIVAL, or the teachers; see `Matches.play_some`.
        """


class WindowPlayer:
    """Plays windows in this process.

    Args:
        game: the game of the run.
        config: the settings of the run.
        threads: that share the work; results do not depend on their number.
    """

    def __init__(self, game: Game, config: TrainConfig, threads: int) -> None:
        self.game, self.config, self.threads = game, config, threads
        sets = training_sets(config, game)
        self.game_configs = [game.config(**options) for options in sets]
        if any(game_config.held_out for game_config in self.game_configs):
            raise BadInput(f"{game.id}: some of these cards are held out for measuring: {sets}")
        if config.cards == FACE and not has_faces(game):
            raise BadInput(f"cards={FACE!r}: observations of {game.id} do not say what cards do")
        if len({game_config.num_actions for game_config in self.game_configs}) > 1:
            raise BadInput(f"{game.id}: one network cannot learn games whose actions differ: {sets}")
        try:
            self.plan = plan_by(config.cards, game, *self.game_configs)
        except TooManyDecks as error:
            raise BadInput(f"{game.id}: {error}") from None
        self._searches: dict[int, SearchTeacher] = {}  # by the place in `game_configs`

    def fill(
        self, window: Window, matches: Sequence[Matches], stage: Stages, learner: Network, rivals: Sequence[Network]
    ) -> tuple[Counts, dict[str, float]]:
        """See `Rollouts.fill`. Threads share the matches of all configs, of which each may have few."""
        steps, trace = self.config.steps, np.float32(self.config.trace)
        bounds = list(accumulate((some.count for some in matches), initial=0))
        parts = [window.part(lo * steps, hi * steps) for lo, hi in pairwise(bounds)]
        counts = np.zeros((self.threads, COUNTS), np.float64)
        for some in matches:
            some.make_room(stage, steps)

        def work(thread: int, lo: int, hi: int) -> None:
            for some, part, start in zip(matches, parts, bounds[:-1], strict=True):
                first, last = max(lo - start, 0), min(hi - start, some.count)
                if first < last:
                    some.play_some(thread, first, last, counts[thread], part, steps, stage, learner, rivals, self.plan)
                    add_returns(part, steps, trace, first, last)

        run_ranges(work, bounds[-1], self.threads, 1)
        for number, (some, part) in enumerate(zip(matches, parts, strict=True)):
            self._improve(part, some, number, stage, learner, 0)
        total: Counts = counts.sum(axis=0)
        return total, {}

    def play(
        self,
        window: Window,
        matches: Matches,
        number: int,
        stage: Stages,
        learner: Network,
        rivals: Sequence[Network],
        first: int = 0,
    ) -> Counts:
        """Play matches with the config of this number on, see `fill`; `first` is the number of the first of them, if
        they are a part of those with this config.
        """
        steps = self.config.steps
        counts = matches.play_window(window, steps, stage, learner, rivals, self.plan, first)
        self._improve(window, matches, number, stage, learner, first)
        returns = partial(_add_returns, window, steps, np.float32(self.config.trace))
        run_ranges(returns, matches.count, self.threads, least=1)
        return counts

    def _improve(
        self, window: Window, matches: Matches, number: int, stage: Stages, learner: Network, first: int
    ) -> None:
        """Improve the policies of the samples that are searched, see `play`."""
        if every := int(stage[0].search_every):
            steps = self.config.steps
            seeds = np.random.default_rng([self.config.seed, int(stage[0].update), 1])
            last = (first + matches.count) * steps // every
            own = seeds.integers(0, 2**64, last, np.uint64)[first * steps // every :]
            self._search(number).improve(window, matches.asked, learner, own)

    def _search(self, number: int) -> SearchTeacher:
        if number not in self._searches:
            game_config = self.game_configs[number]
            self._searches[number] = SearchTeacher(self.game, game_config, self.config, self.plan, self.threads)
        return self._searches[number]


def _add_returns(window: Window, steps: int, trace: np.float32, _: int, lo: int, hi: int) -> None:
    add_returns(window, steps, trace, lo, hi)
