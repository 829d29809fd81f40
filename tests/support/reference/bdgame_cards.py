"""Cards and cubes of Bdgame (B1-B6), read from the project's card files."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[3] / "bdgame_env" / "games" / "bdgame"
_FILES = {None: "cards.toml", "classic": "classic.toml"}  # section 14: by the option `deck`

COLORS = ("Y", "R", "B")
VALUE = {"Y": 1, "R": 2, "B": 4}  # B1
PORTS = ("up", "mid", "down")

Cubes = dict[str, int]


def no_cubes() -> Cubes:
    """An empty multiset of cubes, all three colors listed."""
    return dict.fromkeys(COLORS, 0)


def cubes_from(text: str) -> Cubes:
    """Read an amount such as "1Y 2B"."""
    cubes = no_cubes()
    for number, color in re.findall(r"(\d+)([YRB])", text):
        cubes[color] += int(number)
    return cubes


def add(target: Cubes, cubes: Cubes) -> None:
    """Add cubes to target."""
    for color in COLORS:
        target[color] += cubes[color]


def take(target: Cubes, cubes: Cubes) -> None:
    """Take cubes out of target, which must hold them."""
    assert covers(target, cubes)
    for color in COLORS:
        target[color] -= cubes[color]


def covers(cubes: Cubes, needs: Cubes) -> bool:
    """Do the cubes contain what is needed?"""
    return all(cubes[color] >= needs[color] for color in COLORS)


def total(cubes: Cubes) -> int:
    """How many cubes these are."""
    return sum(cubes.values())


def worth(cubes: Cubes) -> int:
    """B1: what the cubes are worth as payment."""
    return sum(VALUE[color] * cubes[color] for color in COLORS)


@dataclass(frozen=True)
class Part:
    """One kind of Part card; needs and gives are a special card's recipe, by port (B13, B33)."""

    kind: str
    cost: int
    inlets: tuple[str, ...]
    outlets: tuple[str, ...]
    special: bool = False
    needs: dict[str, Cubes] | None = None
    gives: dict[str, Cubes] | None = None


@dataclass(frozen=True)
class Order:
    """B2: an order card."""

    name: str
    needs: Cubes
    points: int


# B13: the ports of the grey cards, (inlets, outlets)
BASIC_PORTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hopper": ((), ("mid",)),
    "packer": (("mid",), ()),
    "straight": (("mid",), ("mid",)),
    "pause": (("mid",), ("mid",)),
    "bend_up": (("mid",), ("up",)),
    "bend_down": (("mid",), ("down",)),
    "splitter": (("mid",), ("up", "down")),
    "joiner": (("up", "down"), ("mid",)),
}


@dataclass(frozen=True)
class Deck:
    """The cards of one game: parts by kind, orders by name."""

    parts: dict[str, Part]
    orders: dict[str, Order]

    @property
    def specials(self) -> tuple[str, ...]:
        """The special kinds."""
        return tuple(kind for kind, part in self.parts.items() if part.special)


def _read_cards(file: str) -> Deck:
    data = tomllib.loads((_FOLDER / file).read_text("utf-8"))
    parts: dict[str, Part] = {}
    for row in data["basic"]:
        inlets, outlets = BASIC_PORTS[row["kind"]]
        parts[row["kind"]] = Part(row["kind"], row["cost"], inlets, outlets)
    for row in data["special"]:
        needs = {port: cubes_from(row["in"][port]) for port in PORTS if port in row["in"]}
        gives = {port: cubes_from(row["out"][port]) for port in PORTS if port in row["out"]}
        parts[row["kind"]] = Part(row["kind"], row["cost"], tuple(needs), tuple(gives), True, needs, gives)
    orders = {name: Order(name, cubes_from(row["needs"]), row["points"]) for name, row in data["orders"].items()}
    assert data["bank"] == BANK
    return Deck(parts, orders)


BANK = dict.fromkeys(COLORS, 24)  # B1
BASIC_KINDS = tuple(BASIC_PORTS)
DECKS = {name: _read_cards(file) for name, file in _FILES.items()}
PARTS = {kind: part for deck in DECKS.values() for kind, part in deck.parts.items()}  # what a kind does; not its price
