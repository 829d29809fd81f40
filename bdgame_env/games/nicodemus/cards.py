"""What is printed on machines and project tiles (N1.2, N1.4): the card file, read, checked and turned into arrays.

The arrays in capitals are constants of the compiled rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

TOKENS = ("charcoalium", "wood", "copper", "crystal")
RESOURCES = TOKENS[1:]  # resource r is token r + 1
NUM_TOKENS, NUM_RESOURCES = len(TOKENS), len(RESOURCES)
CHARCOALIUM = 0
SUPPLY = (12, 8, 8, 8)  # N1.3

SYMBOLS = (*TOKENS, "wild")  # a symbol other than wild has the number of its token
NUM_SYMBOLS = len(SYMBOLS)
WILD_SYMBOL = 4
COLORS = ("blue", "purple", "red", "yellow")
VALUES = (1, 2, 3)

KINDS = ("B1", "B2", "B3", "B4", "B5", "P1", "P2", "P3", "P4", "P5", "R1", "R2", "R3", "R4", "Y1", "Y2")
B1, B2, B3, B4, B5, P1, P2, P3, P4, P5, R1, R2, R3, R4, Y1, Y2 = range(16)
NUM_KINDS = len(KINDS)
NUM_MACHINES = 56  # N1.1
NUM_PROJECTS = 17  # N1.4
MOST_OF_A_COST = 4  # N1.2

# What a project can ask for, and what a machine counts as: four bits for each, packed into one word.
TRAITS = (*COLORS, *(f"value-{value}" for value in VALUES), *TOKENS)
_BITS, _ALL = 4, 15

CARD_FILE = Path(__file__).with_name("cards.toml")


class BadCards(ValueError):
    """An invalid card file; the message names the entry and its fault."""


class Cards:
    """A card file, as arrays by kind of machine and by project.

    Raises:
        BadCards: the file is invalid.
    """

    def __init__(self, path: Path) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.color = np.zeros(NUM_KINDS, np.int8)
        self.points = np.zeros(NUM_KINDS, np.int8)
        self.symbol = np.zeros(NUM_KINDS, np.int8)
        self.cost = np.zeros((NUM_KINDS, NUM_RESOURCES), np.int8)
        self.copies = np.zeros(NUM_KINDS, np.int8)
        self.rule = [""] * NUM_KINDS
        self.traits = np.zeros(NUM_KINDS, np.int64)
        self.project_points = np.zeros(NUM_PROJECTS, np.int8)
        self.project_machines = np.zeros(NUM_PROJECTS, np.int8)
        self.asked = np.zeros(NUM_PROJECTS, np.int64)  # mask of the counts that matter
        self.wanted = np.zeros(NUM_PROJECTS, np.int64)  # and the values required
        self.twins = np.zeros(NUM_PROJECTS, np.int8)
        wanted = {"machines": KINDS, "projects": tuple(map(str, range(NUM_PROJECTS)))}
        if {name: tuple(table) for name, table in data.items()} != wanted:
            raise BadCards(f"{path.name}: it must have the tables machines (B1 to Y2) and projects (0 to 16), in order")
        for number, (table, read) in enumerate((("machines", self._machine), ("projects", self._project))):
            for index, (name, row) in enumerate(data[table].items()):
                try:
                    read(index, row)
                except (KeyError, ValueError, AttributeError, TypeError) as error:
                    raise BadCards(f"{path.name}: {('machine', 'project')[number]} {name}: {error}") from None

    def _machine(self, kind: int, row: Mapping[str, Any]) -> None:
        _only(row, ("color", "points", "symbol", "cost", "copies", "rule"))
        self.color[kind] = COLORS.index(row["color"])
        self.points[kind] = VALUES[VALUES.index(row["points"])]
        self.symbol[kind] = SYMBOLS.index(row["symbol"])
        for number, name in _counted(row["cost"]):
            self.cost[kind, RESOURCES.index(name)] += number
        if not 2 <= self.cost[kind].sum() <= MOST_OF_A_COST:
            raise ValueError(f"the cost is {self.cost[kind].sum()} resources, must be 2 to {MOST_OF_A_COST}")
        self.copies[kind] = row["copies"]
        self.rule[kind] = row["rule"]
        for name in (row["color"], f"value-{row['points']}", row["symbol"]):
            if name in TRAITS:  # N7.3.5: wild symbols never count
                self.traits[kind] += 1 << _BITS * TRAITS.index(name)

    def _project(self, project: int, row: Mapping[str, Any]) -> None:
        _only(row, ("points", "needs"))
        self.project_points[project] = row["points"]
        for number, name in _counted(row["needs"]):
            self.project_machines[project] += number
            if name == "twins":
                self.twins[project] = 1
            else:
                place = _BITS * TRAITS.index(name)
                self.asked[project] |= _ALL << place
                self.wanted[project] += number << place
        if not 2 <= self.project_machines[project] <= 4:
            raise ValueError(f"it uses {self.project_machines[project]} machines, must be 2 to 4")


def _only(row: Mapping[str, Any], names: tuple[str, ...]) -> None:
    if set(row) != set(names):
        raise ValueError(f"the entries are {sorted(row)}, must be {sorted(names)}")


def _counted(text: str) -> Iterator[tuple[int, str]]:
    """`"copper 2 crystal"` -> (1, "copper"), (2, "crystal")."""
    number = 1
    for word in text.split():
        if word.isdecimal():
            number = int(word)
        else:
            yield number, word
            number = 1


FEATURES = (
    "kind + 1 (0: no machine)",
    *COLORS,
    "points",
    *(f"symbol {symbol}" for symbol in SYMBOLS),
    *(f"cost in {resource}" for resource in RESOURCES),
)


def _faces(cards: Cards) -> np.ndarray[Any, Any]:
    """What each machine shows as numbers (see FEATURES), in row kind + 1; row 0 stands for no machine."""
    rows = [[0] * len(FEATURES)]
    for kind in range(NUM_KINDS):
        row = [kind + 1, *(int(cards.color[kind] == color) for color in range(len(COLORS))), int(cards.points[kind])]
        row += [int(cards.symbol[kind] == symbol) for symbol in range(NUM_SYMBOLS)]
        rows.append(row + [int(number) for number in cards.cost[kind]])
    return np.array(rows, np.int8)


CARDS = Cards(CARD_FILE)
COLOR, POINTS, SYMBOL, COST, COPIES = CARDS.color, CARDS.points, CARDS.symbol, CARDS.cost, CARDS.copies
TRAITS_OF = CARDS.traits
PROJECT_POINTS, PROJECT_MACHINES = CARDS.project_points, CARDS.project_machines
ASKED, WANTED, TWINS = CARDS.asked, CARDS.wanted, CARDS.twins
FACES = _faces(CARDS)
NUM_FEATURES = len(FEATURES)
for _array in (COLOR, POINTS, SYMBOL, COST, COPIES, TRAITS_OF, PROJECT_POINTS, PROJECT_MACHINES):
    _array.setflags(write=False)
for _array in (ASKED, WANTED, TWINS, FACES):
    _array.setflags(write=False)
