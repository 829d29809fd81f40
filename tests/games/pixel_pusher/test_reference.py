"""Self checks of the slow Pixel Pusher: the rules' worked examples (P52-P54) and what every game must keep."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from tests.support.reference.pixel_pusher import Reference
from tests.support.reference.pixel_pusher_board import Pixels, Seat, pixels_from, spread
from tests.support.reference.pixel_pusher_cards import (
    ABILITIES,
    ABILITY_CONVERTERS,
    ALL_MOVES,
    COLORS,
    IMAGES,
    MACHINES,
    OTHERS,
    PRIMARY,
    RECIPE_ORDER,
    RECIPES,
    ROUNDS,
    STOCK,
)
from tests.support.splitmix import output

pytestmark = pytest.mark.plain

CAP = {2: 412, 3: 456, 4: 486}  # P63
AGENT_RNG = 4711

Cards = list[int | str]


def empty_slots() -> list[dict[str, Any]]:
    return [{"type": None, "cards": []} for _ in range(6)]


def player(
    pixels: str = "",
    slots: dict[int, tuple[str, list[int]]] | None = None,
    *,
    points: int = 0,
    drafted: Cards | None = None,
    abilities: list[str] | None = None,
    hand: Cards | None = None,
) -> dict[str, Any]:
    """One seat of a snapshot; `slots` by their numbers from 1."""
    board = empty_slots()
    for number, (kind, cards) in (slots or {}).items():
        board[number - 1] = {"type": kind, "cards": cards}
    return {
        "points": points,
        "pixels": pixels_from(pixels),
        "slots": board,
        "hand": hand or [],
        "choice": None,
        "drafted": drafted or [],
        "abilities": abilities or [],
        "used": [],
        "used_abilities": [],
    }


def position(phase: str, *seats: dict[str, Any], conveyor: str = "", **changes: Any) -> Reference:
    """A position with these seats, seat 0 leading; pixels not named are in the supply unless `spent` (on filled
    lines of nowhere); `conveyor` has a word for each segment, `-` for an empty one. The images ask for a lot.
    """
    data = Reference.new(len(seats), AGENT_RNG).snapshot()
    segments = [pixels_from(word, PRIMARY) for word in [*conveyor.split(), *"------"][:6]]
    left = pixels_from()
    for color in COLORS:
        left[color] = STOCK[color] - changes.get("spent", "").count(color)
        left[color] -= sum(seat["pixels"][color] for seat in seats) + sum(seg.get(color, 0) for seg in segments)
        assert left[color] >= 0
    changes.pop("spent", None)
    data |= {
        "phase": phase,
        "round": 2,
        "seat": 0,
        "leaders": {"build": 0, "collect": 0, "score": 0},
        "bag": {color: left[color] for color in PRIMARY},
        "piles": {color: left[color] for color in OTHERS},
        "conveyor": segments,
        "images": [{"image": 10, "filled": [True, True, False, False, False]}, *[None] * 5],
        "seats": list(seats),
    }
    data |= changes
    if phase in ("convert", "store"):
        data["shown"] = {
            "bag": dict(data["bag"]),
            "piles": dict(data["piles"]),
            "seats": [{"points": seat["points"], "pixels": dict(seat["pixels"])} for seat in seats],
        }
    return Reference.from_snapshot(data)


def play(game: Reference, *moves: str) -> Reference:
    for move in moves:
        game.play(move)
    return game


def board(game: Reference, seat: int = 0) -> str:
    """What lies on a player's board: "RRY"."""
    return spread(game.seats[seat].pixels)


def busy() -> dict[str, Any]:
    """A seat that has something to decide in Convert, so that the game stops there."""
    return player("RG", {6: ("convert", [2])})


def families(game: Reference, name: str) -> list[str]:
    return [move for move in game.legal_moves() if move.startswith(name)]


# ---- worked examples --------------------------------------------------------------------------------


