"""Self checks of the slow Bdgame: the rules' worked examples (E1-E13) and what every game must keep."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from tests.support.reference.bdgame import Reference
from tests.support.reference.bdgame_cards import BASIC_KINDS, COLORS, ORDERS, SPECIAL_KINDS

pytestmark = pytest.mark.plain

EVERY = 23  # every how many decisions a random game goes through a snapshot
ACT_FAMILIES = {"end", "collect", "clear", "accept", "pay", "select", "place", "remove", "load", "buy"}
FLOW_FAMILIES = {"activate", "split", "hold", "fulfil", "discard"}
TRADE_FAMILIES = {"offer", "seat", "want", "agree", "refuse"}


def cubes(text: str = "") -> dict[str, int]:
    """Cubes from letters: "YYB"."""
    return {color: text.count(color) for color in COLORS}


def new_game(seed: int = 0, players: int = 2, **options: Any) -> Reference:
    """A new game with decks shuffled by the seed."""
    rng = random.Random(seed)
    orders, parts = list(ORDERS), list(SPECIAL_KINDS) * 3
    rng.shuffle(orders)
    rng.shuffle(parts)
    return Reference.new(players, orders, parts, **options)


def card(kind: str, x: int, y: int, loaded: str = "", slot: int = 0) -> dict[str, Any]:
    """A card of a snapshot's workshop."""
    data: dict[str, Any] = {"x": x, "y": y, "kind": kind}
    if kind == "hopper":
        data |= {"slot": slot, "cubes": cubes(loaded)}
    if kind == "pause":
        data |= {"held": None, "fresh": False}
    return data


def position(workshop: list[dict[str, Any]], storage: str = "", hand: str = "", **changes: Any) -> Reference:
    """Seat 0 of a two-player game with this workshop, storage and hand; the bank has the other cubes."""
    data = new_game(**changes.pop("options", {})).snapshot()
    seat = data["seats"][0]
    seat["workshop"] = sorted(workshop, key=lambda item: (item["x"], item["y"]))
    seat["storage"] = cubes(storage)
    seat["hand"] = dict(Counter(hand.split()))
    data |= changes
    if "bank" not in changes:
        data["bank"] = {c: 24 - n for c, n in count_cubes(data | {"bank": cubes()}).items()}
    return Reference.from_snapshot(data)


def play(game: Reference, *moves: str) -> Reference:
    """Play moves in turn."""
    for move in moves:
        game.play(move)
    return game


def made_by(game: Reference, *moves: str) -> dict[str, int]:
    """What seat 0 has in storage after ending its actions and playing the moves (nothing is fulfilled)."""
    play(game, "end", *moves)
    assert game.seat == 1
    storage: dict[str, int] = game.snapshot()["seats"][0]["storage"]
    return storage


def count_cubes(data: dict[str, Any]) -> dict[str, int]:
    """All cubes of a snapshot."""
    found = Counter(data["bank"]) + Counter(data["made"])
    for seat in data["seats"]:
        found += Counter(seat["storage"])
        for item in seat["workshop"]:
            found += Counter(item.get("cubes", {}))
            if item.get("held"):
                found[item["held"]] += 1
    if data["pending"]:
        found += Counter(data["pending"]["arrived"])
        for item in data["pending"]["flow"]:
            found += Counter(item["cubes"])
    return {color: found[color] for color in COLORS}


def count_parts(data: dict[str, Any]) -> Counter[str]:
    """All Part cards of a snapshot."""
    found = Counter(data["piles"]) + Counter(data["parts_deck"]) + Counter(data["bought"])
    found += Counter(kind for kind in data["parts_row"] if kind)
    for seat in data["seats"]:
        found += Counter(seat["hand"]) + Counter(item["kind"] for item in seat["workshop"])
    return found


def count_orders(data: dict[str, Any]) -> Counter[str]:
    """All order cards of a snapshot."""
    found = Counter(data["orders_deck"]) + Counter(name for name in data["orders_row"] if name)
    for seat in data["seats"]:
        found += Counter(seat["orders"]) + Counter(seat["fulfilled"])
    return found


# ---- worked examples --------------------------------------------------------------------------------


