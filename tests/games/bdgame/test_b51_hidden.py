"""Chapter 9: hidden information (B51)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.game import GAME
from tests.games.bdgame.positions import ORDERS, Position, new_game, position, restore
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def determinized(data: dict, seat: int, rng: int) -> Match:
    """A copy of the position in which what is hidden from the seat is dealt again, from this state of the generator."""
    match = bdgame_env.match_from_snapshot(data)
    match.states["rng"] = rng
    GAME.rules.resample(match.state, match.config.record[0], seat)
    return match


def upside_down(data: dict) -> dict:
    """The position with what is hidden in both decks turned around."""
    unknown = len(data["parts_deck"]) - len(data["known"])
    parts = data["parts_deck"][:unknown][::-1] + data["parts_deck"][unknown:]
    return {**data, "orders_deck": data["orders_deck"][::-1], "parts_deck": parts}


def test_b51_decks_are_shown_as_counts():
    """B51: without the hidden part the snapshot gives the number of cards in a deck, not the cards."""
    public = new_game(3).public
    assert public["orders_deck"] == 28 and public["parts_deck"] == 56


def test_b51_everything_else_is_public():
    """B51: hands, queues, storages and workshops of all seats are shown."""
    t = position(hand=["pause"], queue=["o28"], others={1: {"hand": ["joiner"], "storage": "2B", "queue": ["o01"]}})
    full, public = t.snap, t.public
    hidden = {"orders_deck", "parts_deck"}
    assert {key for key in full if full[key] != public[key]} == hidden
    assert public["seats"] == full["seats"] and set(public) == set(full)


def test_b51_another_deck_order_looks_the_same():
    """B51: with both decks turned upside down every seat sees what it saw before."""
    t = new_game()
    data = t.snap
    turned = Position(
        restore({**data, "orders_deck": data["orders_deck"][::-1], "parts_deck": data["parts_deck"][::-1]})
    )
    assert turned.snap != t.snap
    assert turned.public == t.public and turned.legal == t.legal


def test_b51_no_order_of_the_deck_is_named():
    """B51: no hidden order appears anywhere in the public snapshot."""
    t = new_game()
    shown = str(t.public)
    assert all(order not in shown for order in t.snap["orders_deck"])
    assert sum(order in shown for order in ORDERS) == 4


def test_b51_a_cleared_row_stays_known():
    """B51, B27: the four cards lie under the deck as all saw them go there, slot 0 uppermost."""
    t = position()
    row = t.snap["parts_row"]
    t.play("clear")
    for snap in (t.snap, t.public):
        assert snap["known"] == row
    assert t.snap["parts_deck"][-4:] == row


@engine_only
def test_b51_a_cleared_row_is_observed():
    """B51, B27: the mover observes the four cards at their places in the deck, and no other card of it."""
    t = position()
    row = t.snap["parts_row"]
    t.play("clear")
    seen = t.seen("known_parts")[:, 0]
    assert [t.match.config.cards.kinds[card - 1] for card in seen[seen > 0]] == row
    assert list(np.flatnonzero(seen)) == list(range(len(t.snap["parts_deck"]) - 4, len(t.snap["parts_deck"])))


def test_b51_a_sold_card_stays_known():
    """B51, B49: a special card that is sold goes under the deck for all to see, a basic one onto its pile."""
    t = position(selling=True, storage="1B", hand=["c_1Y_1R", "pause"], workshop=[]).play("sell c_1Y_1R", "sell pause")
    assert t.snap["known"] == ["c_1Y_1R"]


def test_b51_a_known_card_that_is_drawn_lies_open():
    """B51: with one card in the deck a Clear draws it and three of the cards that just went there."""
    row = ["c_1Y_1R", "c_2Y_1R", "c_3Y_1B", "c_2R_1B"]
    t = position(parts_row=row, parts_deck=["j_1Y1R_3R"]).play("clear")
    assert t.snap["parts_row"] == ["j_1Y1R_3R", *row[:3]]
    assert t.snap["known"] == t.snap["parts_deck"] == row[3:]


@engine_only
@pytest.mark.parametrize("moves", [(), ("clear",), ("clear", "clear")])
def test_b51_determinization_depends_on_chance_and_on_what_is_seen_alone(moves):
    """B51: whatever the true order, the copy is the same to the last byte; known cards keep their places."""
    data = position(players=3).play(*moves).snap
    for seat in range(3):
        one, other = determinized(data, seat, 5), determinized(upside_down(data), seat, 5)
        assert one.states.tobytes() == other.states.tobytes()
        again = one.snapshot(omniscient=True)
        assert again["known"] == data["known"] and {**again, **hidden(data)} == data
        assert again["parts_deck"][:30] != data["parts_deck"][:30] and again["orders_deck"] != data["orders_deck"]
        assert determinized(data, seat, 6).states.tobytes() != one.states.tobytes()


def hidden(data: dict) -> dict:
    """The entries of a snapshot that are hidden."""
    return {name: data[name] for name in ("orders_deck", "parts_deck")}


@engine_only
def test_b51_determinization_is_uniform():
    """B51: each order is equally likely on top, and each order of three special cards above a known one."""
    parts = ["c_1Y_1R", "c_2Y_1R", "c_3Y_1B", "c_2R_1B"]
    data = {**position(parts_deck=parts).snap, "known": parts[3:]}
    top, specials = Counter(), Counter()
    match = bdgame_env.match_from_snapshot(data)
    for rng in range(_DEALS):
        match.states["rng"] = rng * 0x9E3779B9
        GAME.rules.resample(match.state, match.config.record[0], 1)
        top[int(match.state.orders_deck[0])] += 1
        specials[tuple(match.state.parts_deck[:4])] += 1
    assert len(top) == len(data["orders_deck"]) and chi_square(top) < 55.5  # of 27 degrees: chance 0.001
    assert len(specials) == 6 and chi_square(specials) < 20.5  # of 5


_DEALS = 1400


def chi_square(found: Counter) -> float:
    expected = _DEALS / len(found)
    return sum((count - expected) ** 2 / expected for count in found.values())
