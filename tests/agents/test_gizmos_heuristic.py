"""The heuristic player of Gizmos: sensible where one move is plainly best."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.jit import JIT_DISABLED
from tests.games.gizmos.positions import position, rich_position

GAME = get_game("gizmos-v3")
PLAYERS = compiled_players(GAME)


def heuristic(config):
    return make_agent("heuristic", GAME, config)


def action_at(t):
    """The player's action in a given position."""
    match = t.match
    mask = np.zeros((1, match.config.num_actions), np.int8)
    mask[0, match.legal_actions()] = 1
    return match.action_to_string(int(heuristic(match.config).act(None, mask, match.states.copy())[0]))


@pytest.mark.parametrize("seed", range(3 if JIT_DISABLED else 30))
def test_it_plays_late_positions_to_the_end(seed):
    """With many converters, so that there are many ways to pay, and converters to name."""
    t = rich_position(seed, players=2 + seed % 3, max_rounds=30)
    while not t.match.over:
        t.match.play(action_at(t))


def evaluations(states, config, players):
    """The player's evaluation of each seat's position."""
    scratch = np.zeros(1, PLAYERS.scratch)
    return [[PLAYERS.evaluate(s, config.record[0], seat, scratch[0]) for seat in range(players)] for s in states]


def test_its_judgement_tells_who_is_ahead():
    """Points, cards and marbles are worth something to their owner, in units of progress."""
    ahead = position(ring="2 red 1 blue", built=[40, 44, 57, 64], others={1: {"built": [8]}}, round=9)
    mine, theirs = evaluations([ahead.match.state], ahead.match.config, 2)[0]
    assert 0.1 < mine - theirs < 2.0


def test_it_takes_the_card_that_wins():
    """The last seat can end the game ahead with this turn."""
    built = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]
    t = position(seat=1, ring="1 red", built=built, display={0: 8, 1: 9, 2: 10, 3: 11}, round=9)
    assert action_at(t) == "build 0"


def test_it_pays_no_more_than_it_must():
    """A card that a discount makes free is not paid for."""
    t = position(ring="1 red", built=[104], archive=[8], round=9).play("build archive 0")
    assert t.phase == "pay" and action_at(t) == "pay 0"
