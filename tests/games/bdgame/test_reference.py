"""What the slow Bdgame keeps in every game. The rule tests (test_b*.py, test_examples.py) run against it as well."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from tests.games.bdgame.positions import new_game, position
from tests.support.reference.bdgame import Reference
from tests.support.reference.bdgame_cards import BASIC_KINDS, COLORS, ORDERS, SPECIAL_KINDS

pytestmark = pytest.mark.plain

EVERY = 23  # every how many decisions a random game goes through a snapshot
ACT_FAMILIES = {"end", "collect", "clear", "accept", "pay", "select", "place", "remove", "load", "buy"}
FLOW_FAMILIES = {"activate", "split", "hold", "fulfil", "discard"}
TRADE_FAMILIES = {"offer", "seat", "want", "agree", "refuse"}


def reference_game(seed: int = 0, players: int = 2, **options: Any) -> Reference:
    """A new game with decks shuffled by the seed."""
    rng = random.Random(seed)
    orders, parts = list(ORDERS), list(SPECIAL_KINDS) * 3
    rng.shuffle(orders)
    rng.shuffle(parts)
    return Reference.new(players, orders, parts, **options)


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


@pytest.mark.parametrize(("backend", "match_type"), [("engine", Match), ("reference", Reference)], indirect=["backend"])
def test_each_backend_plays_its_cases(backend: str, match_type: type) -> None:
    """A case of a rule test is played by the backend in its name, copies of a position included."""
    for one in (position(), position().copy(), new_game()):
        assert type(one.match) is match_type


@pytest.mark.parametrize("backend", ["reference"], indirect=True)
def test_a_refused_place_names_the_rule(backend: str) -> None:
    """The reference gives the paragraph that a place breaks, here B15."""
    feed = [("hopper", 0, 2), ("hopper", 1, 0), ("s_1B_2Y2R", 1, 2)]
    t = position(workshop=feed, hand=["straight"]).play("select straight")
    with pytest.raises(ValueError, match=r"place 2,0.*B15"):
        t.play("place 2,0")
    assert t.legal == {"place 2,3"}  # at 2,1 it would touch the open hopper


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
    pause = {"x": 1, "y": 2, "kind": "pause", "held": None, "fresh": False}
    parts = [{"x": x, "y": y, "kind": kind} for kind, x, y in (("splitter", 2, 2), ("packer", 3, 1), ("packer", 3, 3))]
    for seat in data["seats"]:
        hopper, other_hopper, _, other_packer = seat["workshop"]
        seat["workshop"] = [hopper, other_hopper, dict(pause), other_packer, *copy.deepcopy(parts)]
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
    game = reference_game(seed, 2 + seed % 3, max_rounds=3 + seed % 4, **options)
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
    rng, game = random.Random(players), reference_game(players, players)
    while not game.over:
        game.play(choose(game, game.legal_moves(), rng))
    data = game.snapshot()
    check_position(game, data)
    assert data["round"] <= 60