def line(kind: str, loaded: str) -> list[dict[str, Any]]:
    """Hopper, one card, packer in a row."""
    return [card("hopper", 0, 2, loaded), card(kind, 1, 2), card("packer", 2, 2)]


def test_e1_straight_line() -> None:
    game = position(line("c_1Y_1R", ""), "YYY")
    play(game, "load Y@0", "load Y@0", "load Y@0")
    assert game.phase == "act"  # B52: nothing left to load
    assert made_by(game, "activate 0") == cubes("RRR")


def test_e2_rulebook_splitter() -> None:
    game = position([card("hopper", 0, 2, "BB")], hand="s_1B_2Y2R packer packer")
    play(game, "select s_1B_2Y2R", "place 1,2", "select packer")
    assert game.legal_moves() == ["place 2,1", "place 2,3"]
    play(game, "place 2,3", "select packer", "place 2,1")
    assert made_by(game, "activate 0") == cubes("YYYYRRRR")


@pytest.mark.parametrize(
    ("kind", "loaded", "made"),
    [("c_2Y_1R", "YYYYY", "RR"), ("c_2Y_1R", "RRR", "")],
)
def test_e3_e4_remainder_and_wrong_color(kind: str, loaded: str, made: str) -> None:
    game = position(line(kind, loaded))
    assert made_by(game, "activate 0") == cubes(made)
    assert count_cubes(game.snapshot()) == cubes("YRB" * 24)


def test_e5_open_outlet_touches_a_card_without_inlet() -> None:
    game = position([card("hopper", 0, 2), card("hopper", 1, 0, slot=1), card("s_1B_2Y2R", 1, 2)], hand="straight")
    play(game, "select straight")
    with pytest.raises(ValueError, match=r"place 2,0.*B15"):
        game.play("place 2,0")
    assert game.legal_moves() == ["place 2,3"]  # at 2,1 it would touch the open hopper


def test_e6_splitter_questions() -> None:
    parts = [card("hopper", 0, 2, "YYB"), card("splitter", 1, 2), card("packer", 2, 1), card("packer", 2, 3)]
    for first, asked in (("split 0", False), ("split 1", True), ("split 2", False)):
        game = position(parts)
        play(game, "end", "activate 0")
        assert game.legal_moves() == ["split 0", "split 1", "split 2"]
        play(game, first)
        assert (game.phase == "split") == asked
        if asked:
            assert game.snapshot()["pending"]["color"] == "B"
            assert game.legal_moves() == ["split 0", "split 1"]


def test_e7_short_bank() -> None:
    game = position(line("c_1R_3Y", "RRRRRRRRRR"), bank=cubes("Y" * 20 + "R" * 13 + "B" * 23))
    play(game, "end", "activate 0")
    assert game.phase == "discard"
    data = game.snapshot()
    assert data["seats"][0]["storage"] == cubes("Y" * 18)
    assert data["bank"] == cubes("Y" * 2 + "R" * 23 + "B" * 23)


def test_e8_joiner_with_purge() -> None:
    parts = [card("hopper", 0, 1, "YY"), card("hopper", 0, 3, "RRRRR", 1), card("j_1Y1R_1B", 1, 2)]
    game = position([*parts, card("packer", 2, 2)])
    assert made_by(game, "activate 0") == cubes("BB")


def test_e9_dismantle_and_build_are_two_actions() -> None:
    game = new_game()
    play(game, "remove 1,2", "end")
    assert (game.phase, game.actions_left) == ("act", 2)
    play(game, "select packer", "place 1,2")  # nothing in hand: closes by itself
    assert (game.phase, game.actions_left) == ("act", 1)


@pytest.mark.parametrize("again", [True, False])
def test_e10_pause(again: bool) -> None:
    game = position(line("pause", "YY"), "R")
    play(game, "end", "activate 0")
    assert game.legal_moves() == ["hold Y", "hold none"]
    play(game, "hold Y", "end")
    seat = game.snapshot()["seats"][0]
    assert seat["storage"] == cubes("YR")
    assert seat["workshop"][1] == {"x": 1, "y": 2, "kind": "pause", "held": "Y", "fresh": False}
    bank = game.snapshot()["bank"]["Y"]
    if again:
        play(game, "load R@0", "end", "end", "activate 0")
        assert game.legal_moves() == ["hold R", "hold none"]
        pending = game.snapshot()["pending"]
        assert pending["flow"] == [{"x": 2, "y": 2, "port": "mid", "cubes": cubes("Y")}]
        play(game, "hold none")
        assert game.snapshot()["seats"][0]["storage"] == cubes("YYR")
        assert game.snapshot()["bank"]["Y"] == bank
    else:
        play(game, "end")
        assert game.snapshot()["bank"]["Y"] == bank + 1
        assert game.snapshot()["seats"][0]["workshop"][1]["held"] is None