@pytest.mark.parametrize(("segment", "boards"), [("RRG", ["RR", "", "G"]), ("RG", ["", "R", "G"])])
def test_p52_collect(segment: str, boards: list[str]) -> None:
    game = position(
        "build",
        player(slots={2: ("R", [1, 1])}),
        player(slots={2: ("R", [2])}),
        player(slots={2: ("?", [38])}, drafted=[17]),
        conveyor=f"- {segment}",
        seat=2,
    )
    play(game, "install 0 convert slot 6")
    assert [board(game, seat) for seat in range(3)] == boards


def test_p53_convert() -> None:
    first = player("RGBY", {1: ("convert", [2, 21])}, abilities=["prism"])
    game = position("convert", first, busy())
    prism = [f"activate {name}" for name in ("R>M", "R>Y", "G>C", "G>Y", "B>C", "B>M")]
    assert game.legal_moves() == sorted(["activate RG>Y", "activate YB>W", "finish", *prism])
    play(game, "activate RG>Y")
    assert board(game) == "BYY"
    assert game.legal_moves() == ["activate B>C", "activate B>M", "activate YB>W", "finish"]
    play(game, "activate YB>W")
    assert board(game) == "YW"
    assert game.seat == 1  # nothing to convert, nothing to give back
    assert game.seats[0].used == ["mixY", "topY"]
    assert game.seats[0].used_abilities == []


@pytest.mark.parametrize(("image", "line", "cells", "points"), [(7, 2, "BBYBB", 9), (8, 0, "_WWW_", 12)])
def test_p54_lines(image: int, line: int, cells: str, points: int) -> None:
    assert IMAGES[image].cells[line] == cells
    assert IMAGES[image].points[line] == points


def test_p54_longest_line() -> None:
    full = {"image": 10, "filled": [False] * 5}
    game = position("score", player("WWWWW"), busy(), images=[full, *[None] * 5])
    play(game, "fill 0 line 4")
    assert game.points() == [22, 0]
    assert board(game) == ""


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
        for cells, points in zip(image.cells, image.points, strict=True):
            assert len(cells) == 5
            assert points == sum(worth[cell] for cell in cells) + 2 * ("_" not in cells)
        total = Counter("".join(image.cells))
        assert all(total[color] <= STOCK[color] for color in COLORS)  # P8.2
    assert list(IMAGES) == list(range(1, 21))


def test_p41_recipes() -> None:
    assert len(RECIPE_ORDER) == 46
    assert set(RECIPE_ORDER) == set(RECIPES)
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
    assert by_converter["triple"] == {f"{p * 3}>{c}" for p in PRIMARY for c in COLORS if p != c}
    assert by_converter["recolor"] == {f"{p}>{c}" for p in PRIMARY for c in PRIMARY if p != c}
    assert {len(by_converter[name]) for name in ("splitC", "splitM", "splitY")} == {2}


@pytest.mark.parametrize(
    ("number", "move"),
    [
        *[(0, "draft 0"), (3, "draft 3"), (4, "install 0 collect slot 1"), (9, "install 0 collect slot 6")],
        *[(10, "install 0 convert slot 1"), (39, "install 2 convert slot 6"), (51, "install 3 convert slot 6")],
        *[(52, "discard 0"), (56, "activate RG>Y"), (69, "activate C>2VP"), (101, "activate BBB>W")],
        *[(102, "finish"), (103, "give R"), (109, "give W"), (110, "fill 0 line 0"), (124, "fill 2 line 4")],
        *[(139, "fill 5 line 4"), (140, "pass")],
    ],
)
def test_p55_numbers_of_moves(number: int, move: str) -> None:
    assert len(set(ALL_MOVES)) == len(ALL_MOVES) == 141
    assert ALL_MOVES[number] == move


