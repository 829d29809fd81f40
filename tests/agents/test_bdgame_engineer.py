"""The engineer of Bdgame: which machines it builds, over how many turns, and how it answers."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.experiments.arena.matches import play_batch
from bdgame_env.experiments.arena.seating import seatings
from tests.games.bdgame.positions import DECK, STARTING_DEVICES, position

GAME = get_game("bdgame-v3")
ENGINEER = make_agent("engineer", GAME, GAME.config(deck=DECK))
USELESS = ["c_1B_3R", "s_1B_1B1R", "c_1R_3Y"]


def turn_of(t):
    """The moves that the engineer makes until its turn is over."""
    seat, moves = t.seat, []
    while t.seat == seat and not t.match.over:
        action = int(ENGINEER.act(None, t.match.mask()[None], t.match.states.copy())[0])
        assert t.match.mask()[action]
        moves.append(t.match.action_to_string(action))
        t.play(moves[-1])
    return moves


def cards_of(t):
    """Kind and place of the cards in the first seat's workshop."""
    return {(card["kind"], card["x"], card["y"]) for card in t.snap["seats"][0]["workshop"]}


def built(t, turns):
    """The special parts in the first seat's workshop after so many of its turns; the other seat passes."""
    for _ in range(turns):
        turn_of(t)
        while t.seat == 1:
            t.play("end")
    return {kind for kind, _, _ in cards_of(t) if kind[1] == "_"}


def test_it_builds_a_splitter_with_both_lanes():
    """It gives Blue and Red, which all orders need."""
    t = position(storage="10Y", parts_row=["s_4Y_1B1R", *USELESS], orders_row=["o25", "o26", "o27", "o29"])
    assert "s_4Y_1B1R" in built(t, 2)


def test_it_builds_a_joiner_with_both_inlets():
    """It makes Blue of the Yellow and Red that lie idle: from two hoppers, or from one behind a grey splitter."""
    t = position(storage="5Y 5R", parts_row=["j_1Y1R_1B", *USELESS], orders_row=["o11", "o12", "o13", "o21"])
    assert "j_1Y1R_1B" in built(t, 2)


def test_it_goes_on_with_what_it_bought():
    """A splitter in its hand is built; the Device that is left passes cubes through."""
    t = position(storage="3Y", hand=["s_4Y_1B1R", "joiner"], orders_row=["o25", "o26", "o27", "o29"])
    turn_of(t)
    assert {("s_4Y_1B1R"), ("joiner")} <= {kind for kind, _, _ in cards_of(t)}
    assert {("hopper", 0, 6), ("packer", 1, 6)} <= cards_of(t) or {("hopper", 0, 2), ("packer", 1, 2)} <= cards_of(t)


def test_it_answers_a_split_so_that_both_inlets_of_the_joiner_are_fed():
    """A grey splitter before a joiner of Yellow and Red: all Yellow goes up, all Red down."""
    line = (("hopper", 0, 2, "3Y 3R"), ("splitter", 1, 2), ("j_1Y1R_1B", 2, 2), ("packer", 3, 2))
    t = position(phase="activate", workshop=(*line, *STARTING_DEVICES[2:]), storage="", queue=("o13",))
    assert turn_of(t)[:2] == ["activate 0", "split 3"]
    assert t.snap["seats"][0]["points"] == 6


def test_it_answers_a_split_so_that_both_outlets_work():
    """Yellow for a converter above; below, what an order needs as it is."""
    lanes = (("c_2Y_1R", 2, 1), ("packer", 3, 1), ("packer", 2, 3))
    t = position(
        phase="activate",
        workshop=(("hopper", 0, 2, "6Y"), ("splitter", 1, 2), *lanes, *STARTING_DEVICES[2:]),
        queue=("o14",),
    )
    assert turn_of(t)[:3] == ["activate 0", "split 4", "fulfil 0"]


def test_it_leaves_a_good_machine_alone():
    """What it has built is worth as much as it thought before: it neither takes it apart nor moves it."""
    line = (("hopper", 0, 2), ("s_4Y_1B1R", 1, 2), ("joiner", 2, 2), ("packer", 3, 2))
    t = position(storage="5Y", workshop=(*line, *STARTING_DEVICES[2:]), parts_row=[None] * 4, parts_deck=())
    for _ in range(3):
        assert not any(move.startswith("remove") for move in turn_of(t))
        while t.seat == 1:
            t.play("end")


def test_it_returns_what_no_order_in_sight_needs():
    """Seven Blue, where the orders want Yellow and Red."""
    t = position(phase="discard", storage="2Y 2R 7B", orders_row=["o17", "o18", "o14", "o16"], actions_left=0)
    assert turn_of(t)[0] == "discard B"


def test_it_does_not_return_what_it_has_just_collected():
    """Storage is full, the orders want much Yellow, and one Yellow more is worth less than any other cube."""
    t = position(storage="3Y 4R 3B", orders_row=["o19", "o32", "o02", "o05"])
    t.play("collect")
    assert [move for move in turn_of(t) if move.startswith("discard")][:2] == ["discard R", "discard R"]


def test_it_does_not_run_a_device_for_cubes_that_it_would_return():
    """Storage is full and holds all the Blue that orders in sight can use: Red stays Red."""
    line = (("hopper", 0, 2), ("c_3R_2B", 1, 2), ("packer", 2, 2))
    t = position(
        storage="2Y 5R 3B",
        workshop=(*line, *STARTING_DEVICES[2:]),
        parts_row=[None] * 4,
        parts_deck=(),
        orders_row=["o25", "o05", "o04", None],
    )
    moves = turn_of(t)
    assert "fulfil 0" in moves and "load R@0" not in moves


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deck", [None, "random:10000-10099"])
def test_its_games_end_by_themselves(players, deck):
    """Against itself: at most one in fifty goes on to the last round."""
    config = GAME.config(players=players, deck=deck)
    games = seatings(1, players, 4 if JIT_DISABLED else 100, 1)
    results = play_batch(GAME, config, [make_agent("engineer", GAME, config)], games, seed=7)
    assert sum(result.truncated for result in results) <= len(results) / 50


@pytest.mark.slow
@pytest.mark.parametrize("deck", [None, "classic", "random:10000-10099"])
def test_it_beats_greedy(deck):
    """In two games of three at least, over both seats."""
    if JIT_DISABLED:
        pytest.skip("uncompiled it takes minutes")
    config = GAME.config(deck=deck)
    agents = [make_agent(name, GAME, config) for name in ("engineer", "greedy")]
    games = [game for game in seatings(2, 2, 100, 1) if len(set(game.agents)) == 2]
    results = play_batch(GAME, config, agents, games, seed=11)
    won = sum(result.ranks[game.agents.index(0)] == 1 for game, result in zip(games, results, strict=True))
    assert won >= len(games) * 2 / 3


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_moves_legally_from_wherever_it_takes_over(players):
    """After random play of any length, with what lies around then."""
    batch = Batch(GAME, 16, seed=players, players=players)
    engineer, chaos = (make_agent(name, GAME, batch.config, seed=0) for name in ("engineer", "random"))
    for step in range(20 if JIT_DISABLED else 3000):
        agent = engineer if step // 60 % 2 else chaos
        actions = agent.act(batch.obs, batch.mask.copy(), batch.states.copy())
        assert batch.mask[np.arange(16), actions].all()
        batch.step(actions)
