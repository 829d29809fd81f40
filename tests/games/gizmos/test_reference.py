"""Self checks of the slow Gizmos: card facts, the rules' worked examples (E1-E10), and what every game must keep."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest

from tests.support import splitmix
from tests.support.reference.gizmos import Reference
from tests.support.reference.gizmos_cards import CARDS, COLORS, CONVERTERS, DISPLAY, Card
from tests.support.reference.gizmos_payment import (
    conversions,
    fits,
    payable,
    payments,
    reaches,
    smallest_sets,
    steps_of,
)

pytestmark = pytest.mark.plain

# cards that examples need, by number
PICK_YELLOW, BUILD_BLUE_POINT = 12, 23
RED_TO_ANY, BLACK_TO_ANY, YELLOW_TO_ANY, OTHER_YELLOW_TO_ANY = 26, 25, 27, 29
TWICE_RED_TO_ANY, RED_DOUBLER, BLACK_DOUBLER, YELLOW_DOUBLER, RED_BLACK_DOUBLER = 63, 66, 65, 67, 94
BUILD_BLUE_YELLOW_PICK, BUILD_BLUE_BLACK_PICK = 44, 45
BLUE_ARCHIVE_PICKS, YELLOW_ARCHIVE_PICKS, ARCHIVE_POINTS = 57, 59, 82
FILE_DRAWS, BUILD_FILE, LEVEL_2_PICKS, BUILD_FREE, BUILD_RESEARCH = 78, 84, 86, 88, 91
NO_FILE, NO_RESEARCH = 98, 100
LEVEL_2_DISCOUNT, ARCHIVE_DISCOUNT, RESEARCH_DISCOUNT = 102, 104, 106
RING_SCORER, TOKEN_SCORER = 108, 110

STRICT = {"auto_points": False, "order_under": "player"}
OPTIONS = [{}, {"auto_points": False}, {"order_under": "player"}, STRICT]
MAIN_FAMILIES = {"file", "pick", "research", "build", "build archive", "pay", "draw"}
HAND_FAMILIES = {"file hand", "build hand", "keep none", "end"}


def marbles(text: str = "") -> dict[str, int]:
    """Marbles from words: "2 black 1 red"."""
    found = dict.fromkeys(COLORS, 0)
    words = text.split()
    for number, color in zip(words[::2], words[1::2], strict=True):
        found[color] += int(number)
    return found


def new_game(seed: int = 0, players: int = 2, **options: Any) -> Reference:
    """A new game with decks shuffled by the seed."""
    rng = random.Random(seed)
    decks = []
    for level in (1, 2, 3):
        deck = [card.number for card in CARDS if card.level == level]
        rng.shuffle(deck)
        decks.append(deck)
    return Reference.new(players, decks, rng.getrandbits(64), **options)


def take_card(data: dict[str, Any], number: int) -> None:
    """Take a card from wherever it lies; a deck fills the gap in the display, a deck card the gap among the removed."""
    for deck in data["decks"]:
        if number in deck:
            deck.remove(number)
            return
    level_deck = data["decks"][CARDS[number].level - 1]
    if number in data["display"]:
        data["display"][data["display"].index(number)] = level_deck.pop()
    elif number in data["removed"]:
        data["removed"] = sorted([*(set(data["removed"]) - {number}), level_deck.pop()])
    else:
        raise AssertionError(f"card {number} is with a player")


def show(data: dict[str, Any], place: int, number: int) -> None:
    """Put a card at a place of the display."""
    if data["display"][place] != number:
        take_card(data, number)
        data["decks"][DISPLAY[place] - 1].append(data["display"][place])
        data["display"][place] = number


def set_ring(data: dict[str, Any], seat: int, ring: str) -> None:
    """Give a seat this ring; the dispenser has the other marbles, after giving to or taking from the row too."""
    data["seats"][seat]["ring"] = marbles(ring)
    for color in COLORS:
        data["dispenser"][color] = 13 - sum(item["ring"][color] for item in data["seats"]) - data["row"][color]


def set_row(data: dict[str, Any], row: str) -> None:
    """Lay these marbles into the row."""
    for color, number in marbles(row).items():
        data["dispenser"][color] += data["row"][color] - number
        data["row"][color] = number


def position(
    built: tuple[int, ...] = (),
    archive: tuple[int, ...] = (),
    ring: str = "",
    *,
    row: str = "",
    display: dict[int, int] | None = None,
    players: int = 2,
    seat: int = 0,
    options: dict[str, Any] | None = None,
    **changes: Any,
) -> Reference:
    """A position in which a seat is to move and has these cards and marbles."""
    data = new_game(players=players, **(options or {})).snapshot()
    for number in (*built, *archive):
        take_card(data, number)
    for place, number in (display or {}).items():
        show(data, place, number)
    data["seat"] = seat
    data["seats"][seat]["built"] += built
    data["seats"][seat]["archive"] += archive
    if row:
        set_row(data, row)
    set_ring(data, seat, ring)
    data["credits"] |= changes.pop("credits", {})
    data |= changes
    check_conservation(data)
    return Reference.from_snapshot(data)


def play(game: Reference, *moves: str) -> Reference:
    """Play moves in turn."""
    for move in moves:
        game.play(move)
    return game


def family(move: str) -> str:
    """The kind of a move: its words without numbers, colors and types."""
    words = move.split()
    kept = len(words) > 1 and words[1] in ("hand", "archive", "none", "points")
    return " ".join(words[:2]) if kept else words[0]


def moves_of(game: Reference, kind: str) -> list[str]:
    """The legal moves of a family."""
    return [move for move in game.legal_moves() if family(move) == kind]


def some_credits(game: Reference) -> dict[str, int]:
    """The credits that are not 0."""
    return {name: number for name, number in game.snapshot()["credits"].items() if number}


def check_conservation(data: dict[str, Any]) -> None:
    """G1.1, G1.2: each marble and each card is in one place."""
    found = Counter(data["row"]) + Counter(data["dispenser"])
    cards = Counter(number for number in data["display"] if number is not None) + Counter(data["removed"])
    for deck in data["decks"]:
        cards += Counter(deck)
    cards += Counter(data["hand"]["cards"] if data["hand"] else []) + Counter(data["under"])
    for seat in data["seats"]:
        found += Counter(seat["ring"])
        cards += Counter(seat["archive"]) + Counter(seat["built"])
    assert found == dict.fromkeys(COLORS, 13)
    everything = [card.number for card in CARDS if card.level or card.number < data["players"]]
    assert cards == dict.fromkeys(everything, 1)
    assert len(data["removed"]) == 20


# ---- the cards --------------------------------------------------------------------------------------


def of_level(level: int, kind: str | None = None) -> list[Card]:
    """The cards of a level, or only those of one kind."""
    return [card for card in CARDS if card.level == level and kind in (None, card.kind)]


def kinds(level: int) -> dict[str, int]:
    """How many cards of each kind a level has."""
    return dict(Counter(card.kind for card in of_level(level)))


def energy(level: int) -> dict[str, int]:
    """How much energy the cards of a level ask for, by color."""
    asked: Counter[str] = Counter()
    for card in of_level(level):
        asked[card.color] += card.cost
    return dict(asked)


def namings(cards: list[Card]) -> dict[str, int]:
    """How often each color is named by what triggers these cards."""
    return dict(Counter(color for card in cards for color in card.when.split() if color in COLORS))


def test_c2_different_cards() -> None:
    facts = {(c.level, c.color, c.cost, c.points, c.kind, c.when, c.effect) for c in CARDS}
    assert len(CARDS) == 112 and len(facts) == 107
    assert [card.number for card in CARDS] == list(range(112))
    assert [min(c.number for c in of_level(level)) for level in range(4)] == [0, 4, 40, 76]


def test_c3_levels_and_colors() -> None:
    assert [len(of_level(level)) for level in range(4)] == [4, 36, 36, 36]
    for level in (1, 2):
        assert Counter(card.color for card in of_level(level)) == dict.fromkeys(COLORS, 9)
    assert Counter(card.color for card in of_level(3)) == dict.fromkeys(COLORS, 8) | {"any": 4}


def test_c4_level_1() -> None:
    assert {(card.cost, card.points) for card in of_level(1)} == {(1, 1)}
    assert kinds(1) == {"file": 4, "pick": 8, "build": 8, "convert": 8, "upgrade": 8}
    assert namings(of_level(1, "pick")) == dict.fromkeys(COLORS, 2)
    for effect in ("pick 1", "points 1"):
        assert namings([c for c in of_level(1, "build") if c.effect == effect]) == dict.fromkeys(COLORS, 1)
    steps = [card.steps for card in of_level(1, "convert")]
    assert Counter(steps) == {((color, "any"),): 2 for color in COLORS}


def test_c5_level_2() -> None:
    assert Counter((card.cost, card.points) for card in of_level(2)) == {(2, 2): 16, (3, 3): 20}
    assert kinds(2) == {"pick": 4, "build": 16, "convert": 12, "upgrade": 4}
    assert namings(of_level(2, "pick")) == dict.fromkeys(COLORS, 2)
    build = of_level(2, "build")
    assert namings([card for card in build if card.effect == "pick 1"]) == dict.fromkeys(COLORS, 4)
    assert namings([card for card in build if card.effect == "points 1"]) == dict.fromkeys(COLORS, 2)
    steps = Counter(card.steps for card in of_level(2, "convert"))
    twice = {((color, "any"), (color, "any")): 1 for color in COLORS}
    assert steps == twice | {((color, f"2 {color}"),): 2 for color in COLORS}
    assert energy(2) == dict.fromkeys(COLORS, 23)


def test_c6_level_3() -> None:
    assert kinds(3) == {"file": 4, "build": 12, "convert": 4, "upgrade": 16}
    assert Counter(card.cost for card in of_level(3)) == {4: 12, 5: 12, 6: 6, 7: 6}
    unlike = {(card.effect, card.cost, card.points) for card in of_level(3) if card.cost != card.points}
    assert unlike == {
        ("forbid file", 4, 7),
        ("forbid research", 4, 8),
        ("score ring", 7, 0),
        ("score tokens", 7, 0),
    }
    assert energy(3) == {"red": 40, "blue": 40, "black": 39, "yellow": 39, "any": 28}


def test_c7_triggers() -> None:
    assert not [card for card in CARDS if card.color in card.when.split()]
    pairs: dict[str, list[Card]] = {}
    for card in of_level(3, "build"):
        if len(set(card.when.split()) & set(COLORS)) == 2:
            pairs.setdefault(card.effect, []).append(card)
    assert len(pairs) == 4
    assert all(namings(cards) == dict.fromkeys(COLORS, 1) for cards in pairs.values())


def test_d2_3_converter_types() -> None:
    names = [f"{color}-any" for color in COLORS] + [f"2{color}-any" for color in COLORS]
    names += [f"{color}-2{color}" for color in COLORS]
    names += ["any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"]
    assert set(CONVERTERS) == set(names)
    assert [len(CONVERTERS[name]) for name in names] == [2] * 4 + [1] * 4 + [2] * 4 + [2, 1, 1]


def test_g13_2_largest_limits() -> None:
    game = new_game()
    seat = game.seats[0]
    seat.built = [card.number for card in CARDS]
    assert [seat.limit(which) for which in range(3)] == [29, 9, 15]


# ---- payments ---------------------------------------------------------------------------------------


def types_of(*cards: int) -> list[str]:
    """The converter types of these cards."""
    return [CARDS[number].type_name for number in cards]


def pool(text: str) -> tuple[int, ...]:
    """Marbles by color."""
    return tuple(marbles(text).values())


def test_e1_doubler_used_once() -> None:
    assert not payable(pool("2 black"), types_of(BLACK_DOUBLER), "black", 4, 4)
    assert payable(pool("2 black"), types_of(BLACK_DOUBLER), "black", 3, 3)
    display = {7: 77}  # black, cost 4
    assert "build 7" not in position((BLACK_DOUBLER,), ring="2 black", display=display).legal_moves()
    assert "build 7" in position((BLACK_DOUBLER,), ring="3 black", display=display).legal_moves()


def test_e2_converter_used_once() -> None:
    display = {4: 41}  # blue, cost 2
    assert "build 4" not in position((YELLOW_TO_ANY,), ring="2 yellow", display=display).legal_moves()
    both = (YELLOW_TO_ANY, OTHER_YELLOW_TO_ANY)
    assert "build 4" in position(both, ring="2 yellow", display=display).legal_moves()


def test_e3_converters_in_a_row() -> None:
    cards = (YELLOW_TO_ANY, RED_DOUBLER, TWICE_RED_TO_ANY)
    assert list(payments(pool("2 yellow"), types_of(*cards), "blue", 2, 2)) == [pool("1 yellow")]
    game = play(position(cards, ring="2 yellow", display={4: 41}), "build 4")
    assert 41 in game.seats[0].built
    assert game.seats[0].ring == marbles("1 yellow")


def test_e4_worked_turn() -> None:
    built = (YELLOW_TO_ANY, YELLOW_DOUBLER, PICK_YELLOW, BUILD_BLUE_YELLOW_PICK)
    game = position(built, (YELLOW_ARCHIVE_PICKS,), "1 red 2 yellow", row="2 yellow 2 blue 2 red")
    play(game, "build archive 0")  # there is one way to pay
    assert game.snapshot()["seats"][0]["ring"] == marbles("1 red")
    assert some_credits(game) == {"pick": 1}
    assert game.snapshot()["seats"][0]["spent"] == [BUILD_BLUE_YELLOW_PICK]
    play(game, "pick yellow")
    assert some_credits(game) == {"draw": 1}
    assert game.legal_moves() == ["draw", "end"]
    play(game, "draw")
    assert (game.seat, game.phase) == (1, "main")


def test_e5_does_not_trigger_itself() -> None:
    game = position((BUILD_BLUE_POINT, BUILD_BLUE_BLACK_PICK), (BLUE_ARCHIVE_PICKS,), "3 blue")
    play(game, "build archive 0")
    assert some_credits(game) == {"pick": 1}
    assert game.snapshot()["seats"][0]["tokens"] == 1
    strict = position((BUILD_BLUE_POINT, BUILD_BLUE_BLACK_PICK), (BLUE_ARCHIVE_PICKS,), "3 blue", options=STRICT)
    play(strict, "build archive 0")
    assert some_credits(strict) == {"pick": 1, "points": 1}


def test_e6_discount_is_no_converter() -> None:
    built, display = (LEVEL_2_DISCOUNT, RED_DOUBLER), {4: 40}  # red, cost 2
    assert "build 4" not in position(built, ring="", display=display).legal_moves()
    game = play(position((*built, BUILD_RESEARCH), ring="1 red", display=display), "build 4")
    assert 40 in game.seats[0].built
    assert not game.seats[0].used  # although which converters are used matters here
    assert smallest_sets(pool("1 red"), types_of(RED_DOUBLER), "red", 1, 2) == [Counter()]


def test_e7_converter_between_two_halves() -> None:
    cards = types_of(RED_BLACK_DOUBLER, BLACK_TO_ANY)
    assert payable(pool("1 black"), cards, "any", 3, 3)
    assert not payable(pool("1 black"), cards, "any", 4, 4)
    game = position((RED_BLACK_DOUBLER, BLACK_TO_ANY), ring="1 black 4 yellow", display={8: RING_SCORER})
    play(game, "build 8")
    assert RING_SCORER in game.seats[0].built
    assert game.seats[0].ring == marbles()


def test_e8_discount_may_be_used() -> None:
    game = position((ARCHIVE_DISCOUNT,), (4,), "")  # red, cost 1
    play(game, "build archive 0")
    assert 4 in game.seats[0].built
    game = position((ARCHIVE_DISCOUNT,), (4,), "1 red 1 blue")
    play(game, "build archive 0")
    assert (game.phase, game.legal_moves()) == ("pay", ["pay 0", "pay 1"])
    data = game.snapshot()
    assert data["payment"] == {
        "card": 4,
        "source": "archive",
        "place": 0,
        "least": 0,
        "most": 1,
        "paid": [],
        "converters": [],
    }
    assert data["seats"][0]["archive"] == [4] and data["seats"][0]["ring"] == marbles("1 red 1 blue")
    play(game, "pay 1")
    assert game.seats[0].ring == marbles("1 blue")


def test_e9_free_build_from_the_archive() -> None:
    game = position((ARCHIVE_POINTS,), (4, 40), phase="chain", credits={"free_build": 1})
    assert moves_of(game, "build archive") == ["build archive 0"]  # level 1 only
    assert moves_of(game, "build") == ["build 0", "build 1", "build 2", "build 3"]
    play(game, "build archive 0")
    data = game.snapshot()["seats"][0]
    assert (data["tokens"], data["archive"], data["built"]) == (2, [40], [0, 4, ARCHIVE_POINTS])
    assert game.seat == 1


@pytest.mark.parametrize(("seat", "turns_left"), [(0, 2), (1, 1), (2, 0)])
def test_e10_last_round(seat: int, turns_left: int) -> None:
    fifteen = tuple(number for number in range(40, 60) if number not in (44, 46, 47, 50))[:14]
    game = position(fifteen, (4,), "1 red", players=3, seat=seat)
    assert len(game.seats[seat].built) == 15
    play(game, "build archive 0")
    while game.seat == seat and not game.over:
        play(game, "end")
    assert game.last_round
    for turn in range(turns_left):
        assert (game.seat, game.round, game.over) == (seat + turn + 1, 1, False)
        play(game, "research 1", "keep none")
    assert game.over
    data = game.snapshot()
    assert (data["seat"], data["round"], data["truncated"]) == (2, 1, False)
    assert game.legal_moves() == []


def random_demand(rng: random.Random) -> tuple[tuple[int, ...], str, int, int]:
    """A few marbles and what is to be paid with them: marbles, color, least, most."""
    vector = [0, 0, 0, 0]
    for _ in range(rng.randint(1, 3)):
        vector[rng.randrange(4)] += 1
    most = sum(vector) + rng.choice((0, 0, 1, 1, 2))
    return tuple(vector), rng.choice((*COLORS, "any")), max(0, most - rng.choice((0, 0, 0, 1))), most


def by_all_orders(vector: tuple[int, ...], cards: list[str], color: str, least: int, most: int) -> bool:
    """Can the marbles pay, by trying every order of all halves, each used or not?"""
    for order in permutations(steps_of(cards)):
        pools = {vector}
        for step in order:
            pools |= {changed for one in pools for changed in conversions(one, step)}
        if any(fits(one, color, least, most) for one in pools):
            return True
    return False


def test_d4_4_search_agrees_with_all_orders() -> None:
    rng = random.Random(7)
    seen = Counter[bool]()
    for _ in range(400):
        cards = rng.choices(list(CONVERTERS), k=rng.randint(1, 4))
        while len(steps_of(cards)) > 4:
            cards.pop()
        vector, color, least, most = random_demand(rng)
        answer = by_all_orders(vector, cards, color, least, most)
        assert reaches(vector, steps_of(cards), color, least, most) == answer
        seen[answer] += 1
    assert min(seen[True], seen[False]) > 50


def test_d4_6_smallest_sets_by_definition() -> None:
    rng = random.Random(8)
    several = 0
    for _ in range(300):
        owned = sorted(rng.choices(list(CONVERTERS), k=rng.randint(1, 6)))
        vector, color, least, most = random_demand(rng)
        parts = {part for size in range(len(owned) + 1) for part in combinations(owned, size)}
        paying = {part for part in parts if reaches(vector, steps_of(part), color, least, most)}
        smallest = {
            part for part in paying if not any(other != part and Counter(other) <= Counter(part) for other in paying)
        }
        found = smallest_sets(vector, owned, color, least, most)
        assert sorted(sorted(choice.elements()) for choice in found) == sorted(map(list, smallest))
        several += len(found) > 1
    assert several > 20


# ---- single rules -----------------------------------------------------------------------------------


def test_illegal_moves_change_nothing() -> None:
    game = new_game()
    before = game.snapshot()
    for move in ("", "nonsense", "end", "file 9", "pick green", "pay 0", "draw", "take points", "research 4", "pick "):
        with pytest.raises(ValueError, match="illegal move"):
            game.play(move)
        assert game.snapshot() == before


def test_g2_setup() -> None:
    data = new_game(3, 4).snapshot()
    assert [len(deck) for deck in data["decks"]] == [32, 33, 14]
    assert [CARDS[number].level for number in data["display"]] == [1, 1, 1, 1, 2, 2, 2, 3, 3]
    assert (sum(data["row"].values()), sum(data["dispenser"].values())) == (6, 46)
    assert [seat["built"] for seat in data["seats"]] == [[0], [1], [2], [3]]
    check_conservation(data)


def test_g3_1_file_refills_the_display_first() -> None:
    game = new_game()
    before = game.snapshot()
    after = play(game, "file 4").snapshot()
    assert after["seats"][0]["archive"] == [before["display"][4]]
    assert after["display"][4] == before["decks"][1][0]
    assert after["decks"][1] == before["decks"][1][1:]
    assert (after["phase"], after["credits"]["draw"], after["seats"][0]["spent"]) == ("chain", 1, [0])
    assert game.legal_moves() == ["draw", "end"]


def test_g3_2_empty_deck() -> None:
    data = new_game().snapshot()
    data["removed"] += data["decks"][2]  # out of play in this test
    data["decks"][2] = []
    game = Reference.from_snapshot(data)
    assert moves_of(game, "research") == ["research 1", "research 2"]
    play(game, "file 8", "end")
    assert game.snapshot()["display"][8] is None
    assert "file 8" not in game.legal_moves() and "file 7" in game.legal_moves()


def test_g4_2_chance() -> None:
    game = position(ring="", row="6 red", phase="chain", credits={"draw": 1}, rng="77")
    inside = [color for color in COLORS for _ in range(game.dispenser[color])]
    chosen = inside[((splitmix.output(77, 0) >> 32) * len(inside)) >> 32]
    play(game, "draw")
    assert game.seats[0].ring[chosen] == 1
    assert game.rng == splitmix.advance(77)


def test_g4_4_row_short_until_marbles_return() -> None:
    data = new_game(players=4).snapshot()
    data["row"], data["dispenser"] = marbles(), marbles()
    for seat, item in enumerate(data["seats"]):
        item["ring"] = marbles("13 " + COLORS[seat])
    show(data, 0, 4)
    game = Reference.from_snapshot(data)
    assert not moves_of(game, "pick")
    play(game, "build 0")
    assert game.snapshot()["row"] == marbles("1 red")
    assert game.snapshot()["dispenser"] == marbles()


def test_g4_6_full_ring() -> None:
    game = position(ring="5 red", phase="chain", credits={"draw": 1, "pick": 1, "points": 1})
    assert game.legal_moves() == ["end", "take points"]
    play(game, "take points")
    assert game.seat == 1 and game.seats[0].tokens == 1 and not some_credits(game)


def stuck(**options: Any) -> dict[str, Any]:
    """Two seats that can do nothing: rings full of red and blue, nothing payable, no File, no Research."""
    data = new_game(**options).snapshot()
    for seat, bans in enumerate(((98, 100), (99, 101))):
        for number in bans:
            take_card(data, number)
        data["seats"][seat]["built"] += bans
    for place, number in zip(range(9), (6, 7, 10, 11, 42, 43, 48, 77, 79), strict=True):
        show(data, place, number)  # black and yellow
    set_ring(data, 0, "5 red")
    set_ring(data, 1, "5 blue")
    check_conservation(data)
    return data


def test_g5_3_g5_4_passes() -> None:
    game = Reference.from_snapshot(stuck())
    assert game.legal_moves() == ["end"]
    play(game, "end")
    assert (game.seat, game.passes, game.legal_moves()) == (1, 1, ["end"])
    play(game, "end")
    assert game.over and not game.truncated
    assert game.points() == [15, 15]
    assert game.ranks() == [2, 1]


def test_g5_4_an_action_between_passes() -> None:
    data = stuck()
    set_ring(data, 1, "4 blue")
    set_row(data, "2 red 4 blue")
    game = play(Reference.from_snapshot(data), "end")
    assert game.passes == 1
    play(game, "pick blue")
    assert (game.seat, game.passes) == (0, 0)
    play(game, "end")
    assert not game.over
    play(game, "end")
    assert game.over


def test_g8_7_upgrade_holds_before_its_triggers() -> None:
    """An archive upgrade built with a full archive makes room for the File that its Build triggers."""
    game = position((BUILD_FILE,), (5,), "3 blue", display={4: 73})  # on blue or yellow: File
    play(game, "build 4")
    assert some_credits(game) == {"file": 1}
    assert len(moves_of(game, "file")) == 9
    play(game, "file 8")
    assert game.seats[0].archive[0] == 5 and len(game.seats[0].archive) == 2


def test_g9_research() -> None:
    data = new_game(order_under="player").snapshot()
    game = Reference.from_snapshot(data)
    top, rest = data["decks"][0][:3], data["decks"][0][3:]
    top = sorted(top)
    play(game, "research 1")
    assert game.snapshot()["hand"] == {"level": 1, "cards": top, "known_to": []}
    assert game.snapshot()["decks"][0] == rest
    assert game.legal_moves() == ["file hand 0", "file hand 1", "file hand 2", "keep none"]
    play(game, "keep none")
    assert (game.phase, game.legal_moves()) == ("under", ["under 0", "under 1", "under 2"])
    play(game, "under 2")
    data = game.snapshot()
    assert data["hand"] == {"level": 1, "cards": top[:2], "known_to": []} and data["kept"] is None
    assert game.snapshot()["under"] == [top[2]]
    play(game, "under 1")  # the last needs no decision
    assert game.snapshot()["decks"][0] == [*rest, top[2], top[1], top[0]]
    assert game.seat == 1


@pytest.mark.parametrize("order_under", ["random", "player"])
def test_g9_6_file_from_research_triggers(order_under: str) -> None:
    game = position((FILE_DRAWS,), options={"order_under": order_under})
    top = sorted(game.decks[1][:3])
    play(game, "research 2", "file hand 1")
    if order_under == "player":
        assert not some_credits(game)
        data = game.snapshot()
        again = Reference.from_snapshot(data)
        play(again, "under 1")
        del data["kept"]
        with pytest.raises(ValueError, match="what was kept"):
            Reference.from_snapshot(data)
        assert some_credits(again) == {"draw": 4}
        play(game, "under 0")
    assert some_credits(game) == {"draw": 4}
    assert game.seats[0].archive == [top[1]]
    assert sorted(game.decks[1][-2:]) == sorted([top[0], top[2]])


def test_g9_6_build_from_research() -> None:
    """The research discount counts; the level counts as a condition; the archive does not."""
    data = position((RESEARCH_DISCOUNT, LEVEL_2_PICKS, ARCHIVE_POINTS), ring="1 red").snapshot()
    take_card(data, 40)
    data["decks"][1].insert(0, 40)
    game = play(Reference.from_snapshot(data), "research 2")
    assert "build hand 0" in game.legal_moves()
    play(game, "build hand 0")
    assert some_credits(game) == {"pick": 2}
    assert game.seats[0].tokens == 0
    play(game, "pick red" if game.row["red"] else moves_of(game, "pick")[0])
    assert some_credits(game)["pick"] == 1  # G12.7: other effects may come between


def test_g10_2_converters_of_a_turn_with_two_payments() -> None:
    """A converter used for the first Build of a turn cannot serve the second."""
    built = (RED_TO_ANY, 28, BUILD_RESEARCH)  # two of one type; on red or yellow: Research
    game = position(built, (7,), "2 red")  # yellow, cost 1
    play(game, "build archive 0")
    assert game.seats[0].used == {RED_TO_ANY}  # built first
    assert some_credits(game) == {"research": 1}
    assert game.seats[0].converter_types() == ["red-any"]
    play(game, "end")
    assert not game.seats[0].used
    without = play(position(built[:2], (7,), "2 red"), "build archive 0")
    assert without.seat == 1
    banned = play(position((*built, NO_RESEARCH), (7,), "2 red"), "build archive 0")
    assert banned.seat == 1 and not banned.seats[0].used


def test_d4_6_naming_converters() -> None:
    built = (RED_TO_ANY, 92, TWICE_RED_TO_ANY, BUILD_RESEARCH)
    game = position(built, (7,), "1 red")
    play(game, "build archive 0")
    assert game.phase == "convert"
    assert game.legal_moves() == ["convert 2red-any", "convert any-any", "convert red-any"]
    assert game.snapshot()["payment"]["paid"] == [1, 0, 0, 0]
    play(game, "convert any-any")
    assert game.snapshot()["seats"][0]["used"] == [92]
    game = position(built, (43,), "2 red")  # yellow, cost 2: the card of two halves, or both others
    play(game, "build archive 0")
    assert game.legal_moves() == ["convert 2red-any", "convert any-any", "convert red-any"]
    play(game, "convert red-any")  # the other two cards do not need each other
    assert game.snapshot()["seats"][0]["used"] == [RED_TO_ANY, 92]


def test_g11_3_generic_card_has_all_colors() -> None:
    game = position((16, 17, 18, 19), ring="3 red 2 blue", display={8: TOKEN_SCORER})
    data = game.snapshot()
    data["seats"][0]["built"].append(96)  # four more marbles
    for deck in (*data["decks"], data["removed"]):
        if 96 in deck:
            deck.remove(96)
    set_ring(data, 0, "4 red 3 blue")
    game = play(Reference.from_snapshot(data), "build 8")
    assert some_credits(game) == {"pick": 4}


def test_g13_4_bans() -> None:
    game = position((NO_FILE,), (40,), "2 red")
    assert not moves_of(game, "file") and "build archive 0" in game.legal_moves()
    play(game, "research 1")
    assert not moves_of(game, "file hand") and "keep none" in game.legal_moves()
    game = position((NO_RESEARCH,), phase="chain", credits={"research": 1, "pick": 1})
    assert not moves_of(game, "research")


def test_g14_1_fourth_level_3_card() -> None:
    game = position((78, 79, 80), (NO_FILE,), "4 red")
    play(game, "build archive 0")
    assert game.snapshot()["last_round"] and game.seat == 1


def test_g15_g16_score_and_ties() -> None:
    data = new_game(players=4).snapshot()
    take_card(data, RING_SCORER)
    take_card(data, TOKEN_SCORER)
    data["seats"][0] |= {"built": [0, RING_SCORER, TOKEN_SCORER], "tokens": 3}
    data["seats"][1]["tokens"] = 8
    data["seats"][2]["tokens"] = 8
    data["seats"][3]["tokens"] = 8
    set_ring(data, 0, "2 red")
    set_ring(data, 2, "1 red")
    game = Reference.from_snapshot(data)
    assert game.points() == [8, 8, 8, 8]
    assert game.ranks() == [1, 4, 2, 3]


def test_d6_1_truncation() -> None:
    game = new_game(players=3, max_rounds=2)
    for _ in range(6):
        assert not game.over
        play(game, "research 1", "keep none")
    data = game.snapshot()
    assert game.over and data["truncated"] and not data["last_round"]
    assert (data["round"], data["seat"]) == (2, 2)
    assert sorted(game.ranks()) == [1, 2, 3]


def test_g17_view_without_omniscience() -> None:
    game = play(new_game(), "research 2")
    view = game.snapshot(omniscient=False)
    assert view["decks"] == [32, 30, 14]
    assert view["hand"] == {"level": 2, "cards": 3, "known_to": []}
    assert not {"rng", "removed"} & set(view)
    with pytest.raises(ValueError, match="order of the decks"):
        Reference.from_snapshot(view)


# ---- random games -----------------------------------------------------------------------------------


def enriched(game: Reference, rng: random.Random, cards: int) -> Reference:
    """The same game, but every seat begins with that many more cards, mostly converters and level-3 ones."""
    data = game.snapshot()
    bans = [98, 99, 100, 101]
    for seat in data["seats"]:
        taken = 0
        while taken < cards:
            deck = data["decks"][rng.choice((0, 1, 1, 2))]
            number = rng.choice(deck)
            level_3 = sum(CARDS[other].level == 3 for other in seat["built"])
            if (CARDS[number].level == 3 and level_3 == 3) or (number in bans and rng.random() < 0.5):
                continue
            if CARDS[number].kind != "convert" and rng.random() < 0.5:
                continue
            deck.remove(number)
            seat["built"].append(number)
            taken += 1
    return Reference.from_snapshot(data)


def choose(game: Reference, moves: list[str], rng: random.Random, eager: bool) -> str:
    """A random move; an eager player builds when it can and does not end its turn."""
    if eager:
        good = [move for move in moves if move.startswith(("build", "convert"))]
        if good and rng.random() < 0.8:
            return rng.choice(good)
        lively = [move for move in moves if not move.startswith(("end", "keep"))]
        if lively and rng.random() < 0.8:
            return rng.choice(lively)
    return rng.choice(moves)


def check_limits(game: Reference) -> None:
    """G4.6, G6.2, G10.2: rings, archives and marks."""
    for number, seat in enumerate(game.seats):
        assert sum(seat.ring.values()) <= seat.limit(0)
        assert min(seat.ring.values()) >= 0
        assert len(seat.archive) <= seat.limit(1)
        if number != game.seat or game.phase == "main":
            assert not seat.spent and not seat.used
    if sum(game.dispenser.values()):
        assert sum(game.row.values()) == 6


def random_game(seed: int, players: int, families: set[str], **options: Any) -> Reference:
    """Play one random game and check it on the way."""
    rng = random.Random(seed)
    game = new_game(seed, players, **options)
    if seed % 3 == 2:
        game = enriched(game, rng, 10)
    decisions = 0
    while not game.over:
        assert decisions < 5000
        moves = game.legal_moves()
        assert moves and moves == sorted(set(moves))
        assert len(moves) > 1 or game.phase in ("main", "hand")
        data = json.loads(json.dumps(game.snapshot()))
        check_conservation(data)
        check_limits(game)
        if decisions % 11 == seed % 11 or game.phase in ("pay", "convert", "under"):
            kept = copy.deepcopy(data)
            other = Reference.from_snapshot(data)
            assert other.snapshot() == game.snapshot()
            assert list(other.snapshot()) == list(kept)
            assert other.legal_moves() == moves
            if rng.random() < 0.5:
                game = other
            assert data == kept
        move = choose(game, moves, rng, seed % 2 == 1)
        families.add(family(move))
        game.play(move)
        decisions += 1
    data = game.snapshot()
    check_conservation(data)
    assert game.legal_moves() == []
    assert data["truncated"] or data["last_round"] or data["passes"] == players
    assert data["hand"] is None and data["payment"] is None and not some_credits(game)
    assert sorted(game.ranks()) == list(range(1, players + 1))
    assert max(game.points()) == game.points()[game.ranks().index(1)]
    return game


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games(players: int, options: dict[str, Any]) -> None:
    families: set[str] = set()
    ended = 0
    for seed in range(6):
        game = random_game(100 * players + seed, players, families, max_rounds=5 if seed == 4 else 100, **options)
        ended += not game.truncated
    assert ended >= 5
    assert families >= MAIN_FAMILIES | HAND_FAMILIES
    assert ("under" in families) == (options.get("order_under") == "player")
    assert ("take points" in families) == (options.get("auto_points") is False)