# ---- every card's effect ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MACHINES)
def test_collect_end(kind: int) -> None:
    machine = MACHINES[kind]
    price = {"?": "RW"}.get(machine.cost, machine.cost)
    segment = machine.collect.replace("?", "B") * machine.amount
    game = position("build", player(price, drafted=[kind]), busy(), conveyor=f"- - {segment}")
    play(game, "install 0 collect slot 3")
    if machine.cost == "?":
        assert (game.phase, game.legal_moves()) == ("pay", ["give R", "give W"])
        play(game, "give R")
        assert board(game) == "BW"
    else:
        assert board(game) == segment  # the price is paid, the segment taken
    slot = game.snapshot()["seats"][0]["slots"][2]
    assert slot == {"type": machine.collect, "cards": [kind]}


@pytest.mark.parametrize("kind", MACHINES)
def test_convert_end(kind: int) -> None:
    game = position("build", player("RRRGGGBBBCMYW", drafted=[kind, kind]), busy())
    play(game, "install 0 convert slot 4", "install 0 convert slot 4")
    recipes = [name for name, recipe in RECIPES.items() if recipe.converter == MACHINES[kind].converter]
    assert game.legal_moves() == sorted(["finish", *(f"activate {name}" for name in recipes)])
    play(game, f"activate {recipes[0]}")
    assert game.seats[0].used == [MACHINES[kind].converter]
    if game.phase == "convert":  # P40: the second copy works too, if there is enough to pay
        play(game, next(iter(families(game, "activate"))))
        assert game.seats[0].used == [MACHINES[kind].converter] * 2


@pytest.mark.parametrize("name", RECIPE_ORDER)
def test_recipe(name: str) -> None:
    recipe = RECIPES[name]
    cards = [kind for kind, machine in MACHINES.items() if machine.converter == recipe.converter]
    abilities = [card for card, converter in ABILITY_CONVERTERS.items() if converter == recipe.converter][:1]
    first = player(recipe.pay, {5: ("convert", cards[:1])} if cards else {}, abilities=abilities)
    game = position("convert", first, busy())
    play(game, f"activate {name}")
    assert Counter(board(game)) == Counter(recipe.gain)
    assert game.points() == [recipe.points, 0]
    assert game.seat == 1
    for color in COLORS:
        supply = game.bag | game.piles
        assert supply[color] == STOCK[color] - recipe.gain.count(color) - "RG".count(color)
    assert game.seats[0].used_abilities == abilities


@pytest.mark.parametrize("short", "CMYW")
def test_p42_empty_pile(short: str) -> None:
    machine = {3: ("convert", [1, 2, 3, 4, 5, 7])}
    game = position("convert", player("RRRGBC", machine), busy(), spent=short * (STOCK[short] - (short == "C")))
    assert game.piles[short] == 0
    assert {RECIPES[move.split()[1]].gain for move in families(game, "activate")} == set("GBCMYW") - {short}


def test_p42_a_split_needs_both() -> None:
    game = position("convert", player("CC", {1: ("convert", [6])}), player(), spent="B" * 18 + "G" * 19)
    assert game.bag == {"R": 20, "G": 1, "B": 2}
    assert game.legal_moves() == ["activate C>BB", "finish"]
    with pytest.raises(ValueError, match="P42"):
        game.play("activate C>GG")


def test_p40_two_recolor_cards() -> None:
    game = position("convert", player("RRR", abilities=["first_build", "first_score"]), busy())
    play(game, "activate R>G")
    assert game.seats[0].used_abilities == ["first_build"]
    play(game, "activate R>B")
    assert game.seats[0].used_abilities == ["first_build", "first_score"]
    assert (game.seat, board(game)) == (1, "RGB")