def test_e11_removal_is_not_judged() -> None:
    parts = [card("bend_down", 1, 1), card("straight", 1, 3), card("joiner", 2, 4), card("straight", 2, 2)]
    game = position(parts, hand="packer")
    play(game, "remove 2,4", "end", "select packer")
    with pytest.raises(ValueError, match="place 2,4"):
        game.play("place 2,4")
    game = position(parts)
    play(game, "remove 2,4", "end", "select joiner")
    assert "place 2,4" in game.legal_moves()


def test_e12_one_credit() -> None:
    row = ["s_4Y_1B1R", "c_1Y_1R", "j_2Y2R_3B", "c_1Y_2Y"]
    game = position(line("straight", ""), "YB", parts_row=row)
    play(game, "pay B", "buy packer", "buy 2")
    assert game.legal_moves() == ["end", "pay Y"]
    play(game, "end")
    assert game.snapshot()["seats"][0]["hand"] == {"packer": 1, "j_2Y2R_3B": 1}
    assert game.snapshot()["parts_row"][2] is not None
    game = position(line("straight", ""), "B", parts_row=row)
    play(game, "pay B", "buy packer", "buy 2")
    assert (game.phase, game.actions_left) == ("act", 2)


def test_e13_split_range() -> None:
    parts = [card("splitter", 1, 2), card("packer", 2, 1), card("packer", 2, 3)]
    game = position([card("hopper", 0, 2, "Y" * 18), *parts])
    play(game, "end", "activate 0")
    assert game.legal_moves() == sorted(f"split {n}" for n in range(1, 18))


# ---- single rules -----------------------------------------------------------------------------------


def test_illegal_moves_change_nothing() -> None:
    game = new_game()
    before = game.snapshot()
    for move in ("", "nonsense", "place 1,1", "load Y@5", "fulfil 0", "split 1", "accept 4", "end "):
        with pytest.raises(ValueError, match="illegal move"):
            game.play(move)
        assert game.snapshot() == before


def test_b20_to_b23_limits_and_skipped_phases() -> None:
    game = new_game()
    play(game, "accept 0", "accept 1", "accept 2")
    assert (game.seat, game.phase, game.actions_left) == (1, "act", 3)
    play(game, "end")
    assert not any(move.startswith("accept") for move in game.legal_moves())
    assert game.snapshot()["round"] == 2


def test_b22_b44_collect_discards() -> None:
    game = position([card("hopper", 0, 2, "BBBBB")], "RRRRR")
    play(game, "collect")
    assert (game.phase, game.snapshot()["open"]) == ("discard", "collect")
    assert game.legal_moves() == ["discard B@0", "discard R", "discard Y"]
    play(game, "discard B@0", "discard Y")
    assert (game.phase, game.actions_left) == ("act", 2)
    game = position([], "", bank=cubes("Y"))
    play(game, "collect")
    assert game.snapshot()["seats"][0]["storage"] == cubes("Y")
    assert "collect" not in game.legal_moves()


def test_b19_b25_hoppers() -> None:
    hoppers = [card("hopper", 0, 2 * n, slot=n) for n in (0, 1, 3)]
    game = position(hoppers, hand="hopper hopper", storage="Y")
    play(game, "pay Y", "buy hopper")
    assert game.phase == "act"  # B25: no Device to join, so the action closed
    play(game, "select hopper", "place 0,4")
    assert [c["slot"] for c in game.snapshot()["seats"][0]["workshop"]] == [0, 1, 2, 3]


def test_b27_clear_order() -> None:
    game = new_game()
    before = game.snapshot()
    after = play(game, "clear").snapshot()
    assert after["parts_row"] == before["parts_deck"][:4]
    assert after["parts_deck"] == before["parts_deck"][4:] + before["parts_row"]


