"""What is printed on the cards (P6-P8, P25, P41): the card file, read, checked and turned into arrays.

The arrays in capitals are constants of the compiled rules. A card is a number: its kind, 1 to 41, for a machine card,
42 to 45 for an ability card; 0 stands for no card. The order of these numbers is the order of a hand (P56).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

COLORS = "RGBCMYW"  # P2
NUM_COLORS = len(COLORS)
NUM_PRIMARIES = 3  # P2: the first ones
PRINTINGS = ("newest", "may_2018")  # P8.1, P54: of the points of lines

LINES, CELLS = 5, 5  # P8
NUM_IMAGES = 20  # P8
NUM_KINDS, NUM_MACHINES = 41, 60  # P6
NUM_ABILITIES = 4  # P7
FIRST_ABILITY = NUM_KINDS + 1
NUM_CARDS = NUM_KINDS + NUM_ABILITIES  # 1 to 45
NUM_RECIPES = 46
NUM_ALL_RECIPES = 70  # P41.6: with those that only `triple="any"` has, which come last
NUM_CONVERTERS = 16  # the last two are on ability cards only (P25)
NUM_MACHINE_CONVERTERS = 14
TRIPLE, RECOLOR, PRISM = 13, 14, 15

# Types of slots and ends (P28): collect one of the primaries, collect random, convert.
SLOT_TYPES = ("R", "G", "B", "?", "convert")
RANDOM_TYPE, CONVERT_TYPE = 3, 4
_MOST_CELL_POINTS = 20
LEADERS = ("build", "collect", "score")  # P23; each phase is led by the owner of the ability card of that number
BUILD, COLLECT, SCORE = range(3)

CARD_FILE = Path(__file__).with_name("cards.toml")


class BadCards(ValueError):
    """An invalid card file; the message names the entry and its fault."""


class Cards:
    """A card file, as arrays by card, recipe and image number.

    Raises:
        BadCards: the file is invalid.
    """

    def __init__(self, path: Path) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        wanted = {
            "recipes": NUM_RECIPES,
            "recipes_of_any_triple": NUM_ALL_RECIPES - NUM_RECIPES,
            "points": len(PRINTINGS),
            "converters": NUM_CONVERTERS,
            "abilities": NUM_ABILITIES,
            "machines": NUM_KINDS,
            "images": NUM_IMAGES,
        }
        found = {name: len(data.get(name, ())) for name in wanted}
        if found != wanted or set(data) != set(wanted):
            raise BadCards(f"{path.name}: the entries are {found}, must be {wanted}")
        self.recipes: list[str] = [*data["recipes"], *data["recipes_of_any_triple"]]
        self.converters: list[str] = list(data["converters"])
        self.abilities: list[str] = list(data["abilities"])
        self.ability_titles = [str(row.get("title")) for row in data["abilities"].values()]
        self.image_names = [str(row.get("name")) for row in data["images"].values()]
        self.image_lines = [tuple(map(str, row.get("lines", ()))) for row in data["images"].values()]
        self.pay = np.zeros((NUM_ALL_RECIPES, NUM_COLORS), np.int8)
        self.gain = np.zeros((NUM_ALL_RECIPES, NUM_COLORS), np.int8)
        self.recipe_points = np.zeros(NUM_ALL_RECIPES, np.int8)
        self.first_recipe = np.zeros(NUM_CONVERTERS, np.int8)
        self.end_recipe = np.zeros(NUM_CONVERTERS, np.int8)
        self.converter_of = np.full(NUM_ALL_RECIPES, TRIPLE, np.int8)
        self.collect_type = np.full(NUM_CARDS + 1, -1, np.int8)
        self.amount = np.zeros(NUM_CARDS + 1, np.int8)
        self.converter = np.full(NUM_CARDS + 1, -1, np.int8)
        self.copies = np.zeros(NUM_KINDS + 1, np.int8)
        self.need = np.zeros((NUM_IMAGES + 1, LINES, NUM_COLORS), np.int8)
        self.line_points = np.zeros((len(PRINTINGS), NUM_IMAGES + 1, LINES), np.int8)
        self.points: list[dict[str, int]] = []
        rows = [("printing", number, row) for number, row in enumerate(data["points"].items())]
        rows += [("recipe", number, name) for number, name in enumerate(self.recipes)]
        rows += [("converter", number, row) for number, row in enumerate(data["converters"].values())]
        rows += [("ability", number, row) for number, row in enumerate(data["abilities"].values())]
        rows += [("machine", int(number), row) for number, row in data["machines"].items()]
        rows += [("image", int(number), row) for number, row in data["images"].items()]
        for kind, number, row in rows:
            try:
                getattr(self, f"_read_{kind}")(number, row)
            except (KeyError, ValueError, AttributeError, TypeError, IndexError) as error:
                raise BadCards(f"{path.name}: {kind} {number}: {error}") from None
        self._check(path.name)
        ends = (f"{number}: {row['collect']} or {row['convert']}" for number, row in data["machines"].items())
        self.card_names = [*ends, *self.ability_titles]  # by card, less 1

    def _read_printing(self, number: int, row: tuple[str, Mapping[str, Any]]) -> None:
        name, worth = row
        entries = (*COLORS, "full_line")
        if name != PRINTINGS[number] or set(worth) != set(entries):
            raise ValueError(f"{name!r} is not {PRINTINGS[number]!r} with {', '.join(entries)}")
        if not all(type(points) is int and 0 <= points <= _MOST_CELL_POINTS for points in worth.values()):
            raise ValueError(f"points are 0 to {_MOST_CELL_POINTS}")
        self.points.append({**worth, "_": 0})

    def _read_recipe(self, number: int, name: str) -> None:
        pay, gain = name.split(">")
        self.pay[number] = [pay.count(color) for color in COLORS]
        if gain.endswith("VP"):
            self.recipe_points[number] = int(gain.removesuffix("VP"))
        else:
            self.gain[number] = [gain.count(color) for color in COLORS]
        if self.pay[number].sum() != len(pay) or not pay or (self.gain[number].sum() == 0) == gain.isalpha():
            raise ValueError(f"{name!r} is no recipe")

    def _read_converter(self, number: int, recipes: list[str]) -> None:
        places = [self.recipes.index(name) for name in recipes]
        self.first_recipe[number], self.end_recipe[number] = places[0], places[-1] + 1
        self.converter_of[places] = number
        if places != list(range(places[0], places[-1] + 1)):
            raise ValueError("its recipes must follow one another in the list of recipes")

    def _read_ability(self, number: int, row: Mapping[str, Any]) -> None:
        self.converter[FIRST_ABILITY + number] = self.converters.index(row["converter"])
        if row["leads"] != (*LEADERS, "")[number] or row["converter"] != ("prism" if number == 3 else "recolor"):
            raise ValueError("the first three lead Build, Collect and Score and recolor, the last is Prism (P25)")

    def _read_machine(self, kind: int, row: Mapping[str, Any]) -> None:
        take = row["collect"]
        self.collect_type[kind], self.amount[kind] = SLOT_TYPES.index(take[0]), len(take)
        if take not in ("R", "G", "B", "RR", "GG", "BB", "?"):
            raise ValueError(f"no end collects {take!r} (P30)")
        self.converter[kind], self.copies[kind] = self.converters.index(row["convert"]), row["copies"]

    def _read_image(self, number: int, row: Mapping[str, Any]) -> None:
        if len(row["lines"]) != LINES or any(len(line) != CELLS for line in row["lines"]):
            raise ValueError(f"{LINES} lines of {CELLS} cells are wanted (P8)")
        for line, cells in enumerate(row["lines"]):
            self.need[number, line] = [cells.count(color) for color in COLORS]
            for printing, worth in enumerate(self.points):
                points = sum(worth[cell] for cell in cells)
                self.line_points[printing, number, line] = points if "_" in cells else points + worth["full_line"]

    def _check(self, name: str) -> None:
        if self.copies.sum() != NUM_MACHINES:
            raise BadCards(f"{name}: {self.copies.sum()} machine cards, must be {NUM_MACHINES} (P6)")
        if sorted(self.recipes) != sorted(set(self.recipes)):
            raise BadCards(f"{name}: a recipe is there twice (P40)")
        if self.converters[TRIPLE] != "triple":
            raise BadCards(f"{name}: converter {TRIPLE} is {self.converters[TRIPLE]!r}, must be 'triple' (P41.6)")
        if any(recipe.split(">")[0] != recipe[0] * 3 for recipe in self.recipes[NUM_RECIPES:]):
            raise BadCards(f"{name}: a recipe of any triple does not pay three equal pixels (P41.6)")
        covered = np.zeros(NUM_RECIPES, np.int8)
        for first, end in zip(self.first_recipe, self.end_recipe, strict=True):
            covered[first:end] += 1
        if (covered != 1).any():
            raise BadCards(f"{name}: each recipe belongs to one converter (P40)")
        if self.converter[1:FIRST_ABILITY].max() >= NUM_MACHINE_CONVERTERS:
            raise BadCards(f"{name}: a machine card has the converter of an ability card (P25)")


CARDS = Cards(CARD_FILE)
PAY, GAIN, RECIPE_POINTS = CARDS.pay, CARDS.gain, CARDS.recipe_points  # P41, by recipe and color
FIRST_RECIPE, END_RECIPE = CARDS.first_recipe, CARDS.end_recipe  # by converter
CONVERTER_OF = CARDS.converter_of  # by recipe
COLLECT_TYPE, AMOUNT = CARDS.collect_type, CARDS.amount  # P6.1, by card: the collect end's type and pixels
CONVERTER = CARDS.converter  # P6.2, P25, by card
COPIES = CARDS.copies  # P6, by kind
NEED = CARDS.need  # P8, by image (from 1), line and color
LINE_POINTS = CARDS.line_points  # P8.1, by printing, image (from 1) and line

# Counts by color packed into one number, eight bits for each: see `pixels.packed`.
BITS = 8
_PACKED = np.array([1 << BITS * color for color in range(NUM_COLORS)], np.int64)
PAY_PACKED, GAIN_PACKED, NEED_PACKED = PAY @ _PACKED, GAIN @ _PACKED, NEED @ _PACKED
TAKEN_PACKED = np.maximum(GAIN - PAY, 0) @ _PACKED  # what a recipe takes from the supply once it is paid

FEATURES = (
    "number (0: no card)",
    *(f"collects {color}" for color in "RGB?"),
    "the collect end costs a pixel",
    *(f"converts: {name}" for name in CARDS.converters[:NUM_MACHINE_CONVERTERS]),
    *(f"ability: {name}" for name in CARDS.abilities),
)
NUM_FEATURES = len(FEATURES)


def _faces() -> np.ndarray[Any, Any]:
    """What each card shows as numbers (see FEATURES), in the row of its number; row 0 stands for no card."""
    faces = np.zeros((NUM_CARDS + 1, NUM_FEATURES), np.int8)
    faces[:, 0] = np.arange(NUM_CARDS + 1)
    for kind in range(1, NUM_KINDS + 1):
        faces[kind, 1 + COLLECT_TYPE[kind]] = AMOUNT[kind]
        faces[kind, 5] = end_costs(kind)
        faces[kind, 6 + CONVERTER[kind]] = 1
    for ability in range(NUM_ABILITIES):
        faces[FIRST_ABILITY + ability, 6 + NUM_MACHINE_CONVERTERS + ability] = 1
    return faces


def end_costs(kind: int) -> bool:
    """P30: whether installing the collect end costs a pixel, as it does if it takes two or is random."""
    return bool(AMOUNT[kind] == 2 or COLLECT_TYPE[kind] == RANDOM_TYPE)


def _line_faces() -> np.ndarray[Any, Any]:
    """P64.4: by printing, image and line: the pixels asked for by color, and the points."""
    return np.stack([np.concatenate([NEED, points[:, :, None]], axis=2) for points in LINE_POINTS])


# What a line asks for, packed, and above that its points, by printing and 5 * image + line.
LINE_WORDS = (NEED_PACKED | LINE_POINTS.astype(np.int64) << BITS * NUM_COLORS).reshape(len(PRINTINGS), -1)
FACES = _faces()
LINE_FACES = _line_faces()
for _array in (PAY, GAIN, RECIPE_POINTS, FIRST_RECIPE, END_RECIPE, COLLECT_TYPE, AMOUNT, CONVERTER, COPIES, _PACKED):
    _array.setflags(write=False)
for _match in (NEED, LINE_POINTS, FACES, LINE_FACES, PAY_PACKED, GAIN_PACKED, TAKEN_PACKED, LINE_WORDS, CONVERTER_OF):
    _match.setflags(write=False)