# ---- the phases -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup(players: int) -> None:
    data = Reference.new(players, AGENT_RNG).snapshot()
    dealt = 3 * players
    assert len(data["removed"]) == {2: 20, 3: 10, 4: 0}[players]
    assert len(data["machine_deck"]) == 60 - len(data["removed"]) - dealt
    assert [sum(segment.values()) for segment in data["conveyor"]] == [6, 5, 4, 3, 2, 1]
    assert len(data["image_deck"]) == 14 and all(data["images"])
    assert len(set(data["leaders"].values())) == 1
    for seat in data["seats"]:
        assert [type(card) for card in seat["hand"]] == [int, int, int, str]
        assert seat["hand"][:3] == sorted(seat["hand"][:3])
    assert (data["phase"], data["seat"], data["round"]) == ("draft", 0, 1)


def test_setup_follows_the_counter() -> None:
    """Set-up, number by number: images, machine cards, 21 pixels, the starting seat, abilities."""
    draws = (output(AGENT_RNG, number) >> 32 for number in range(1000))

    def shuffled(row: list[Any]) -> list[Any]:
        for last in reversed(range(1, len(row))):
            other = (next(draws) * (last + 1)) >> 32
            row[other], row[last] = row[last], row[other]
        return row

    images = shuffled([*range(1, 21)])
    machines = shuffled([kind for kind in range(1, 42) for _ in range(MACHINES[kind].copies)])
    bag, conveyor = Counter(R=20, G=20, B=20), []
    for number in (6, 5, 4, 3, 2, 1):
        segment = dict.fromkeys("RGB", 0)
        for _ in range(number):
            k = (next(draws) * bag.total()) >> 32
            color = "R" if k < bag["R"] else "G" if k < bag["R"] + bag["G"] else "B"
            bag[color] -= 1
            segment[color] += 1
        conveyor.append(segment)
    start = (next(draws) * 3) >> 32
    abilities = shuffled([*ABILITIES])
    data = Reference.new(3, AGENT_RNG).snapshot()
    assert [item["image"] for item in data["images"]] + data["image_deck"] == images
    assert (data["conveyor"], data["bag"]) == (conveyor, bag)
    assert data["leaders"] == dict.fromkeys(("build", "collect", "score"), start)
    assert data["removed"] == sorted(machines[:10])
    for seat in range(3):
        dealt = machines[10 + 3 * seat : 13 + 3 * seat]
        assert data["seats"][seat]["hand"] == [*sorted(dealt), abilities[seat]]
    assert data["machine_deck"] == machines[19:]


def test_p17_generate() -> None:
    game = position("score", player("MMMMM"), player(), conveyor="R G B RR GG BB", machine_deck=list(range(1, 13)))
    play(game, "pass")
    data = game.snapshot()
    assert sum(data["conveyor"][0].values()) == 6
    rest = ["".join(spread(segment)) for segment in data["conveyor"][1:]]
    assert rest == ["R", "G", "B", "RR", "GG"]
    assert (data["round"], data["phase"]) == (3, "draft")
    assert sum(data["bag"].values()) == 60 - 6 - 7


def test_p17_bag_runs_out() -> None:
    spent = "R" * 18 + "G" * 20 + "B" * 19
    game = position("score", player("MMMMM"), player(), conveyor="- - - - - RR", spent=spent, machine_deck=[1] * 12)
    assert game.bag == {"R": 0, "G": 0, "B": 1}
    before = game.rng
    play(game, "pass")
    assert game.conveyor[0] == {"R": 2, "G": 0, "B": 1}  # those of segment 6 went into the bag first
    assert game.bag == {"R": 0, "G": 0, "B": 0}
    assert game.rng == (before + 6 * 0x9E3779B97F4A7C15) % 2**64  # three pixels, three swaps of abilities


@pytest.mark.parametrize(
    ("players", "dealt", "aside"), [(2, [3, 3, 3, 3, 3, 3, 2], 0), (3, [3, 3, 3, 3, 3, 1], 2), (4, [3] * 5, 0)]
)
def test_p19_deals_and_p48_end(players: int, dealt: list[int], aside: int) -> None:
    game, seen = Reference.new(players, AGENT_RNG), {}
    rng = random.Random(players)
    while not game.over:
        seen.setdefault(game.round, len(game.seats[0].hand) - 1)
        game.play(rng.choice(game.legal_moves()))
    assert list(seen.values()) == dealt
    assert len(game.set_aside) == aside
    assert game.round == ROUNDS[players] == len(dealt)


