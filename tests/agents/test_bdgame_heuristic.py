"""The players of Bdgame: what greedy does where a full storage, its Devices or its queue leave it nothing to gain."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.heuristics.bdgame.plan import generosity_of
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.experiments.arena.matches import play_batch
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.games.bdgame import cards
from bdgame_env.games.bdgame.cards import MAX_PRICE
from tests.games.bdgame.positions import DECK, STARTING_DEVICES, position

GAME = get_game("bdgame-v3")
CONFIG = GAME.config(deck=DECK)
GREEDY, THRIFTY = (make_agent(name, GAME, CONFIG) for name in ("greedy", "thrifty"))
BLUE_ORDERS = ("o12", "o13", "o24", "o32")  # none without Blue
ROW = ["j_1Y1R_1B", "c_1Y_2Y", "s_2Y_1Y1R", "s_1R_1R1Y"]
SHOP = {"parts_row": ROW, "parts_next": ROW[1:], "piles": {"hopper": 0}}
SPLITTER = (("hopper", 0, 2), ("s_4Y_1B1R", 1, 2), ("packer", 2, 1), ("packer", 2, 3), *STARTING_DEVICES[2:])
CONVERTER = (("hopper", 0, 2), ("c_3Y_1B", 1, 2), ("packer", 2, 2), *STARTING_DEVICES[2:])
RED_ORDERS = ("o08", "o09", "o10", "o20")  # none without three Red
JOINER = (("hopper", 0, 2), ("hopper", 0, 4), ("j_1Y1Y_1Y1R", 1, 3), ("packer", 2, 3), *STARTING_DEVICES[2:])


def turn_of(t):
    """The moves that greedy makes until its turn is over."""
    seat, moves = t.seat, []
    while t.seat == seat and not t.match.over:
        action = int(GREEDY.act(None, t.match.mask()[None], t.match.states.copy())[0])
        moves.append(t.match.action_to_string(action))
        t.play(moves[-1])
    return moves


def kinds_of(t, seat=0):
    """The kinds of cards in a workshop."""
    return [card["kind"] for card in t.snap["seats"][seat]["workshop"]]


def test_it_rebuilds_a_device_when_hoppers_have_run_out():
    """Every order needs Blue, and its joiner makes Red: it becomes one that makes Blue."""
    t = position(storage="5Y 5R", workshop=JOINER, orders_row=BLUE_ORDERS, **SHOP)
    moves = turn_of(t)
    assert moves[:3] == ["remove 2,3", "remove 1,3", "end"]
    assert "select j_1Y1R_1B" in moves and "j_1Y1R_1B" in kinds_of(t) and "j_1Y1Y_1Y1R" in t.snap["seats"][0]["hand"]


def test_it_does_not_take_apart_what_it_cannot_rebuild_in_this_turn():
    """That takes three actions: it looks for other parts instead."""
    t = position(storage="5Y 5R", workshop=JOINER, orders_row=BLUE_ORDERS, **SHOP, actions_left=2)
    assert turn_of(t)[0] == "clear"
    assert "j_1Y1Y_1Y1R" in kinds_of(t)


def test_it_accepts_an_order_out_of_reach_to_see_another_one():
    """As long as a place of its queue stays free, and nothing in the row is within reach."""
    for queue, slot in (((), "accept 0"), (("o11",), "accept 0"), (("o11", "o28"), None)):
        t = position(storage="5Y 5R", workshop=JOINER, queue=queue, orders_row=BLUE_ORDERS, **SHOP, actions_left=1)
        accepted = [move for move in turn_of(t) if move.startswith("accept")]
        assert accepted == ([slot] if slot else [])


def test_it_pays_an_order_rather_than_wait_with_full_storage():
    """Saving for 8 Yellow while Red and Blue take the room would last for ever."""
    t = position(storage="5Y 3R 2B", workshop=JOINER, queue=("o06", "o03", "o05"), **SHOP, actions_left=1)
    assert "fulfil 1" in turn_of(t)


def test_it_returns_cubes_that_no_order_of_a_full_queue_needs():
    """Here Red, whatever it is worth."""
    t = position(phase="discard", storage="7Y 4R", queue=("o06", "o05", "o04"), actions_left=0)
    assert turn_of(t)[0] == "discard R"


def test_a_plan_stays_the_same_while_it_is_loaded():
    """Cubes on hoppers are worth what they were in storage: it loads what the order that it has accepted needs."""
    t = position(
        storage="6Y 1R 2B",
        queue=("o20", "o28"),
        orders_row=("o14", "o09", "o23", "o08"),
        workshop=SPLITTER,
        parts_row=["c_1R_3Y", "c_3R_2B", "s_2R_1R1B", "j_1Y1R_3R"],
        actions_left=2,
    )
    moves = turn_of(t)
    assert moves[0] == "accept 2" and moves.count("load Y@1") == 3 and moves[-1] == "fulfil 2"


def test_it_buys_a_dear_card_before_it_pays_for_the_others():
    """B52: nothing can be paid once the credit covers the dearest card. It still gets the whole of a new Device."""
    t = position(
        storage="10Y",
        queue=("o02", "o22"),
        orders_row=("o12", "o28", "o31", "o26"),
        workshop=CONVERTER,
        parts_row=["j_1Y1B_1R2B", "c_1Y_2Y", "c_2R_1B", "c_3R_2B"],
    )
    bought = [move for move in turn_of(t) if move.startswith("buy")]
    assert bought == ["buy 1", "buy hopper", "buy packer"] and "c_1Y_2Y" in kinds_of(t)


def test_it_uses_cubes_for_accepted_orders_when_no_others_are_left():
    """The splitter gets no more Yellow than leaves enough for an order that it can fulfil at once."""
    t = position(
        storage="7Y 1R",
        queue=("o13", "o16", "o21"),
        orders_row=[None] * 4,
        orders_deck=(),
        workshop=SPLITTER,
        parts_row=["j_2Y2R_3B", "s_1R_1R1Y", "j_1Y1R_3R", "c_3Y_1B"],
        hand=["s_4Y_1B1R"],
        actions_left=2,
    )
    moves = turn_of(t)
    assert moves.count("load Y@0") == moves.count("load Y@1") == 4 and moves[-1] == "fulfil 1"


def test_it_returns_what_is_in_the_way_rather_than_what_a_device_takes():
    """Five Blue, where all orders want Red, which the splitter makes of 4 Yellow."""
    t = position(phase="discard", storage="5Y 1R 5B", workshop=SPLITTER, orders_row=RED_ORDERS, actions_left=0)
    assert turn_of(t)[0] == "discard B"


def test_weights_are_those_of_the_classic_deck():
    """Which they were found on; another deck scales them by what its orders give."""
    classic, standard, drawn = (
        generosity_of(GAME.config(deck=deck).record[0].of[0]) for deck in ("classic", None, "random:0")
    )
    assert classic == 1.0 and standard < 0.9 and 1.0 < drawn < 1.5


def test_thrifty_changes_its_devices_only_when_they_are_of_no_use():
    """Where greedy rebuilds at once, it collects; where nothing else is left to do, it does the same."""
    useful, useless = {"storage": "2Y 2R 2B"}, {"storage": "5Y 5R", "workshop": JOINER, "orders_row": BLUE_ORDERS}
    for place, move in ((useful, "collect"), (useless, "remove 2,3")):
        t = position(**place, **SHOP)
        thrifty, greedy = (
            t.match.action_to_string(int(player.act(None, t.match.mask()[None], t.match.states.copy())[0]))
            for player in (THRIFTY, GREEDY)
        )
        assert thrifty == move and greedy.startswith("remove")


@pytest.mark.slow
@pytest.mark.parametrize(("player", "most"), [("greedy", 0.01), ("thrifty", 0.02)])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deck", ["classic", None])
def test_its_games_end_by_themselves(players, deck, player, most):
    """Against itself and against random play, though that hoards hoppers and packers: thrifty, which builds late, may
    find none left.
    """
    config = GAME.config(players=players, deck=deck)
    games = seatings(2, players, 4 if JIT_DISABLED else 40, 1)
    for other in (player, "random"):
        agents = [make_agent(name, GAME, config, seed=3) for name in (player, other)]
        results = play_batch(GAME, config, agents, [game for game in games if 0 in game.agents], seed=7)
        assert sum(result.truncated for result in results) <= most * len(results)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("cost", "points"), [(1, MAX_PRICE), (MAX_PRICE, 1), (MAX_PRICE, MAX_PRICE), (1, 1)])
def test_decks_of_extreme_numbers(cost: int, points: int, players: int, tmp_path: Path) -> None:
    """All that somebody's deck may say: both players, and searches by them, choose legal actions."""
    text = (Path(cards.__file__).parent / "cards.toml").read_text(encoding="utf-8")
    deck = tmp_path / "deck.toml"
    for name, number in (("cost", cost), ("points", points)):
        text, found = re.subn(rf"\b{name} = \d+", f"{name} = {number}", text)
        assert found > 20
    deck.write_text(text, encoding="utf-8")
    batch = Batch(GAME, 4, seed=players, players=players, deck=str(deck))
    specs = ("greedy", "thrifty", "mcts:sims=4,rollout_depth=2", "planner:deals=1,most=1,rollout_depth=2")
    agents = [make_agent(spec, GAME, batch.config, seed=0) for spec in specs]
    for step in range(8 if JIT_DISABLED else 400):
        agent = agents[step % 2 if step % 20 else 2 + step // 20 % 2]
        actions = agent.act(batch.obs, batch.mask.copy(), batch.states.copy())
        assert batch.mask[np.arange(4), actions].all(), agent.name
        assert agent.preferences is None or np.isfinite(agent.preferences).all()
        batch.step(actions)
