"""Random Devices to measure and test the Device resolver."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.games.bdgame import planning
from bdgame_env.games.bdgame.cards import BASIC, COLORS, CUBES_OF_A_COLOR, standard_deck
from bdgame_env.games.bdgame.state import COLUMNS, CUBE_LIMIT, HOPPERS, ROWS, WORKSHOP

Card = tuple[str, int, int]

# Cards with one inlet in the middle, and where their outlets lie below their upper end.
_OUTLETS = {"straight": (1,), "pause": (1,), "bend_up": (0,), "bend_down": (2,), "splitter": (0, 2)}
_ENDS = {"c": (1,), "s": (0, 2)}
_SPECIALS = standard_deck().kinds[len(BASIC) :]
_FEEDS = [*[*_OUTLETS] * 4, *["splitter"] * 8, *(kind for kind in _SPECIALS if kind[0] != "j")]
_JOINERS = [*["joiner"] * 4, *(kind for kind in _SPECIALS if kind[0] == "j")]


def sample_problems(n: int, seed: int) -> dict[str, npt.NDArray[Any]]:
    """The arguments of `planning.resolve` for n different activations: `resolve(**sample_problems(4096, 0))`.

    Devices with one to six hoppers and two to eight columns are grown at random. The hoppers hold 1 to 10 cubes in
    total, some pause cards hold a cube, and the bank holds the rest or less. Some answers are illegal or left out.

    Returns:
        workshops: WORKSHOP (n,). slots: int8 (n,). loads: int8 (n, 6, 3). bank: int8 (n, 3). answers: int8 (n, 8).
    """
    rng = random.Random(seed)
    workshops, slots = [], np.zeros(n, np.int8)
    loads, bank = np.zeros((n, HOPPERS, 3), np.int8), np.zeros((n, 3), np.int8)
    for i in range(n):
        cards = _grow(rng)
        pauses = [(x, y) for kind, x, y in cards if kind == "pause"]
        held = {cell: rng.choice(COLORS) for cell in pauses if rng.random() < 0.3}
        workshops.append(planning.workshop(cards, held=held))
        hoppers = sum(kind == "hopper" for kind, _, _ in cards)
        for _ in range(rng.randint(1, CUBE_LIMIT)):
            loads[i, rng.randrange(hoppers), rng.randrange(3)] += 1
        slots[i] = rng.randrange(hoppers)
        for color, name in enumerate(COLORS):
            most = CUBES_OF_A_COLOR - int(loads[i, :, color].sum()) - list(held.values()).count(name)
            bank[i, color] = most if rng.random() < 0.6 else rng.randint(0, most)
    answers = [[rng.randint(-1, 4) for _ in range(8)] for _ in range(n)]
    return {
        "workshops": np.concatenate(workshops) if workshops else np.zeros(0, WORKSHOP),
        "slots": slots,
        "loads": loads,
        "bank": bank,
        "answers": np.array(answers, np.int8).reshape(n, 8),
    }


def _grow(rng: random.Random) -> list[Card]:
    """Grow a complete Device: column by column, every open outlet gets a card, until all end in packers."""
    last = rng.randint(1, COLUMNS - 1)
    while True:
        hoppers = rng.choice((1, 1, 2, 3))
        cards: list[Card] = [("hopper", 0, y) for y in rng.sample(range(0, ROWS, 2), hoppers)]
        outlets = sorted(y + 1 for _, _, y in cards)
        if not all(_add_column(rng, cards, x, outlets, x == last) for x in range(1, last + 1)):
            continue
        try:
            shop = planning.workshop(cards)
        except ValueError:
            continue  # cards touch, or there are too many hoppers
        if len(set(shop["devices"][shop["devices"] >= 0])) == 1:
            return cards


def _add_column(rng: random.Random, cards: list[Card], x: int, outlets: list[int], last: bool) -> bool:
    """Add cards to column x for the outlets of its left boundary; `outlets` becomes those of its right boundary.

    Returns:
        False if no cards were found that fit.
    """
    for _ in range(20):
        column, following = _some_column(rng, x, list(outlets), last)
        places = [(cx, cy) for _, cx, cy in cards + column]
        rows = sorted(y for cx, y in places if cx == x)
        earlier = sorted(y for cx, y in places if cx == x - 1)
        fits = all(b - a >= 2 for ys in (rows, earlier) for a, b in pairwise(ys)) and len(set(following)) == len(
            following
        )
        if fits and all(0 <= y < ROWS for y in rows + earlier):
            cards += column
            outlets[:] = following
            return True
    return False


def _some_column(rng: random.Random, x: int, outlets: list[int], last: bool) -> tuple[list[Card], list[int]]:
    """Cards for column x, perhaps with a hopper in the column before, and their outlets; cards may overlap."""
    column: list[Card] = []
    following: list[int] = []
    while outlets:
        j = outlets.pop(0)
        pair = bool(outlets) and outlets[0] == j + 2
        if not last and rng.random() < (0.7 if pair else 0.1):
            if pair:
                outlets.pop(0)
            else:
                column.append(("hopper", x - 1, j + 1))
            column.append((rng.choice(_JOINERS), x, j))
            following.append(j + 1)
        elif last or rng.random() < 0.1:
            column.append(("packer", x, j - 1))
        else:
            kind = rng.choice(_FEEDS)
            column.append((kind, x, j - 1))
            following += [j - 1 + port for port in _OUTLETS.get(kind) or _ENDS[kind[0]]]
    return column, sorted(following)