def test_p21_hands_move_left_and_p59_choices_wait() -> None:
    game = Reference.new(3, AGENT_RNG)
    dealt = [list(seat.hand) for seat in game.seats]
    play(game, "draft 1")
    assert game.seats[0].hand == dealt[0] and game.seats[0].choice == 1 and not game.seats[0].drafted
    assert game.snapshot(omniscient=False)["seats"][0]["choice"] is None
    assert game.snapshot(omniscient=False)["seats"][0]["hand"] == 4
    play(game, "draft 3", "draft 0")
    assert [seat.drafted for seat in game.seats] == [[dealt[0][1]], [dealt[1][3]], [dealt[2][0]]]
    assert game.seats[1].hand == [dealt[0][0], dealt[0][2], dealt[0][3]]
    assert game.seats[0].hand == dealt[2][1:]
    assert game.seat == 0
    play(game, *["draft 0"] * 6)  # two more picks, and the last cards without a choice
    assert game.phase == "build"
    assert sum(len(seat.drafted) + len(seat.abilities) for seat in game.seats) == 12
    assert all(not seat.hand for seat in game.seats)


def last_pick(*hands: Cards, round_: int, leaders: dict[str, int]) -> Reference:
    return position("draft", *(player(hand=hand) for hand in hands), round=round_, leaders=leaders)


def test_p23_p24_leaders() -> None:
    old = {"build": 1, "collect": 1, "score": 1}
    hands: list[Cards] = [[1, "first_collect"], [2, "prism"], [3, 4]]
    game = last_pick(*hands, round_=2, leaders=old)
    play(game, "draft 1", "draft 0")
    assert game.leaders == old  # until abilities are turned up
    play(game, "draft 0")
    assert game.leaders == {"build": 2, "collect": 0, "score": 2}
    assert [seat.abilities for seat in game.seats] == [["first_collect"], [], ["prism"]]
    assert [seat.drafted for seat in game.seats] == [[4], [1, 2], [3]]
    assert (game.phase, game.seat) == ("build", 2)
    game = last_pick(*hands, round_=1, leaders=old)
    play(game, "draft 1", "draft 0", "draft 0")
    assert game.leaders == {"build": 1, "collect": 0, "score": 1}  # the starting seat in round 1


def test_p26_each_player_plays_all_cards() -> None:
    game = position("build", player(drafted=[1, 9]), player(), player(drafted=[17]))
    play(game, "install 1 collect slot 1")
    assert (game.seat, game.seats[0].drafted) == (0, [1])
    play(game, "discard 0")
    assert (game.seat, game.discarded) == (2, [1])


def test_p23_every_phase_has_its_own_order() -> None:
    """Each phase starts with its leader and goes clockwise; who has nothing to decide is passed over."""
    machine = {1: ("convert", [2])}
    seats = [player("RGYYG", machine, drafted=[17]) for _ in range(4)]
    seats[3]["drafted"] = []
    sun = {"image": 2, "filled": [False] * 5}
    leaders = {"build": 1, "collect": 3, "score": 2}
    game = position("build", *seats, leaders=leaders, seat=1, images=[sun, *[None] * 5], machine_deck=[1] * 12)
    asked = []
    while game.round == 2:
        asked.append((game.phase, game.seat))
        move = {"build": "install 0 convert slot 1", "convert": "finish", "score": "pass"}[game.phase]
        play(game, move)
    expected = [("build", seat) for seat in (1, 2, 0)]
    expected += [("convert", seat) for seat in (3, 0, 1, 2)]
    expected += [("score", seat) for seat in (2, 3, 0, 1)]
    assert asked == expected