def test_b45_b46_last_round_and_places() -> None:
    data = new_game(players=4).snapshot()
    for seat, points in zip(data["seats"], (29, 29, 7, 30), strict=True):
        seat["points"] = points
    data["seats"][0]["orders"] = ["o11"]
    data["seats"][0]["workshop"][0]["cubes"] = cubes("B")
    data["seats"][1]["workshop"] = []
    data["seats"][2]["points"] = 31
    game = play(Reference.from_snapshot(data), "end", "activate 0", "fulfil 0")
    assert game.seat == 1
    assert game.snapshot()["last_round"]
    play(game, "end", "end", "end")
    assert game.over
    assert game.legal_moves() == []
    assert game.ranks() == [1, 4, 1, 3]
    assert game.device_sizes == [2, 0, 2, 2]
    data = game.snapshot()
    assert (data["round"], data["seat"], data["actions_left"], data["truncated"]) == (1, 3, 0, False)


def test_b47_nothing_left_to_score() -> None:
    game = position([], orders_row=[None] * 4, orders_deck=[], options={"max_rounds": 1})
    play(game, "end", "end")
    assert game.over
    assert not game.snapshot()["truncated"]


def test_b48_truncation() -> None:
    game = play(new_game(max_rounds=1), "end", "end")
    assert game.over
    assert game.snapshot()["truncated"]


def test_b49_selling() -> None:
    game = position(
        [card("hopper", 0, 2), card("packer", 1, 2)],
        hand="hopper hopper packer straight straight c_3R_2B",
        parts_row=[None] * 4,
        piles=dict.fromkeys(BASIC_KINDS, 0) | {"joiner": 1, "hopper": 1},
        options={"selling": True},
    )
    play(game, "sell c_3R_2B")
    assert game.snapshot()["parts_deck"][-1] == "c_3R_2B"
    assert game.legal_moves() == ["buy hopper", "sell hopper", "sell straight"]  # not the second packer
    play(game, "sell hopper")
    assert game.snapshot()["piles"]["hopper"] == 2
    assert game.legal_moves() == ["buy hopper", "buy joiner"]
    play(game, "buy hopper")
    assert game.legal_moves() == ["buy hopper", "end", "sell straight"]


def test_b50_trading() -> None:
    data = new_game(players=3, trading=True).snapshot()
    for seat, hand in zip(data["seats"], ({"straight": 1}, {"straight": 1}, {"pause": 1}), strict=True):
        seat["hand"] = hand
    game = play(Reference.from_snapshot(data), "offer straight")
    assert game.legal_moves() == ["seat 2"]
    play(game, "seat 2", "want pause")
    assert game.seat == 2
    assert Reference.from_snapshot(game.snapshot()).snapshot() == game.snapshot()
    play(game, "agree")
    assert (game.seat, game.phase, game.actions_left) == (0, "act", 3)
    assert [seat["hand"] for seat in game.snapshot()["seats"]] == [
        {"pause": 1},
        {"straight": 1},
        {"straight": 1},
    ]
    play(
        game,
        "offer pause",
        "seat 1",
        "want straight",
        "refuse",
        "offer pause",
        "seat 2",
        "want straight",
        "refuse",
    )
    assert game.snapshot()["offers"] == 3
    assert not any(move.startswith("offer") for move in game.legal_moves())


# ---- random games -----------------------------------------------------------------------------------


def enriched(game: Reference, rng: random.Random) -> Reference:
    """The same game, but every seat begins with eight more Part cards and nine cubes."""
    data = game.snapshot()
    for seat in data["seats"]:
        hand = Counter(data["parts_deck"].pop() for _ in range(3))
        for kind in rng.sample(BASIC_KINDS, 5):
            data["piles"][kind] -= 1
            hand[kind] += 1
        seat["hand"] = dict(hand)
        for color in COLORS:
            data["bank"][color] -= 2
            seat["storage"][color] += 2
    return Reference.from_snapshot(data)


