"""What is printed on the cards (B1-B6): a card file, read, checked and turned into arrays."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.quoting import cut, shown
from ...engine.user_files import NotRead, read_text

COLORS = ("Y", "R", "B")
YELLOW, RED, BLUE = 0, 1, 2
VALUE = (1, 2, 4)  # B1
CUBES_OF_A_COLOR = 24
UP, MID, DOWN = 0, 1, 2
PORTS = ("up", "mid", "down")

BASIC = ("hopper", "packer", "straight", "bend_up", "bend_down", "splitter", "joiner", "pause")
HOPPER, PACKER, STRAIGHT, BEND_UP, BEND_DOWN, SPLITTER, JOINER, PAUSE = range(8)
NUM_BASIC, NUM_SPECIAL, SPECIAL_COPIES, NUM_ORDERS = 8, 20, 3, 32  # B4, B3, B3, B2
NUM_KINDS = NUM_BASIC + NUM_SPECIAL
MAX_PRICE = 100

# B13: where cubes enter and leave, as bits up = 1, mid = 2, down = 4. The kinds 0-7 name the rows of the table;
# a special card has the ports of straight (a converter), splitter or joiner.
INLETS: Any = np.array([0, 2, 2, 2, 2, 2, 5, 2], np.int8)
OUTLETS: Any = np.array([2, 0, 2, 1, 4, 5, 2, 2], np.int8)

MOST_BYTES = 40_000  # of a card file; the standard deck has 4,000. The time to parse TOML grows as the square
_LONGEST_LINE = 400  # characters of a message
STANDARD_DECK = Path(__file__).with_name("cards.toml")


class BadDeck(ValueError):
    """A card file that breaks a count or a rule (B6); the message names file, line and reason."""


@dataclass(frozen=True)
class Deck:
    """The card data of one file.

    Attributes:
        kinds: the 28 names, basic kinds first, special kinds in the order of the file.
        orders: the 32 names of the orders.
        shapes: for each kind the row of B13 whose ports it has, int8 (28,).
        cost: prices, int16 (28,).
        takes, gives: cubes taken and given each time the card works, int8 (28, port, color); zero for basic kinds.
        needs: cubes of each order, int8 (32, color). points: int8 (32,).
    """

    kinds: tuple[str, ...]
    orders: tuple[str, ...]
    shapes: np.ndarray[Any, Any]
    cost: np.ndarray[Any, Any]
    takes: np.ndarray[Any, Any]
    gives: np.ndarray[Any, Any]
    needs: np.ndarray[Any, Any]
    points: np.ndarray[Any, Any]
    path: str = ""


@cache
def standard_deck() -> Deck:
    """The deck that comes with the package."""
    return read_deck(STANDARD_DECK)


def read_deck(path: str | PathLike[str]) -> Deck:
    """Read and check a card file, of at most `MOST_BYTES`.

    Raises:
        BadDeck: in one line: the file, the line and what is wrong with it.
    """
    return _Reader(path).deck()


def _refused(reason: str) -> BadDeck:
    """The error, cut to one line of limited length: names in card files may be anything."""
    return BadDeck(cut(reason, _LONGEST_LINE))


class _Reader:
    """Reads one card file, and finds the line of each table for error messages."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path
        try:
            self.text = read_text(path, MOST_BYTES)
        except NotRead as error:
            raise _refused(f"{path}: {error}") from None
        try:
            self.data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise _refused(f"{path}: {error}") from None
        except RecursionError:
            raise _refused(f"{path}: brackets are nested too deeply") from None
        except ValueError:  # Python reads decimal numbers of up to 4,300 digits
            raise _refused(f"{path}: a number has too many digits") from None

    def fail(self, line: int, reason: str) -> BadDeck:
        return _refused(f"{self.path}, line {line}: {reason}")

    def line_of(self, table: str, index: int = 0, key: str = "") -> int:
        """The line of the index-th `[table]` or `[[table]]`, or of a key below it."""
        heads = [n for n, line in enumerate(self.text.splitlines(), 1) if re.match(rf"\s*\[+{table}\]+", line)]
        if not 0 <= index < len(heads):
            return max(1, len(self.text.splitlines()))
        start = heads[index]
        for number, line in enumerate(self.text.splitlines()[start:], start + 1):
            if key and re.match(rf"\s*\"?{re.escape(key)}\"?\s*[.=]", line):
                return number
            if re.match(r"\s*\[", line):
                break
        return start

    def deck(self) -> Deck:
        known = {"bank", "basic", "special", "orders"}
        for name in self.data:
            if name not in known:
                raise self.fail(self.line_of(name), f"unknown table {shown(name)}; known: {', '.join(sorted(known))}")
        self.check_bank()
        cost = np.zeros(NUM_KINDS, np.int16)
        shape = np.zeros(NUM_KINDS, np.int8)
        takes = np.zeros((NUM_KINDS, 3, 3), np.int8)
        gives = np.zeros((NUM_KINDS, 3, 3), np.int8)
        self.read_basics(cost, shape)
        names = self.read_specials(cost, shape, takes, gives)
        orders, needs, points = self.read_orders()
        for array in (cost, shape, takes, gives, needs, points):
            array.setflags(write=False)
        return Deck((*BASIC, *names), orders, shape, cost, takes, gives, needs, points, str(self.path))

    def check_bank(self) -> None:
        bank = self.table("bank")
        for color in COLORS:
            if bank.get(color) != CUBES_OF_A_COLOR:
                line = self.line_of("bank", key=color)
                raise self.fail(line, f"bank {color} = {shown(bank.get(color))}, must be {CUBES_OF_A_COLOR} (B1)")
        if extra := set(bank) - set(COLORS):
            raise self.fail(self.line_of("bank"), f"bank has unknown colors {shown(sorted(extra))}; known: Y, R, B")

    def table(self, name: str) -> Mapping[str, Any]:
        found = self.data.get(name)
        if not isinstance(found, dict):
            raise self.fail(1, f"the table [{name}] is missing")
        return found

    def rows(self, name: str, count: int, rule: str) -> list[dict[str, Any]]:
        rows = self.data.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.fail(self.line_of(name), f"[[{name}]] must be a list of tables")
        if len(rows) != count:
            raise self.fail(self.line_of(name, len(rows) - 1), f"{len(rows)} {name} kinds, must be {count} ({rule})")
        return rows

    def whole(self, value: Any, least: int, most: int, line: int, what: str) -> int:
        if type(value) is not int or not least <= value <= most:
            raise self.fail(line, f"{what} is {shown(value)}, must be a whole number {least} to {most}")
        return value

    def kind_of(self, row: Mapping[str, Any], line: int) -> str:
        kind = row.get("kind")
        if not isinstance(kind, str):
            raise self.fail(line, f"kind = {shown(kind)}, must be a name")
        return kind

    def read_basics(self, cost: Any, shape: Any) -> None:
        seen: set[str] = set()
        for index, row in enumerate(self.rows("basic", NUM_BASIC, "B4")):
            line = self.line_of("basic", index)
            kind = self.kind_of(row, line)
            if kind not in BASIC or kind in seen:
                reason = "comes twice" if kind in seen else f"is unknown; known: {', '.join(BASIC)}"
                raise self.fail(line, f"basic kind {shown(kind)} {reason}")
            seen.add(kind)
            self.only(row, {"kind", "cost"}, "basic", index)
            price_line = self.line_of("basic", index, "cost")
            number = BASIC.index(kind)
            cost[number] = self.whole(row.get("cost"), 1, MAX_PRICE, price_line, f"the cost of {cut(kind)}")
            shape[number] = number

    def only(self, row: Mapping[str, Any], allowed: set[str], table: str, index: int) -> None:
        for key in row:
            if key not in allowed:
                line = self.line_of(table, index, key)
                raise self.fail(line, f"unknown entry {shown(key)}; known: {', '.join(sorted(allowed))}")

    def read_specials(self, cost: Any, shape: Any, takes: Any, gives: Any) -> tuple[str, ...]:
        names: list[str] = []
        for index, row in enumerate(self.rows("special", NUM_SPECIAL, "B3")):
            line = self.line_of("special", index)
            self.only(row, {"kind", "cost", "in", "out"}, "special", index)
            kind, number = self.kind_of(row, line), NUM_BASIC + index
            price_line = self.line_of("special", index, "cost")
            cost[number] = self.whole(row.get("cost"), 1, MAX_PRICE, price_line, f"the cost of {cut(kind)}")
            for side, table in (("in", takes), ("out", gives)):
                ports = row.get(side)
                side_line = self.line_of("special", index, side)
                if not isinstance(ports, dict) or not ports:
                    raise self.fail(side_line, f"{cut(kind)} has no {side}.mid, or {side}.up and {side}.down (B6)")
                for port, text in ports.items():
                    if port not in PORTS:
                        raise self.fail(
                            side_line, f"{cut(kind)}: unknown port {shown(port)}; known: {', '.join(PORTS)}"
                        )
                    table[number, PORTS.index(port)] = self.cubes(text, side_line, f"{cut(kind)} {side}.{port}")
            shape[number] = self.shape_of(kind, takes[number], gives[number], line)
            spelled = spelled_recipe(int(shape[number]), takes[number], gives[number])
            if kind != spelled:
                raise self.fail(line, f"the kind is called {shown(kind)} but its recipe spells {shown(spelled)}")
            if kind in names:
                raise self.fail(line, f"special kind {shown(kind)} comes twice")
            names.append(kind)
        return tuple(names)

    def shape_of(self, kind: Any, takes: Any, gives: Any, line: int) -> int:
        """B6, B13: the row of the port table that a special card follows."""
        inlets = sum(1 << port for port in range(3) if takes[port].any())
        outlets = sum(1 << port for port in range(3) if gives[port].any())
        for shape in (STRAIGHT, SPLITTER, JOINER):
            if inlets == INLETS[shape] and outlets == OUTLETS[shape]:
                return shape
        allowed = "in mid, out mid (converter); in mid, out up and down (splitter); in up and down, out mid (joiner)"
        raise self.fail(line, f"{cut(kind)} has ports of no special row of B13; allowed: {allowed}")

    def cubes(self, text: Any, line: int, what: str) -> list[int]:
        """Parse cubes such as "2Y 1R"."""
        amounts = [0, 0, 0]
        for word in text.split() if isinstance(text, str) else [""]:
            match = re.fullmatch(r"([1-9]\d?)([YRB])", word)
            if not match or amounts[COLORS.index(match[2])]:
                raise self.fail(line, f"{what} = {shown(text)} is not cubes such as '2Y 1R' (each color once)")
            amount = self.whole(int(match[1]), 1, CUBES_OF_A_COLOR, line, what)
            amounts[COLORS.index(match[2])] = amount
        if not any(amounts):
            raise self.fail(line, f"{what} = {shown(text)} has no cube (B6)")
        return amounts

    def read_orders(self) -> tuple[tuple[str, ...], Any, Any]:
        table = self.table("orders")
        if len(table) != NUM_ORDERS:
            raise self.fail(self.line_of("orders"), f"{len(table)} orders, must be {NUM_ORDERS} (B2)")
        needs = np.zeros((NUM_ORDERS, 3), np.int8)
        points = np.zeros(NUM_ORDERS, np.int8)
        for index, (name, row) in enumerate(table.items()):
            line = self.line_of("orders", key=name)
            if not isinstance(row, dict) or set(row) != {"needs", "points"}:
                raise self.fail(line, f"order {name} must have 'needs' and 'points', and nothing else")
            needs[index] = self.cubes(row["needs"], line, f"order {name} needs")
            points[index] = self.whole(row["points"], 1, MAX_PRICE, line, f"the points of order {name}")
        return tuple(table), needs, points


def spelled_recipe(shape: int, takes: Any, gives: Any) -> str:
    """The name that a recipe spells, e.g. s_1B_2Y2R: a letter, what goes in, what comes out, ports from the top.

    A joiner's second inlet and a splitter's second outlet follow the first without a separator.
    """

    def words(side: Any) -> str:
        return "".join(f"{side[port][c]}{COLORS[c]}" for port in range(3) for c in range(3) if side[port][c])

    letter = {STRAIGHT: "c", SPLITTER: "s", JOINER: "j"}[shape]
    return f"{letter}_{words(takes)}_{words(gives)}"


def ports_of(deck: Deck, kind: str) -> tuple[list[int], list[int]]:
    """The inlets and outlets of a kind, as ports 0, 1, 2 for up, mid, down (B13)."""
    shape = int(deck.shapes[deck.kinds.index(kind)])
    sides = (int(INLETS[shape]), int(OUTLETS[shape]))
    inlets, outlets = ([port for port in range(len(PORTS)) if side >> port & 1] for side in sides)
    return inlets, outlets