def test_p40_used_until_the_round_ends() -> None:
    machine = {1: ("convert", [2, 4]), 2: ("convert", [24])}
    game = position("convert", player("RRGGBY", machine, abilities=["prism"]), busy(), machine_deck=[1] * 12)
    play(game, "activate Y>2VP", "activate RGB>W", "activate R>Y")
    assert game.seats[0].used == ["white", "sellY"]
    assert game.seats[0].used_abilities == ["prism"]
    play(game, "finish")
    assert (game.round, game.phase) == (3, "draft")
    assert [seat.used + seat.used_abilities + seat.abilities for seat in game.seats] == [[], []]


def test_p28_types_of_slots() -> None:
    slots = {1: ("R", [1]), 2: ("G", [9]), 3: ("?", [38]), 4: ("convert", [17])}
    game = position("build", player("G", slots, drafted=[2, 25, 37]), busy())
    collects = {move for move in game.legal_moves() if "collect" in move}
    assert collects == {f"install 0 collect slot {slot}" for slot in (1, 5, 6)} | {
        f"install 2 collect slot {slot}" for slot in (3, 5, 6)
    }  # card 1 costs an R (P30)
    converts = {move for move in game.legal_moves() if "convert" in move}
    assert converts == {f"install {card} convert slot {slot}" for card in range(3) for slot in (4, 5, 6)}
    with pytest.raises(ValueError, match="P28"):
        game.play("install 0 convert slot 2")
    with pytest.raises(ValueError, match="P30"):
        game.play("install 1 collect slot 1")
    play(game, "install 2 collect slot 3")  # one color only: paid without asking
    assert (game.phase, board(game)) == ("build", "")
    assert game.seats[0].slots[2].cards == [37, 38]


def test_p31_discard() -> None:
    game = position("build", player(drafted=[1, 2]), busy())
    before = game.rng
    play(game, "discard 1")
    k = ((output(before, 0) >> 32) * sum((19, 19, 20))) >> 32
    assert board(game) == ("R" * 19 + "G" * 19 + "B" * 20)[k]
    assert game.discarded == [2]
    game = position("build", player(drafted=[1, 2]), busy(), spent="R" * 19 + "G" * 19 + "B" * 20)
    before = game.rng
    play(game, "discard 1")
    assert (board(game), game.discarded, game.rng) == ("", [2], before)


def test_p55_only_discard_left_is_not_asked() -> None:
    slots = {slot: ("G", [9]) for slot in range(1, 7)}
    game = position("build", player(slots=slots, drafted=[9, 1]), busy())
    play(game, "install 0 collect slot 2")
    assert game.discarded == [1]
    assert game.seat == 1


def test_p35_amounts_add_up() -> None:
    slots = {1: ("R", [1, 25]), 2: ("R", [1]), 3: ("R", [1])}
    game = position("build", player(slots=slots, drafted=[17]), busy(), conveyor="RRRRG GGB RB")
    play(game, "install 0 convert slot 6")
    assert board(game) == "RRRR"  # three of segment 1, none of 2, one of 3
    assert game.snapshot()["conveyor"][0] == {"R": 1, "G": 1, "B": 0}


def test_p36_random_slots_come_last_in_collect_order() -> None:
    seats = [
        player(slots={1: ("?", [37, 38])}, drafted=[17]),
        player(slots={1: ("R", [1])}),
        player("RG", slots={1: ("?", [39]), 6: ("convert", [2])}),
    ]
    leaders = {"build": 1, "collect": 2, "score": 0}
    game = position("build", *seats, conveyor="RGB", leaders=leaders)
    before = game.rng
    play(game, "install 0 convert slot 6")
    first = "GB"[((output(before, 0) >> 32) * 2) >> 32]
    assert Counter(board(game, 2)) == Counter("RG" + first)
    assert board(game, 1) == "R"
    assert board(game, 0) == ""  # one is left, two are asked for: no draw
    assert game.rng == (before + 0x9E3779B97F4A7C15) % 2**64
    game = position("build", *seats, conveyor="RGBB", leaders=leaders)
    play(game, "install 0 convert slot 6")
    assert len(board(game, 0)) == 2
    assert game.rng == (before + 3 * 0x9E3779B97F4A7C15) % 2**64


