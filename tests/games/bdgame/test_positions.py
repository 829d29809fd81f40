"""The position builder keeps its promises: exact where a test speaks, complete everywhere else."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.bdgame.positions import BASICS, COLORS, ORDERS, SPECIALS, cubes, position


def all_cubes(snap: dict) -> dict[str, int]:
    found = Counter(snap["bank"]) + Counter(snap["made"])
    for seat in snap["seats"]:
        found += Counter(seat["storage"])
        for card in seat["workshop"]:
            found += Counter(card.get("cubes", {})) + Counter([card["held"]] if card.get("held") else [])
    return {color: found[color] for color in COLORS}


def all_cards(snap: dict) -> Counter:
    found = Counter(snap["piles"]) + Counter(snap["parts_row"]) + Counter(snap["parts_deck"])
    for seat in snap["seats"]:
        found += Counter(seat["hand"]) + Counter(card["kind"] for card in seat["workshop"])
    found.pop(None, None)
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"storage": "5Y 1B", "workshop": [("hopper", 0, 2, "2R"), ("pause", 1, 2, "B"), ("packer", 2, 2)]},
        {"players": 4, "bank": {"Y": 0}, "parts_row": [None] * 4, "parts_deck": [], "piles": {"pause": 0}},
        {"players": 4, "orders_row": ["o28", None, None, None], "orders_deck": []},
        {
            "players": 3,
            "hand": ["c_2Y_1R"] * 3,
            "queue": ["o01"],
            "points": 29,
            "others": {2: {"points": 17}},
        },
        {"workshop": [], "phase": "fulfil", "made": "3Y", "queue": ["o01"]},
    ],
)
def test_nothing_is_lost(asked):
    """24 cubes of each color, three of each special, all basic cards and 32 orders, whatever is asked for."""
    snap = position(**asked).snap
    players = snap["players"]
    assert all_cubes(snap) == {"Y": 24, "R": 24, "B": 24}
    starting = {"hopper": 2 * players, "packer": 2 * players}
    basics = {kind: players + 1 + starting.get(kind, 0) for kind in BASICS}
    assert all_cards(snap) == {**dict.fromkeys(SPECIALS, 3), **basics}
    orders = Counter([*snap["orders_row"], *snap["orders_deck"]])
    for seat in snap["seats"]:
        orders.update([*seat["orders"], *seat["fulfilled"]])
        assert seat["points"] == sum(ORDERS[order][1] for order in seat["fulfilled"])
    orders.pop(None, None)
    assert orders == dict.fromkeys(ORDERS, 1)


def test_what_a_test_says_is_exact():
    """Things of the mover, bank, rows and piles are as asked; the rest lies with the other seat."""
    t = position(
        storage="2Y 1R",
        hand=["straight"],
        bank={"Y": 15},
        piles={"packer": 1},
        parts_row=["c_1Y_1R", "c_1Y_2Y", "c_2R_1B", "c_2R_1B"],
        parts_next=["s_4Y_1B1R"],
        orders_row=["o32", "o31", "o30", "o29"],
        orders_next=["o01"],
        points=13,
    )
    snap = t.snap
    assert t.storage == cubes("2Y 1R") and t.hand == {"straight": 1} and t.me["points"] == 13
    assert snap["bank"]["Y"] == 15 and snap["piles"]["packer"] == 1
    assert snap["parts_row"] == ["c_1Y_1R", "c_1Y_2Y", "c_2R_1B", "c_2R_1B"] and snap["parts_deck"][0] == "s_4Y_1B1R"
    assert snap["orders_row"] == ["o32", "o31", "o30", "o29"] and snap["orders_deck"][0] == "o01"
    assert snap["seats"][1]["storage"] == cubes("7Y") and snap["seats"][1]["hand"] == {"packer": 2}


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"bank": {"Y": 3}}, "11 Y too many"),  # 21 Yellow would have to lie in one other storage
        ({"storage": "25Y"}, "more cubes"),
        ({"bank": {"Y": 24}, "storage": "1Y"}, "too few"),
        ({"hand": ["c_2Y_1R"] * 4}, "three copies"),
        ({"hand": ["pause"] * 4}, "1 pause more"),
        ({"points": 1}, "worth 1 points"),
        ({"others": {1: {"cubes": "1Y"}}}, "no .'cubes'"),
    ],
)
def test_what_cannot_be_built_is_refused(asked, reason):
    """More than the config holds, or a word the builder does not know."""
    with pytest.raises(ValueError, match=reason):
        position(**asked)
