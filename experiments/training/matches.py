"""Matches that a network plays to learn from, or to be measured: many at once, all with the same number of players."""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.networks import forward
from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate, loops_of, seams_of
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.struct import Struct, plain
from bdgame_env.engine.threads import run_ranges

from . import rollout_loops
from .codes import COUNTS, LEARNER
from .samples import Window


class Play(Struct):
    """How matches are played.

    Attributes:
        teacher: a compiled policy that labels decisions, or RANDOM for none.
        search_every: of the learner's samples one in so many is kept for a search; 0 for none.
        noise: of the teacher. margin, truncation, temperature: see `TrainConfig`.
    """

    teacher: int = plain(np.int32)
    search_every: int = plain(np.int32)
    noise: float = plain(np.float32)
    margin: float = plain(np.float32)
    truncation: float = plain(np.float32)
    temperature: float = plain(np.float32)


PLAY = Play.dtype


@built_once
def rollout_loops_of(game: Game) -> ModuleType:
    """The game's own copy of `rollout_loops`, with its compiled players."""
    seams = {**seams_of(game, compiled_players(game)), "forward": forward}
    return instantiate(rollout_loops, game, seams)


class Matches:
    """Matches side by side.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        count: how many matches.
        seed: of their games and of all choices in them.
        threads: how many share them.

    Attributes:
        games: the matches' records. rng: AGENT_RNG records, for the choices. lineups: int8 (count, MAX_SEATS), who
            plays each seat; see `rollout_loops`. asked: states kept for searches.
    """

    def __init__(self, game: Game, config: GameConfig, count: int, seed: int, threads: int) -> None:
        self.config, self.count = config, count
        players = compiled_players(game)
        self._loops, self._threads = rollout_loops_of(game), threads
        self.games = np.zeros(count, game.state)
        deals = np.random.SeedSequence([seed, config.players]).generate_state(count, np.uint64)
        loops_of(game).reset_games(self.games, config.record, deals, 0, count)
        self.rng = np.zeros(count, AGENT_RNG)
        self.rng["rng"] = np.random.default_rng([seed, config.players, 1]).integers(0, 2**64, count, np.uint64)
        self.asked = np.zeros(1, game.state)
        self.lineups = np.full((count, MAX_SEATS), LEARNER, np.int8)
        self._work = []
        for _ in range(threads):
            seen = np.zeros(1, game.obs)
            scratch = np.zeros(1, players.scratch if players else AGENT_RNG)
            mask = np.zeros((1, config.num_actions), np.int8)
            self._work.append((seen, seen.view(np.int8).reshape(1, -1), mask, scratch))

    def play_window(
        self, window: Window, steps: int, play: npt.NDArray[Any], learner: Network, rival: Network, plan: Plan
    ) -> npt.NDArray[np.float64]:
        """Play until each match has `steps` samples; returns what was counted, float64 (COUNTS,)."""
        every = int(play["search_every"][0])
        if every and len(self.asked) < self.count * steps // every:
            self.asked = np.zeros(self.count * steps // every, self.games.dtype)
        counts = np.zeros((self._threads, COUNTS), np.float64)
        run_ranges(
            lambda part, lo, hi: self._loops.play_window(
                *(self.games, self.config.record, self.rng, self.lineups, play, window, steps, self.asked),
                *(learner, rival, plan, *self._work[part], counts[part], lo, hi),
            ),
            *(self.count, self._threads, 1),
        )
        total: npt.NDArray[np.float64] = counts.sum(axis=0)
        return total

    def play_games(self, play: npt.NDArray[Any], learner: Network, rival: Network, plan: Plan) -> npt.NDArray[np.int32]:
        """Play all matches to the end; see `rollout_loops.play_games` for the results."""
        results = np.zeros((self.count, 2 * MAX_SEATS + 2), np.int32)
        run_ranges(
            lambda part, lo, hi: self._loops.play_games(
                *(self.games, self.config.record, self.rng, self.lineups, play, learner, rival, plan),
                *(*self._work[part], results, lo, hi),
            ),
            *(self.count, self._threads, 1),
        )
        return results


def pack_states(games: npt.NDArray[Any], rng: npt.NDArray[Any]) -> bytes:
    """The states and generators of some matches, compressed."""
    return zlib.compress(games.tobytes() + rng.tobytes(), 1)


def unpack_states(packed: bytes, games: npt.NDArray[Any], rng: npt.NDArray[Any]) -> None:
    """The inverse of `pack_states`, into as many matches."""
    data = zlib.decompress(packed)
    games[:] = np.frombuffer(data, games.dtype, len(games))
    rng[:] = np.frombuffer(data, rng.dtype, len(rng), offset=games.nbytes)