def test_p43_store() -> None:
    game = position("convert", player("RRGBCMY", {1: ("convert", [16])}), busy())
    play(game, "finish")
    assert game.phase == "store"
    assert game.legal_moves() == [f"give {color}" for color in "BCGMRY"]
    play(game, "give M")
    assert (game.phase, board(game), game.piles["M"]) == ("store", "RRGBCY", 10)
    play(game, "give R")
    assert (game.phase, game.seat, board(game)) == ("convert", 1, "RGBCY")


def test_p43_one_color_is_not_asked() -> None:
    game = position("convert", player("RRRRRRRR"), busy(), leaders={"build": 0, "collect": 0, "score": 0})
    assert game.legal_moves() == ["finish"]
    play(game, "finish")
    assert (board(game), game.seat) == ("RRRRR", 1)


def test_p44_shared_supply() -> None:
    first, second = player("RG", {1: ("convert", [2])}), player("RGB", {1: ("convert", [2, 3])})
    game = position("convert", second, first, spent="Y" * 9, seat=1, leaders={"build": 0, "collect": 1, "score": 0})
    play(game, "activate RG>Y")
    assert (game.seat, game.piles["Y"]) == (0, 0)
    assert game.snapshot(omniscient=False)["piles"]["Y"] == 1
    assert game.legal_moves() == ["activate RB>M", "finish"]  # the one yellow pixel went to seat 1
    game = position("convert", player("Y", {1: ("convert", [24])}), second, spent="Y" * 9)
    assert game.piles["Y"] == 0
    play(game, "activate Y>2VP")
    assert "activate RG>Y" in game.legal_moves()  # what seat 0 sold is there at once (P3)
    assert game.snapshot(omniscient=False)["seats"][0]["points"] == 0


def test_p60_public_view() -> None:
    first, second = player("RRGG", {1: ("convert", [2])}), player("RGB", {1: ("convert", [2, 3])})
    game = position("convert", first, second)
    before = game.snapshot(omniscient=False)
    play(game, "activate RG>Y")  # seat 0 is done: its converter is used
    assert game.seat == 1
    after = game.snapshot(omniscient=False)
    assert after == before and after["seat"] is None
    assert game.snapshot()["seats"][0]["used"] == ["mixY"]
    play(game, "activate RG>Y")
    assert game.phase != "convert"
    assert game.shown is None
    assert board(game, 1) == "BY"


def test_p60_public_phase_hides_giving_back() -> None:
    game = position("convert", player("RRRGGB", {1: ("convert", [2])}), busy())
    before = game.snapshot(omniscient=False)
    play(game, "finish")
    assert game.snapshot()["phase"] == "store"
    assert game.snapshot(omniscient=False) == before


def test_p45_p46_one_line_each() -> None:
    sun = {"image": 2, "filled": [False] * 5}
    game = position("score", player("YYYYW"), player("BBBBB"), images=[None, sun, *[None] * 4], machine_deck=[1] * 12)
    assert game.legal_moves() == ["fill 1 line 0", "fill 1 line 1", "pass"]
    play(game, "fill 1 line 1")
    assert (board(game), game.points(), game.seat) == ("YY", [10, 0], 1)
    assert game.legal_moves() == ["fill 1 line 4", "pass"]
    play(game, "fill 1 line 4")
    assert game.points() == [10, 7]
    assert game.snapshot()["images"][1] == {"image": 2, "filled": [False, True, False, False, True]}
    assert game.round == 3


