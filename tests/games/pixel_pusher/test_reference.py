"""What the slow Pixel Pusher keeps in every game, and its cards.

The rule tests (test_p*.py, test_examples.py) run against it as well.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from tests.games.pixel_pusher.positions import dealt, new_game, position
from tests.support.reference.pixel_pusher import Reference
from tests.support.reference.pixel_pusher_board import Pixels, Seat
from tests.support.reference.pixel_pusher_cards import (
    ABILITIES,
    ALL_MOVES,
    COLORS,
    IMAGES,
    MACHINES,
    MOVES_WITH_ANY_TRIPLE,
    OTHERS,
    PRIMARY,
    RECIPE_ORDER,
    RECIPES,
    ROUNDS,
    STOCK,
)

pytestmark = pytest.mark.plain

CAP = {2: 412, 3: 456, 4: 486}  # P63
AGENT_RNG = 4711


@pytest.mark.parametrize(("backend", "match_type"), [("engine", Match), ("reference", Reference)], indirect=["backend"])
def test_each_backend_plays_its_cases(backend: str, match_type: type) -> None:
    """A case of a rule test is played by the backend in its name, copies of a position included."""
    built = position("build", drafted={0: [1, 2], 1: [9]})
    for one in (built, built.copy(), new_game(), dealt(3, AGENT_RNG)):
        assert type(one.match) is match_type


@pytest.mark.parametrize("backend", ["reference"], indirect=True)
def test_a_refused_move_names_the_rule(backend: str) -> None:
    """The reference gives the paragraph that a move breaks."""
    build = position("build", drafted={0: [25, 37]}, slots={0: {2: ("G", [9])}})
    for move, rule in (
        ("install 0 convert slot 2", "P28"),
        ("install 0 collect slot 1", "P30"),
        ("install 2 convert slot 1", "P56"),
        ("pass", "P55"),
        ("jump", "P55"),
    ):
        with pytest.raises(ValueError, match=f"illegal move '{move}': .*{rule}"):
            build.match.play(move)
    cards = {0: {1: ("convert", [2, 3])}}
    for pixels, move, rule in (("RB", "RG>Y", "P40"), ("RB", "BG>C", "P40"), ("RGB", "RG>Y", "P42")):
        convert = position("convert", slots=cards, pixels={0: pixels, 1: "Y" * 10}, open_convert=True)
        with pytest.raises(ValueError, match=f"illegal move 'activate {move}': .*{rule}"):
            convert.match.play(f"activate {move}")


# ---- card facts -------------------------------------------------------------------------------------


def test_p6_machine_cards() -> None:
    collects, converts = Counter[str](), Counter[str]()
    for machine in MACHINES.values():
        collects[machine.collect * machine.amount] += machine.copies
        converts[machine.converter.rstrip("CMY")] += machine.copies
        assert machine.cost == {"?": "?"}.get(machine.collect, machine.collect if machine.amount == 2 else "")
    assert list(MACHINES) == list(range(1, 42))
    assert collects == {"R": 14, "G": 14, "B": 14, "RR": 4, "GG": 4, "BB": 4, "?": 6}
    assert converts == {"mix": 30, "white": 10, "top": 6, "split": 3, "sell": 6, "triple": 5}
    assert sum(MACHINES[kind].copies for kind in (1, 4, 9, 12, 17, 29)) == 17  # P6.3
    for kind, color, mix in ((1, "R", "mixC"), (9, "G", "mixM"), (17, "B", "mixY")):
        assert (MACHINES[kind].collect, MACHINES[kind].converter) == (color, mix)


def test_p8_images() -> None:
    worth = dict.fromkeys("RGB", 1) | dict.fromkeys("CMY", 3) | {"W": 4, "_": 0}
    for image in IMAGES.values():
        assert len(image.cells) == len(image.points) == 5
        for line, cells in enumerate(image.cells):
            assert len(cells) == 5
            points, full = sum(worth[cell] for cell in cells), "_" not in cells
            assert image.points[line] == image.worth(line, "newest") == points + 2 * full
            assert image.worth(line, "may_2018") == points + cells.count("W") + full  # P8.1
        total = Counter("".join(image.cells))
        assert all(total[color] <= STOCK[color] for color in COLORS)  # P8.2
    assert list(IMAGES) == list(range(1, 21))


def test_p41_recipes() -> None:
    assert len(RECIPE_ORDER) == 46 and len(ALL_MOVES) == 141
    more = MOVES_WITH_ANY_TRIPLE[len(ALL_MOVES) :]
    assert {f"activate {name}" for name in RECIPES} == {*(f"activate {name}" for name in RECIPE_ORDER), *more}
    assert len(set(MOVES_WITH_ANY_TRIPLE)) == 165
    made_of = {"C": "GB", "M": "RB", "Y": "RG"}
    by_converter: dict[str, set[str]] = {}
    for recipe in RECIPES.values():
        by_converter.setdefault(recipe.converter, set()).add(recipe.name)
        if recipe.converter.startswith("mix"):
            assert sorted(recipe.pay) == sorted(made_of[recipe.gain])
        if recipe.converter.startswith("top"):
            assert recipe.pay[1] not in made_of[recipe.pay[0]] and recipe.gain == "W"
        if recipe.converter.startswith("split"):
            assert recipe.gain[0] == recipe.gain[1] and recipe.gain[0] in made_of[recipe.pay]
        if recipe.converter == "prism":
            assert recipe.pay in made_of[recipe.gain]
    assert {recipe.name for recipe in RECIPES.values() if recipe.points} == {"C>2VP", "M>2VP", "Y>2VP"}
    assert by_converter["triple"] == {f"{p * 3}>{c}" for p in COLORS for c in COLORS if p != c}
    assert by_converter["recolor"] == {f"{p}>{c}" for p in PRIMARY for c in PRIMARY if p != c}
    assert {len(by_converter[name]) for name in ("splitC", "splitM", "splitY")} == {2}


# ---- whole games ------------------------------------------------------------------------------------


def count_pixels(data: dict[str, Any]) -> Pixels:
    """P51: supply, conveyor, boards and filled lines of face-up images."""
    found = Counter(data["supply"])
    for segment in data["conveyor"]:
        found += Counter(segment)
    for seat in data["seats"]:
        found += Counter(seat["pixels"])
    for item in data["images"]:
        for line, filled in enumerate(item["filled"] if item else []):
            found += Counter(IMAGES[item["image"]].needs(line)) if filled else Counter()
    return {color: found[color] for color in COLORS}


def check_position(data: dict[str, Any]) -> None:
    """Pixels and cards are all there, and slots hold one type each."""
    assert count_pixels(data) == STOCK
    machines = Counter(data["machine_deck"] + data["removed"] + data["set_aside"] + data["discarded"])
    abilities = []
    for seat in data["seats"]:
        held = seat["hand"] + seat["drafted"]
        machines += Counter(card for card in held if isinstance(card, int))
        abilities += [card for card in held if isinstance(card, str)] + seat["abilities"]
        for slot in seat["slots"]:
            machines += Counter(slot["cards"])
            assert slot["cards"] == sorted(slot["cards"])
            assert (slot["type"] is None) == (not slot["cards"])
            if slot["type"] not in (None, "convert"):
                assert {MACHINES[kind].collect for kind in slot["cards"]} == {slot["type"]}
        assert len(seat["hand"]) <= 4 and len(seat["drafted"]) <= 4
        if data["phase"] in ("draft", "build", "score"):
            assert sum(seat["pixels"].values()) <= 5 or data["phase"] == "build"
    assert machines == {kind: machine.copies for kind, machine in MACHINES.items()}
    assert len(abilities) == len(set(abilities)) == data["players"]
    images = [item["image"] for item in data["images"] if item] + data["image_deck"] + data["finished"]
    assert sorted(images) == sorted(IMAGES)


def check_public(data: dict[str, Any], public: dict[str, Any]) -> None:
    """P67: nothing hidden is in the public form."""
    assert set(data) - set(public) == {"rng"}
    assert set(public) <= set(data)
    for name in ("machine_deck", "removed", "set_aside", "image_deck"):
        assert public[name] == len(data[name])
    for seat, hidden in zip(public["seats"], data["seats"], strict=True):
        assert set(seat) == set(hidden)
        assert (seat["hand"], seat["drafted"]) == (len(hidden["hand"]), len(hidden["drafted"]))
        assert seat["choice"] is None
    if data["phase"] not in ("convert", "store"):
        assert data["shown_supply"] == {} and public["supply"] == data["supply"]
        assert [seat["pixels"] for seat in public["seats"]] == [seat["pixels"] for seat in data["seats"]]


def choose(game: Reference, rng: random.Random, eager: bool) -> str:
    """A random move; an eager player seldom discards, passes or stops."""
    moves = game.legal_moves()
    lively = [move for move in moves if not move.startswith(("discard", "pass", "finish"))]
    return rng.choice(lively if eager and lively and rng.random() < 0.9 else moves)


def random_game(seed: int, players: int, used: Counter[str]) -> None:
    """Play one random game and check it after every decision."""
    rng = random.Random(f"{seed} {players}")
    options = {"triple": "any", "line_points": "may_2018"} if seed % 3 == 2 else {}
    game, decisions = Reference.new(players, seed, **options), 0
    while not game.over:
        data, public = game.snapshot(), game.snapshot(omniscient=False)
        check_position(data)
        check_public(data, public)
        moves = game.legal_moves()
        assert len(moves) > 1 and moves == sorted(set(moves))
        text = json.dumps(data)
        other = Reference.from_snapshot(json.loads(text))
        assert json.dumps(other.snapshot()) == text
        assert (other.legal_moves(), other.seat) == (moves, game.seat)
        move = choose(game, rng, eager=seed % 2 == 0)
        used[f"{game.phase} {move}"] += 1
        game.play(move)
        assert json.dumps(data) == text  # a snapshot is a copy
        if rng.random() < 0.3:
            other.play(move)
            assert other.snapshot() == game.snapshot()
            game = other
        decisions += 1
    check_position(game.snapshot())
    check_public(game.snapshot(), game.snapshot(omniscient=False))
    assert decisions <= CAP[players]
    assert game.round == ROUNDS[players]
    assert min(game.ranks()) == 1


def test_random_games() -> None:
    used: Counter[str] = Counter()
    for seed in range(6):
        for players in (2, 3, 4):
            random_game(seed, players, used)
    assert {key.split()[0] for key in used} == {"draft", "build", "pay", "convert", "store", "score"}
    moves = {key.split(" ", 1)[1] for key in used}
    assert {move.split()[0] for move in moves} == {move.split()[0] for move in ALL_MOVES}


def test_p44_3_nobody_gains_more_than_the_bound() -> None:
    """P44.3: by random activations from boards of all kinds, with supplies that never end.

    What was gained and has been paid back does not count: it is in the supply again.
    """
    chance = random.Random(3)
    for number in range(150):
        game = Reference.new(2, number, triple=("primary", "any")[number % 2])
        game.phase, me = "convert", game.seats[0]
        me.pixels = {color: chance.randrange(4) for color in COLORS}
        me.slots[0].type, me.slots[0].cards = "convert", sorted(chance.choices([*MACHINES], k=chance.randrange(7)))
        me.abilities = [name for name in ABILITIES if chance.randrange(2)]
        bound, before = me.most_gains(number % 2 == 1), dict(me.pixels)
        while True:
            game.bag, game.piles = dict.fromkeys(PRIMARY, 60), dict.fromkeys(OTHERS, 60)
            moves = [move for move in game.legal_moves() if move.startswith("activate")]
            if not moves:
                break
            game._carry_out(chance.choice(moves))
            assert all(me.pixels[color] - before[color] <= bound[color] for color in COLORS), f"number {number}"


def test_the_same_chance_plays_the_same_game() -> None:
    def final() -> dict[str, Any]:
        rng, game = random.Random(1), Reference.new(4, AGENT_RNG)
        while not game.over:
            game.play(rng.choice(game.legal_moves()))
        return game.snapshot()

    assert final() == final()
    assert Reference.new(4, AGENT_RNG).snapshot() != Reference.new(4, AGENT_RNG + 1).snapshot()


def test_refusals() -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        Reference.new(5, AGENT_RNG)
    with pytest.raises(ValueError, match="no option triple='some'"):
        Reference.new(2, AGENT_RNG, triple="some")
    with pytest.raises(ValueError, match="no option speed='1'"):
        Reference.new(2, AGENT_RNG, speed="1")
    game = Reference.new(2, AGENT_RNG)
    with pytest.raises(ValueError, match="cannot be played on"):
        Reference.from_snapshot(game.snapshot(omniscient=False))
    kept = copy.deepcopy(game.snapshot())
    assert Reference.from_snapshot(kept).snapshot() == game.snapshot()
    assert Seat().count() == 0
