"""Detects agents that use what their seat cannot see; no game and no search is named here.

`Watch` is for searches. It wraps the game's rules in checks: any position that a search uses must have been resampled
for the seat that searches, with other random numbers than the game's, and must look to that seat like the true one;
and it must not have been tampered with since. It needs plain Python, without the JIT.

`check_players` is for compiled players: what they cannot see must not change what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.learner import learner_loops_of
from bdgame_env.engine.match import Match
from bdgame_env.engine.players import AGENT_RNG, CompiledPlayers
from tests.support.conformance import Options, positions
from tests.support.variants import variant

FRESH, PLAYED = 0x5EA1, 0x5EA2  # the game seed of a watched position, once it is resampled


class Leak(AssertionError):
    """An agent uses what its seat cannot see; the message says how."""


class Watch:
    """The game of a match, to be searched for the seat to decide.

    Attributes:
        game: the game to search, with watched rules.
        players: its compiled players, watched, or None.
        deals: how many times a position was resampled.
        used: how many of the samples were played on.
    """

    def __init__(self, match: Match, players: CompiledPlayers | None) -> None:
        self._true, self._config = match.game, match.config
        self._seat, self._rng = match.seat, int(match.state.rng)
        self._seen = match.observe(match.seat).tobytes()
        self._worlds: set[bytes] = set()
        self.deals = self.used = 0
        rules = {name: self._watched(name) for name in ("legal", "observe", "progress", "ranks")}
        self.game: Game = variant(match.game, resample=self._resample, apply=self._apply, **rules)
        self.players = players and replace(
            players,
            choose=self._asked(players.choose, 1),
            evaluate=players.evaluate and self._asked(players.evaluate, 0),
        )

    def _resample(self, s: Any, config: Any, seat: int) -> None:
        if seat != self._seat:
            raise Leak(f"resampled for seat {seat}, but seat {self._seat} searches")
        if int(s.rng) == self._rng:
            raise Leak("resampled with the chance of the true game")
        self._true.rules.resample(s, config, seat)
        if look(self._true, self._config, s, seat) != self._seen:
            raise Leak("the deal is none that the seat can take for the true one")
        s.game_seed = FRESH
        self._worlds.add(s.tobytes())
        self.deals += 1

    def _apply(self, s: Any, config: Any, action: int) -> None:
        self._check(s, "apply")
        mask = np.zeros(self._config.num_actions, np.int8)
        self._true.rules.legal(s, config, mask)
        assert mask[action], f"action {action} is not legal in the world that was dealt"
        self.used += s.game_seed == FRESH
        s.game_seed = PLAYED
        self._true.rules.apply(s, config, action)

    def _watched(self, name: str) -> Callable[..., Any]:
        rule = getattr(self._true.rules, name)

        def watched(s: Any, *others: Any) -> Any:
            if name != "legal" or s.seat != self._seat:  # its own legal actions are no secret
                self._check(s, name)
            return rule(s, *others)

        return watched

    def _asked(self, function: Callable[..., Any], place: int) -> Callable[..., Any]:
        def asked(*arguments: Any) -> Any:
            self._check(arguments[place], function.__name__)
            return function(*arguments)

        return asked

    def _check(self, s: Any, name: str) -> None:
        if s.game_seed not in (FRESH, PLAYED):
            raise Leak(f"{name}: the true position, not resampled")
        if s.game_seed == FRESH and s.tobytes() not in self._worlds:
            raise Leak(f"{name}: the position was changed after it had been resampled")


def look(game: Game, config: GameConfig, s: Any, seat: int) -> bytes:
    """Everything a seat sees of a position, as bytes."""
    seen = np.zeros(1, game.obs)
    game.rules.observe(s, config.record[0], seat, seen[0])
    return seen.tobytes()


def check_players(game: Game, players: CompiledPlayers, options: Options, every: int = 7) -> None:
    """Check that players and plans do the same in positions that look alike, and do not write the state.

    Raises:
        Leak: one of them fails.
    """
    for where, match in positions(game, options, every):
        if match.over:
            continue
        worlds = [match, *(match.clone(determinize=match.seat, seed=seed) for seed in range(3))]
        for policy in sorted({*range(1, len(players.names) + 1), *players.plans}):
            actions = [_action(game, players, policy, world) for world in worlds]
            if len(set(actions)) > 1:
                names = [match.action_to_string(action) if action >= 0 else "no opinion" for action in actions]
                raise Leak(f"{where}: policy {policy} does, in worlds that look alike: {', '.join(names)}")


def _action(game: Game, players: CompiledPlayers, policy: int, match: Match) -> int:
    actions, rng, scratch = np.zeros(1, np.int32), np.zeros(1, AGENT_RNG), np.zeros(1, players.scratch)
    states, mask = match.states.copy(), match.mask()[None]
    loops = learner_loops_of(game, players)
    loops.choose_games(states, match.config.record, np.array([policy], np.int8), mask, rng, scratch, actions, 0, 1)
    if states.tobytes() != match.states.tobytes():
        raise Leak(f"{game.id}: policy {policy} writes into the position")
    return int(actions[0])