def with_machine(game: Reference) -> Reference:
    """The same game, but every seat begins with a Device of a pause card and a splitter, and nine cubes."""
    data = game.snapshot()
    parts = [card("pause", 1, 2), card("splitter", 2, 2), card("packer", 3, 1), card("packer", 3, 3)]
    for seat in data["seats"]:
        hopper, other_hopper, _, other_packer = seat["workshop"]
        seat["workshop"] = [hopper, other_hopper, parts[0], other_packer, *copy.deepcopy(parts[1:])]
        for kind in ("pause", "splitter", "packer"):
            data["piles"][kind] -= 1
        for color in COLORS:
            data["bank"][color] -= 2
            seat["storage"][color] += 2
    return Reference.from_snapshot(data)


def choose(game: Reference, moves: list[str], rng: random.Random) -> str:
    """A random move that mostly avoids stopping, clearing and taking cards out of play."""
    dull = ("end", "clear", "remove", "collect", "offer")
    lively = [move for move in moves if not move.startswith(dull)]
    if lively and rng.random() < 0.85:
        family = rng.choice(sorted({move.split()[0] for move in lively}))
        return rng.choice([move for move in lively if move.startswith(family)])
    return rng.choice(moves)


def check_position(game: Reference, data: dict[str, Any]) -> None:
    """Cubes and cards are all there."""
    assert count_cubes(data) == dict.fromkeys(COLORS, 24)
    parts = dict.fromkeys(SPECIAL_KINDS, 3) | dict.fromkeys(BASIC_KINDS, game.players + 1)
    parts["hopper"] += 2 * game.players
    parts["packer"] += 2 * game.players
    assert count_parts(data) == parts
    assert count_orders(data) == dict.fromkeys(ORDERS, 1)


def check_places(game: Reference, rng: random.Random) -> None:
    """B17: looking at the cells next to open ports finds every place there is on the whole grid."""
    workshop, kind = game.seats[game.seat].workshop, rng.choice(BASIC_KINDS)
    grid = [(x, y) for x in range(-1, 10) for y in range(-1, 12) if workshop.objection(kind, x, y) is None]
    assert workshop.places_for(kind) == grid


def random_game(seed: int, families: set[str], **options: Any) -> int:
    """Play one random game and check it on the way; returns the number of decisions."""
    rng = random.Random(seed)
    game = new_game(seed, 2 + seed % 3, max_rounds=3 + seed % 4, **options)
    if seed % 4 in (1, 2):
        game = enriched(game, rng)
    if seed % 4 == 3:
        game = with_machine(game)
    decisions = 0
    while not game.over:
        assert decisions < 3000
        moves = game.legal_moves()
        assert moves
        assert len(set(moves)) == len(moves)
        if decisions % EVERY == seed % EVERY or game.phase in ("split", "hold", "respond"):
            data = json.loads(json.dumps(game.snapshot()))
            kept = copy.deepcopy(data)
            check_places(game, rng)
            check_position(game, data)
            other = Reference.from_snapshot(data)
            assert other.snapshot() == game.snapshot()
            assert list(other.snapshot()) == list(kept)
            assert other.legal_moves() == moves
            assert other.seat == game.seat
            if rng.random() < 0.5:
                game = other
        move = choose(game, moves, rng)
        families.add(move.split()[0])
        game.play(move)
        decisions += 1
    data = game.snapshot()
    check_position(game, data)
    assert game.legal_moves() == []
    assert data["truncated"] or data["last_round"]
    assert min(game.ranks()) == 1
    assert isinstance(game.snapshot(omniscient=False)["orders_deck"], int)
    return decisions


@pytest.mark.parametrize(("selling", "trading"), [(False, False), (True, False), (False, True), (True, True)])
def test_random_games(selling: bool, trading: bool) -> None:
    families: set[str] = set()
    for seed in range(60):
        random_game(seed, families, selling=selling, trading=trading)
    expected = ACT_FAMILIES | FLOW_FAMILIES
    expected |= {"sell"} if selling else set()
    expected |= TRADE_FAMILIES if trading else set()
    assert families == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_full_length_game_ends(players: int) -> None:
    rng, game = random.Random(players), new_game(players, players)
    while not game.over:
        game.play(choose(game, game.legal_moves(), rng))
    data = game.snapshot()
    check_position(game, data)
    assert data["round"] <= 60