@pytest.mark.parametrize("deck", [[5, 6], []])
def test_p47_finished_image(deck: list[int]) -> None:
    frog = {"image": 1, "filled": [True, True, True, True, False]}
    bag = dict.fromkeys("RGB", 0)
    game = position(
        "score", player("GGG"), player("YYYYY"), images=[frog, *[None] * 5], image_deck=deck, machine_deck=[1] * 12
    )
    game.bag, game.piles = bag, pixels_from("", OTHERS)
    play(game, "fill 0 line 4")
    data = game.snapshot()
    assert data["finished"] == [1]
    assert data["images"][0] == ({"image": 5, "filled": [False] * 5} if deck else None)
    assert data["image_deck"] == deck[1:]
    # the frog's pixels: W 4, R 2, G 1 + 3 + 3 + 3 = 10; six of them moved on to the conveyor
    assert data["piles"] == {"C": 0, "M": 0, "Y": 0, "W": 4}
    assert sum(data["bag"].values()) == 12 - 6


@pytest.mark.parametrize(
    ("points", "pixels", "places"),
    [
        ([3, 5, 4], ["", "", ""], [3, 1, 2]),
        ([5, 5, 4], ["R", "RR", "RRRR"], [2, 1, 3]),
        ([5, 5, 4], ["R", "G", "RRRR"], [1, 1, 3]),
    ],
)
def test_p48_p49_end(points: list[int], pixels: list[str], places: list[int]) -> None:
    seats = [player(pixel, points=number) for pixel, number in zip(pixels, points, strict=True)]
    game = position("score", *seats, seat=2, machine_deck=[])
    play(game, "pass")
    assert game.over
    assert game.seat is None
    assert game.snapshot()["seat"] is None
    assert game.legal_moves() == []
    assert game.ranks() == places
    assert game.points() == points


# ---- whole games ------------------------------------------------------------------------------------


def count_pixels(data: dict[str, Any]) -> Pixels:
    """P51: supply, conveyor, boards and filled lines of face-up images."""
    found = Counter(data["bag"]) + Counter(data["piles"])
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
    assert set(data) - set(public) == {"rng", "shown"}
    assert set(public) <= set(data)
    for name in ("machine_deck", "removed", "set_aside", "image_deck"):
        assert public[name] == len(data[name])
    for seat, hidden in zip(public["seats"], data["seats"], strict=True):
        assert set(seat) == set(hidden)
        assert (seat["hand"], seat["drafted"]) == (len(hidden["hand"]), len(hidden["drafted"]))
        assert seat["choice"] is None
    if data["phase"] not in ("convert", "store"):
        assert data["shown"] is None
        assert (public["bag"], public["piles"]) == (data["bag"], data["piles"])
        assert [seat["pixels"] for seat in public["seats"]] == [seat["pixels"] for seat in data["seats"]]


def choose(game: Reference, rng: random.Random, eager: bool) -> str:
    """A random move; an eager player seldom discards, passes or stops."""
    moves = game.legal_moves()
    lively = [move for move in moves if not move.startswith(("discard", "pass", "finish"))]
    return rng.choice(lively if eager and lively and rng.random() < 0.9 else moves)


def random_game(seed: int, players: int, used: Counter[str]) -> None:
    """Play one random game and check it after every decision."""
    rng = random.Random(f"{seed} {players}")
    game, decisions = Reference.new(players, seed), 0
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
    game = Reference.new(2, AGENT_RNG)
    with pytest.raises(ValueError, match="cannot be played on"):
        Reference.from_snapshot(game.snapshot(omniscient=False))
    with pytest.raises(ValueError, match="P55"):
        game.play("pass")
    with pytest.raises(ValueError, match="no such move"):
        game.play("draft 4")
    kept = copy.deepcopy(game.snapshot())
    assert Reference.from_snapshot(kept).snapshot() == game.snapshot()
    assert Seat().count() == 0
