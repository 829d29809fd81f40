"""The heuristic player of Pixel Pusher: sensible where one move is plainly best."""

from __future__ import annotations

import numpy as np

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from tests.games.pixel_pusher.positions import position

GAME = get_game("pixel-pusher-v2")
PLAYERS = compiled_players(GAME)


def heuristic(config):
    return make_agent("heuristic", GAME, config)


def action_at(t):
    """The player's action in a given position."""
    match = t.match
    return match.action_to_string(int(heuristic(match.config).act(None, match.mask()[None], match.states.copy())[0]))


def played(t, moves=1):
    """The player's moves from here, for as long as the same seat decides."""
    done, seat = [], t.seat
    while not t.match.over and t.seat == seat and len(done) < moves:
        done.append(action_at(t))
        t.play(done[-1])
    return done


def test_it_mixes_what_the_best_line_asks_for():
    """Bat, line 2: BBYBB for 9 points; Y must be mixed first, without paying pixels of the line."""
    t = position("convert", pixels={0: "RGBBBB"}, slots={0: {1: ("convert", [2])}}, images={0: 7})
    moves = played(t, 9)
    assert moves[0] == "activate RG>Y" and "fill 0 line 2" in moves


def test_it_mixes_twice_for_a_white_pixel():
    """Snowman, line 0: _WWW_ for 12 points; the third W by way of Y and Y+B to W."""
    slots = {0: {1: ("convert", [2, 21])}}
    t = position("convert", pixels={0: "RGBWW"}, slots=slots, images={0: 8})
    moves = played(t, 9)
    assert moves[:2] == ["activate RG>Y", "activate YB>W"] and "fill 0 line 0" in moves


def test_it_gives_back_what_it_needs_least():
    """Six pixels, of which the line BBYBB needs five."""
    t = position("store", pixels={0: "RBBBBY"}, images={0: 7})
    assert action_at(t) == "give R"


def test_it_sells_at_the_end():
    """In the last round a pixel left over is worth nothing, and a sale two points."""
    slots = {0: {1: ("convert", [8])}}
    t = position("convert", round=7, pixels={0: "CCC"}, slots=slots, images={0: 7})
    assert played(t, 9)[0] == "activate C>2VP"


def test_it_builds_where_the_conveyor_has_the_color():
    """The end collects R, and R is only on segment 3."""
    conveyor = ["GGGBBB", "GGBBG", "RRRRGB", "GGB", "BG", "B"]
    t = position("build", round=7, drafted={0: [7, 1], 1: [9]}, conveyor=conveyor, pixels={0: "G"})
    assert {"install 0 collect slot 3", "install 1 collect slot 3"} & set(played(t, 2))


def evaluations(t):
    """The player's evaluation of each seat's position."""
    match, scratch = t.match, np.zeros(1, PLAYERS.scratch)
    record = match.config.record[0]
    return [PLAYERS.evaluate(match.states[0], record, seat, scratch[0]) for seat in range(match.players)]


def test_its_judgement_tells_who_is_ahead():
    """Points, pixels and machines are worth something to their owner, in units of progress."""
    slots = {0: {1: ("R", [1]), 2: ("G", [9]), 3: ("convert", [4])}}
    mine, theirs = evaluations(position("build", drafted={0: [2, 3]}, pixels={0: "RGW"}, points={0: 9}, slots=slots))
    assert 0.1 < mine - theirs < 2.0
