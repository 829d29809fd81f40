"""Draws pixels, cards and images of Pixel Pusher, and says what they do in words and pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import AMOUNT, CARDS, COLLECT_TYPE, COLORS, CONVERTER, END_RECIPE, FIRST_RECIPE, SLOT_TYPES

FILLS = dict(
    zip(
        COLORS,
        (widgets.RED, "#1f9d55", widgets.BLUE, "#5fd0de", "#c95fb4", widgets.YELLOW, "#ffffff"),
        strict=True,
    )
)
TILE = (156.0, 60.0)
MIDDLE = 0.32 * TILE[0]  # between the ends of a machine
CHIP = (114.0, 40.0)
_CELL = 23
IMAGE = (188.0, 5 * _CELL + 6.0)
# What a converter does, by its name without the color.
_VERBS = {"mix": "mix", "white": "mix", "top": "top up", "split": "split", "sell": "sell", "triple": "exchange"}
_ABILITY = "#efe3c8"


def pixel(canvas: Canvas, x: float, y: float, size: float, color: str) -> None:
    """Draw a pixel with its letter around (x, y); "?" stands for any color."""
    widgets.cube(canvas, x, y, size, FILLS.get(color, "#c9c4ba"), color)


def counted(canvas: Canvas, counts: Mapping[str, int], size: float, room: float, *, moves: bool = True) -> None:
    """Draw each color that occurs with its count, from (0, 0), smaller if room is short.

    Pages let pixels fly from here and to here, unless `moves` is false: what lies elsewhere is only told of.
    """
    there = [(color, count) for color, count in counts.items() if count]
    wide = sum(text_width(str(count), 0.8 * size, bold=True) + 1.35 * size for _, count in there)
    size *= min(1.0, room / wide) if wide else 1.0
    x = 0.0
    for color, count in there:
        place = canvas.group(x, 0, data_cube=color, data_count=count) if moves else canvas.group(x, 0)
        place.text(0, 0, str(count), 0.8 * size, bold=True)
        wide = text_width(str(count), 0.8 * size, bold=True) + 0.08 * size
        pixel(place, wide + size / 2, 0, size, color)
        x += wide + 1.27 * size


def recipes_of(converter: int) -> list[str]:
    """The recipes of a converter; each use takes one of them."""
    return CARDS.recipes[int(FIRST_RECIPE[converter]) : int(END_RECIPE[converter])]


def converter_says(converter: int) -> str:
    """What a converter does, in brief: its recipe, or what its recipes have in common."""
    recipes = recipes_of(converter)
    if len(recipes) == 1:
        return recipes[0]
    pays, gains = {recipe.split(">")[0] for recipe in recipes}, {recipe.split(">")[1] for recipe in recipes}
    if len(pays) == 1:
        return f"{pays.pop()}>{'|'.join(sorted(gains))}"
    return {"triple": "3 equal>any", "recolor": "RGB>RGB", "prism": "RGB>CMY"}[CARDS.converters[converter]]


def card_words(card: int | str) -> str:
    """A card in words: what it collects, what it converts."""
    if isinstance(card, str):
        number = CARDS.abilities.index(card)
        return f"{CARDS.ability_titles[number]} {converter_says(int(CONVERTER[len(CONVERTER) - 4 + number]))}"
    collects = SLOT_TYPES[COLLECT_TYPE[card]] * int(AMOUNT[card])
    return f"{collects} / {CARDS.converters[CONVERTER[card]]} {converter_says(int(CONVERTER[card]))}"


def card_tile(canvas: Canvas, card: int | str, note: str = "") -> None:
    """Draw a card of size TILE: its collect end on the left, its convert end on the right; a note beside a title."""
    width, height = TILE
    fill = _ABILITY if isinstance(card, str) else widgets.CARD
    widgets.card(canvas, width, height, fill=fill)
    if isinstance(card, str):
        number = CARDS.abilities.index(card)
        title = CARDS.ability_titles[number] + note
        canvas.text(width / 2, 19, title, 17, anchor="middle", bold=True, width=width - 12)
        says = converter_says(int(CONVERTER[len(CONVERTER) - 4 + number]))
        _recipe(canvas.group(0, 42), says, width, 20)
        return
    canvas.line(MIDDLE, 6, MIDDLE, height - 6, stroke=widgets.LINE, stroke_width=2, stroke_dasharray="4 3")
    canvas.text(MIDDLE / 2, 14, "take", 13, anchor="middle", fill=widgets.FAINT)
    amount, kind = int(AMOUNT[card]), SLOT_TYPES[COLLECT_TYPE[card]]
    for place in range(amount):
        size = 21 if amount == 1 else 19
        pixel(canvas, MIDDLE / 2 + (size + 1) * (place - (amount - 1) / 2), 38, size, kind)
    name = _VERBS[CARDS.converters[CONVERTER[card]].rstrip("CMY")]
    canvas.text((MIDDLE + width) / 2, 14, name, 13, anchor="middle", fill=widgets.FAINT)
    _recipe(canvas.group(MIDDLE, 38), converter_says(int(CONVERTER[card])), width - MIDDLE, 18)


def ability_chip(canvas: Canvas, name: str) -> None:
    """Draw an ability card of the size CHIP."""
    width, height = CHIP
    widgets.card(canvas, width, height, fill=_ABILITY, thick=1.5)
    number = CARDS.abilities.index(name)
    canvas.text(width / 2, 11, CARDS.ability_titles[number], 13, anchor="middle", width=width - 6, least=12)
    says = converter_says(int(CONVERTER[len(CONVERTER) - 4 + number]))
    _recipe(canvas.group(0, 29), says, width, 15)


def _recipe(canvas: Canvas, says: str, width: float, size: float) -> None:
    """Draw a recipe centered in a width."""
    wide = sum(_piece_width(piece, size) for piece in _recipe_pieces(says))
    scale = min(1.0, (width - 8) / wide)
    recipe(canvas.group((width - scale * wide) / 2, 0), says, scale * size, width)


def recipe(canvas: Canvas, says: str, size: float, room: float, *, least: float = 0) -> None:
    """Draw a recipe as pixels of at least this size, from (0, 0); words are written out."""
    pieces = _recipe_pieces(says)
    size = max(least, size * min(1.0, room / sum(_piece_width(piece, size) for piece in pieces)))
    x = 0.0
    for piece in pieces:
        if piece in FILLS:
            pixel(canvas, x + 0.52 * size, 0, size, piece)
        else:
            canvas.text(x, 0, piece, 0.84 * size)
        x += _piece_width(piece, size)


def _recipe_pieces(says: str) -> list[str]:
    pays, _, gains = says.partition(">")
    return [*_pieces(pays), "→", *_pieces(gains)]


def _pieces(side: str) -> Sequence[str]:
    if all(letter in (*FILLS, "|") for letter in side):
        return [letter if letter in FILLS else "/" for letter in side]
    return [side.replace("2VP", "2 points")]


def _piece_width(piece: str, size: float) -> float:
    return 1.06 * size if piece in FILLS else text_width(piece, 0.84 * size)


def image_line(canvas: Canvas, image: int, line: int, filled: bool, points: int) -> None:
    """Draw a line of an image, from (0, 0): solid if filled, pale if not; then its points."""
    cells = CARDS.image_lines[image - 1][line]
    for place, color in enumerate(cells):
        x = place * _CELL
        if color == "_":
            canvas.rect(x + 8, 8, _CELL - 16, _CELL - 16, radius=3, fill="#e8e3d8")
        elif filled:
            pixel(canvas, x + _CELL / 2, _CELL / 2, _CELL - 2, color)
        else:
            edge = "#8a8a8a" if color == "W" else FILLS[color]
            place_in_row = (x + 2, 2, _CELL - 4, _CELL - 4)
            canvas.rect(*place_in_row, fill=FILLS[color], fill_opacity=0.28, stroke=edge, stroke_width=2)
            canvas.text(x + _CELL / 2, _CELL / 2, color, 15.5, anchor="middle", bold=True, fill="#333333")
    if filled:
        canvas.text(5 * _CELL + 8, _CELL / 2, "done", 15, fill=widgets.FAINT)
    else:
        widgets.badge(canvas, 5 * _CELL + 24, _CELL / 2, str(points), fill=widgets.POINTS, size=15)


def line_height() -> float:
    """The height of a line of an image."""
    return _CELL


def icon(letter: str, canvas: Canvas, size: float) -> None:
    """Draw a pixel that fills a square of this size, from (0, 0)."""
    pixel(canvas, size / 2, size / 2, size - 1, letter)
