"""Chapters 1 and 2: what is in the box, and what lies where before the first turn (B1-B11)."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources

import pytest

from tests.games.bdgame.positions import (
    BASIC_COST,
    BASICS,
    COLORS,
    ORDERS,
    SPECIAL_COST,
    SPECIALS,
    cubes,
    new_game,
    position,
)
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

PLAYERS = (2, 3, 4)


def card_text() -> str:
    return resources.files("bdgame_env.games.bdgame").joinpath("classic.toml").read_text(encoding="utf-8")


def card_file() -> dict:
    return tomllib.loads(card_text())


@pytest.mark.parametrize("players", PLAYERS)
def test_b01_there_are_24_cubes_of_each_color(players):
    """B1: bank and storages hold 24 of each color together, for any number of players."""
    snap = new_game(players).snap
    for color in COLORS:
        assert snap["bank"][color] + sum(seat["storage"][color] for seat in snap["seats"]) == 24


def test_b01_a_yellow_is_worth_1_a_red_2_a_blue_4():
    """B1: what each color is worth shows in the credit it gives."""
    t = position(storage="1Y 1R 1B", parts_row=["c_1Y_1R", "c_1Y_2Y", "s_4Y_1B1R", "s_1R_1R1Y"])
    assert t.play("pay B").snap["credit"] == 4
    assert t.play("pay R").snap["credit"] == 6
    assert t.play("pay Y").snap["credit"] == 7


def test_b02_there_are_32_different_orders():
    """B2: row and deck together hold every order once."""
    snap = new_game().snap
    assert sorted([*snap["orders_row"], *snap["orders_deck"]]) == sorted(ORDERS)
    assert len(ORDERS) == 32


@pytest.mark.parametrize("order", ORDERS)
def test_b02_an_order_asks_for_its_cubes_and_is_worth_its_points(order):
    """B2: exactly the cubes printed on the order fulfil it, and it scores what it says."""
    needs, points = ORDERS[order]
    t = position(phase="fulfil", made=needs, queue=[order]).play("fulfil 0")
    assert t.me["points"] == points and t.me["orders"] == [] and t.me["fulfilled"] == [order]
    assert t.storage == cubes()


@pytest.mark.parametrize("order", ["o01", "o10", "o11", "o16", "o24", "o32"])
def test_b02_one_cube_less_does_not_fulfil_an_order(order):
    """B2: with one cube of any color missing the order is not covered; the phase is skipped."""
    needs = cubes(ORDERS[order][0])
    for color in COLORS:
        if needs[color]:
            short = {**needs, color: needs[color] - 1}
            t = position(
                phase="activate",
                workshop=[
                    ("hopper", 0, 2, short),
                    ("packer", 1, 2),
                    ("hopper", 0, 8, "1B"),
                    ("packer", 1, 8),
                ],
                queue=["o28", order],
            )
            slot = 0 if sum(short.values()) else 1
            t.play(f"activate {slot}", "end")
            assert t.seat == 1 and t.me["points"] == 0


def test_b03_there_are_20_special_kinds_three_of_each():
    """B3: row and deck together hold 60 cards, three copies of each kind."""
    snap = new_game().snap
    assert Counter([*snap["parts_row"], *snap["parts_deck"]]) == dict.fromkeys(SPECIALS, 3)
    assert len(SPECIALS) == 20


@pytest.mark.parametrize("players", PLAYERS)
def test_b04_there_are_eight_basic_kinds_on_sale(players):
    """B4: hopper, packer and six connectors, one pile for each kind."""
    assert sorted(new_game(players).snap["piles"]) == sorted(BASICS)
    assert len(BASICS) == 8


def test_b05_a_player_begins_with_two_hoppers_two_packers_and_three_actions():
    """B5: four starting parts in play, none in hand, and three actions a turn."""
    t = new_game(4)
    assert t.snap["actions_left"] == 3
    for seat in t.snap["seats"]:
        assert Counter(card["kind"] for card in seat["workshop"]) == {"hopper": 2, "packer": 2}
        assert seat["hand"] == {}


@engine_only
def test_b06_special_cards_are_converters_splitters_or_joiners():
    """B6: in the card file each special kind has one of the three port rows, and no port is without cubes."""
    rows = {(("mid",), ("mid",)), (("mid",), ("down", "up")), (("down", "up"), ("mid",))}
    for card in card_file()["special"]:
        assert (tuple(sorted(card["in"])), tuple(sorted(card["out"]))) in rows
        for recipe in [*card["in"].values(), *card["out"].values()]:
            assert sum(cubes(recipe).values()) >= 1


@engine_only
def test_b06_every_card_has_its_price_of_one_or_more():
    """B6: the prices the tests reckon with are those of the card file, and none is free."""
    data = card_file()
    assert {card["kind"]: card["cost"] for card in data["basic"]} == BASIC_COST
    assert {card["kind"]: card["cost"] for card in data["special"]} == SPECIAL_COST
    assert min(*BASIC_COST.values(), *SPECIAL_COST.values()) == 1


@engine_only
def test_b06_the_card_file_keeps_the_counts_of_the_box():
    """B6: 24 cubes of a color, 8 basic and 20 special kinds, 32 orders with needs and points as here."""
    data = card_file()
    assert data["bank"] == {"Y": 24, "R": 24, "B": 24}
    assert [card["kind"] for card in data["basic"]] == list(BASICS)
    assert [card["kind"] for card in data["special"]] == list(SPECIALS)
    found = {order: (cubes(card["needs"]), card["points"]) for order, card in data["orders"].items()}
    assert found == {order: (cubes(needs), points) for order, (needs, points) in ORDERS.items()}


@engine_only
@pytest.mark.parametrize(
    ("printed", "changed", "reason"),
    [
        ("Y = 24", "Y = 23", "23"),
        ("cost = 7", "cost = 0", "c_1Y_1R"),
        ('in.mid = "1Y"\nout.mid = "1R"', 'out.mid = "1R"', "c_1Y_1R"),
        ('in.mid = "1Y"\nout.mid = "1R"', 'in.mid = "0Y"\nout.mid = "1R"', "c_1Y_1R"),
        ('in.mid = "1Y"\nout.mid = "1R"', 'in.up = "1Y"\nout.mid = "1R"', "c_1Y_1R"),
        ('in.mid = "1Y"\nout.mid = "1R"', 'in.mid = "1Y"\nout.mid = "1G"', "c_1Y_1R"),
        ('o32 = { needs = "1Y 1R 2B", points = 7 }', "", "31"),
        ('needs = "1Y 1R 2B"', 'needs = ""', "o32"),
        ('kind = "j_1Y1R_3R"', 'kind = "j_1Y1R_1B"', "j_1Y1R_1B"),
        ('kind = "pause"', 'kind = "break"', "break"),
    ],
)
def test_b06_a_card_file_that_breaks_a_rule_is_refused(tmp_path, printed, changed, reason):
    """B6: the refusal names the line and what is wrong with it."""
    from bdgame_env.games.bdgame.cards import read_deck

    text = card_text()
    assert printed in text
    file = tmp_path / "deck.toml"
    file.write_text(text.replace(printed, changed, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"line \d+") as refusal:
        read_deck(file)
    assert reason in str(refusal.value) and "\n" not in str(refusal.value)


@engine_only
def test_b06_the_printed_card_file_is_accepted(tmp_path):
    """B6: a copy of the file in another place can be read."""
    from bdgame_env.games.bdgame.cards import read_deck

    file = tmp_path / "deck.toml"
    file.write_text(card_text(), encoding="utf-8")
    assert read_deck(file) is not None


@pytest.mark.parametrize("players", PLAYERS)
def test_b07_four_orders_lie_face_up(players):
    """B7: four orders in the row, the other 28 in the deck."""
    snap = new_game(players).snap
    assert len(snap["orders_row"]) == 4 and None not in snap["orders_row"]
    assert len(snap["orders_deck"]) == 28


@engine_only
def test_b07_the_orders_are_shuffled():
    """B7: another seed deals other orders, the same seed the same ones."""
    first, again, other = (new_game(seed=seed).snap for seed in (1, 1, 2))
    assert [*first["orders_row"], *first["orders_deck"]] == [*again["orders_row"], *again["orders_deck"]]
    assert [*first["orders_row"], *first["orders_deck"]] != [*other["orders_row"], *other["orders_deck"]]


@pytest.mark.parametrize("players", PLAYERS)
def test_b08_the_shop_has_four_specials_and_one_basic_card_more_than_players(players):
    """B8: four specials face up, 56 in the deck, and players + 1 cards in each basic pile."""
    snap = new_game(players).snap
    assert len(snap["parts_row"]) == 4 and None not in snap["parts_row"]
    assert len(snap["parts_deck"]) == 56
    assert snap["piles"] == dict.fromkeys(BASICS, players + 1)


@engine_only
def test_b08_the_specials_are_shuffled():
    """B8: another seed deals other specials."""
    first, other = (new_game(seed=seed).snap for seed in (1, 2))
    assert [*first["parts_row"], *first["parts_deck"]] != [*other["parts_row"], *other["parts_deck"]]


@pytest.mark.parametrize("players", PLAYERS)
def test_b09_every_player_begins_with_one_cube_of_each_color(players):
    """B9: the cubes come from the bank, which is left with 24 less one for each player."""
    snap = new_game(players).snap
    assert [seat["storage"] for seat in snap["seats"]] == [cubes("1Y 1R 1B")] * players
    assert snap["bank"] == dict.fromkeys(COLORS, 24 - players)


@pytest.mark.parametrize("players", PLAYERS)
def test_b10_two_pass_through_devices_are_in_play(players):
    """B10: empty hoppers at (0, 2) and (0, 6), a packer beside each."""
    for seat in new_game(players).snap["seats"]:
        assert seat["workshop"] == [
            {"x": 0, "y": 2, "kind": "hopper", "slot": 0, "cubes": cubes()},
            {"x": 0, "y": 6, "kind": "hopper", "slot": 1, "cubes": cubes()},
            {"x": 1, "y": 2, "kind": "packer"},
            {"x": 1, "y": 6, "kind": "packer"},
        ]


def test_b10_the_starting_devices_work():
    """B10: what is loaded on either starting hopper is made unchanged."""
    t = new_game().play("load Y@0", "load B@1", "end", "end", "activate 1", "activate 0")
    assert t.storage == cubes("1Y 1R 1B") and t.seat == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_b11_seats_play_in_order_and_seat_0_begins_round_1(players):
    """B11: seat 0 first; after the last seat the next round begins with seat 0."""
    t = new_game(players)
    turns = []
    for _ in range(players + 1):
        turns.append((t.snap["round"], t.seat))
        t.play("end")
    assert turns == [(1, seat) for seat in range(players)] + [(2, 0)]


def test_b11_a_new_turn_has_all_its_actions():
    """B11: when the turn passes on in the middle of a game, the next seat has three actions again."""
    t = position(players=3, seat=2, round=4, actions_left=1).play("collect")
    assert (t.snap["round"], t.seat, t.snap["actions_left"], t.phase) == (5, 0, 3, "act")
