"""Records that are no games: whatever bytes they hold, every rule, heuristic and search ends on them.

What comes of them means nothing, and an error is as good as a result.
"""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest

from bdgame_env import Match, get_game, list_games
from bdgame_env.agents.opponents import resolve_opponents
from bdgame_env.agents.registry import make_agent
from bdgame_env.agents.search import playout_loops
from bdgame_env.agents.search.forest import SearchSettings
from bdgame_env.agents.search.search_records import Own
from bdgame_env.engine import learner_loops
from bdgame_env.engine.codes import LEARNER
from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.loop_builder import instantiate, loops_of, seams_of
from bdgame_env.engine.seam import gathered, with_other

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(
        not JIT_DISABLED, reason="compiled loops cannot be interrupted, and compiled indices are not checked"
    ),
]
GAMES = list_games()
SEARCHES = {"mcts": {"sims": 3}, "planner": {"sims": 3}, "az": {"sims": 3}, "ppo": {}, "heuristic": {}}
RECORDS = 20
SECONDS = 20


class Endless(BaseException):
    """Not an Exception, so that nobody takes it for the error that a record may cause."""


@contextmanager
def ends(what: str, *, errors: bool = True) -> Iterator[None]:
    """Let any error pass, if there may be any, but not a call that goes on for long."""

    def stop(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        with suppress(*[Exception] * errors), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except Endless:
        raise AssertionError(f"{what} does not end") from None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def records(game: Game, players: int) -> Iterator[np.ndarray[Any, Any]]:
    """Zeros, ones, random bytes, small random bytes, and games of which some bytes were changed."""
    for number in range(RECORDS):
        rng = np.random.default_rng(number)
        states = Match(game, seed=number, players=players).states.copy()
        data = states.view(np.uint8)
        if number < 2:
            data[:] = 255 * number
        elif number % 3 == 0:
            data[:] = rng.integers(0, 256, data.size)
        elif number % 3 == 1:
            data[:] = rng.integers(0, 4, data.size)
        else:
            data[rng.integers(0, data.size, 20)] = rng.integers(0, 256, 20)
        yield states


def calls(game: Game, players: int) -> dict[str, Callable[[Any], object]]:
    """All that takes a record, by name."""
    config = game.config(players=players)
    compiled = resolve_opponents(game, config, ["heuristic"])[1]
    assert compiled is not None
    obs, mask, ranks = np.zeros(1, game.obs), np.zeros(config.num_actions, np.int8), np.zeros(8, np.int8)
    record, rng, scratch = config.record[0], np.zeros(1, [("rng", np.uint64)]), np.zeros(1, compiled.scratch)
    found: dict[str, Callable[[Any], object]] = {
        "legal": lambda s: game.rules.legal(s, record, mask),
        "ranks": lambda s: game.rules.ranks(s, record, ranks),
        "snapshot": lambda s: game.position.snapshot(s, config, True),
    }
    for seat in range(players):
        found |= {
            f"observe {seat}": lambda s, seat=seat: game.rules.observe(s, record, seat, obs[0]),
            f"points {seat}": lambda s, seat=seat: game.rules.points(s, record, seat),
            f"progress {seat}": lambda s, seat=seat: game.rules.progress(s, record, seat),
            f"determinize {seat}": lambda s, seat=seat: loops_of(game).determinize(s, record, np.uint64(7), seat),
            f"snapshot {seat}": lambda s, seat=seat: game.position.snapshot(s, config, False, seat),
        }
    for action in range(0, config.num_actions, max(1, config.num_actions // 12)):
        found[f"apply {action}"] = lambda s, action=action: game.rules.apply(s, record, action)
    for number, name in enumerate(compiled.names, start=1):
        for allowed in (0, 1):
            allows = np.full(config.num_actions, allowed, np.int8)
            found[f"{name}, {allowed}"] = lambda s, number=number, allows=allows: compiled.choose(
                number, s, record, allows.copy(), rng[0], scratch[0]
            )
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [False, True], ids=["fewest players", "most players"])
def test_rules_and_heuristics_end(game: str, most: bool) -> None:
    declared = get_game(game)
    players = declared.seats[most]
    for number, states in enumerate(records(declared, players)):
        for name, call in calls(declared, players).items():
            given = states.copy()
            with ends(f"record {number}: {name}"):
                call(given[0])


@pytest.mark.parametrize("agent", SEARCHES)
@pytest.mark.parametrize("game", GAMES)
def test_agents_end(game: str, agent: str) -> None:
    """On zeros and ones, as they are handed to `Agent.act`."""
    declared = get_game(game)
    config = declared.config()
    asked = make_agent(agent, declared, config, **SEARCHES[agent])
    for fill in (0, 255):
        states = np.zeros(1, declared.state)
        states.view(np.uint8)[:] = fill
        obs = np.zeros((1, declared.obs.itemsize), np.int8)
        for allowed in (0, 1):
            with ends(agent):
                asked.act(obs, np.full((1, config.num_actions), allowed, np.int8), states.copy())


def stuck(s: Any, config: Any, mask: Any) -> None:
    """Nothing is legal, except in games that were dealt."""
    if s.game_seed != 0:
        get_game(GAMES[0]).rules.legal(s, config, mask)


def stay(s: Any, config: Any, action: Any) -> None:
    """Whatever is played changes nothing."""


def choose_first(*_: Any) -> int:
    return 0


def stuck_seams(game: Game) -> dict[str, Any]:
    """The game's modules, with these rules."""
    rules = with_other(game.rules, legal=stuck, apply=stay)
    return {**seams_of(game), "rules": rules, "players": gathered("players", choose=choose_first)}


def test_playouts_end_where_nothing_is_legal() -> None:
    game = get_game(GAMES[0])
    config = game.config()
    loops = instantiate(
        playout_loops,
        game,
        {**stuck_seams(game), "guide": gathered("guide", advice=choose_first, choices=choose_first)},
    )
    states, settings = np.zeros(1, game.state), SearchSettings(playout=1000, player=1).record()
    own, mask = np.zeros(1, Own.dtype), np.zeros(config.num_actions, np.int8)
    for play in (
        lambda: loops.playout(states[0], config.record[0], own[0], settings[0], (), mask),
        lambda: loops.finish_turn(states[0], config.record[0], own[0], 1, settings[0], (), mask),
        lambda: loops.play_forced(states[0], config.record[0], mask),
    ):
        with ends("it", errors=False):
            play()
        assert states["decisions"][0] == own["played"][0] == 0


def test_a_learner_gets_a_new_game_where_nothing_is_legal() -> None:
    game = get_game(GAMES[0])
    batch = LearnerBatch(game, game.config(), 1, [Opponent("random", policy=0)], seat=0, seed=1)
    batch._loops = instantiate(learner_loops, game, stuck_seams(game))
    batch.reset()
    batch._games[:] = 0
    batch.rows["lineup"] = batch.rows["steps"] = 0
    with ends("it", errors=False):
        batch._loops.run_row(
            *(batch._games, batch.config.record, batch.rows, batch._settings, batch._scratch[0]),
            *(batch._obs, batch.mask, batch._final_obs, 0),
        )
    assert batch.mask.any() and batch.states["game_seed"][0] != 0 and batch.rows["status"][0] == LEARNER
