"""How decks of Bdgame may change, and what a good one is (see `engine.designing`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from ...engine.designing import Deck as Data
from ...engine.designing import Design, Holdings
from ...engine.game import GameConfig
from .cards import BASIC, COLORS, CUBES_OF_A_COLOR, NUM_BASIC, NUM_KINDS, PORTS, Deck
from .decks import decks_of
from .random_decks import Recipe, make_decks, principles, recipes, usual_points, usual_price
from .statistics import STATISTICS, cards_of

_MOST_PRICE = 12


def data_of(deck: Deck) -> Data:
    """A deck as the plain data of its card file."""

    def ports(kind: int, side: Sequence[Sequence[int]]) -> dict[str, str]:
        return {port: _cubes(cubes) for port, cubes in zip(PORTS, side, strict=True) if any(cubes)}

    return {
        "bank": dict.fromkeys(COLORS, CUBES_OF_A_COLOR),
        "basic": [{"kind": kind, "cost": int(deck.cost[number])} for number, kind in enumerate(BASIC)],
        "special": [
            {
                "kind": deck.kinds[kind],
                "cost": int(deck.cost[kind]),
                "in": ports(kind, deck.takes[kind]),
                "out": ports(kind, deck.gives[kind]),
            }
            for kind in range(NUM_BASIC, NUM_KINDS)
        ],
        "orders": {
            name: {"needs": _cubes(needs), "points": int(points)}
            for name, needs, points in zip(deck.orders, deck.needs, deck.points, strict=True)
        },
    }


def _cubes(amounts: Sequence[int]) -> str:
    return " ".join(f"{amount}{color}" for amount, color in zip(amounts, COLORS, strict=True) if amount)


def _read(config: GameConfig) -> list[Data]:
    return [data_of(deck) for deck in decks_of(config.options["deck"])[1]]


def _faults(config: GameConfig) -> list[str]:
    decks = decks_of(config.options["deck"])[1]
    return [f"not so: {words}" for words, kept in principles(decks).items() if not kept.all()]


def _fresh(number: int) -> Data:
    return data_of(make_decks([number])[0])


def _alternatives(deck: Data, path: str) -> Sequence[Data]:
    """Other special parts at their usual prices, or other orders with their usual points."""
    table = path.partition(".")[0]
    if table == "special":
        there = {row["kind"] for row in deck["special"]}
        return [row for row in _other_parts() if row["kind"] not in there]
    if table == "orders":
        there = {row["needs"] for row in deck["orders"].values()}
        usual = sum(usual_points(_amounts(needs)) for needs in there)
        scale = 100 * sum(row["points"] for row in deck["orders"].values()) / usual
        return [
            {"needs": needs, "points": max(1, round(usual_points(_amounts(needs)) * scale / 100))}
            for needs in _other_orders()
            if needs not in there
        ]
    return ()


def _amounts(needs: str) -> list[int]:
    amounts = {word[-1]: int(word[:-1]) for word in needs.split()}
    return [amounts.get(color, 0) for color in COLORS]


@cache
def _other_parts() -> list[Data]:
    parts: dict[str, Recipe] = {recipe.name: recipe for some in recipes().values() for recipe in some}
    rows = []
    for recipe in parts.values():
        price = min(_MOST_PRICE, max(1, round(usual_price(recipe))))
        sides = [
            {port: _cubes(cubes) for port, cubes in zip(PORTS, side, strict=True) if any(cubes)}
            for side in (recipe.takes, recipe.gives)
        ]
        rows.append({"kind": recipe.name, "cost": price, "in": sides[0], "out": sides[1]})
    return rows


@cache
def _other_orders() -> list[str]:
    """What orders may ask for: up to 8 Yellow, 5 Red or 4 Blue alone, fewer together."""
    alone = [(n, 0, 0) for n in range(2, 9)] + [(0, n, 0) for n in range(2, 6)] + [(0, 0, n) for n in range(1, 5)]
    several = [cubes for cubes in product(range(5), range(4), range(3)) if sum(n > 0 for n in cubes) > 1]
    return [_cubes(cubes) for cubes in alone + several]


def _names(deck: Data) -> list[str]:
    kinds = [f"{table}.{row['kind']}.cost" for table in ("basic", "special") for row in deck[table]]
    return [f"{kind} {where}" for where in ("in hand", "in play") for kind in kinds]


DESIGN = Design(
    statistics=STATISTICS,
    option="deck",
    read=_read,
    space={
        "basic.hopper.cost": [2, 5],
        "basic.packer.cost": [3, 7],
        "basic.*.cost": [1, 6],
        "special.*.cost": [1, _MOST_PRICE],
        "special.*": "any",
        "orders.*.points": [1, 12],
        "orders.*": "any",
    },
    aims={
        "first_seat": {"least": 0.44, "most": 0.56, "scale": 0.05, "players": [2]},
        "best_seat": {"most": 1.25, "scale": 0.15, "players": [3, 4]},
        "splitters": {"least": 0.9, "scale": 0.1},
        "joiners": {"least": 0.4, "scale": 0.1},
        "splits": {"least": 1, "scale": 0.5},
        "holds": {"least": 0.1, "scale": 1},
        "idle": {"most": 8, "scale": 3},
        "largest": {"least": 5.5, "scale": 0.7},
        "margin": {"most": 8, "scale": 1, "players": [2]},
        "rounds": {"least": 12, "most": 15, "scale": 0.7},
        "truncated": {"most": 0, "scale": 0.02},
    },
    taken="buy",
    judge="engineer",
    faults=_faults,
    alternatives=_alternatives,
    fresh=_fresh,
    holdings=Holdings(_names, cards_of, 2 * NUM_KINDS),
)
