"""Chapter 11: the snapshot gives the whole position, and gives it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.games.bdgame.positions import BASICS, Position, cubes, new_game, position, restore
from tests.support.faults import check_refused, drop, numbered, put, shift
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

PAUSE_LINE = [("hopper", 0, 2, "3Y"), ("pause", 1, 2, "R"), ("packer", 2, 2)]
FORK = [("hopper", 0, 2, "2Y 2R"), ("splitter", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]


def in_phase(phase: str) -> Position:
    """Some position of that phase, reached by play."""
    shop = {"storage": "1B 1Y", "workshop": [("hopper", 0, 2)], "hand": ["straight", "packer"]}
    trade = {"trading": True, "hand": ["straight"], "others": {1: {"hand": ["pause"]}}}
    made = {"phase": "fulfil", "made": "4Y 2B", "queue": ["o01", "o12"]}
    start: dict[str, Callable[[], Position]] = {
        "act": lambda: position(**shop),
        "buy": lambda: position(**shop).play("pay B", "buy joiner"),
        "place": lambda: position(**shop).play("pay B", "buy joiner", "select joiner"),
        "build": lambda: position(**shop).play("select straight", "place 1,2"),
        "dismantle": lambda: position().play("remove 1,2"),
        "load": lambda: position(**shop).play("load Y@0"),
        "discard": lambda: position(storage="9R").play("collect"),
        "activate": lambda: position(workshop=PAUSE_LINE).play("end"),
        "split": lambda: position(workshop=FORK).play("end", "activate 0", "split 1"),
        "hold": lambda: position(workshop=PAUSE_LINE).play("end", "activate 0"),
        "fulfil": lambda: position(**made),
        "over": lambda: position(seat=1, round=60).play("end"),
        "offer": lambda: position(**trade).play("offer straight", "seat 1"),
        "respond": lambda: position(**trade).play("offer straight", "seat 1", "want pause"),
    }
    return start[phase]()


PHASES = (
    *("act", "buy", "place", "build", "dismantle", "load", "discard"),
    *("activate", "split", "hold", "fulfil", "over", "offer", "respond"),
)


@pytest.mark.parametrize("phase", PHASES)
def test_snapshot_restores_the_position_exactly(phase):
    """Section 11: in every phase the restored game has the same snapshot and the same legal moves."""
    t = in_phase(phase)
    assert t.phase == phase
    again = Position(restore(t.snap))
    assert again.snap == t.snap and again.legal == t.legal
    assert (again.seat, again.over) == (t.seat, t.over)


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "over"])
def test_snapshot_goes_on_in_the_same_way(phase):
    """Section 11: every legal move leads from the restored game to the same position."""
    for move in sorted(in_phase(phase).legal):
        played, restored = in_phase(phase).play(move), in_phase(phase).copy().play(move)
        assert restored.snap == played.snap and restored.legal == played.legal


@pytest.mark.parametrize("phase", PHASES)
def test_snapshot_is_plain_json(phase):
    """Section 11: nothing is lost by writing it as text and reading it again."""
    snap = in_phase(phase).snap
    assert json.loads(json.dumps(snap)) == snap


def test_snapshot_of_a_new_game():
    """Section 11: all entries of the first position, decks apart."""
    snap = new_game(3, seed=5).snap
    for deck in ("orders_row", "orders_deck", "parts_row", "parts_deck"):
        snap.pop(deck)
    seats = snap.pop("seats")
    assert snap == {
        "game": "bdgame",
        "players": 3,
        "options": {"selling": False, "trading": False, "max_rounds": 60, "deck": "classic"},
        "round": 1,
        "seat": 0,
        "phase": "act",
        "open": None,
        "actions_left": 3,
        "last_round": False,
        "truncated": False,
        "bank": {"Y": 21, "R": 21, "B": 21},
        "known": [],
        "piles": dict.fromkeys(BASICS, 4),
        "credit": 0,
        "sold": 0,
        "bought": {},
        "purchases": 0,
        "selected": None,
        "made": {"Y": 0, "R": 0, "B": 0},
        "pending": None,
        "offers": 0,
        "offer": None,
    }
    assert [sorted(seat) for seat in seats] == [["fulfilled", "hand", "orders", "points", "storage", "workshop"]] * 3


def test_snapshot_of_an_open_buy():
    """Section 11: credit, cards bought and not placed, number of purchases and the selected kind."""
    t = position(storage="1B", workshop=[("hopper", 0, 2)])
    t.play("pay B", "buy straight", "buy packer", "select straight")
    snap = t.snap
    assert (snap["open"], snap["credit"], snap["purchases"], snap["selected"]) == ("buy", 2, 2, "straight")
    assert snap["bought"] == {"straight": 1, "packer": 1}
    snap = t.play("place 1,2").snap
    assert (snap["purchases"], snap["bought"], snap["selected"]) == (2, {"packer": 1}, None)
    snap = t.play("end").snap
    assert (snap["open"], snap["credit"], snap["purchases"], snap["bought"]) == (None, 0, 0, {})


def test_snapshot_lists_only_kinds_in_hand():
    """Section 11: a kind whose last card was placed is not listed with a zero."""
    t = position(hand=["straight"], workshop=[("hopper", 0, 2)]).play("select straight", "place 1,2")
    assert t.hand == {}


def test_snapshot_sorts_the_workshop_by_column_and_height():
    """Section 11: whatever the order of placing."""
    t = position(hand=["hopper", "hopper"]).play("select hopper", "place 0,8", "select hopper", "place 0,0")
    assert [(card["x"], card["y"]) for card in t.me["workshop"]] == [
        (0, 0),
        (0, 2),
        (0, 6),
        (0, 8),
        (1, 2),
        (1, 6),
    ]


def test_snapshot_names_what_is_open():
    """Section 11: `open` is the action that is open, or nothing; a discard after Collect counts."""
    found = {phase: in_phase(phase).snap["open"] for phase in PHASES}
    named = {"buy": "buy", "place": "buy", "build": "build", "dismantle": "dismantle", "load": "load"}
    assert found == {**dict.fromkeys(PHASES), **named, "discard": "collect"}


def test_snapshot_counts_no_actions_after_the_action_phase():
    """Section 11: with `end` the actions left are lost and shown as 0."""
    assert position(workshop=PAUSE_LINE).play("end").snap["actions_left"] == 0


def test_snapshot_fresh_is_true_in_the_turn_of_holding_only():
    """Section 11: while the turn lasts the held cube is fresh, at its end it is not."""
    t = position(workshop=[*PAUSE_LINE, ("hopper", 0, 6, "1B"), ("packer", 1, 6)]).play("end", "activate 0")
    t.play("hold Y")
    assert (t.card(1, 2)["held"], t.card(1, 2)["fresh"]) == ("Y", True)
    t.play("end")
    assert (t.card(1, 2)["held"], t.card(1, 2)["fresh"]) == ("Y", False)


def test_snapshot_keeps_a_fresh_cube_fresh():
    """Section 11: a game restored in the middle of the turn does not lose the cube at its end."""
    t = position(workshop=[*PAUSE_LINE, ("hopper", 0, 6, "1B"), ("packer", 1, 6)]).play("end", "activate 0")
    t = t.play("hold Y").copy().play("end")
    assert t.card(1, 2)["held"] == "Y"


def test_snapshot_of_a_waiting_flow():
    """Section 11: cubes at cards not yet processed lie in the flow, those at a packer before in the pool."""
    device = [
        ("hopper", 0, 4, "4Y"),
        ("splitter", 1, 4),  # outlets at 4 and 6
        ("splitter", 2, 3),  # outlets at 3 and 5
        ("bend_down", 2, 5),
        ("packer", 3, 2),
        ("packer", 3, 4),
        ("packer", 3, 6),
    ]
    t = position(phase="activate", workshop=device).play("activate 0", "split 3")
    assert t.snap["pending"] == {
        "ask": "split",
        "x": 2,
        "y": 3,
        "color": "Y",
        "arrived": cubes("3Y"),
        "up": cubes(),
        "flow": [{"x": 2, "y": 5, "port": "mid", "cubes": cubes("1Y")}],
    }
    assert t.hopper(0) == cubes() and t.made == cubes()


def test_snapshot_sorts_the_flow_by_column_height_and_port():
    """Section 11: while the splitter is asked, cubes wait at both inlets of a joiner and in the next column."""
    device = [
        ("hopper", 0, 4, "3Y"),
        ("hopper", 0, 6, "1R"),
        ("hopper", 0, 8, "1B"),
        ("hopper", 1, 1, "2R"),
        ("splitter", 1, 4),  # 5 to 4 and 6
        ("joiner", 1, 7),  # 7 and 9 to 8
        ("straight", 2, 1),  # 2
        ("packer", 2, 3),  # 4
        ("joiner", 2, 6),  # 6 and 8 to 7
        ("bend_down", 3, 1),  # 2 to 3
        ("bend_up", 3, 6),  # 7 to 6
        ("straight", 4, 2),  # 3
        ("bend_up", 4, 5),  # 6 to 5
        ("joiner", 5, 3),  # 3 and 5 to 4
        ("packer", 6, 3),
    ]
    t = position(phase="activate", workshop=device).play("activate 0")
    assert t.snap["pending"]["flow"] == [
        {"x": 1, "y": 7, "port": "up", "cubes": cubes("1R")},
        {"x": 1, "y": 7, "port": "down", "cubes": cubes("1B")},
        {"x": 2, "y": 1, "port": "mid", "cubes": cubes("2R")},
    ]
    assert t.play("split 1").storage == cubes("3Y 3R 1B")


def test_snapshot_of_a_hold_question():
    """Section 11: the question of a pause card has no color and no decided part."""
    t = position(workshop=PAUSE_LINE).play("end", "activate 0")
    assert t.snap["pending"] == {
        "ask": "hold",
        "x": 1,
        "y": 2,
        "arrived": cubes("3Y"),
        "flow": [{"x": 2, "y": 2, "port": "mid", "cubes": cubes("1R")}],
    }


def new() -> dict[str, Any]:
    return new_game().snap


def buy() -> dict[str, Any]:
    return in_phase("buy").snap


def split() -> dict[str, Any]:
    return in_phase("split").snap


def respond() -> dict[str, Any]:
    return in_phase("respond").snap


def fourth_special(data: dict[str, Any]) -> None:
    data["parts_deck"].append("c_2Y_1R")


def double_order(data: dict[str, Any]) -> None:
    data["orders_deck"][0] = data["orders_row"][0]


def packer_in_column_0(data: dict[str, Any]) -> None:
    data["seats"][0]["workshop"][2] |= {"x": 0, "y": 4}


WORKSHOP = ("seats", 0, "workshop")  # hoppers at (0, 2) and (0, 6), packers at (1, 2) and (1, 6)

FAULTS = [
    (new, put("players", 3), "seats has 2 entries, must have 3"),
    (new, put("players", 5), "players=5"),
    (new, put("options", {"deck": "classic"}), "options.selling is missing"),
    (new, put("options", {}), "options.deck is None, but these are the cards of 'classic'"),
    (new, put("phase", "buy"), "phase 'buy' does not go with open 'nothing'"),
    (new, put("phase", "split"), "phase 'split' does not go with what is pending"),
    (new, put("phase", "offer"), "phase is 'offer', must be one of act"),
    (new, put("open", "nothing"), "open is 'nothing', must be one of null, buy"),
    (new, put("open", "buy"), "phase 'act' does not go with open 'buy'"),
    (new, put("actions_left", 0), "phase 'act' with actions_left 0, must be 1 to 3"),
    (new, shift((*WORKSHOP, 0, "cubes", "Y"), ("bank", "Y")), "cubes.Y is -1, must be 0 to 24"),
    (new, put("bank", "Y", 23), "25 cubes of color Y, must be 24"),
    (new, put("piles", "pause", 2), "2 cards of kind pause, must be 3"),
    (new, put("seats", 0, "hand", {"straight": 1}), "4 cards of kind straight, must be 3"),
    (new, fourth_special, "4 cards of kind c_2Y_1R, must be 3"),
    (new, put("parts_deck", 0, "c_9Y_9R"), r"parts_deck\[0\] is 'c_9Y_9R', must be one of hopper, .*, c_2Y_1R"),
    (new, drop("orders_deck", -1), "0 orders o.., must be 1"),
    (new, double_order, "[02] orders o.., must be 1"),
    (new, put("seats", 0, "fulfilled", ["o99"]), r"seats\[0\].fulfilled\[0\] is 'o99', must be one of o01, o02"),
    (new, put(*WORKSHOP, 0, "kind", "hoper"), r"workshop\[0\].kind is 'hoper', must be one of hopper, packer"),
    (new, put(*WORKSHOP, 1, "y", 3), r"seats\[0\].workshop: hopper at \(0, 3\) overlaps another card"),
    (new, put(*WORKSHOP, 1, "y", 9), r"seats\[0\].workshop\[1\].y is 9, must be 0 to 8"),
    (new, put(*WORKSHOP, 1, "slot", 0), r"slot 0 of the hopper at \(0, 6\) is not free"),
    (new, drop(*WORKSHOP, 1, "slot"), r"seats\[0\].workshop\[1\].slot is missing"),
    (new, packer_in_column_0, r"packer at \(0, 4\) points out of the workshop"),
    (new, put("selected", "pause"), "a card is selected in the phase place, and only there"),
    (new, put("credit", 1), "belong to an open Buy action"),
    (buy, put("sold", 5), "sold is 5, must be 0 to 0"),
    (split, put("pending", None), "phase 'split' does not go with what is pending"),
    (split, put("pending", "ask", "hold"), r"pending asks at \(1, 2\), where no pause lies"),
    (split, put("pending", "color", "G"), "pending.color is 'G', must be one of Y, R, B"),
    (split, put("pending", "x", -7), "pending.x is -7, must be 0 to 7"),
    (split, put("pending", "flow", [{}]), r"pending.flow\[0\].x is missing"),
    (respond, put("offer", None), "phase 'respond' does not go with the offer"),
    (respond, put("offer", "to", 2), "offer.to is 2, must be 0 to 1 or null"),
    (respond, put("offer", "card", None), "offer.card is null"),
]


@engine_only  # the reference trusts its snapshots
@numbered(FAULTS)
def test_snapshot_with_a_fault_is_refused(make, spoil, reason):
    """Section 11: cubes and cards are conserved, the geometry holds; else one line says what is wrong."""
    check_refused(restore, make, spoil, reason)
