"""Draws docs/entities.svg, one observation as a vector and as entities: `python docs/draw_entities.py [GAME [OUT]]`.

Every cell is one number; the darker, the greater within its range. Colors tell the arrays apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env import make_match
from bdgame_env.adapters.entities import CONSTANT, MASK, EntityArray, entities_of
from bdgame_env.engine.game import Game
from bdgame_env.experiments.files import write_text
from bdgame_env.registry import get_game
from bdgame_env.render.svg import Canvas

CELL, GAP, WIDTH, MARGIN = 5, 26, 980, 16
PER_ROW = (WIDTH - 2 * MARGIN) // CELL
LEVELS = 4
PAPER, PADDING, INK = "#ffffff", "#d5d9e0", "#20242c"
HUES = {"globals": "#5b6472", "seats": "#1565c0", "planes": "#00796b"}
CARD_HUES = ("#c2410c", "#7b1fa2", "#ad1457", "#827717")
DECISIONS = 60


def position(game: Game) -> np.ndarray[Any, Any]:
    """What a seat sees in the middle of a game that the first moves of a fixed random player lead to."""
    match, chance = make_match(game.id, seed=3, players=min(3, game.seats[1])), np.random.default_rng(3)
    while match.state.decisions < DECISIONS and not match.over:
        match.play(int(chance.choice(match.legal_actions())))
    return match.observe()


def colors(arrays: Iterable[EntityArray]) -> dict[str, str]:
    """A color for each array."""
    cards = iter(CARD_HUES)
    return {array.name: HUES.get(array.name.partition("_")[0]) or next(cards) for array in arrays}


class Cells:
    """Collects cells, so that all of one color and darkness become one shape."""

    def __init__(self) -> None:
        self._courses: dict[tuple[str, int], list[str]] = {}
        self._padding: list[str] = []

    def add(self, x: int, y: int, color: str, value: int, low: int, high: int, *, used: bool = True) -> None:
        """One number at this place; `used` is False in a row of padding."""
        square = f"M{x} {y}h{CELL - 1}v{CELL - 1}h-{CELL - 1}z"
        if not used:
            self._padding.append(square)
        else:
            level = min(LEVELS, -(-LEVELS * (value - low) // max(1, high - low))) if value else 0
            self._courses.setdefault((color, level), []).append(square)

    def draw(self, canvas: Canvas) -> None:
        """Draw all of them."""
        if self._padding:
            canvas.path("".join(self._padding), fill=PADDING)
        for (color, level), squares in sorted(self._courses.items()):
            canvas.path("".join(squares), fill=color, opacity=0.1 + 0.9 * level / LEVELS)


def draw_entities(game: Game) -> str:
    """The picture as an SVG document."""
    vector = position(game)
    arrays, view = entities_of(game).arrays, entities_of(game).of(vector)
    hue = colors(arrays)
    cells, labels = Cells(), [(MARGIN, 22, f'observation="flat": {len(vector)} numbers', INK)]
    y = _flat(cells, game, arrays, hue, vector, 34) + GAP
    labels.append((MARGIN, y + 4, 'observation="entities": the same numbers', INK))
    y += 18
    x = tallest = 0
    for array in arrays:
        drawn, (wide, high) = _laid_out(array, view)
        if x and x + max(wide, 240) > WIDTH - 2 * MARGIN:
            x, y, tallest = 0, y + tallest + GAP, 0
        name = f"{array.name} {array.shape}" + (
            f", {int(view[array.name + MASK].sum())} in use" if array.masked else ""
        )
        labels.append((MARGIN + x, y + 14, name, hue[array.name]))
        for (left, top), index, used in drawn:
            value, low, top_value = (int(table[index]) for table in (view[array.name], array.low, array.high))
            cells.add(MARGIN + x + left, y + 26 + top, hue[array.name], value, low, top_value, used=used)
        x, tallest = x + max(wide, 240) + GAP, max(tallest, high + 26)
    canvas = Canvas.document(WIDTH, y + tallest + MARGIN, f"An observation of {game.title} as entities", PAPER)
    for left, top, text, color in labels:
        canvas.text(left, top, text, 15, bold=True, fill=color)
    cells.draw(canvas)
    return str(canvas)


def _flat(
    cells: Cells, game: Game, arrays: Sequence[EntityArray], hue: dict[str, str], vector: np.ndarray[Any, Any], y: int
) -> int:
    """The vector, row by row, in the colors of the arrays that its numbers go to; returns where it ends."""
    where = {int(at): hue[array.name] for array in arrays for at in array.sources.ravel() if at != CONSTANT}
    for f in game.schema:
        for at in range(f.start, f.stop):
            cells.add(MARGIN + at % PER_ROW * CELL, y + at // PER_ROW * CELL, where[at], int(vector[at]), f.low, f.high)
    return y + -(-len(vector) // PER_ROW) * CELL


Placed = tuple[tuple[int, int], tuple[int, ...], bool]


def _laid_out(array: EntityArray, view: dict[str, Any]) -> tuple[list[Placed], tuple[int, int]]:
    """Where each number of an array is drawn, its index, and whether its row is in use; then width and height."""
    placed: list[Placed] = []
    mask = view.get(array.name + MASK)
    for index in np.ndindex(array.shape):
        used = mask is None or bool(mask[index[0]])
        if len(array.shape) == 1:
            place = (index[0] % PER_ROW, index[0] // PER_ROW)
        elif array.name == "seats":
            place = (index[1], index[0])
        elif len(array.shape) == 2:  # a card is a column
            place = (index[0], index[1])
        else:  # a grid for each seat and plane
            seat, plane, column, row = index
            place = ((seat * array.shape[1] + plane) * (array.shape[2] + 1) + column, row)
        placed.append(((place[0] * CELL, place[1] * CELL), index, used))
    return placed, (max(at[0] for at, _, _ in placed) + CELL, max(at[1] for at, _, _ in placed) + CELL)


def main(game_id: str, out: Path) -> None:
    """Write the picture."""
    write_text(out, draw_entities(get_game(game_id)))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(arguments[0] if arguments else "bdgame-v3", Path(arguments[1] if len(arguments) > 1 else "docs/entities.svg"))
