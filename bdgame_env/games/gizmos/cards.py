"""What is printed on the cards (G1.5, part C): the card file, read, checked and turned into arrays by card number.

The arrays in capitals are constants of the compiled rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

COLORS = ("red", "blue", "black", "yellow")  # D1.2
NUM_COLORS = len(COLORS)
ANY = 4  # the color of a generic card (G1.7)
NO_COLOR = -1  # of a starting card (G1.6)
NUM_STARTING, CARDS_OF_A_LEVEL = 4, 36  # G1.1
NUM_CARDS = NUM_STARTING + 3 * CARDS_OF_A_LEVEL

KINDS = ("file", "pick", "build", "convert", "upgrade")  # G1.5
FILE_CARD, PICK_CARD, BUILD_CARD, CONVERTER_CARD, UPGRADE_CARD = range(5)

# What happened, as bits: a card is triggered if it shares one with the action (G11.2).
ON_FILE = 1
ON_PICK = 1 << 1  # shifted by the color of the marble
ON_BUILD = 1 << 5  # shifted by the color of the card
ON_BUILD_FROM_ARCHIVE = 1 << 9
ON_BUILD_LEVEL_2 = 1 << 10
NUM_EVENTS = 11

# Credits (D3.1), in the order of the snapshot.
CREDITS = ("draw", "pick", "file", "free_build", "research", "points")
DRAW, PICK, FILE, FREE_BUILD, RESEARCH, POINTS_CREDIT = range(6)

# Types of converters (D2.3). Those for color k are k, k + 4 and k + 8.
CONVERTER_TYPES = (
    *(f"{color}-any" for color in COLORS),
    *(f"2{color}-any" for color in COLORS),
    *(f"{color}-2{color}" for color in COLORS),
    *("any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"),
)
TO_ANY, TWICE_TO_ANY, DOUBLER, ANY_TO_ANY, DOUBLE_RED_BLACK, DOUBLE_BLUE_YELLOW = 0, 4, 8, 12, 13, 14
NUM_TYPES = len(CONVERTER_TYPES)

# Discounts (G13.3) by what they apply to.
SCOPES = ("level2", "archive", "research")
LEVEL_2_SCOPE, ARCHIVE_SCOPE, RESEARCH_SCOPE = range(3)
BANS = ("file", "research")  # G13.4
FILE_BAN, RESEARCH_BAN = range(2)
SCORERS = ("ring", "tokens")  # G13.5
RING_SCORER, TOKENS_SCORER = range(2)
LIMITS = ("ring", "archive", "research")  # G13.2
RING_LIMIT, ARCHIVE_LIMIT, RESEARCH_LIMIT = range(3)

CARD_FILE = Path(__file__).with_name("cards.toml")


class BadCards(ValueError):
    """An invalid card file; the message names the card and its fault."""


class Cards:
    """A card file, as arrays by card number.

    Raises:
        BadCards: the file is invalid.
    """

    def __init__(self, path: Path) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        names = [f"level{level}" for level in range(4)]
        if list(data) != names:
            raise BadCards(f"{path.name}: the tables are {list(data)}, must be {names}")
        self.names: list[str] = []  # "8: pick blue, draw 1"
        self.level = np.zeros(NUM_CARDS, np.int8)
        self.color = np.full(NUM_CARDS, NO_COLOR, np.int8)
        self.cost = np.zeros(NUM_CARDS, np.int8)
        self.points = np.zeros(NUM_CARDS, np.int8)
        self.kind = np.zeros(NUM_CARDS, np.int8)
        self.when = np.zeros(NUM_CARDS, np.int16)
        self.credit = np.full(NUM_CARDS, -1, np.int8)
        self.amount = np.zeros(NUM_CARDS, np.int8)
        self.converter = np.full(NUM_CARDS, -1, np.int8)
        self.limits = np.zeros((NUM_CARDS, len(LIMITS)), np.int8)
        self.discounts = np.zeros((NUM_CARDS, len(SCOPES)), np.int8)
        self.bans = np.zeros((NUM_CARDS, len(BANS)), np.int8)
        self.scorers = np.zeros((NUM_CARDS, len(SCORERS)), np.int8)
        numbers = [(level, number) for level, name in enumerate(names) for number in data[name]]
        if numbers != [(level_of(card), str(card)) for card in range(NUM_CARDS)]:
            raise BadCards(f"{path.name}: cards must be numbered 0 to {NUM_CARDS - 1}, level by level (C2)")
        for level, number in numbers:
            try:
                self.read(int(number), level, data[f"level{level}"][number])
                self.names.append(f"{number}: {_effect(data[f'level{level}'][number])}")
            except (KeyError, ValueError, AttributeError, TypeError) as error:
                raise BadCards(f"{path.name}: card {number}: {error}") from None

    def read(self, card: int, level: int, row: Mapping[str, Any]) -> None:
        self.level[card] = level
        if level:
            self.color[card] = (*COLORS, "any").index(row["color"])
            self.cost[card], self.points[card] = row["cost"], row["points"]
        effects = set(row) - {"color", "cost", "points"}
        if effects == {"when", "gives"}:
            self.read_trigger(card, row["when"].split(), row["gives"].split())
        elif effects == {"converts"}:
            self.kind[card] = CONVERTER_CARD
            self.converter[card] = CONVERTER_TYPES.index(row["converts"])
        elif effects == {"upgrade"}:
            self.kind[card] = UPGRADE_CARD
            for text in row["upgrade"].split(", "):
                self.read_upgrade(card, *text.split(" "))
        else:
            raise ValueError(f"'when' with 'gives', or 'converts', or 'upgrade' is wanted, not {sorted(effects)}")

    def read_trigger(self, card: int, when: list[str], gives: list[str]) -> None:
        kind, *condition = when
        self.kind[card] = ("file", "pick", "build").index(kind)
        if kind == "file":
            bits = ON_FILE
        elif condition == ["from", "archive"]:
            bits = ON_BUILD_FROM_ARCHIVE
        elif condition == ["level", "2"]:
            bits = ON_BUILD_LEVEL_2
        else:
            first = ON_PICK if kind == "pick" else ON_BUILD
            bits = sum(first << COLORS.index(color) for color in condition)
        self.when[card] = bits
        credit, amount = gives
        self.credit[card], self.amount[card] = CREDITS.index(credit), int(amount)

    def read_upgrade(self, card: int, what: str, of: str) -> None:
        if what == "discount":
            self.discounts[card, SCOPES.index(of)] = 1
        elif what == "no":
            self.bans[card, BANS.index(of)] = 1
        elif what == "score":
            self.scorers[card, SCORERS.index(of)] = 1
        else:
            self.limits[card, LIMITS.index(what)] = int(of)


def _effect(row: Mapping[str, Any]) -> str:
    """What a card does, in the words of the card file."""
    if "when" in row:
        return f"{row['when']}, {row['gives']}"
    return str(row["upgrade"]) if "upgrade" in row else f"convert {row['converts']}"


def level_of(card: int) -> int:
    """C2: the level of a card, by its number."""
    return 0 if card < NUM_STARTING else 1 + (card - NUM_STARTING) // CARDS_OF_A_LEVEL


def _events_when_built(cards: Cards) -> np.ndarray[Any, Any]:
    """The events that building each card causes (G11.2, G11.3), apart from where it came from."""
    events = np.zeros(NUM_CARDS, np.int16)
    for card in range(NUM_STARTING, NUM_CARDS):
        colors = range(NUM_COLORS) if cards.color[card] == ANY else [int(cards.color[card])]
        events[card] = sum(ON_BUILD << color for color in colors)
        if cards.level[card] == 2:
            events[card] |= ON_BUILD_LEVEL_2
    return events


FEATURES = (
    *("number + 1 (0: no card)", "level", *COLORS, "cost", "points", "triggered by a File"),
    *(f"by a Pick of {color}" for color in COLORS),
    *(f"by a Build of {color}" for color in COLORS),
    *("by a Build from the archive", "by a Build of level 2"),
    *(f"gives {credit}" for credit in CREDITS),
    *(f"converts {color} to any, times" for color in COLORS),
    "converts any to any",
    *(f"doubles {color}" for color in COLORS),
    *(f"adds to {limit}" for limit in LIMITS),
    *(f"discount {scope}" for scope in SCOPES),
    *(f"no {ban}" for ban in BANS),
    *(f"scores {scorer}" for scorer in SCORERS),
)


def _faces(cards: Cards) -> np.ndarray[Any, Any]:
    """What each card shows as numbers (see FEATURES), in row number + 1; row 0 stands for no card."""
    rows = [[0] * len(FEATURES)]
    for card in range(NUM_CARDS):
        color = int(cards.color[card])
        row = [card + 1, int(cards.level[card]), *(int(color in (k, ANY)) for k in range(NUM_COLORS))]
        row += [int(cards.cost[card]), int(cards.points[card])]
        row += [int(cards.when[card]) >> bit & 1 for bit in range(NUM_EVENTS)]
        row += [int(cards.amount[card]) if cards.credit[card] == credit else 0 for credit in range(len(CREDITS))]
        kind = int(cards.converter[card])
        row += [(kind == TO_ANY + k) + 2 * (kind == TWICE_TO_ANY + k) for k in range(NUM_COLORS)]
        row += [int(kind == ANY_TO_ANY)]
        row += [int(kind in (DOUBLER + k, (DOUBLE_RED_BLACK, DOUBLE_BLUE_YELLOW)[k % 2])) for k in range(NUM_COLORS)]
        for columns in (cards.limits, cards.discounts, cards.bans, cards.scorers):
            row += [int(value) for value in columns[card]]
        rows.append(row)
    return np.array(rows, np.int8)


CARDS = Cards(CARD_FILE)
LEVEL, COLOR, COST, POINTS = CARDS.level, CARDS.color, CARDS.cost, CARDS.points
KIND = CARDS.kind
WHEN = CARDS.when  # event bits that trigger the card; 0 for converters and upgrades
CREDIT, AMOUNT = CARDS.credit, CARDS.amount  # what a triggered card grants (D3.1)
CONVERTER = CARDS.converter  # its type, or -1
ADDS, DISCOUNTS, BANNED, SCORES = CARDS.limits, CARDS.discounts, CARDS.bans, CARDS.scorers
BUILT_EVENTS = _events_when_built(CARDS)
FACES = _faces(CARDS)
# The cost in four bits, OF_LEVEL_2, and from bit TO_ENERGY on the place of the color's four bits among energies.
OF_LEVEL_2, TO_ENERGY = 16, 5
PRICES = (COST + OF_LEVEL_2 * (LEVEL == 2) + (4 * COLOR.astype(np.int16) << TO_ENERGY)).astype(np.int16)
NUM_FEATURES = len(FEATURES)
for _array in (LEVEL, COLOR, COST, POINTS, KIND, WHEN, CREDIT, AMOUNT, CONVERTER, BUILT_EVENTS, FACES, PRICES):
    _array.setflags(write=False)
for _array in (ADDS, DISCOUNTS, BANNED, SCORES):
    _array.setflags(write=False)
