"""The actions that a game's compiled players and their plans advise, as inputs of policies."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import instantiate, rules_of
from bdgame_env.engine.players import AGENT_RNG, CompiledPlayers
from bdgame_env.engine.threads import run_ranges, usable_threads

from . import advice_loops
from .compiled_players import compiled_players

Advice = npt.NDArray[np.int16]


def adviser_numbers(players: CompiledPlayers | None) -> tuple[int, ...]:
    """The numbers of the advising policies: the game's compiled players in order, then their plans."""
    return (*range(1, len(players.names) + 1), *players.plans) if players else ()


@cache
def advice_loops_of(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The game's own copy of `advice_loops`, with its compiled players."""
    return instantiate(advice_loops, game, rules_of(game, players))


class Advisers:
    """All of a game's compiled players and plans, asked about many positions at once.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        threads: number of threads, None for one per core; small batches use one.

    Attributes:
        numbers: the numbers of the policies asked, int16 (number of advisers,).
    """

    def __init__(self, game: Game, config: GameConfig, *, threads: int | None = None) -> None:
        players = compiled_players(game)
        self._config = config
        self.numbers = np.array(adviser_numbers(players), np.int16)
        self._threads = usable_threads(threads)
        if players is not None:
            self._loops = advice_loops_of(game, players)
            self._scratch = [np.zeros(1, players.scratch) for _ in range(self._threads)]

    def __len__(self) -> int:
        return len(self.numbers)

    def ask(self, states: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> Advice:
        """The advised actions, int16 (n, number of advisers), -1 for no opinion.

        Args:
            states: the positions, records (n,); not changed. The advisers do not use hidden information.
            masks: their legal actions, int8 (n, actions).
        """
        n = len(states)
        advice = np.full((n, len(self)), -1, np.int16)
        if len(self):
            masks = np.ascontiguousarray(masks, np.int8)
            rng = np.zeros(n, AGENT_RNG)

            def part(number: int, lo: int, hi: int) -> None:
                self._loops.advise_games(
                    *(states, self._config.record, self.numbers, masks, rng, self._scratch[number], advice, lo, hi)
                )

            run_ranges(part, n, self._threads)
        return advice
