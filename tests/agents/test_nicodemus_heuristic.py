"""The heuristic player of Nicodemus: sensible where one move is plainly best."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.jit import JIT_DISABLED
from tests.games.nicodemus.positions import position, rich_position

GAME = get_game("nicodemus-v2")
CONFIG = GAME.config()
PLAYERS = compiled_players(GAME)
HEURISTIC = make_agent("heuristic", GAME, CONFIG)


def action_at(t):
    """The player's action in a given position."""
    match = t.match
    return match.action_to_string(int(HEURISTIC.act(None, match.mask()[None], match.states.copy())[0]))


def evaluations(t):
    """The player's evaluation of each seat's position."""
    scratch = np.zeros(1, PLAYERS.scratch)
    return [PLAYERS.evaluate(t.match.state, CONFIG.record[0], seat, scratch[0]) for seat in (0, 1)]


@pytest.mark.parametrize("seed", range(2 if JIT_DISABLED else 20))
def test_it_plays_late_positions_to_the_end(seed):
    """With full workshops, and payments that leave a choice."""
    t = rich_position(seed)
    while not t.match.over:
        t.match.play(action_at(t))


def test_the_last_tile_that_y1_would_draw_is_not_looked_at():
    """Whatever it is worth."""
    played = set()
    for tile in (0, 1):
        t = position(row="B1 P1 R1", hand="Y1 B2", workshop="B3 R2", project_top=[tile], project_deck=1)
        played.add(action_at(t))
    assert len(played) == 1


def test_it_repairs_what_wins():
    """The second seat can end the game with this turn."""
    t = position(seat=1, row="B1 Y1 P1", hand="P2 B2", tokens="1 charcoalium 2 wood 2 crystal", points=17)
    assert action_at(t) == "repair 2"


def test_it_completes_what_it_can():
    """These points are free: both machines leave anyway, and the same two complete one more project."""
    t = position(row="R1", workshop="P2 B4 B1", tokens="1 wood 1 crystal", board=[15, 6, 1]).play("repair 1")
    moves = []
    while t.seat == 0 and t.phase != "turn":
        moves.append(action_at(t))
        t.play(moves[-1])
    assert {"complete 15", "complete 6"} <= set(moves) and t.me["points"] == 7


def test_it_completes_a_lesser_project_before_it_is_closed():
    """N20.7: the one of 1 point has the lower number."""
    t = position(row="B1", workshop="B1", tokens="1 copper 1 crystal", board=[6, 1]).play("repair 1")
    assert action_at(t) == "complete 1" and action_at(t.play("complete 1")) == "complete 6"


def test_it_takes_the_charcoalium_that_lies_there():
    """Of two equal machines it takes the one with charcoalium on it."""
    t = position(row="P1 P1:3", tokens="1 charcoalium 1 wood 1 copper")
    assert action_at(t) == "repair 2"


def test_its_judgement_tells_who_is_ahead():
    """Points, tokens and machines are worth something to their owner, in units of progress."""
    mine, theirs = evaluations(position(row="B1 P1", points=6, tokens="2 charcoalium 2 wood", workshop="B3 B4"))
    assert 0.1 < mine - theirs < 1.5
